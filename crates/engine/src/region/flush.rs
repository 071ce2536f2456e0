//! Flush: from memory to files, family by family. Source: HBase's `HRegion.internalFlushcache`,
//! `FlushAllLargeStoresPolicy`.
//!
//! 1. While no write is running, a sequence id is allocated and the families' recent cells are set aside as
//!    snapshots.
//! 2. The log is synced, so that no power loss leaves more of a row in the files than in the log.
//! 3. Each snapshot becomes a file, synced and open. One edit of the manifest names them all. Then readers see
//!    them, and the memory is free. If any of this fails, the snapshots become recent cells again.
//! 4. The log is notified up to which id all families of the region are in files.

use super::Region;
use crate::store::{FileChange, FlushedFile, Services, Store, Work};
use crate::sys::lock::RwLockWriteGuard;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// Snapshots to be flushed. Unless they were shown, they become recent cells again when this is dropped.
pub(super) struct Aside<'r> {
    region: &'r Region,
    stores: Vec<Arc<Store>>,
    sequence_id: u64,
    has_unlogged: bool,
    /// Whether they contain everything that the region has in memory.
    is_whole: bool,
    /// Whether readers see their files instead.
    is_shown: bool,
}

impl Drop for Aside<'_> {
    /// Also runs after a panic: the next flush would take a snapshot that stayed aside for all cells up to its own id.
    fn drop(&mut self) {
        if !self.is_shown {
            self.stores.iter().for_each(|store| store.take_snapshot_back());
            if self.has_unlogged {
                self.region.has_unlogged.store(true, Ordering::Relaxed);
            }
        }
        self.region.recount_memory();
    }
}

/// New files, each with its store.
type Files<'a> = Vec<(&'a Arc<Store>, FlushedFile)>;

fn discard(files: &Files<'_>, error: &Error) {
    files.iter().for_each(|(store, file)| store.discard(file, error));
}

/// Flushes those of `regions` that were written together, with one change of the manifest. When the log can no
/// longer keep such writes atomic, the files must. `regions` are in the order of tables and rows.
pub fn flush_together(regions: &[Arc<Region>]) -> Result<bool> {
    let is_here = |region: &&Arc<Region>| !region.is_gone.load(Ordering::Acquire) && !region.is_moved();
    let tied: Vec<&Arc<Region>> = regions.iter().filter(|region| region.is_tied()).filter(is_here).collect();
    let _flushing: Vec<_> = tied.iter().map(|region| region.flushing.lock()).collect();
    let tied: Vec<&Arc<Region>> = tied.into_iter().filter(is_here).collect();
    let Some(first) = tied.first() else { return Ok(false) };
    let mut asides: Vec<Aside<'_>> = {
        let updates: Vec<_> = tied.iter().map(|region| region.updates.write()).collect();
        tied.iter().zip(&updates).map(|(region, updates)| region.put_aside(updates, |_| true)).collect()
    };
    write_together(&tied, &mut asides, &*first.services)?;
    let has_flushed = asides.iter().any(|aside| !aside.stores.is_empty());
    drop(asides);
    tied.iter().try_for_each(|region| region.tell_log())?;
    Ok(has_flushed)
}

fn write_together(regions: &[&Arc<Region>], asides: &mut [Aside<'_>], services: &dyn Services) -> Result<()> {
    let mut all: Vec<Files<'_>> = Vec::with_capacity(asides.len());
    let mut changes = Vec::new();
    for (region, aside) in regions.iter().zip(&*asides) {
        match region.write_files(aside) {
            Ok(files) => {
                changes.extend(region.changes(aside, &files));
                all.push(files);
            }
            Err(error) => {
                all.iter().for_each(|files| discard(files, &Error::internal("nothing refers to them")));
                return Err(error);
            }
        }
    }
    if let Err(error) = services.commit_files(changes) {
        all.iter().for_each(|files| discard(files, &error));
        return Err(error);
    }
    for (files, aside) in all.into_iter().zip(&*asides) {
        files.into_iter().for_each(|(store, file)| store.show(file, aside.sequence_id));
    }
    asides.iter_mut().for_each(|aside| aside.is_shown = true);
    Ok(())
}

impl Region {
    /// Flushes every family that has recent cells. `false` if none had any.
    pub fn flush(&self) -> Result<bool> {
        self.flush_where(|_| true)
    }

    /// Flushes every family, then calls `capture` before another flush or bulk load of the region can begin. The
    /// manifest then describes all families of the region as of one moment.
    pub fn flush_and_capture<T>(&self, capture: impl FnOnce() -> Result<T>) -> Result<T> {
        self.flush_with(|_| true, capture).map(|(_, captured)| captured)
    }

    /// Flushes the families that use most of the memory. Flushes all families if none stands out or if the table's
    /// FLUSH_POLICY requires it.
    pub fn flush_large_families(&self) -> Result<bool> {
        if self.limits.flushes_all_families() {
            return self.flush();
        }
        let stores = self.stores();
        let lower_bound = self.settings.read().size("hbase.hregion.percolumnfamilyflush.size.lower.bound.min");
        let large = (self.limits.flush_bytes() / stores.len().max(1) as u64).max(lower_bound);
        if stores.iter().any(|store| store.memstore_bytes() >= large) {
            return self.flush_where(|store| store.memstore_bytes() >= large);
        }
        self.flush()
    }

    /// Flushes one family.
    pub fn flush_family(&self, family: &[u8]) -> Result<bool> {
        self.check_family(family)?;
        self.flush_where(|store| store.family_name() == family)
    }

    fn flush_where(&self, chosen: impl Fn(&Store) -> bool) -> Result<bool> {
        self.flush_with(chosen, || Ok(())).map(|(flushed, ())| flushed)
    }

    fn flush_with<T>(&self, chosen: impl Fn(&Store) -> bool, capture: impl FnOnce() -> Result<T>) -> Result<(bool, T)> {
        if self.is_tied() {
            let flushed = self.services.flush_tied()?;
            // After a log failure every flush includes all families, so a later one is as good.
            let _flushing = self.flushing.lock();
            return Ok((flushed, capture()?));
        }
        let Some(witness) = self.witness() else { return self.flush_chosen(chosen, capture) };
        witness.pre_flush(&self.info)?;
        let flushed = self.flush_chosen(chosen, capture)?;
        witness.post_flush(&self.info)?;
        Ok(flushed)
    }

    fn flush_chosen<T>(
        &self,
        chosen: impl Fn(&Store) -> bool,
        capture: impl FnOnce() -> Result<T>,
    ) -> Result<(bool, T)> {
        let _flushing = self.flushing.lock();
        if self.is_moved() {
            // The region was flushed before it was replaced.
            return Ok((false, capture()?));
        }
        self.check_not_gone()?;
        let aside = self.put_aside(&self.updates.write(), chosen);
        let has_flushed = self.write_aside(aside)?;
        let captured = capture();
        self.tell_log()?;
        let in_burst = has_flushed && self.since_flush.flushed();
        if self.needs_compaction(in_burst) {
            self.services.request(Work::Compact(self.info.encoded_name.clone()));
        }
        if has_flushed {
            self.services.request(Work::Split(self.info.encoded_name.clone()));
        }
        Ok((has_flushed, captured?))
    }

    /// Flushes during log replay. There is no log to notify yet, and the next record continues at its own sequence
    /// id.
    pub fn flush_replayed(&self) -> Result<()> {
        let _flushing = self.flushing.lock();
        let sequence_id = self.mvcc.last();
        let stores = self.stores().iter().filter(|store| store.take_snapshot(sequence_id)).cloned().collect();
        let (has_unlogged, is_whole, is_shown) = (false, true, false);
        self.write_aside(Aside { region: self, stores, sequence_id, has_unlogged, is_whole, is_shown }).map(drop)
    }

    /// Allocates a sequence id and sets the recent cells of the chosen families aside. No write may be running
    /// (`updates` is locked exclusively).
    ///
    /// All families go together if the log could not repair a row torn by a crash: after writes that skipped the
    /// log, and after the log failed. A failed record may still be in the log, and must not come back for only one
    /// family.
    pub(super) fn put_aside(&self, _updates: &RwLockWriteGuard<'_, ()>, chosen: impl Fn(&Store) -> bool) -> Aside<'_> {
        let sequence_id = self.mvcc.begin();
        self.mvcc.complete(sequence_id);
        let has_unlogged = self.has_unlogged.swap(false, Ordering::Relaxed);
        let is_whole = has_unlogged || self.services.log_has_failed();
        let mut stores = Vec::new();
        for store in self.stores().iter() {
            if !is_whole && !chosen(store) {
                store.note_if_empty(sequence_id);
            } else if store.take_snapshot(sequence_id) {
                stores.push(Arc::clone(store));
            }
        }
        Aside { region: self, stores, sequence_id, has_unlogged, is_whole, is_shown: false }
    }

    /// Makes the snapshots permanent, or turns them back into recent cells. Returns whether there were any.
    pub(super) fn write_aside(&self, mut aside: Aside<'_>) -> Result<bool> {
        self.make_files(&aside)?;
        aside.is_shown = true;
        Ok(!aside.stores.is_empty())
    }

    /// Writes one file per family and makes all of them permanent with one edit.
    fn make_files(&self, aside: &Aside<'_>) -> Result<()> {
        if aside.stores.is_empty() {
            return Ok(());
        }
        // Cells of the same row in other families may be only in the log. The row's cells in the files must not
        // survive a crash that loses those.
        match self.services.log_sync() {
            Err(error) if !aside.is_whole => return Err(error),
            _ => {}
        }
        self.check_not_tied()?;
        let files = self.write_files(aside)?;
        if let Err(error) = self.services.commit_files(self.changes(aside, &files)) {
            discard(&files, &error);
            return Err(error);
        }
        files.into_iter().for_each(|(store, file)| store.show(file, aside.sequence_id));
        Ok(())
    }

    /// Refuses a flush that would separate the region from others written together with it. Only [`flush_together`]
    /// may write its files.
    pub(super) fn check_not_tied(&self) -> Result<()> {
        if !self.is_tied() {
            return Ok(());
        }
        let message =
            "the log failed: regions that were written together stay together until the database is opened again";
        Err(Error::new(ErrorKind::LogPoisoned, message))
    }

    /// Writes a file for each family's snapshot. Nothing refers to the files yet.
    fn write_files<'a>(&self, aside: &'a Aside<'_>) -> Result<Files<'a>> {
        let cut = self.mvcc.smallest_read_point();
        let mut files: Files<'a> = Vec::with_capacity(aside.stores.len());
        for store in &aside.stores {
            match store.write_snapshot(aside.sequence_id, cut) {
                Ok(file) => files.push((store, file)),
                Err(error) => {
                    discard(&files, &Error::internal("nothing refers to it"));
                    return Err(error);
                }
            }
        }
        Ok(files)
    }

    /// Changes of the manifest for the new files.
    fn changes(&self, aside: &Aside<'_>, files: &Files<'_>) -> Vec<FileChange> {
        let change = |store: &Arc<Store>| {
            let flushed = files.iter().find(|(flushed, _)| Arc::ptr_eq(flushed, store)).map(|(_, file)| file);
            store.flush_change(flushed, aside.sequence_id)
        };
        let mut changes: Vec<FileChange> = self.stores().iter().map(change).collect();
        if let Some(first) = changes.first_mut() {
            first.last_write_ms = self.last_now().max(Some(self.services.system().clock.now_ms()));
        }
        changes
    }

    /// Corrects the running count of bytes, which drifts by a few bytes per cell.
    pub(super) fn recount_memory(&self) {
        let bytes = self.stores().iter().map(|store| store.memstore_bytes()).sum();
        let before = self.memstore_bytes.swap(bytes, Ordering::Relaxed);
        self.services.memory_grew(bytes as i64 - before as i64);
    }

    /// Sequence id up to which all families are in files.
    pub fn flushed_sequence_id(&self) -> u64 {
        self.stores().iter().map(|store| store.flushed_sequence_id()).min().unwrap_or(0)
    }

    fn tell_log(&self) -> Result<()> {
        self.services.log_flushed(self.key, self.flushed_sequence_id())
    }

    /// Flattens and merges segments of the memstores.
    pub fn merge_segments(&self) {
        self.stores().iter().for_each(|store| store.merge_segments());
    }

    /// Runs the upkeep of the memstores: merges segments, and frees memory that was not needed lately.
    pub fn maintain_memstores(&self) {
        for store in self.stores().iter() {
            store.maintain_memstore();
        }
    }

    /// Time when the oldest recent cell was written, in milliseconds.
    pub fn oldest_write_ms(&self) -> Option<i64> {
        self.stores().iter().filter_map(|store| store.oldest_write_ms()).min()
    }
}
