//! Exporting a table as files for HBase's bulk load: `<family>/<file>`, each within one region.

use super::super::Database;
use crate::store::{Services, Store};
use crate::sys::{make_folders, random_hex, FileSystem, RealFileSystem};
use rowstone_model::admin::StoreFileInfo;
use rowstone_model::codec::printable;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, Result};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

impl Database {
    pub(super) fn do_export_files(&self, name: &TableName, folder: &Path) -> Result<Vec<StoreFileInfo>> {
        self.shared.check_open()?;
        // Folders outside the database are on the machine's disk even if the database is in memory.
        let outside = RealFileSystem;
        let (is_new, begun) = (!outside.exists(folder), RefCell::new(Vec::new()));
        let outcome = self.export_regions(&outside, name, folder, &begun);
        if outcome.is_err() {
            // The first error is the one to report. Folders that are not empty stay.
            for path in begun.into_inner() {
                let _ = outside.remove_file(&path);
                if let Some(family) = path.parent() {
                    let _ = outside.remove_dir(family);
                }
            }
            if is_new {
                let _ = outside.remove_dir(folder);
            }
        }
        outcome
    }

    /// Exports all regions. Adds the path of each file to `begun` before it is created.
    fn export_regions(
        &self,
        outside: &dyn FileSystem,
        name: &TableName,
        folder: &Path,
        begun: &RefCell<Vec<PathBuf>>,
    ) -> Result<Vec<StoreFileInfo>> {
        let place = |store: &Store| {
            let path = self.place(outside, folder, store)?;
            begun.borrow_mut().push(path.clone());
            Ok(path)
        };
        let mut files = Vec::new();
        for region in self.shared.tables.find(name)?.regions().iter() {
            for (store, path, summary) in region.export(outside, &place)? {
                files.push(StoreFileInfo {
                    region: region.info().encoded_name.clone(),
                    family: store.family_name().to_vec(),
                    path: path.display().to_string(),
                    size_bytes: summary.size_bytes,
                    entry_count: summary.entry_count,
                    max_sequence_id: summary.max_sequence_id,
                    time_range: summary.time_range,
                    is_major: false,
                });
            }
        }
        for file in &files {
            let family = folder.join(printable(&file.family));
            outside.sync_dir(&family).map_err(|error| Error::io("sync directory", family.display(), &error))?;
        }
        Ok(files)
    }

    /// Path of a family's next file. Creates its folder.
    fn place(&self, outside: &dyn FileSystem, folder: &Path, store: &Store) -> Result<PathBuf> {
        let family = folder.join(printable(store.family_name()));
        make_folders(outside, &family).map_err(|error| Error::io("make directory", family.display(), &error))?;
        Ok(family.join(random_hex(self.shared.system().entropy.as_ref())))
    }
}
