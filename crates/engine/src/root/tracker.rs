//! The files of a store: those in its folder, or those that a list names. Sources: HBase's `DefaultStoreFileTracker`,
//! `FileBasedStoreFileTracker`, `StoreFileListFile`.

use super::messages::{read_reference, read_tracked, NamedFile};
use super::names::{form_of, Form};
use super::places::{list, name_of, read};
use super::snapshot::understood;
use crate::sys::FileSystem;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor};
use rowstone_model::{Error, ErrorKind, Result};
use std::path::Path;

const SETTING: &str = "hbase.store.file-tracker.impl";
const MIGRATION_SOURCE: &str = "hbase.store.file-tracker.migration.src.impl";
const LIST_FOLDER: &str = ".filelist";

/// The record of a store's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tracker {
    /// All files in the folder belong to the store.
    Folder,
    /// A list in the folder names them.
    List,
}

impl Tracker {
    /// The tracker of a family.
    ///
    /// # Errors
    /// `Unsupported` for one of another name.
    pub fn of(table: &TableDescriptor, family: &FamilyDescriptor) -> Result<Self> {
        let setting = |name: &str| {
            let of_table = || table.configuration.get(name).or_else(|| table.attributes.get(name));
            family.configuration.get(name).or_else(of_table).map(String::as_str)
        };
        let name = match setting(SETTING) {
            // Until it ends, a migration keeps the old tracker's list complete.
            Some("MIGRATION") => setting(MIGRATION_SOURCE).unwrap_or("DEFAULT"),
            name => name.unwrap_or("DEFAULT"),
        };
        match name.rsplit('.').next().unwrap_or(name) {
            "DEFAULT" | "DefaultStoreFileTracker" => Ok(Tracker::Folder),
            "FILE" | "FileBasedStoreFileTracker" => Ok(Tracker::List),
            _ => {
                let message = format!(
                    "table '{}' has the store file tracker '{name}' ({SETTING}); those that are read: DEFAULT, FILE",
                    table.name
                );
                Err(Error::new(ErrorKind::Unsupported, message))
            }
        }
    }

    /// The files of the store in `folder`.
    pub fn files(self, files: &dyn FileSystem, folder: &Path) -> Result<Vec<NamedFile>> {
        let names = match self {
            Tracker::Folder => list(files, folder)?.iter().map(|path| name_of(path)).collect(),
            Tracker::List => listed(files, &folder.join(LIST_FOLDER))?,
        };
        let mut found = Vec::new();
        for name in names {
            let Some(form) = form_of(&name) else { continue };
            let half = match form {
                Form::Reference => {
                    let path = folder.join(&name);
                    Some(understood(read_reference(&read(files, &path)?), &path)?)
                }
                Form::File | Form::Link => None,
            };
            found.push(NamedFile { name, half, size_bytes: 0 });
        }
        Ok(found)
    }
}

/// The names in the newest valid list. Lists are written in turn to two files, so a torn one has a predecessor.
fn listed(files: &dyn FileSystem, folder: &Path) -> Result<Vec<String>> {
    let paths = list(files, folder)?;
    // f1.<time> and f2.<time>: the time is that of the region's opening.
    let opened = |path: &Path| name_of(path).split_once('.').and_then(|(_, at)| at.parse::<u64>().ok()).unwrap_or(0);
    let newest = paths.iter().map(|path| opened(path)).max();
    let mut best: Option<(u64, Vec<NamedFile>)> = None;
    let mut damage = None;
    for path in paths.iter().filter(|path| Some(opened(path)) == newest) {
        match understood(read_tracked(&read(files, path)?), path) {
            Ok(list) if best.as_ref().is_none_or(|best| best.0 < list.0) => best = Some(list),
            Ok(_) => {}
            Err(error) => damage = Some(error),
        }
    }
    match (best, damage) {
        (Some((_, list)), _) => Ok(list.into_iter().map(|file| file.name).collect()),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(Vec::new()),
    }
}
