//! The engine's file system over a storage, read-only.
//!
//! Paths are URLs: `s3://bucket/hbase/data`. So every message of the engine names the bucket and the key.

use crate::cache::Cache;
use crate::failure::{Failure, FailureKind};
use crate::file::{RemoteFile, Shared};
use crate::listings::Listings;
use crate::options::Options;
use crate::retry::Retry;
use crate::runtime;
use crate::storage::{Answer, Counts, Entry, Storage};
use rowstone_engine::sys::{Clock, FileLock, FileSystem, ReadableFile, WritableFile};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A storage as a file system.
pub struct RemoteFileSystem {
    storage: Arc<dyn Storage>,
    shared: Arc<Shared>,
    listings: Listings,
    /// Beginning of every path: `s3://bucket`.
    base: PathBuf,
}

impl RemoteFileSystem {
    /// The files of `storage`, below `base`. `place` names the storage in messages.
    pub fn new(
        storage: Arc<dyn Storage>,
        base: &str,
        place: String,
        options: Options,
        clock: Arc<dyn Clock>,
        counts: Arc<Counts>,
    ) -> Self {
        let listings = Listings::new(options.listing_ttl, clock);
        let (retry, cache) = (Retry::new(&options, counts), Cache::new(options.cache_bytes));
        let shared = Arc::new(Shared { options, retry, cache, place });
        RemoteFileSystem { storage, shared, listings, base: PathBuf::from(base) }
    }

    /// The key of a path.
    fn key(&self, path: &Path) -> io::Result<String> {
        let outside = || {
            let message = format!("{} is not below {}", path.display(), self.base.display());
            io::Error::new(io::ErrorKind::InvalidInput, message)
        };
        let below = path.strip_prefix(&self.base).map_err(|_| outside())?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        Ok(parts.ok_or_else(outside)?.join("/"))
    }

    /// Waits for a request, which is repeated as the options say.
    fn request<T, F>(&self, key: &str, send: F) -> io::Result<T>
    where
        T: Send + 'static,
        F: for<'a> Fn(&'a dyn Storage, &'a str) -> Answer<'a, T> + Send + Sync + 'static,
    {
        let (storage, shared, owned) = (Arc::clone(&self.storage), Arc::clone(&self.shared), key.to_owned());
        let result = runtime::wait(async move { shared.retry.run(|| send(&*storage, &owned)).await });
        result.map_err(|failure| self.fail(key, failure))
    }

    /// A name that is missing may have been removed since it was listed.
    fn fail(&self, key: &str, failure: Failure) -> io::Error {
        if matches!(failure.kind, FailureKind::Missing | FailureKind::Replaced) {
            self.listings.clear();
        }
        failure.into_io(&self.shared.place, key)
    }

    /// The names in a directory; `None` if there is no such directory.
    fn entries(&self, key: &str) -> io::Result<Option<Arc<Vec<Entry>>>> {
        if let Some(known) = self.listings.get(key) {
            return Ok(Some(known));
        }
        let entries = self.request(key, |storage, key| storage.list(key))?;
        Ok(entries.map(|entries| self.listings.add(key, entries)))
    }

    /// Whether there is a directory, by its parent's listing if that is remembered.
    fn has_directory(&self, key: &str) -> io::Result<bool> {
        match self.sibling(key) {
            Some(found) => Ok(found.is_some_and(|entry| entry.is_directory)),
            None => Ok(self.entries(key)?.is_some()),
        }
    }

    /// Whether there is a file or directory, by its parent's listing if that is remembered.
    fn has_name(&self, key: &str) -> io::Result<bool> {
        match self.sibling(key) {
            Some(found) => Ok(found.is_some()),
            None if key.is_empty() => Ok(self.entries(key)?.is_some()),
            None => Ok(self.request(key, |storage, key| storage.is_file(key))? || self.entries(key)?.is_some()),
        }
    }

    /// The entry of a name in the remembered listing of its parent; the outer `None` if that is not remembered.
    fn sibling(&self, key: &str) -> Option<Option<Entry>> {
        if key.is_empty() {
            return None;
        }
        let (parent, name) = key.rsplit_once('/').unwrap_or(("", key));
        let siblings = self.listings.get(parent)?;
        let at = siblings.binary_search_by(|entry| entry.name.as_str().cmp(name));
        Some(at.ok().and_then(|at| siblings.get(at)).cloned())
    }
}

fn read_only<T>(path: &Path) -> io::Result<T> {
    let message = format!(
        "{} lies in a storage that is read-only here; write to a local directory, or to a cluster",
        path.display()
    );
    Err(io::Error::new(io::ErrorKind::ReadOnlyFilesystem, message))
}

impl FileSystem for RemoteFileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        read_only(path)
    }

    fn open_to_append(&self, path: &Path, _length: u64) -> io::Result<Box<dyn WritableFile>> {
        read_only(path)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        let key = self.key(path)?;
        let tail_bytes = self.shared.options.tail_bytes;
        let opened = self.request(&key, move |storage, key| storage.open(key, tail_bytes))?;
        Ok(Arc::new(RemoteFile::new(Arc::clone(&self.shared), key, opened)))
    }

    fn forget_below(&self, _directory: &Path) {
        self.listings.clear();
    }

    fn rename(&self, from: &Path, _to: &Path) -> io::Result<()> {
        read_only(from)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        read_only(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        read_only(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        read_only(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        read_only(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = self.entries(&self.key(path)?)?.unwrap_or_default();
        Ok(entries.iter().map(|entry| path.join(&entry.name)).collect())
    }

    /// A failed request is not an absence: it returns true, and the operation that follows reports the failure.
    fn exists(&self, path: &Path) -> bool {
        self.key(path).is_ok_and(|key| self.has_name(&key).unwrap_or(true))
    }

    /// A failed request is not an absence: it returns true, and the operation that follows reports the failure.
    fn is_dir(&self, path: &Path) -> bool {
        self.key(path).is_ok_and(|key| self.has_directory(&key).unwrap_or(true))
    }

    fn lock(&self, path: &Path, _owner: &str) -> io::Result<Box<dyn FileLock>> {
        let message = format!("{} lies in a storage without locks; open it read-only", path.display());
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }
}
