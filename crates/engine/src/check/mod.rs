//! Checking a database directory, repairing it into a new one, and copying it.
//!
//! | file | duty |
//! |---|---|
//! | `report` | findings of a check |
//! | `inspect` | manifest, store files, and all other files |
//! | `mob` | MOB files, for all of these |
//! | `logs` | the logs, and the writes of each region that they lost |
//! | `saving` | copies all readable data to a new directory |
//! | `rebuild` | builds a manifest from folders and files |
//! | `copy` | copies a whole database to a new directory: backup and restore |
//! | `target` | the new directory, marked as unfinished until its manifest is written |
//! | `identity` | whether a file is the one that the manifest names |
//!
//! Nothing here opens a database for writing, and nothing changes the checked directory, except for its lock.

mod copy;
mod identity;
mod inspect;
mod logs;
mod mob;
mod rebuild;
mod report;
mod saving;
mod target;

pub use copy::{copy_closed, copy_files, copy_logs, finish, CopyReport};
pub use inspect::check;
pub use logs::needed_logs;
pub use report::{Finding, Loss, Problem, Report};
pub use saving::{repair, RepairOptions, Repaired};
pub use target::{check_outside, check_target, Target};

use crate::manifest::{refuse_other_version, LOCK_NAME};
use crate::sys::{FileLock, System};
use rowstone_model::{Error, ErrorKind, Result};
use std::path::Path;

/// Progress callback: the current file, bytes done, and total bytes.
pub type Progress<'a> = &'a mut dyn FnMut(&str, u64, u64);

/// Takes the lock of a database that must not be open elsewhere and is of a format version that this program knows.
/// `None` on a read-only file system, which needs no lock.
fn take_lock(system: &System, directory: &Path) -> Result<Option<Box<dyn FileLock>>> {
    if !system.files.is_dir(directory) {
        let message = format!("there is no directory {}", directory.display());
        return Err(Error::new(ErrorKind::NotADatabase, message));
    }
    let looks_like_one = ["MANIFEST", "WALs", "data"].iter().any(|name| system.files.exists(&directory.join(name)));
    if !looks_like_one {
        let message = format!("{} is not a database: it has no MANIFEST, no WALs and no data", directory.display());
        return Err(Error::new(ErrorKind::NotADatabase, message));
    }
    refuse_other_version(&*system.files, directory)?;
    let path = directory.join(LOCK_NAME);
    let owner = format!("process {}", std::process::id());
    match system.files.lock(&path, &owner) {
        Ok(lock) => Ok(Some(lock)),
        Err(error) if error.kind() == std::io::ErrorKind::ReadOnlyFilesystem => Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Err(Error::new(
            ErrorKind::DatabaseLocked,
            format!("the database at {} is open for writing in {error}; close it first", directory.display()),
        )),
        Err(error) => Err(Error::io("lock", path.display(), &error)),
    }
}
