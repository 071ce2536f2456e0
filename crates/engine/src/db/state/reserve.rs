//! Space reserved for a full disk, while the disk has room. It guarantees that operations which free space can always
//! run: dropping a table, beginning a log when the database is opened, naming the files of a compaction.

use crate::sys::lock::Mutex;
use crate::sys::System;
use rowstone_model::{ErrorKind, Result};
use std::path::PathBuf;

/// Name of the reserve file.
pub(in crate::db) const RESERVE_NAME: &str = "RESERVE";
/// Size of the reserve: enough for a manifest of some hundred regions and the beginning of a log.
const RESERVE_BYTES: usize = 256 << 10;

/// Unit in which the reserve grows.
const PIECE_BYTES: usize = 16 << 10;

/// Reserved space on the disk.
pub(in crate::db) struct Reserve {
    system: System,
    path: PathBuf,
    /// Whether the reserve is complete. Locked while the file changes.
    is_whole: Mutex<bool>,
}

impl Reserve {
    pub(in crate::db) fn new(system: &System, root: &std::path::Path) -> Self {
        let path = root.join(RESERVE_NAME);
        let length = system.files.open(&path).and_then(|file| file.len());
        let is_whole = Mutex::new(length.is_ok_and(|length| length >= RESERVE_BYTES as u64));
        Reserve { system: system.clone(), path, is_whole }
    }

    /// Completes the reserve as far as the disk has room. If that fails, only the guarantee above is lost.
    pub(in crate::db) fn restore(&self) {
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
    pub(in crate::db) fn has_room(&self, bytes: u64) -> bool {
        let path = self.path.with_extension("tmp");
        let reserved = self.system.files.create(&path).and_then(|mut file| file.reserve(bytes));
        let _ = self.system.files.remove_file(&path);
        reserved.is_ok()
    }

    /// Releases the space. Returns whether there was any.
    pub(in crate::db) fn release(&self) -> bool {
        let mut is_whole = self.is_whole.lock();
        *is_whole = false;
        self.system.files.remove_file(&self.path).is_ok()
    }

    /// Runs `work`. If the disk is full, releases the space, runs it again and reserves the space again, if there is
    /// any left.
    pub(in crate::db) fn retry<T>(&self, mut work: impl FnMut() -> Result<T>) -> Result<T> {
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
