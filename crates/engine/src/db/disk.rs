//! Handling of a full disk. A little space is reserved while the disk has room. It guarantees that operations which
//! free space can always run: dropping a table, beginning a log when the database is opened, naming the files of a
//! compaction.

use super::shared::Shared;
use crate::manifest::clear_archive;
use crate::sys::lock::Mutex;
use crate::sys::System;
use crate::wal::free_old_logs;
use rowstone_model::{Error, ErrorKind, Result};
use std::path::PathBuf;

/// Name of the reserve file.
pub(super) const RESERVE_NAME: &str = "RESERVE";
/// Size of the reserve: enough for a manifest of some hundred regions and the beginning of a log.
const RESERVE_BYTES: usize = 256 << 10;

/// Unit in which the reserve grows.
const PIECE_BYTES: usize = 16 << 10;

/// Reserved space on the disk.
pub(super) struct Reserve {
    system: System,
    path: PathBuf,
    /// Whether the reserve is complete. Locked while the file changes.
    is_whole: Mutex<bool>,
}

impl Reserve {
    pub(super) fn new(system: &System, root: &std::path::Path) -> Self {
        let path = root.join(RESERVE_NAME);
        let length = system.files.open(&path).and_then(|file| file.len());
        let is_whole = Mutex::new(length.is_ok_and(|length| length >= RESERVE_BYTES as u64));
        Reserve { system: system.clone(), path, is_whole }
    }

    /// Completes the reserve as far as the disk has room. If that fails, only the guarantee above is lost.
    pub(super) fn restore(&self) {
        let mut is_whole = self.is_whole.lock();
        if *is_whole {
            return;
        }
        let files = &self.system.files;
        let mut length = files.open(&self.path).and_then(|file| file.len()).map_or(0, |length| length as usize);
        let file = match length {
            0 => {
                // The path may be something other than a file.
                let _ = files.remove_file(&self.path);
                files.create(&self.path)
            }
            length => files.open_to_append(&self.path, length as u64),
        };
        let Ok(mut file) = file else { return };
        // Zeros rather than a reservation: some file systems do not retain one beyond a file's end.
        while length < RESERVE_BYTES && file.append(&[0; PIECE_BYTES]).is_ok() {
            length += PIECE_BYTES;
        }
        *is_whole = length >= RESERVE_BYTES;
    }

    /// Whether the disk has room for `bytes` more, as far as the file system can tell.
    pub(super) fn has_room(&self, bytes: u64) -> bool {
        let path = self.path.with_extension("tmp");
        let reserved = self.system.files.create(&path).and_then(|mut file| file.reserve(bytes));
        let _ = self.system.files.remove_file(&path);
        reserved.is_ok()
    }

    /// Releases the space. Returns whether there was any.
    pub(super) fn release(&self) -> bool {
        let mut is_whole = self.is_whole.lock();
        *is_whole = false;
        self.system.files.remove_file(&self.path).is_ok()
    }

    /// Runs `work`. If the disk is full, releases the space, runs it again and reserves the space again, if there is
    /// any left.
    pub(super) fn retry<T>(&self, mut work: impl FnMut() -> Result<T>) -> Result<T> {
        match work() {
            Err(error) if error.kind() == ErrorKind::DiskFull && self.release() => {
                let outcome = work();
                self.restore();
                outcome
            }
            outcome => outcome,
        }
    }
}

impl Shared {
    /// Restores the reserve if there is room. A database in memory has no use for it.
    pub(super) fn keep_reserve(&self) {
        if !self.is_memory_only() {
            self.reserve.restore();
        }
    }

    /// Deletes unneeded files: archived logs, then files in the archive. Returns whether there were any.
    pub(super) fn free_unneeded(&self) -> bool {
        let logs = match self.wal() {
            Some(wal) => wal.free_old_logs(),
            None => free_old_logs(&self.system, &self.root.join("WALs")),
        };
        // A file that cannot be removed stays; the caller finds out whether there is room.
        logs.unwrap_or(false) | clear_archive(&*self.system.files, &self.root).unwrap_or(false)
    }

    /// Runs `work`, which frees space or is needed to open the database. On a full disk it runs again after
    /// deleting unneeded files, and then once more after releasing the reserve.
    pub(super) fn with_reserve<T>(&self, mut work: impl FnMut() -> Result<T>) -> Result<T> {
        match work() {
            Err(error) if error.kind() == ErrorKind::DiskFull => {
                self.free_unneeded();
                self.reserve.retry(work)
            }
            outcome => outcome,
        }
    }

    /// Runs `work`, which needs space. On a full disk it runs again after deleting unneeded files.
    pub(super) fn with_unneeded<T>(&self, mut work: impl FnMut() -> Result<T>) -> Result<T> {
        match work() {
            Err(error) if error.kind() == ErrorKind::DiskFull && self.free_unneeded() => work(),
            outcome => outcome,
        }
    }

    /// Error for a write while there is no room for a log.
    pub(super) fn no_log(&self) -> Error {
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
}
