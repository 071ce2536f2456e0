//! What stores and regions need from their database.

use super::SpareCells;
use crate::hfile::{Reader, ReaderOptions};
use crate::sys::{FileSystem, System};
use crate::wal::Part;
use rowstone_model::operations::{Durability, Nonce};
use rowstone_model::Result;
use std::path::Path;
use std::sync::Arc;

/// Something to be done in the background.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Work {
    /// Flush the region of that encoded name.
    Flush(String),
    /// See whether the files of that region should be merged.
    Compact(String),
    /// Merge what flushes of that region left, while nothing else is to be merged.
    MergeLeftovers(String),
    /// See whether that region has grown too large.
    Split(String),
}

/// The database as its regions and stores see it.
pub trait Services: Send + Sync {
    /// Files, clock, randomness.
    fn system(&self) -> &System;
    /// What `UseDefault` means.
    fn default_durability(&self) -> Durability;
    /// Refuses everything once the database is closed.
    fn check_open(&self) -> Result<()>;
    /// Refuses writes to a database that is read-only or closed; waits while its memory is full.
    fn check_writable(&self) -> Result<()>;
    /// Writes a record as durably as asked; `assign` gives the sequence id of each of its parts, inside the log's lock. The
    /// log keeps `nonce`.
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
    /// Whether the log has failed, and takes no more writes.
    fn log_has_failed(&self) -> bool;
    /// Flushes all regions that were written together, as one change: for when the log has failed.
    fn flush_tied(&self) -> Result<bool>;
    /// Everything of the region up to that id is in files: the log may forget it.
    fn log_flushed(&self, region: [u8; 16], sequence_id: u64) -> Result<()>;
    /// The path of a file or directory of the database.
    fn path(&self, relative: &str) -> std::path::PathBuf;
    /// Makes changes of stores' files permanent, all of them or none.
    fn commit_files(&self, changes: Vec<FileChange>) -> Result<()>;
    /// Whether a file that is missing may have been replaced since the manifest was read, and all is opened anew then.
    fn may_open_again(&self) -> bool;
    /// Opens a store file that the manifest names.
    fn open_file(&self, relative: &str, options: ReaderOptions) -> Result<Arc<Reader>>;
    /// Opens a file that is not the database's.
    fn open_outside(&self, files: &dyn FileSystem, path: &Path) -> Result<Arc<Reader>>;
    /// Removes files that the manifest no longer names.
    fn remove_files(&self, relative: &[String]);
    /// Asks for work in the background.
    fn request(&self, work: Work);
    /// The memstores grew by that much, or shrank.
    fn memory_grew(&self, bytes: i64);
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
    /// Relative paths that go.
    pub remove: Vec<String>,
    /// Files that come.
    pub add: Vec<crate::manifest::FileEntry>,
    /// Everything of the family up to that id is in files.
    pub flushed_sequence_id: Option<u64>,
    /// The time of the region's last write, where it is known.
    pub last_write_ms: Option<i64>,
}
