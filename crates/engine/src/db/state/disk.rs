//! Retries of operations that found the disk full.

use super::shared::Shared;
use crate::manifest::clear_archive;
use crate::wal::free_old_logs;
use rowstone_model::{Error, ErrorKind, Result};

impl Shared {
    /// Restores the reserve if there is room. A database in memory has no use for it.
    pub(in crate::db) fn keep_reserve(&self) {
        if !self.is_memory_only() {
            self.reserve.restore();
        }
    }

    /// Deletes unneeded files: archived logs, then files in the archive. Returns whether there were any.
    pub(in crate::db) fn free_unneeded(&self) -> bool {
        let logs = match self.wal() {
            Some(wal) => wal.free_old_logs(),
            None => free_old_logs(&self.system, &self.root.join("WALs")),
        };
        // A file that cannot be removed stays; the caller finds out whether there is room.
        logs.unwrap_or(false) | clear_archive(&*self.system.files, &self.root).unwrap_or(false)
    }

    /// Runs `work`, which frees space or is needed to open the database. On a full disk it runs again after
    /// deleting unneeded files, and then once more after releasing the reserve.
    pub(in crate::db) fn with_reserve<T>(&self, mut work: impl FnMut() -> Result<T>) -> Result<T> {
        match work() {
            Err(error) if error.kind() == ErrorKind::DiskFull => {
                self.free_unneeded();
                self.reserve.retry(work)
            }
            outcome => outcome,
        }
    }

    /// Runs `work`, which needs space. On a full disk it runs again after deleting unneeded files.
    pub(in crate::db) fn with_unneeded<T>(&self, mut work: impl FnMut() -> Result<T>) -> Result<T> {
        match work() {
            Err(error) if error.kind() == ErrorKind::DiskFull && self.free_unneeded() => work(),
            outcome => outcome,
        }
    }

    /// Error for a write while there is no room for a log.
    pub(in crate::db) fn no_log(&self) -> Error {
        if self.is_read_only() {
            return self.read_only_error();
        }
        let message = format!(
            "the disk was full when the database at {} was opened, and there is still no room for its log: reads, drops and \
             compactions work; free some space and write again",
            self.root.display()
        );
        Error::new(ErrorKind::DiskFull, message)
    }

    /// Error for closing while there is no room for a log with the records that the process before did not sync.
    pub(in crate::db) fn unproven_records(&self) -> Error {
        let message = format!(
            "the database at {} is closed, but its disk is full: the last writes of the process before are in a log that \
             may not be on the disk; a power loss may destroy them. Free some space, then open and close it again",
            self.root.display()
        );
        Error::new(ErrorKind::DiskFull, message)
    }
}
