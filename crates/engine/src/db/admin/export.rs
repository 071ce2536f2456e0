//! Exporting a table as files for HBase's bulk load: `<family>/<file>`, each within one region.

use super::super::Database;
use crate::store::{Services, Store};
use crate::sys::{make_folders, random_hex, FileSystem, RealFileSystem};
use rowstone_model::admin::StoreFileInfo;
use rowstone_model::codec::printable;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, Result};
use std::path::{Path, PathBuf};

impl Database {
    pub(super) fn do_export_files(&self, name: &TableName, folder: &Path) -> Result<Vec<StoreFileInfo>> {
        self.shared.check_open()?;
        // Folders outside the database are on the machine's disk even if the database is in memory.
        let outside = RealFileSystem;
        let mut files = Vec::new();
        for region in self.shared.tables.find(name)?.regions().iter() {
            for (store, path, summary) in region.export(&outside, &|store| self.place(&outside, folder, store))? {
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
