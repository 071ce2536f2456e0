//! Bulk load: adds external files to all families of a region at once. Source: HBase's `HRegion.bulkLoadHFiles`.
//!
//! The load allocates a sequence id like a write, and completes it when the files are permanent and in their
//! stores. Until then no reader's read point reaches them. All their cells count as written at that id: at equal
//! timestamps they hide earlier writes, and later writes hide them.

use super::Region;
use crate::store::{FileChange, StagedFile, Store, StoreFile};
use crate::sys::lock::MutexGuard;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// Files to load into one family.
pub struct Load {
    /// The family's store.
    pub store: Arc<Store>,
    /// Copies in the store's folder.
    pub files: Vec<StagedFile>,
}

/// Files that were loaded into one family.
pub type Loaded = (Arc<Store>, Vec<Arc<StoreFile>>);

/// A running load: the files have their names, and nothing refers to them yet. Writers of the region wait for its
/// end before they return, so it must be short.
pub struct Loading<'a> {
    region: &'a Region,
    sequence_id: u64,
    loaded: Vec<Loaded>,
    /// No flush can begin, and the region cannot be split, merged or closed meanwhile.
    _flushing: MutexGuard<'a, ()>,
}

impl Region {
    /// Allocates a sequence id and gives the copies of `loads` their final names. On failure, renamed copies are
    /// removed.
    pub fn begin_load(&self, loads: &[Load]) -> Result<Loading<'_>> {
        self.check_writable()?;
        let flushing = self.flushing.lock();
        self.check_not_gone()?;
        let sequence_id = {
            let _updates = self.updates.write();
            self.mvcc.begin()
        };
        let loaded = loads.iter().map(|load| (Arc::clone(&load.store), Vec::new())).collect();
        let mut loading = Loading { region: self, sequence_id, loaded, _flushing: flushing };
        match loading.name(loads) {
            Ok(()) => Ok(loading),
            Err(error) => {
                loading.give_up(&Error::internal("nothing refers to it"));
                Err(error)
            }
        }
    }
}

impl Loading<'_> {
    fn name(&mut self, loads: &[Load]) -> Result<()> {
        loads.iter().zip(&mut self.loaded).try_for_each(|(load, (store, files))| {
            for staged in &load.files {
                files.push(store.take_staged(staged, self.sequence_id)?);
            }
            store.settle_names()
        })
    }

    /// The changes that make the files permanent.
    pub fn changes(&self) -> impl Iterator<Item = FileChange> + '_ {
        self.loaded.iter().map(|(store, files)| store.load_change(files))
    }

    /// Called when the files are permanent. Readers see them when this returns. Cannot fail.
    pub fn finish(mut self) -> Vec<Loaded> {
        let loaded = std::mem::take(&mut self.loaded);
        loaded.iter().for_each(|(store, files)| store.show_loaded(files));
        loaded
    }

    /// Called when the files did not become permanent because of `error`. Removes them if that is certain.
    pub fn give_up(self, error: &Error) {
        self.loaded.iter().for_each(|(store, files)| store.discard_loaded(files, error));
    }
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        self.region.mvcc.complete(self.sequence_id);
    }
}
