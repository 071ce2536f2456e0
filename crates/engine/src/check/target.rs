//! The new directory of a copy or a repair.
//!
//! Before its first file, the directory gets the marker `MANIFEST.unfinished`, which is locked while the copy is
//! written. The manifest is written into the marker, which is renamed to `MANIFEST` at the end. So a directory with a
//! marker has an unfinished copy and nothing else. After an error it is emptied at once; after a crash, by the next copy.

use crate::manifest::UNFINISHED_NAME;
use crate::sys::{make_folders, FileSystem, System};
use rowstone_model::{Error, Result};
use std::io;
use std::path::{Path, PathBuf};

/// Names in a directory whose copy is unfinished, except for the marker.
const PARTS: [&str; 4] = ["WALs", "data", "mobdir", "oldWALs"];
/// Text of the marker.
const MARKER_TEXT: &str = "This is an unfinished copy of a database. Repeat the command, or remove the directory.\n";

/// Destination of a copy.
pub struct Target<'a> {
    /// The machine.
    pub system: &'a System,
    /// The directory.
    pub directory: &'a Path,
    /// Whether files may be shared with the source.
    pub links: bool,
}

impl Target<'_> {
    /// Runs `write`, which writes a copy into the new directory, its manifest last. If it fails, the files and folders
    /// that were created are removed.
    ///
    /// # Errors
    /// Those of `write`; `InvalidArgument` for a directory that is not empty, or into which another copy is being
    /// written; `Io`, `DiskFull`.
    pub fn fill<T>(&self, write: impl FnOnce() -> Result<T>) -> Result<T> {
        let (files, directory) = (&*self.system.files, self.directory);
        check_target(files, directory)?;
        let is_new = |folder: &&Path| !folder.as_os_str().is_empty() && !files.exists(folder);
        let new_folders: Vec<&Path> = directory.ancestors().take_while(is_new).collect();
        let outcome = self.claim(write);
        if outcome.is_err() {
            // Folders that are not empty stay: another process uses them.
            new_folders
                .into_iter()
                .take_while(|folder| files.list(folder).is_ok_and(|below| below.is_empty()))
                .for_each(|folder| {
                    let _ = files.remove_dir(folder);
                });
        }
        outcome
    }

    fn claim<T>(&self, write: impl FnOnce() -> Result<T>) -> Result<T> {
        let (files, directory) = (&*self.system.files, self.directory);
        let marker = directory.join(UNFINISHED_NAME);
        make_folders(files, directory).map_err(|error| Error::io("make directory", directory.display(), &error))?;
        let owner = format!("process {}", std::process::id());
        let _lock = files.lock(&marker, &owner).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => Error::invalid(format!(
                "{} is being written by another copy, in {error}; wait for it, or choose another directory",
                directory.display()
            )),
            _ => Error::io("lock", marker.display(), &error),
        })?;
        let outcome = self.empty_and_mark(&marker, &owner).and_then(|()| write());
        if outcome.is_err() {
            // The marker stays if anything else does. The first error is the one to report.
            let remove = |name: &str| remove_all(files, &directory.join(name));
            let _ =
                ["MANIFEST"].into_iter().chain(PARTS).try_for_each(remove).and_then(|()| remove_all(files, &marker));
        }
        outcome
    }

    /// Removes what an unfinished copy left, and writes the marker.
    fn empty_and_mark(&self, marker: &Path, owner: &str) -> Result<()> {
        let (files, directory) = (&*self.system.files, self.directory);
        let remove = |name: &str| remove_all(files, &directory.join(name));
        PARTS.into_iter().try_for_each(remove).map_err(|error| Error::io("empty", directory.display(), &error))?;
        let make = || {
            let mut file = files.create(marker)?;
            file.append(format!("{owner}\n{MARKER_TEXT}").as_bytes())?;
            file.sync()?;
            files.sync_dir(directory)
        };
        make().map_err(|error| Error::io("write", marker.display(), &error))
    }
}

/// Removes a file or a directory, if there is one. Symbolic links are not followed.
fn remove_all(files: &dyn FileSystem, path: &Path) -> io::Result<()> {
    let Err(error) = files.remove_file(path) else { return Ok(()) };
    if !files.exists(path) {
        return Ok(());
    }
    if !files.is_dir(path) {
        return Err(error);
    }
    files.list(path)?.iter().try_for_each(|below| remove_all(files, below))?;
    files.remove_dir(path)
}

/// Refuses a directory inside the source: the next check there would find unknown files.
///
/// # Errors
/// `InvalidArgument`.
pub fn check_outside(source: &Path, directory: &Path) -> Result<()> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if absolute(directory).starts_with(absolute(source)) {
        let (inside, outside) = (directory.display(), source.display());
        return Err(Error::invalid(format!("{inside} lies within {outside}; the copy needs a directory of its own")));
    }
    Ok(())
}

/// Refuses an empty path, and a directory that is neither empty nor an unfinished copy.
///
/// # Errors
/// `InvalidArgument`.
pub fn check_target(files: &dyn FileSystem, directory: &Path) -> Result<()> {
    if directory.as_os_str().is_empty() {
        return Err(Error::invalid("the target of a copy is empty; pass the path of a new directory"));
    }
    let entries = files.list(directory).map_err(|error| Error::io("list", directory.display(), &error))?;
    let is_unfinished = entries.iter().any(|path| path.ends_with(UNFINISHED_NAME));
    let is_part = |path: &PathBuf| path.ends_with(UNFINISHED_NAME) || PARTS.iter().any(|name| path.ends_with(name));
    match entries.iter().find(|path| !(is_unfinished && is_part(path))) {
        None if !files.exists(directory) || files.is_dir(directory) => Ok(()),
        None => Err(Error::invalid(format!("{} is a file; the copy needs a new directory", directory.display()))),
        Some(entry) => Err(Error::invalid(format!(
            "{} is not empty, there is {}; the copy needs a new directory",
            directory.display(),
            entry.display()
        ))),
    }
}
