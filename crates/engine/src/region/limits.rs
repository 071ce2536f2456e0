//! Settings and table options that every write reads. They can change while writes run.

use super::Region;
use crate::hfile::MAX_CELL_BYTES;
use crate::settings::Settings;
use rowstone_model::schema::{FlushPolicy, TableOptions};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};

/// Bytes that a store file adds to a cell at most: its sequence id and the length of its tags.
const ADDED_BYTES: usize = 16;
/// A larger cell would fit into the log, but into no store file.
const MOST_CELL_BYTES: usize = MAX_CELL_BYTES - ADDED_BYTES;

/// Each value is read on its own, without a lock. A write may see one from before a change and another from after
/// it.
#[derive(Default)]
pub(super) struct Limits {
    max_cell_bytes: AtomicUsize,
    timestamp_slop_ms: AtomicI64,
    minibatch: AtomicUsize,
    flush_bytes: AtomicU64,
    most_bytes: AtomicU64,
    unique_timestamps: AtomicBool,
    monotone_timestamps: AtomicBool,
    is_read_only: AtomicBool,
    is_compaction_enabled: AtomicBool,
    flushes_all_families: AtomicBool,
}

impl Limits {
    pub(super) fn new(settings: &Settings, table: &TableOptions) -> Self {
        let limits = Limits::default();
        limits.set(settings, table);
        limits
    }

    /// Applies new settings and options.
    pub(super) fn set(&self, settings: &Settings, table: &TableOptions) {
        let max = settings.number("hbase.server.keyvalue.maxsize").min(
            match settings.number("hbase.client.keyvalue.maxsize") {
                off if off <= 0 => i64::MAX,
                limit => limit,
            },
        );
        let max = usize::try_from(max).ok().filter(|max| *max > 0).unwrap_or(usize::MAX).min(MOST_CELL_BYTES);
        let flush = table.flush_bytes.unwrap_or_else(|| settings.size("hbase.hregion.memstore.flush.size"));
        let most = flush.saturating_mul(settings.size("hbase.hregion.memstore.block.multiplier"));
        self.max_cell_bytes.store(max, Ordering::Relaxed);
        self.timestamp_slop_ms
            .store(settings.number("hbase.hregion.keyvalue.timestamp.slop.millisecs"), Ordering::Relaxed);
        self.minibatch.store(settings.size("hbase.regionserver.minibatch.size") as usize, Ordering::Relaxed);
        self.flush_bytes.store(flush, Ordering::Relaxed);
        self.most_bytes.store(most, Ordering::Relaxed);
        self.unique_timestamps.store(settings.flag("rowstone.unique.timestamps"), Ordering::Relaxed);
        self.monotone_timestamps.store(settings.flag("rowstone.monotone.timestamps"), Ordering::Relaxed);
        self.is_read_only.store(table.is_read_only, Ordering::Relaxed);
        self.is_compaction_enabled.store(table.is_compaction_enabled, Ordering::Relaxed);
        self.flushes_all_families.store(table.flush_policy == FlushPolicy::AllFamilies, Ordering::Relaxed);
    }

    /// Maximum bytes of a cell.
    #[inline]
    pub(super) fn max_cell_bytes(&self) -> usize {
        self.max_cell_bytes.load(Ordering::Relaxed)
    }

    /// Maximum milliseconds by which a timestamp may be ahead of the clock.
    #[inline]
    pub(super) fn timestamp_slop_ms(&self) -> i64 {
        self.timestamp_slop_ms.load(Ordering::Relaxed)
    }

    /// Maximum number of mutations in one record.
    pub(super) fn minibatch(&self) -> usize {
        self.minibatch.load(Ordering::Relaxed)
    }

    /// Bytes in memory that trigger a flush.
    #[inline]
    pub(super) fn flush_bytes(&self) -> u64 {
        self.flush_bytes.load(Ordering::Relaxed)
    }

    /// Bytes in memory above which writes wait.
    #[inline]
    pub(super) fn most_bytes(&self) -> u64 {
        self.most_bytes.load(Ordering::Relaxed)
    }

    /// Minimum number of milliseconds between the times of two writes. `None` if writes always get the clock's
    /// time.
    #[inline]
    pub(super) fn timestamp_step_ms(&self) -> Option<i64> {
        if self.unique_timestamps.load(Ordering::Relaxed) {
            return Some(1);
        }
        self.monotone_timestamps.load(Ordering::Relaxed).then_some(0)
    }

    /// Whether a flush by size includes all families.
    pub(super) fn flushes_all_families(&self) -> bool {
        self.flushes_all_families.load(Ordering::Relaxed)
    }
}

impl Region {
    /// Whether the table permits compactions (COMPACTION_ENABLED).
    pub fn is_compaction_enabled(&self) -> bool {
        self.limits.is_compaction_enabled.load(Ordering::Relaxed)
    }

    /// Refuses writes to a table that is READONLY.
    ///
    /// # Errors
    /// `ReadOnly`.
    #[inline]
    pub(super) fn check_not_read_only(&self) -> Result<()> {
        if self.limits.is_read_only.load(Ordering::Relaxed) {
            Err(self.read_only())
        } else {
            Ok(())
        }
    }

    #[cold]
    fn read_only(&self) -> Error {
        let table = &self.info().table;
        Error::new(
            ErrorKind::ReadOnly,
            format!("table '{table}' is READONLY: region is read only (DoNotRetryIOException); alter it to write"),
        )
    }
}
