//! Sweep of files that the manifest does not name: those that a crash left behind, and those of dropped tables.
//!
//! Only file names that the store itself generates are touched: 32 hex digits (and `_SeqId_<n>_` after a bulk
//! load), at the depth of a store file; below `mobdir/` the names of MOB files, at the same depth. They are moved
//! to `archive/`, under the same path. Files below `.tmp` folders were never alive, and are deleted at once.

use super::region::mob_region;
use super::state::{State, TableEntry};
use crate::sys::FileSystem;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Checks whether the store generates names of this form.
type IsOwn = fn(&str) -> bool;

/// Folders of store files and of MOB files, and the form of their names.
const BASES: [(&str, IsOwn); 2] = [("data", is_store_file), ("mobdir/data", is_mob_file)];

/// Result of a sweep. Paths are relative to the database's directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SweepReport {
    /// Files moved to `archive/`.
    pub archived: Vec<String>,
    /// Deleted files: unfinished ones, and on a full disk also the others.
    pub deleted: Vec<String>,
}

/// Moves unreachable files to the archive, deletes unfinished ones, and removes folders of the store that became
/// empty.
///
/// Must run before background work begins: a file that is written but not committed yet is also unreachable.
pub fn sweep(files: &dyn FileSystem, directory: &Path, state: &State) -> Result<SweepReport> {
    let found = walk(files, directory)?;
    let live = state.live_paths();
    let mut report = SweepReport::default();
    for path in found.finished.into_iter().filter(|path| !live.contains(path.as_str())) {
        match archive_file(files, directory, &path) {
            // A full disk has no room for another folder.
            Err(error) if error.kind() == ErrorKind::DiskFull => {
                remove_file(files, &directory.join(&path))?;
                report.deleted.push(path);
            }
            outcome => {
                outcome?;
                report.archived.push(path);
            }
        }
    }
    for path in found.unfinished {
        remove_file(files, &directory.join(&path))?;
        report.deleted.push(path);
    }
    remove_dead_folders(files, directory, state, &found.regions)?;
    Ok(report)
}

/// Deletes the files in `archive/` to free space on a full disk. Returns whether there were any.
///
/// # Errors
/// `Io`.
pub fn clear_archive(files: &dyn FileSystem, directory: &Path) -> Result<bool> {
    let mut folders = vec![directory.join("archive")];
    let mut has_removed = false;
    while let Some(folder) = folders.pop() {
        for path in list(files, &folder)? {
            if files.is_dir(&path) {
                folders.push(path);
            } else {
                remove_file(files, &path)?;
                has_removed = true;
            }
        }
    }
    Ok(has_removed)
}

fn remove_file(files: &dyn FileSystem, path: &Path) -> Result<()> {
    files.remove_file(path).map_err(|error| Error::io("delete", path.display(), &error))
}

/// Finds the store files that the manifest does not name. Paths are relative to `directory`.
pub fn find_unreachable(files: &dyn FileSystem, directory: &Path, state: &State) -> Result<Vec<String>> {
    let live = state.live_paths();
    Ok(walk(files, directory)?.finished.into_iter().filter(|path| !live.contains(path.as_str())).collect())
}

/// Moves the store file at `path`, relative to `directory`, to the same path below `archive/`.
pub fn archive_file(files: &dyn FileSystem, directory: &Path, path: &str) -> Result<()> {
    let (from, to) = (directory.join(path), directory.join("archive").join(path));
    let folder = to.parent().unwrap_or(directory);
    let is_new = !files.exists(folder);
    let archive = || {
        files.create_dir_all(folder)?;
        files.rename(&from, &to)?;
        files.sync_dir(folder)?;
        let above = folder.ancestors().skip(1).take_while(|above| above.starts_with(directory));
        for above in above.take_while(|_| is_new) {
            files.sync_dir(above)?;
        }
        from.parent().map_or(Ok(()), |parent| files.sync_dir(parent))
    };
    archive().map_err(|error| Error::io("archive", from.display(), &error))
}

#[derive(Default)]
struct Found {
    finished: Vec<String>,
    unfinished: Vec<String>,
    /// Folders of regions.
    regions: Vec<PathBuf>,
}

fn walk(files: &dyn FileSystem, directory: &Path) -> Result<Found> {
    let mut found = Found::default();
    let folders = |path: &Path| -> Result<Vec<PathBuf>> {
        Ok(list(files, path)?.into_iter().filter(|path| files.is_dir(path)).collect())
    };
    for (base, is_own) in BASES {
        for namespace in folders(&directory.join(base))? {
            for table in folders(&namespace)? {
                for region in folders(&table)?.into_iter().filter(|region| is_hex(&name(region))) {
                    for family in folders(&region)? {
                        if name(&family) == ".tmp" {
                            collect_unfinished(files, directory, &family, 4, &mut found.unfinished)?
                        } else {
                            found.finished.extend(own_files(files, directory, &family, is_own)?)
                        }
                    }
                    found.regions.push(region);
                }
            }
        }
    }
    collect_unfinished(files, directory, &directory.join(".tmp"), 4, &mut found.unfinished)?;
    Ok(found)
}

fn collect_unfinished(
    files: &dyn FileSystem,
    directory: &Path,
    folder: &Path,
    depth: usize,
    out: &mut Vec<String>,
) -> Result<()> {
    out.extend(store_files(files, directory, folder)?);
    for below in list(files, folder)?.into_iter().filter(|path| depth > 0 && files.is_dir(path)) {
        collect_unfinished(files, directory, &below, depth - 1, out)?;
    }
    Ok(())
}

fn store_files(files: &dyn FileSystem, directory: &Path, folder: &Path) -> Result<Vec<String>> {
    own_files(files, directory, folder, is_store_file)
}

/// The files in `folder` with names that the store generates, relative to `directory`.
fn own_files(files: &dyn FileSystem, directory: &Path, folder: &Path, is_own: IsOwn) -> Result<Vec<String>> {
    let relative = |path: PathBuf| path.strip_prefix(directory).ok()?.to_str().map(String::from);
    let own = |path: &PathBuf| is_own(&name(path)) && !files.is_dir(path);
    Ok(list(files, folder)?.into_iter().filter(own).filter_map(relative).collect())
}

/// Removes empty folders of regions that are in no table, and of their tables.
fn remove_dead_folders(files: &dyn FileSystem, directory: &Path, state: &State, regions: &[PathBuf]) -> Result<()> {
    let of_table = |table: &Arc<TableEntry>| {
        let own = table.regions.iter().map(|region| region.info.encoded_name.clone());
        own.chain([mob_region(&table.descriptor.name).encoded_name]).collect::<Vec<_>>()
    };
    let alive: BTreeSet<String> = state.tables.values().flat_map(of_table).collect();
    let bases = BASES.map(|(base, _)| directory.join(base));
    for region in regions.iter().filter(|region| !alive.contains(name(region).as_str())) {
        let mut folders = list(files, region)?;
        folders.extend(list(files, &region.join(".tmp"))?);
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
        folders.extend(
            region.ancestors().take_while(|above| !bases.iter().any(|base| base == above)).map(Path::to_path_buf),
        );
        for folder in folders.iter().filter(|folder| files.is_dir(folder)) {
            if list(files, folder)?.is_empty() {
                files.remove_dir(folder).map_err(|error| Error::io("remove", folder.display(), &error))?;
            }
        }
    }
    Ok(())
}

fn list(files: &dyn FileSystem, folder: &Path) -> Result<Vec<PathBuf>> {
    files.list(folder).map_err(|error| Error::io("list", folder.display(), &error))
}

fn name(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

fn is_hex(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Whether the store generates such names for MOB files. The digits are as in HBase's `MobFileName`:
///
/// ```text
/// MD5 of the region's start key, 32 hex digits | day, yyyymmdd | 32 random hex digits | '_' | region, 32 hex digits
/// ```
pub fn is_mob_file(name: &str) -> bool {
    let Some((front, region)) = name.split_once('_') else { return false };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    front.len() == 72 && digits(front) && is_hex(region)
}

/// Whether the store generates such names for store files: 32 hex digits, and `_SeqId_<n>_` after a bulk load.
pub fn is_store_file(name: &str) -> bool {
    let (hex, rest) = name.split_at_checked(32).unwrap_or((name, ""));
    let number = rest.strip_prefix("_SeqId_").and_then(|rest| rest.strip_suffix('_'));
    let is_sequence = number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    is_hex(hex) && (rest.is_empty() || is_sequence)
}
