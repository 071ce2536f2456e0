//! The note of how far manifest and log were on the disk, left after every change of the manifest and when the database is
//! closed. Without it a file that lost its end looks like one after a crash.
//!
//! ```text
//! ENDS, 44 bytes, all big-endian
//!   0  8  magic 89 "RSEND" 0d 0a
//!   8  4  seed of the manifest        12  8  its length
//!  20  8  number of the last log      28  4  its seed      32  8  its length
//!  40  4  CRC32C of all above
//! ```
//!
//! It is never wrong, only old: a manifest of another seed was made anew since, a log that is not there any more was put away,
//! and both only grow. So it stays while the database is open, and a note that cannot be read says nothing.

use crate::sys::System;
use crate::wal::{LogEnd, LOG_HEADER_BYTES};
use rowstone_model::codec::{Reader, Short};
use rowstone_model::{Error, Result};
use std::io;
use std::path::Path;

/// Its name.
pub const ENDS_NAME: &str = "ENDS";
const TEMPORARY_NAME: &str = "ENDS.tmp";
const MAGIC: [u8; 8] = *b"\x89RSEND\r\n";
const ENDS_BYTES: usize = 44;

/// How far manifest and log were on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// The manifest's seed.
    pub manifest_seed: u32,
    /// The end of its last commit.
    pub manifest_bytes: u64,
    /// The last log and its end.
    pub log: LogEnd,
}

impl Ends {
    /// Leaves the note in `directory`.
    ///
    /// # Errors
    /// What the disk says. Nothing is lost then but the note.
    pub fn write(&self, system: &System, directory: &Path) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.manifest_seed.to_be_bytes());
        bytes.extend_from_slice(&self.manifest_bytes.to_be_bytes());
        bytes.extend_from_slice(&self.log.number.to_be_bytes());
        bytes.extend_from_slice(&self.log.checksum.to_be_bytes());
        bytes.extend_from_slice(&self.log.length.to_be_bytes());
        let sum = crc32c::crc32c(&bytes);
        bytes.extend_from_slice(&sum.to_be_bytes());
        let temporary = directory.join(TEMPORARY_NAME);
        let mut file = system.files.create(&temporary)?;
        file.append(&bytes)?;
        file.sync()?;
        system.files.rename(&temporary, &directory.join(ENDS_NAME))?;
        system.files.sync_dir(directory)
    }

    /// The note in `directory`, where there is one that can be read.
    pub fn read(system: &System, directory: &Path) -> Option<Ends> {
        let bytes = system.files.read(&directory.join(ENDS_NAME)).ok()?;
        if bytes.len() != ENDS_BYTES || bytes[..8] != MAGIC {
            return None;
        }
        let (ends, sum) = fields(&bytes[8..]).ok()?;
        (crc32c::crc32c(&bytes[..ENDS_BYTES - 4]) == sum).then_some(ends)
    }

    /// Whether a manifest of this seed that ends here lost its end.
    ///
    /// # Errors
    /// `Corruption` where it did.
    pub fn check_manifest(&self, path: &Path, seed: u32, valid_bytes: u64) -> Result<()> {
        if seed != self.manifest_seed || valid_bytes >= self.manifest_bytes {
            return Ok(());
        }
        let expected = format!("commits up to {}, where it ended before", self.manifest_bytes);
        Err(Error::corruption(path.display(), valid_bytes, expected, "the end"))
    }

    /// Whether the logs, oldest first, lost their end.
    ///
    /// # Errors
    /// `Corruption` where they did.
    pub fn check_logs(&self, directory: &Path, logs: &[LogEnd]) -> Result<()> {
        // Logs go oldest first, and never the last: where all that are there are newer, this one was put away.
        if logs.first().is_some_and(|first| first.number > self.log.number) {
            return Ok(());
        }
        let path = directory.join(format!("{:020}.wal", self.log.number));
        match logs.iter().find(|log| log.number == self.log.number) {
            // It was about to be made: a process that is killed then leaves it without its name.
            None if self.log.length <= LOG_HEADER_BYTES as u64 => Ok(()),
            None => Err(Error::corruption(path.display(), 0, "the last log", "none")),
            // Of a log with a successor, that one's header says where it ends: recovery moves what is behind the last mark.
            Some(log) if logs.last().is_some_and(|last| last.number > log.number) => Ok(()),
            Some(log) if log.checksum == self.log.checksum && log.length < self.log.length => {
                let expected = format!("records up to {}, where it ended before", self.log.length);
                Err(Error::corruption(path.display(), log.length, expected, "the end"))
            }
            Some(_) => Ok(()),
        }
    }
}

fn fields(bytes: &[u8]) -> Result<(Ends, u32), Short> {
    let mut reader = Reader::new(bytes);
    let (manifest_seed, manifest_bytes) = (reader.u32()?, reader.u64()?);
    let number = reader.u64()?;
    let checksum = reader.u32()?;
    let log = LogEnd { number, length: reader.u64()?, checksum };
    Ok((Ends { manifest_seed, manifest_bytes, log }, reader.u32()?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn noted(length: u64) -> Ends {
        Ends { manifest_seed: 1, manifest_bytes: 100, log: LogEnd { number: 141, length, checksum: 7 } }
    }

    /// The process was killed when the note named a log that had no name yet: the next one refused to open.
    #[test]
    fn a_log_that_was_about_to_be_made_is_not_missing() {
        let before = [LogEnd { number: 140, length: 900, checksum: 5 }];
        let directory = Path::new("/db/WALs");
        noted(LOG_HEADER_BYTES as u64).check_logs(directory, &before).unwrap();
        assert!(noted(LOG_HEADER_BYTES as u64 + 16).check_logs(directory, &before).is_err());
    }
}
