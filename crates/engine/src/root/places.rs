//! Locations of store files below a root. A file moves from its table's folder to the archive when its table no
//! longer needs it. Sources: HBase's `HFileLink`, `HFileArchiveUtil`.

use super::names::{family_folder, Meant};
use crate::sys::FileSystem;
use rowstone_model::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folders with the files of tables, in the order in which they are searched.
const FOLDERS: [&str; 3] = ["data", "archive/data", "mobdir/data"];

/// Files found so far. Each folder is listed once.
pub struct Places<'a> {
    files: &'a dyn FileSystem,
    root: &'a Path,
    listed: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Places<'a> {
    /// Places below `root`.
    pub fn new(files: &'a dyn FileSystem, root: &'a Path) -> Self {
        Places { files, root, listed: BTreeMap::new() }
    }

    /// The path of a file of `family`, relative to the root.
    ///
    /// # Errors
    /// `Io` with NotFound if it is in none of the folders.
    pub fn find(&mut self, meant: &Meant, family: &[u8]) -> Result<String> {
        let folder = store_folder(meant, family);
        for place in FOLDERS {
            let folder = format!("{place}/{folder}");
            if self.has(&folder, &meant.file)? {
                return Ok(format!("{folder}/{}", meant.file));
            }
        }
        let missing = self.root.join(FOLDERS[0]).join(folder).join(&meant.file);
        let why = format!("no such file, in {} neither", FOLDERS[1..].join(" and "));
        Err(Error::io("read", missing.display(), &std::io::Error::new(std::io::ErrorKind::NotFound, why)))
    }

    /// The path of a file of large values, relative to the root. A missing one is expected in the folder of those.
    pub(super) fn find_mob(&mut self, meant: &Meant, family: &[u8]) -> Result<String> {
        let folder = store_folder(meant, family);
        let is_archived = self.has(&format!("archive/data/{folder}"), &meant.file)?;
        let place = if is_archived { "archive/data" } else { "mobdir/data" };
        Ok(format!("{place}/{folder}/{}", meant.file))
    }

    /// The names of all files with large values of a region.
    pub(super) fn mob_names(&mut self, meant: &Meant, family: &[u8]) -> Result<BTreeSet<String>> {
        let folder = store_folder(meant, family);
        let mut names = self.names(&format!("mobdir/data/{folder}"))?.clone();
        names.extend(self.names(&format!("archive/data/{folder}"))?.iter().cloned());
        Ok(names)
    }

    fn has(&mut self, folder: &str, name: &str) -> Result<bool> {
        Ok(self.names(folder)?.contains(name))
    }

    fn names(&mut self, folder: &str) -> Result<&BTreeSet<String>> {
        if !self.listed.contains_key(folder) {
            let names = list(self.files, &self.root.join(folder))?.iter().map(|path| name_of(path)).collect();
            self.listed.insert(folder.to_string(), names);
        }
        self.listed.get(folder).ok_or_else(|| Error::internal("a folder was listed and is not there".to_string()))
    }
}

fn store_folder(meant: &Meant, family: &[u8]) -> String {
    let (namespace, table) = (meant.table.namespace(), meant.table.qualifier());
    format!("{namespace}/{table}/{}/{}", meant.region, family_folder(family))
}

pub(super) fn list(files: &dyn FileSystem, folder: &Path) -> Result<Vec<PathBuf>> {
    files.list(folder).map_err(|error| Error::io("list", folder.display(), &error))
}

pub(super) fn read(files: &dyn FileSystem, path: &Path) -> Result<Vec<u8>> {
    files.read(path).map_err(|error| Error::io("read", path.display(), &error))
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
