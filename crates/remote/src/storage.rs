//! Interface of a storage: what object stores and HDFS have in common.

use crate::failure::Failure;
use bytes::Bytes;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Arc;

/// The result of a request, later.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The last part of its path.
    pub name: String,
    /// Whether it is a directory.
    pub is_directory: bool,
}

/// A file with the contents that it had when it was opened.
pub trait Source: Send + Sync {
    /// Its length in bytes.
    fn length(&self) -> u64;
    /// Reads exactly `range`, which is inside the file. One attempt.
    ///
    /// # Errors
    /// `Replaced` if the contents are no longer those of the opening; `Truncated` for an answer that is too short.
    fn read(&self, range: Range<u64>) -> Answer<'_, Bytes>;
}

/// A file just opened.
pub struct Opened {
    /// The file.
    pub source: Arc<dyn Source>,
    /// Its last bytes, if opening read some.
    pub tail: Bytes,
}

/// A bucket, container, server or HDFS. Keys are paths without a leading slash; the empty key is the top.
pub trait Storage: Send + Sync {
    /// Opens a file and reads its last `tail_bytes` bytes, with one request if the storage can do that. One attempt.
    ///
    /// # Errors
    /// `Missing` if there is no such file.
    fn open(&self, key: &str, tail_bytes: u64) -> Answer<'_, Opened>;
    /// The names in a directory, in any order; `None` if there is no such directory. One attempt.
    fn list(&self, key: &str) -> Answer<'_, Option<Vec<Entry>>>;
    /// Whether there is a file of that name. One attempt.
    fn is_file(&self, key: &str) -> Answer<'_, bool>;
}

/// One file of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The last part of its path.
    pub name: String,
    /// Its length in bytes.
    pub size: u64,
    /// Time of its last change by the storage's clock, in milliseconds.
    pub modified_ms: i64,
}

/// A storage that can be written to. A file appears whole or not at all.
pub trait WritableStorage: Storage {
    /// Writes a file. If it has to be new and there is one of that name, returns false and leaves that one as it is.
    /// One attempt.
    fn put(&self, key: &str, bytes: Bytes, is_new: bool) -> Answer<'_, bool>;
    /// Removes a file, if there is one of that name. One attempt.
    fn delete(&self, key: &str) -> Answer<'_, ()>;
    /// The files directly in a directory; empty if there is no such directory. One attempt.
    fn list_files(&self, key: &str) -> Answer<'_, Vec<Listed>>;
    /// Begins the upload of a file in parts; returns the upload's id. One attempt.
    fn begin_upload(&self, key: &str) -> Answer<'_, String>;
    /// Uploads part number `index`, from 0; returns the part's id. One attempt.
    fn put_part(&self, key: &str, upload: &str, index: usize, bytes: Bytes) -> Answer<'_, String>;
    /// Makes the file from all its parts. One attempt.
    fn finish_upload(&self, key: &str, upload: &str, parts: Vec<String>) -> Answer<'_, ()>;
    /// Removes the parts of an upload that will not be finished. One attempt.
    fn abort_upload(&self, key: &str, upload: &str) -> Answer<'_, ()>;
}

/// Numbers of requests, for reports and tests.
#[derive(Debug, Default)]
pub struct Counts {
    /// Requests sent, with repeated ones.
    pub requests: AtomicU64,
    /// Repeated requests.
    pub retries: AtomicU64,
    /// Bytes of files received.
    pub bytes: AtomicU64,
}

impl Counts {
    /// Requests, retries and bytes.
    pub fn get(&self) -> (u64, u64, u64) {
        (self.requests.load(Relaxed), self.retries.load(Relaxed), self.bytes.load(Relaxed))
    }

    /// Counts one request.
    pub fn add_request(&self) {
        self.requests.fetch_add(1, Relaxed);
    }
}
