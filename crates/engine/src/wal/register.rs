//! Register of needed logs. It is stored outside the log, in the manifest.
//!
//! A folder cannot show that a file is missing, or that all of it is an older copy. The register can: it names each
//! log by number and header checksum, from its creation until nothing in it is needed any more.

use super::replay::LogEnd;
use rowstone_model::Result;

/// Stores the list of needed logs. A change is on the disk when its call returns.
pub trait LogRegister: Send + Sync {
    /// Adds a log before anything is written to it. Returns the manifest's number of commits.
    ///
    /// # Errors
    /// It is then unknown whether the log is in the list.
    fn add(&self, log: &LogEnd) -> Result<u64>;

    /// Removes the logs with smaller numbers: their cells are in files.
    ///
    /// # Errors
    /// It is then unknown whether they are still in the list; they must be retained.
    fn remove_before(&self, number: u64) -> Result<u64>;

    /// Refuses to continue the log if its directory no longer belongs to this process.
    ///
    /// # Errors
    /// `Io`: records that were written since the last successful check may be lost to the directory's next owner.
    fn check_place(&self) -> Result<()> {
        Ok(())
    }
}

/// The expected state of the logs, for a replay to verify.
#[derive(Debug, Clone, Copy, Default)]
pub struct Needed<'a> {
    /// The database that the logs belong to: a checksum of its id.
    pub database: u32,
    /// The logs in the list, oldest first. Their lengths are the offsets up to which they are known to be synced.
    pub logs: &'a [LogEnd],
    /// Number of commits of the manifest.
    pub commits: u64,
    /// Whether another process may be writing: logs may be archived and begun meanwhile.
    pub beside_writer: bool,
    /// Whether the caller reads the manifest again if a log is missing: a concurrent writer may have deleted it.
    pub may_try_again: bool,
}
