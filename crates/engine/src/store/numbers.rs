//! Counters and current sizes of a store. Counting begins when the store is opened.

use super::warm::Origin;
use super::{Store, StoreFile};
use crate::compact::selection::Choice;
use rowstone_model::admin::Statistics;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Each event costs one relaxed addition.
#[derive(Default)]
pub(super) struct Counters {
    reads: AtomicU64,
    writes: AtomicU64,
    flushed_bytes: AtomicU64,
    compacted_bytes: AtomicU64,
    compacted_input_bytes: AtomicU64,
    flushes: Timed,
    compactions: Timed,
    /// Hits of files that were removed.
    cache_hits: AtomicU64,
    cache_misses: AtomicU64,
}

/// Number of operations, and their total nanoseconds.
#[derive(Default)]
struct Timed {
    count: AtomicU64,
    total_ns: AtomicU64,
}

impl Timed {
    fn done(&self, began: Instant) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.total_ns.fetch_add(u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

impl Counters {
    /// Counts the flush of a snapshot that began at `began`.
    pub(super) fn flushed(&self, began: Instant) {
        self.flushes.done(began);
    }

    /// Counts a compaction of `input_bytes` that began at `began`.
    pub(super) fn compacted(&self, began: Instant, input_bytes: u64) {
        self.compactions.done(began);
        self.compacted_input_bytes.fetch_add(input_bytes, Ordering::Relaxed);
    }

    /// Counts a file that was just written.
    pub(super) fn wrote(&self, origin: Origin, bytes: u64) {
        let counter = match origin {
            Origin::Opened => return,
            Origin::Flush => &self.flushed_bytes,
            Origin::Compaction { .. } => &self.compacted_bytes,
        };
        counter.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Counts a file that the store no longer has.
    pub(super) fn count_removed(&self, file: &StoreFile) {
        let (hits, misses) = file.reader.cache_counts();
        self.cache_hits.fetch_add(hits, Ordering::Relaxed);
        self.cache_misses.fetch_add(misses, Ordering::Relaxed);
    }
}

impl Store {
    /// Counts a get, or the beginning of a scan, that reads the family.
    #[inline]
    pub fn count_read(&self) {
        self.counters.reads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a write that has cells of the family.
    #[inline]
    pub(super) fn count_write(&self) {
        self.counters.writes.fetch_add(1, Ordering::Relaxed);
    }

    /// Bytes of the files that a compaction would merge now; 0 if none is due.
    pub fn compaction_debt_bytes(&self) -> u64 {
        let files = self.files();
        let candidates: Vec<_> = files.iter().map(|file| file.candidate()).collect();
        match self.config().policy.select(Choice::Minor, &candidates) {
            Some(selection) => candidates[selection.files].iter().map(|file| file.size_bytes).sum(),
            None => 0,
        }
    }

    /// All numbers of the store, by name.
    pub fn numbers(&self) -> Statistics {
        let files = self.files();
        let sum = |part: &dyn Fn(&StoreFile) -> u64| files.iter().map(|file| part(file)).sum::<u64>();
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let majors = files.iter().filter(|file| file.entry.is_major).map(|file| file.reader.info().create_time_ms);
        let numbers = [
            ("memstore_bytes", self.memstore_bytes()),
            ("memstore_cells", self.memstore_cells()),
            ("store_files", files.len() as u64),
            ("store_file_bytes", self.file_bytes()),
            ("store_file_cells", sum(&StoreFile::entry_count)),
            ("reference_files", sum(&|file| u64::from(file.is_reference()))),
            ("index_bytes", sum(&|file| file.reader.index_bytes())),
            ("bloom_bytes", sum(&|file| file.reader.bloom_bytes())),
            ("uncompressed_bytes", sum(&|file| file.reader.info().uncompressed_bytes)),
            ("reads", count(&self.counters.reads)),
            ("writes", count(&self.counters.writes)),
            ("cache_hits", count(&self.counters.cache_hits) + sum(&|file| file.reader.cache_counts().0)),
            ("cache_misses", count(&self.counters.cache_misses) + sum(&|file| file.reader.cache_counts().1)),
            ("flushed_bytes", count(&self.counters.flushed_bytes)),
            ("compacted_bytes", count(&self.counters.compacted_bytes)),
            ("compacted_input_bytes", count(&self.counters.compacted_input_bytes)),
            ("flushes", count(&self.counters.flushes.count)),
            ("flush_ns", count(&self.counters.flushes.total_ns)),
            ("compactions", count(&self.counters.compactions.count)),
            ("compaction_ns", count(&self.counters.compactions.total_ns)),
            ("compaction_debt_bytes", self.compaction_debt_bytes()),
            // Creation time of the oldest file written by a major compaction; 0 without such a file.
            ("major_compaction_ms", majors.min().map_or(0, i64::unsigned_abs)),
        ];
        numbers
            .into_iter()
            .map(|(name, number)| (name.to_string(), i64::try_from(number).unwrap_or(i64::MAX)))
            .collect()
    }
}
