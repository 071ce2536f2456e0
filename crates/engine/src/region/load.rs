//! Files made elsewhere become the region's, in all its families at once. Source: HBase's `HRegion.bulkLoadHFiles`.
//!
//! The load takes a sequence id like a write, and completes it when the files are permanent and in their stores: until then
//! no reader's read point reaches them. All their cells read as written at that id: at equal timestamps they hide what was
//! written before, and are hidden by what is written later.

use super::Region;
use crate::store::{FileChange, StagedFile, Store, StoreFile};
use crate::sys::lock::MutexGuard;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// What a family is to take.
pub struct Load {
    /// The family's store.
    pub store: Arc<Store>,
    /// Copies in its folder.
    pub files: Vec<StagedFile>,
}

/// What a family took.
pub type Loaded = (Arc<Store>, Vec<Arc<StoreFile>>);

/// A load under way: the files have their names, and nothing refers to them yet. Writers of the region wait for its end
/// before they return, so there is not much to do until then.
pub struct Loading<'a> {
    region: &'a Region,
    sequence_id: u64,
    loaded: Vec<Loaded>,
    /// No flush begins meanwhile, and the region stays what it is.
    _flushing: MutexGuard<'a, ()>,
}

impl Region {
    /// Takes a sequence id and gives the copies of `loads` their names. Where that fails, those that were named are gone.
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

    /// The files are permanent: readers see them when this returns. Cannot fail.
    pub fn finish(mut self) -> Vec<Loaded> {
        let loaded = std::mem::take(&mut self.loaded);
        loaded.iter().for_each(|(store, files)| store.show_loaded(files));
        loaded
    }

    /// The files did not become permanent, because of `error`: they go where that is certain.
    pub fn give_up(self, error: &Error) {
        self.loaded.iter().for_each(|(store, files)| store.discard_loaded(files, error));
    }
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        self.region.mvcc.complete(self.sequence_id);
    }
}
