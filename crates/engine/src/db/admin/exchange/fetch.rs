//! Fetching a snapshot from another file system: its files are copied to a local folder with the same layout.

use super::OUTSIDE;
use crate::root::{meaning_of, read_snapshot, snapshot_folder, Places, DESCRIPTION, MANIFEST};
use crate::store::copy_file;
use crate::sys::{make_folders, FileSystem};
use rowstone_model::{Error, Result};
use std::collections::BTreeSet;
use std::path::Path;

/// Copies the snapshot `name` below `root` in `files` to the local folder `target`.
///
/// # Errors
/// `SnapshotNotFound`, `Corruption`, `Unsupported`; `Io`, `DiskFull`.
pub fn fetch_snapshot(files: &dyn FileSystem, root: &Path, name: &str, target: &Path) -> Result<()> {
    let (_, manifest) = read_snapshot(files, root, name)?;
    let mut places = Places::new(files, root);
    let mut paths = BTreeSet::new();
    for region in &manifest.regions {
        for (family, named) in &region.families {
            for file in named {
                let meant = meaning_of(&region.info, &file.name, file.half.is_some())?;
                paths.insert(places.find(&meant, family)?);
            }
        }
    }
    for path in &paths {
        fetch(files, &root.join(path), &target.join(path))?;
    }
    let (from, to) = (snapshot_folder(root, name), snapshot_folder(target, name));
    [MANIFEST, DESCRIPTION].iter().try_for_each(|part| fetch(files, &from.join(part), &to.join(part)))
}

fn fetch(files: &dyn FileSystem, from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    make_folders(&OUTSIDE, folder).map_err(|error| Error::io("make directory", folder.display(), &error))?;
    copy_file(files, from, &OUTSIDE, to)?;
    Ok(())
}
