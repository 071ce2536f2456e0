//! The staging directory of bulk loads. Files outside it cannot be loaded.
//!
//! A client names a file by its path. The server may read more files than the client, so the path is not passed to
//! the file system as a whole. Each directory is opened relative to its parent without following links, and then the
//! file. The opened file is what is loaded, even if its name is reused a moment later.

use rowstone_model::{Error, Result};
use rustix::fs::{fstat, open, openat, statat, AtFlags, FileType, Mode, OFlags, Stat, CWD};
use std::ffi::OsStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Maximum depth of a path.
const MOST_DIRECTORIES: usize = 64;

/// An open staging directory.
#[derive(Debug, Clone)]
pub struct Staging(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: OwnedFd,
    /// The path as given, and with links resolved.
    names: [PathBuf; 2],
    /// Device and inode of the database's own directory, to recognize it under any name.
    database: Option<(u64, u64)>,
}

/// An open file of the staging directory.
pub(super) struct Staged(OwnedFd);

impl Staged {
    /// A path by which this process can open the file again, even if it was renamed.
    pub fn path(&self) -> PathBuf {
        let folder = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
        Path::new(folder).join(self.0.as_raw_fd().to_string())
    }
}

fn identity(stat: &Stat) -> (u64, u64) {
    #[allow(clippy::unnecessary_cast, reason = "their types differ between operating systems")]
    (stat.st_dev as u64, stat.st_ino as u64)
}

fn open_folder(at: BorrowedFd<'_>, name: &OsStr) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, name, flags, Mode::empty()).ok()
}

/// Opens a regular file. Anything else is not opened, so that no pipe blocks and no device acts.
fn open_file(at: BorrowedFd<'_>, name: &OsStr) -> Option<OwnedFd> {
    let is_regular = |stat: &Stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    statat(at, name, AtFlags::SYMLINK_NOFOLLOW).ok().filter(is_regular)?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(at, name, flags, Mode::empty()).ok()?;
    fstat(&file).ok().filter(is_regular).map(|_| file)
}

impl Staging {
    /// Opens `folder` as the staging directory of a server. `database` is the directory of its database, if it has
    /// one.
    ///
    /// # Errors
    ///
    /// `InvalidArgument` if it cannot be opened, or if one of the two contains the other.
    pub fn new(folder: &Path, database: Option<&Path>) -> Result<Self> {
        let wrong = |reason: String| Error::invalid(format!("staging directory '{}' {reason}", folder.display()));
        let real = folder.canonicalize().map_err(|error| wrong(format!("cannot be opened: {error}")))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = open(&real, flags, Mode::empty()).map_err(|error| wrong(format!("cannot be opened: {error}")))?;
        let mut own = None;
        if let Some(path) = database.and_then(|path| path.canonicalize().ok()) {
            if path.starts_with(&real) || real.starts_with(&path) {
                return Err(wrong(format!(
                    "and the database '{}' lie in one another: choose another directory",
                    path.display()
                )));
            }
            own = statat(CWD, &path, AtFlags::empty()).ok().as_ref().map(identity);
        }
        let names = [std::path::absolute(folder).unwrap_or_else(|_| real.clone()), real];
        Ok(Staging(Arc::new(Inner { folder: opened, names, database: own })))
    }

    /// Opens the regular file at `path`, which must be absolute and below the directory.
    pub(super) fn open(&self, path: &Path) -> Option<Staged> {
        let below = self.0.names.iter().find_map(|name| path.strip_prefix(name).ok())?;
        let names = below.components().map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        let names = names.collect::<Option<Vec<_>>>().filter(|names| names.len() <= MOST_DIRECTORIES)?;
        let (last, folders) = names.split_last()?;
        let mut here = self.0.folder.try_clone().ok()?;
        for name in folders {
            here = open_folder(here.as_fd(), name)?;
            let stat = fstat(&here).ok()?;
            if self.0.database == Some(identity(&stat)) {
                return None;
            }
        }
        open_file(here.as_fd(), last).map(Staged)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_regular_files_below_it_are_opened_and_no_link_is_followed() {
        let root = std::env::temp_dir().join(format!("rowstone-staging-{}", std::process::id()));
        let (staging, database) = (root.join("staging"), root.join("db"));
        fs::create_dir_all(staging.join("f")).unwrap();
        fs::create_dir_all(&database).unwrap();
        for file in [staging.join("f/1"), database.join("secret"), root.join("outside")] {
            fs::write(file, "x").unwrap();
        }
        symlink(database.join("secret"), staging.join("f/link")).unwrap();
        symlink(&database, staging.join("db")).unwrap();
        let opened = Staging::new(&staging, Some(&database)).unwrap();
        let staged = opened.open(&staging.join("f/1")).unwrap();
        fs::rename(staging.join("f/1"), staging.join("f/2")).unwrap();
        assert_eq!(fs::read(staged.path()).unwrap(), b"x");
        for wrong in ["f", "f/none", "f/link", "db/secret", "../outside", "f/../../outside", "../db/secret", ""] {
            assert!(opened.open(&staging.join(wrong)).is_none(), "{wrong}");
        }
        for wrong in [Path::new("f/2"), Path::new("/etc/passwd"), &database.join("secret"), Path::new("/dev/null")] {
            assert!(opened.open(wrong).is_none(), "{}", wrong.display());
        }
        for (folder, database) in [(&root, &database), (&database, &root), (&database, &database)] {
            assert!(Staging::new(folder, Some(database)).unwrap_err().message().contains("in one another"));
        }
        assert!(Staging::new(&root.join("none"), None).is_err() && Staging::new(&root.join("outside"), None).is_err());
        fs::remove_dir_all(root).unwrap();
    }
}
