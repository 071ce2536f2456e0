//! From memory to files, family by family. Source: HBase's `HRegion.internalFlushcache`, `FlushAllLargeStoresPolicy`.
//!
//! 1. With no write under way, a sequence id is taken and the families' recent cells are put aside as snapshots.
//! 2. Each snapshot becomes a file, synced, named by the manifest, shown to readers; then its memory is free.
//! 3. The log hears how far everything of the region is in files.

use super::Region;
use crate::store::{Store, Work};
use rowstone_model::Result;
use std::sync::atomic::Ordering;
use std::sync::Arc;

impl Region {
    /// Flushes every family that has recent cells. `false` where none had.
    pub fn flush(&self) -> Result<bool> {
        self.flush_where(|_| true)
    }

    /// Flushes the families that hold most of the memory, or all where none stands out.
    pub fn flush_large_families(&self) -> Result<bool> {
        let stores = self.stores();
        let lower_bound = self.settings.read().size("hbase.hregion.percolumnfamilyflush.size.lower.bound.min");
        let large = (self.limits.flush_bytes / stores.len().max(1) as u64).max(lower_bound);
        if stores.iter().any(|store| store.memstore_bytes() >= large) {
            return self.flush_where(|store| store.memstore_bytes() >= large);
        }
        self.flush()
    }

    fn flush_where(&self, chosen: impl Fn(&Store) -> bool) -> Result<bool> {
        let _flushing = self.flushing.lock();
        let waiting: Vec<Arc<Store>> = {
            let _updates = self.updates.write();
            let sequence_id = self.mvcc.begin();
            self.mvcc.complete(sequence_id);
            let stores = self.stores();
            stores.iter().filter(|store| chosen(store) && store.take_snapshot(sequence_id)).cloned().collect()
        };
        for store in &waiting {
            let flushed = store.flush_snapshot(self.mvcc.smallest_read_point());
            self.recount_memory();
            flushed?;
        }
        self.tell_log()?;
        if self.stores().iter().any(|store| store.needs_compaction()) {
            self.services.request(Work::Compact(self.info.encoded_name.clone()));
        }
        Ok(!waiting.is_empty())
    }

    /// Sets the running count of bytes right, which drifts by a few bytes a cell.
    fn recount_memory(&self) {
        let bytes = self.stores().iter().map(|store| store.memstore_bytes()).sum();
        let before = self.memstore_bytes.swap(bytes, Ordering::Relaxed);
        self.services.memory_grew(bytes as i64 - before as i64);
    }

    /// Tells the log up to where all families are in files.
    pub fn tell_log(&self) -> Result<()> {
        let flushed = self.stores().iter().map(|store| store.flushed_sequence_id()).min().unwrap_or(0);
        self.services.log_flushed(self.key, flushed)
    }

    /// Tells the log that it may forget all writes of a region that was dropped.
    pub fn forget_in_log(&self) -> Result<()> {
        self.services.log_flushed(self.key, u64::MAX)
    }

    /// Does the upkeep of the memstores.
    pub fn maintain_memstores(&self) {
        for store in self.stores().iter() {
            store.maintain_memstore();
        }
    }

    /// When the oldest recent cell was written, in milliseconds.
    pub fn oldest_write_ms(&self) -> Option<i64> {
        self.stores().iter().filter_map(|store| store.oldest_write_ms()).min()
    }
}
