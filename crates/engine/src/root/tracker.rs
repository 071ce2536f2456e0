//! The files of a store: those in its folder, or those that a list names. Sources: HBase's `DefaultStoreFileTracker`,
//! `FileBasedStoreFileTracker`, `StoreFileListFile`.

use super::messages::{read_reference, read_tracked, NamedFile};
use super::names::{family_folder, form_of, Form};
use super::places::{list, name_of, read};
use super::snapshot::understood;
use crate::sys::FileSystem;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SETTING: &str = "hbase.store.file-tracker.impl";
const MIGRATION_SOURCE: &str = "hbase.store.file-tracker.migration.src.impl";
const LIST_FOLDER: &str = ".filelist";
/// Folder of a region with files that are renamed when they are committed.
const UNCOMMITTED_FOLDER: &str = ".tmp";

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
            Some(name) if name.eq_ignore_ascii_case("MIGRATION") => setting(MIGRATION_SOURCE).unwrap_or("DEFAULT"),
            name => name.unwrap_or("DEFAULT"),
        };
        match name.rsplit('.').next().unwrap_or(name).to_ascii_uppercase().as_str() {
            "DEFAULT" | "DEFAULTSTOREFILETRACKER" => Ok(Tracker::Folder),
            "FILE" | "FILEBASEDSTOREFILETRACKER" => Ok(Tracker::List),
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

    /// Complete or unfinished files of `family` that are not among `listed`, those of its store, in the region's folder.
    pub fn uncommitted(
        self,
        files: &dyn FileSystem,
        region: &Path,
        family: &[u8],
        listed: &[NamedFile],
    ) -> Result<Vec<PathBuf>> {
        let folder = match self {
            Tracker::Folder => region.join(UNCOMMITTED_FOLDER).join(family_folder(family)),
            Tracker::List => region.join(family_folder(family)),
        };
        let is_new = |path: &PathBuf| {
            let name = name_of(path);
            form_of(&name) == Some(Form::File) && listed.iter().all(|file| file.name != name)
        };
        Ok(list(files, &folder)?.into_iter().filter(is_new).collect())
    }
}

/// The names in the newest whole list. Lists are written in turn to two files, so one that is not whole yet has a
/// predecessor: in the other file, or from the opening before.
fn listed(files: &dyn FileSystem, folder: &Path) -> Result<Vec<String>> {
    // f1.<time> and f2.<time>: the time is that of the region's opening.
    let opened = |path: &Path| name_of(path).split_once('.').and_then(|(_, at)| at.parse::<u64>().ok()).unwrap_or(0);
    let mut openings: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
    list(files, folder)?.into_iter().for_each(|path| openings.entry(opened(&path)).or_default().push(path));
    for paths in openings.values().rev() {
        let mut newest: Option<(u64, Vec<NamedFile>)> = None;
        for path in paths {
            let found = understood(read_tracked(&read(files, path)?), path)?;
            newest = [newest, found].into_iter().flatten().max_by_key(|(time, _)| *time);
        }
        if let Some((_, list)) = newest {
            return Ok(list.into_iter().map(|file| file.name).collect());
        }
    }
    Ok(Vec::new())
}
