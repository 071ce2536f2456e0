//! A directory looked through as a sceptic, saved as far as it can be, and copied whole.
//!
//! | file | duty |
//! |---|---|
//! | `report` | what a check found |
//! | `look` | manifest, store files, and what else is there |
//! | `mob` | MOB files, in all of these |
//! | `logs` | the logs, and what of each region is lost in them |
//! | `saving` | all that can be read, into a new directory |
//! | `rebuild` | a manifest made of folders and files |
//! | `copy` | a whole database into a new directory: backup and restore |
//! | `identity` | whether a file is the one that the manifest names |
//!
//! Nothing here opens a database for writing, and none of it changes the directory that it looks at, but for its lock.

mod copy;
mod identity;
mod logs;
mod look;
mod mob;
mod rebuild;
mod report;
mod saving;

pub use copy::{check_outside, check_target, copy_closed, copy_files, copy_logs, finish, CopyReport, Target};
pub use logs::needed_logs;
pub use look::check;
pub use report::{Finding, Loss, Problem, Report};
pub use saving::{repair, RepairOptions, Repaired};

use crate::manifest::LOCK_NAME;
use crate::sys::{FileLock, System};
use rowstone_model::{Error, ErrorKind, Result};
use std::path::Path;

/// Hears which file is looked at, how much was done, and how much there is, in bytes.
pub type Progress<'a> = &'a mut dyn FnMut(&str, u64, u64);

/// Takes the lock of a database that nobody is to have open.
fn take_lock(system: &System, directory: &Path) -> Result<Box<dyn FileLock>> {
    if !system.files.is_dir(directory) {
        let message = format!("there is no directory {}", directory.display());
        return Err(Error::new(ErrorKind::NotADatabase, message));
    }
    let looks_like_one = ["MANIFEST", "WALs", "data"].iter().any(|name| system.files.exists(&directory.join(name)));
    if !looks_like_one {
        let message = format!("{} is not a database: it has no MANIFEST, no WALs and no data", directory.display());
        return Err(Error::new(ErrorKind::NotADatabase, message));
    }
    let path = directory.join(LOCK_NAME);
    let owner = format!("process {}", std::process::id());
    system.files.lock(&path, &owner).map_err(|error| match error.kind() {
        std::io::ErrorKind::WouldBlock => Error::new(
            ErrorKind::DatabaseLocked,
            format!("the database at {} is open for writing in {error}; close it first", directory.display()),
        ),
        _ => Error::io("lock", path.display(), &error),
    })
}
