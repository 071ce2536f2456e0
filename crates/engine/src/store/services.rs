//! Services of the database that stores and regions need.

use super::SpareCells;
use crate::hfile::{Reader, ReaderOptions};
use crate::sys::{System, Workers};
use crate::wal::Part;
use rowstone_model::operations::{Durability, Nonce};
use rowstone_model::Result;
use std::sync::Arc;

/// Background work.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Work {
    /// Flatten and merge segments of that region's memstores.
    Upkeep(String),
    /// Flush the region with that encoded name.
    Flush(String),
    /// Check whether the files of that region should be merged.
    Compact(String),
    /// Run the large compaction that is due in that region.
    CompactLarge(String),
    /// Merge the small files that flushes of that region left, when nothing else has to be merged.
    MergeLeftovers(String),
    /// Check whether that region has grown too large.
    Split(String),
}

/// The database as its regions and stores see it.
pub trait Services: Send + Sync {
    /// Files, clock, randomness.
    fn system(&self) -> &System;
    /// Threads that read ahead for scans.
    fn workers(&self) -> &Arc<Workers>;
    /// Meaning of `UseDefault`.
    fn default_durability(&self) -> Durability;
    /// Refuses all operations once the database is closed.
    fn check_open(&self) -> Result<()>;
    /// Refuses writes to a database that is read-only or closed; waits while its memory is full.
    fn check_writable(&self) -> Result<()>;
    /// Writes a record with the requested durability. `assign` allocates the sequence id of each of its parts,
    /// inside the log's lock. The log stores `nonce`.
    fn log_write(
        &self,
        parts: &[Part<'_>],
        now: i64,
        durability: Durability,
        nonce: Option<Nonce>,
        assign: &mut dyn FnMut(usize) -> u64,
    ) -> Result<()>;
    /// A buffer for large batches.
    fn spare_cells(&self) -> &SpareCells;
    /// Returns when everything logged so far is on the disk.
    fn log_sync(&self) -> Result<()>;
    /// Whether the log has failed, and accepts no more writes.
    fn log_has_failed(&self) -> bool;
    /// After a log failure: flushes all regions that were written together, as one change.
    fn flush_tied(&self) -> Result<bool>;
    /// Notes that everything of the region up to that id is in files: the log may drop it.
    fn log_flushed(&self, region: [u8; 16], sequence_id: u64) -> Result<()>;
    /// The path of a file or directory of the database.
    fn path(&self, relative: &str) -> std::path::PathBuf;
    /// Makes changes of stores' files permanent, all of them or none.
    fn commit_files(&self, changes: Vec<FileChange>) -> Result<()>;
    /// Whether a missing file may have been replaced since the manifest was read. The whole open is then repeated.
    fn may_open_again(&self) -> bool;
    /// Opens a store file that the manifest names.
    fn open_file(&self, relative: &str, options: ReaderOptions) -> Result<Arc<Reader>>;
    /// Removes files that the manifest no longer names.
    fn remove_files(&self, relative: &[String]);
    /// Queues background work.
    fn request(&self, work: Work);
    /// Notes that the memstores grew by that much, or shrank.
    fn memory_grew(&self, bytes: i64);
    /// Delays a write of that many bytes a little while memory is almost full. `region` is the memory of its region and
    /// the limit of that.
    fn delay_write(&self, region: (u64, u64), bytes: &dyn Fn() -> usize);
    /// Blocks the writer until a flush has made room.
    fn wait_for_flush(&self, region: &str, has_room: &dyn Fn() -> bool) -> Result<()>;
}

/// A change of one store's files.
#[derive(Debug, Clone)]
pub struct FileChange {
    /// The region's encoded name.
    pub region: String,
    /// The family.
    pub family: Vec<u8>,
    /// Relative paths of removed files.
    pub remove: Vec<String>,
    /// Added files.
    pub add: Vec<crate::manifest::FileEntry>,
    /// Everything of the family up to that id is in files.
    pub flushed_sequence_id: Option<u64>,
    /// Time of the region's last write, if known.
    pub last_write_ms: Option<i64>,
}
