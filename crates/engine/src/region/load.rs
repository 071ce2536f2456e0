//! Files made elsewhere become the region's, in all its families at once. Source: HBase's `HRegion.bulkLoadHFiles`.
//!
//! Recent cells are flushed first, so that every cell written before lies in an older file. Then the load takes a sequence
//! id like a write, and completes it when the files are permanent and in their stores: until then no reader's read point
//! reaches them. All their cells read as written at that id: at equal timestamps they hide what was written before, and are
//! hidden by what is written later.

use super::Region;
use crate::store::{StagedFile, Store, StoreFile};
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

impl Region {
    /// Takes all of `loads` or nothing. The copies are gone afterwards where it fails.
    pub fn bulk_load(&self, loads: Vec<Load>) -> Result<Vec<Loaded>> {
        let outcome = self.take(&loads);
        if outcome.is_err() {
            // Those that were renamed are not found by their old names; they were removed by their new ones.
            loads.iter().for_each(|load| load.store.unstage(&load.files));
        }
        outcome
    }

    fn take(&self, loads: &[Load]) -> Result<Vec<Loaded>> {
        self.check_writable()?;
        self.flush()?;
        let _flushing = self.flushing.lock();
        self.check_not_gone()?;
        let sequence_id = {
            let _updates = self.updates.write();
            self.mvcc.begin()
        };
        let outcome = self.make_permanent(loads, sequence_id);
        for (store, files) in outcome.iter().flatten() {
            store.show_loaded(files);
        }
        self.mvcc.complete(sequence_id);
        outcome
    }

    /// Gives the files their names and commits them with one edit.
    fn make_permanent(&self, loads: &[Load], sequence_id: u64) -> Result<Vec<Loaded>> {
        let mut loaded: Vec<Loaded> = loads.iter().map(|load| (Arc::clone(&load.store), Vec::new())).collect();
        let named = loads.iter().zip(&mut loaded).try_for_each(|(load, (store, files))| {
            for staged in &load.files {
                files.push(store.take_staged(staged, sequence_id)?);
            }
            store.settle_names()
        });
        if let Err(error) = named {
            let certain = Error::internal("nothing refers to it");
            loaded.iter().for_each(|(store, files)| store.discard_loaded(files, &certain));
            return Err(error);
        }
        let changes = loaded.iter().map(|(store, files)| store.load_change(files)).collect();
        if let Err(error) = self.services.commit_files(changes) {
            loaded.iter().for_each(|(store, files)| store.discard_loaded(files, &error));
            return Err(error);
        }
        Ok(loaded)
    }
}
