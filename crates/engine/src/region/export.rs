//! Exporting a region's cells to files outside the database, all families as of one moment.

use super::Region;
use crate::hfile::Summary;
use crate::store::Store;
use crate::sys::FileSystem;
use rowstone_model::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An exported file: its store, path and summary.
pub type Exported = (Arc<Store>, PathBuf, Summary);

impl Region {
    /// Writes each family that has cells to the path that `place` returns for it.
    pub fn export(&self, outside: &dyn FileSystem, place: &dyn Fn(&Store) -> Result<PathBuf>) -> Result<Vec<Exported>> {
        self.check_readable()?;
        let read_point = self.mvcc.register_reader();
        let outcome = self.export_at(outside, place, read_point);
        self.mvcc.release_reader(read_point);
        outcome
    }

    fn export_at(
        &self,
        outside: &dyn FileSystem,
        place: &dyn Fn(&Store) -> Result<PathBuf>,
        read_point: u64,
    ) -> Result<Vec<Exported>> {
        let mut exported = Vec::new();
        for store in self.stores().iter() {
            let path = place(store)?;
            match store.export(outside, &path, read_point) {
                Ok(Some(summary)) => exported.push((Arc::clone(store), path, summary)),
                Ok(None) => remove(outside, &path),
                Err(error) => {
                    remove(outside, &path);
                    return Err(error);
                }
            }
        }
        Ok(exported)
    }
}

/// Removes a useless file in a folder outside the database. If that fails, it stays.
fn remove(outside: &dyn FileSystem, path: &Path) {
    let _ = outside.remove_file(path);
}
