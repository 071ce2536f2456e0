//! The list of logs that are needed, which is kept outside the log: in the manifest.
//!
//! A folder cannot say which of its files are missing, or that all of it is an older copy. The list can: it names each log by
//! number and header checksum, from its creation until nothing in it is needed any more.

use super::replay::LogEnd;
use rowstone_model::Result;

/// Keeps the list. A change is on the disk when its call returns.
pub trait LogRegister: Send + Sync {
    /// Adds a log, before anything is written to it. Gives the number of the manifest's commits.
    ///
    /// # Errors
    /// Whether the log is in the list is then open.
    fn add(&self, log: &LogEnd) -> Result<u64>;

    /// Removes the logs with smaller numbers: what they hold is in files.
    ///
    /// # Errors
    /// Whether they are still in the list is then open; they must stay.
    fn remove_before(&self, number: u64) -> Result<u64>;
}

/// What a replay holds the logs against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Needed<'a> {
    /// Which database it is: a checksum of its id.
    pub database: u32,
    /// The logs in the list, oldest first. Their lengths are how far they are known to have been on the disk.
    pub logs: &'a [LogEnd],
    /// How many commits the manifest has.
    pub commits: u64,
    /// Whether another process may be writing: logs may be put away and begun meanwhile.
    pub beside_writer: bool,
    /// Whether the caller reads the manifest again where a log is missing: beside a writer it may have been deleted.
    pub may_try_again: bool,
}
