//! The store's files: which it has, whether they are too many, and their replacement by others.

use super::{State, Store, StoreFile};
use crate::memstore::Memstore;
use crate::mob::{MobFile, MobSet};
use rowstone_model::cell::row_of;
use rowstone_model::schema::FamilyOptions;
use rowstone_model::Result;
use std::sync::atomic::Ordering;
use std::sync::Arc;

impl Store {
    /// The files, oldest first.
    pub fn files(&self) -> Arc<Vec<Arc<StoreFile>>> {
        Arc::clone(&self.state().files)
    }

    /// Whether files that no running compaction merges are enough for another one. In a burst of flushes, that takes as
    /// many files as one compaction merges.
    pub fn needs_compaction(&self, in_burst: bool) -> bool {
        let files = self.files();
        let newer = &files[self.claims.first_newer(&files)..];
        newer.len() >= self.config().policy.enough_files(in_burst) || newer.iter().any(|file| file.is_reference())
    }

    /// Whether it has halves of files that a split cut. Scans and gets need not know: they are limited to the
    /// region's rows.
    pub fn has_references(&self) -> bool {
        self.state().files.iter().any(|file| file.is_reference())
    }

    /// The row in the middle of its largest file, if a split there leaves rows on both sides. `None` if there is
    /// none, and while it has halves of files. Source: HBase's `StoreUtils.getSplitPoint`.
    pub fn middle_row(&self) -> Result<Option<Vec<u8>>> {
        let Some(largest) = self.largest_file() else { return Ok(None) };
        if self.has_references() {
            return Ok(None);
        }
        let (Some(key), Some((first, last))) = (largest.reader.mid_key()?, largest.rows()) else { return Ok(None) };
        let row = row_of(&key);
        Ok(Some(row.to_vec()).filter(|_| row != first && row != last))
    }

    /// Its largest file; of several of the same size, the oldest.
    pub fn largest_file(&self) -> Option<Arc<StoreFile>> {
        self.files().iter().rev().max_by_key(|file| file.entry.size_bytes).cloned()
    }

    /// Bytes of its files.
    pub fn file_bytes(&self) -> u64 {
        self.state().files.iter().map(|file| file.size_bytes()).sum()
    }

    /// The MOB files to which its files refer. After a split another store may refer to the same.
    pub fn mob_files(&self) -> Vec<Arc<MobFile>> {
        self.state().mob.iter().flat_map(|mob| mob.files()).cloned().collect()
    }

    /// Evicts the blocks of its files, and of the MOB files to which they refer, from the block cache; returns their
    /// number.
    pub fn evict_blocks(&self) -> u64 {
        let files: u64 = self.files().iter().map(|file| file.reader.evict_blocks()).sum();
        // A MOB file that cannot be opened has no blocks.
        let mob_files = self.mob_files();
        let readers = mob_files.iter().filter_map(|file| file.reader().ok());
        files + readers.map(|reader| reader.evict_blocks()).sum::<u64>()
    }

    /// Whether it has at least `times` times `hbase.hstore.blockingStoreFiles` files.
    pub fn has_too_many_files(&self, times: usize) -> bool {
        self.files().len() >= self.config().policy.blocking_files.saturating_mul(times)
    }

    /// The same, without the files that running compactions merge, and those older than them.
    pub fn has_too_many_waiting_files(&self, times: usize) -> bool {
        let files = self.files();
        let waiting = files.len() - self.claims.first_newer(&files);
        waiting >= self.config().policy.blocking_files.saturating_mul(times)
    }

    /// Replaces files by others that were written for read points from `cut` on. `show` shows them to readers.
    pub(super) fn swap_files(
        &self,
        cut: u64,
        change: impl FnOnce(&mut Vec<Arc<StoreFile>>),
        show: impl FnOnce(&Memstore<Arc<State>>, Arc<State>),
    ) {
        let _changing = self.changing.lock();
        self.cut.fetch_max(cut, Ordering::AcqRel);
        let before = self.files();
        let mut files = Vec::clone(&before);
        change(&mut files);
        let is_gone = |file: &&Arc<StoreFile>| !files.iter().any(|other| Arc::ptr_eq(file, other));
        before.iter().filter(is_gone).for_each(|file| self.counters.count_removed(file));
        files.sort_by_key(|file| file.order());
        let config = self.config();
        let mob = mob_set(&files, &self.mob_directory, &config.family);
        show(&self.memstore, Arc::new(State { config, files: Arc::new(files), mob }));
    }
}

/// The MOB files that a reader of these files may need.
pub(super) fn mob_set(files: &[Arc<StoreFile>], directory: &str, family: &FamilyOptions) -> Option<Arc<MobSet>> {
    MobSet::new(files.iter().flat_map(|file| &file.mob), directory, family.mob_threshold.is_some())
}
