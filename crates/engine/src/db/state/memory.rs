//! Memory of the memstores: its limit, and writers that wait for a flush.

use super::shared::Shared;
use super::slowdown::ns_per_byte;
use crate::store::Work;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

impl Shared {
    /// Bytes of all memstores, and their limit.
    pub(in crate::db) fn memory(&self) -> (i64, i64) {
        (self.memory.load(Ordering::Relaxed), self.memory_limit)
    }

    /// Wakes writers that wait for room.
    pub(in crate::db) fn signal_room(&self) {
        let _guard = self.room.0.lock();
        self.room.1.notify_all();
    }

    /// Memory above which flushes begin, well before writers have to wait.
    pub(in crate::db) fn flush_mark(&self) -> i64 {
        self.memory_limit / 2
    }

    /// Whether recent writes use so much memory that some should be flushed.
    pub(in crate::db) fn wants_flushes(&self) -> bool {
        self.memory.load(Ordering::Relaxed) >= self.flush_mark()
    }

    /// Delays a write of `bytes` bytes while the memory of all regions, or that of its region, is almost full. A flush
    /// that makes room ends the delay.
    pub(in crate::db) fn delay_write(&self, region: (u64, u64), bytes: &dyn Fn() -> usize) {
        let (used, limit) = self.memory();
        let of_all = ns_per_byte(u64::try_from(used).unwrap_or(0), u64::try_from(limit).unwrap_or(0));
        let rate = of_all.max(ns_per_byte(region.0, region.1));
        if rate == 0 {
            return;
        }
        if of_all > 0 {
            // The last request may have ended without a flush.
            self.queue.push_flush_of_largest();
        }
        if let Some(delay) = self.slowdown.delay(rate.saturating_mul(bytes() as u64)) {
            let start = Instant::now();
            let mut guard = self.room.0.lock();
            self.room.1.wait_for(&mut guard, delay);
            self.counts.delayed(start.elapsed());
        }
    }

    /// Whether the disk currently has room for the largest flush.
    fn has_room_for_flush(&self) -> bool {
        let tables = self.tables.all();
        let largest =
            tables.iter().flat_map(|table| table.regions().iter().map(|region| region.memstore_bytes()).max());
        self.reserve.has_room(largest.max().unwrap_or(0))
    }

    fn no_room_to_flush(&self, error: &Error) -> Error {
        let (bytes, limit) = self.memory();
        let message = format!(
            "the disk is full, and {bytes} of at most {limit} bytes of recent writes wait in memory for a flush, which \
             failed with: {error}; free some space, or drop or truncate a table, and write again"
        );
        Error::new(ErrorKind::DiskFull, message)
    }

    /// Waits until a flush has freed memory. Fails with `RegionTooBusy` after `hbase.hstore.blockingWaitTime`, and with
    /// `DiskFull` if the flush failed for lack of disk space.
    pub(in crate::db) fn wait_for_flush_since(
        &self,
        start: Instant,
        region: &str,
        has_room: &dyn Fn() -> bool,
    ) -> Result<()> {
        let limit = Duration::from_millis(self.settings.size("hbase.hstore.blockingWaitTime"));
        let mut has_probed = false;
        let mut guard = self.room.0.lock();
        while !has_room() {
            self.check_open()?;
            if let Some(error) = self.queue.disk_full() {
                if has_probed || !self.has_room_for_flush() {
                    return Err(self.no_room_to_flush(&error));
                }
                has_probed = true;
                self.queue.note_space();
            }
            if region.is_empty() {
                self.queue.push_flush_of_largest();
            } else {
                self.queue.push(Work::Flush(region.to_string()));
            }
            if start.elapsed() > limit {
                return Err(Error::new(
                    ErrorKind::RegionTooBusy,
                    format!(
                        "memory for recent writes ({} of {} bytes) stayed full for {} ms; flushes cannot keep up or \
                         fail: {}",
                        self.memory.load(Ordering::Relaxed),
                        self.memory_limit,
                        limit.as_millis(),
                        self.queue.last_error().unwrap_or_else(|| "no flush failed".into())
                    ),
                ));
            }
            self.room.1.wait_for(&mut guard, Duration::from_millis(50));
        }
        Ok(())
    }
}
