//! File system whose open store files are bounded in number.
//!
//! A database reads its store files for as long as it is open, and may have more of them than a process may have files
//! open. [`PooledFileSystem`] closes the handles that were not used lately and opens them again when they are needed.
//! [`HandlePool`] counts and chooses them; the databases of a process share one.
//!
//! A deleted file stays readable for those who have it open, as on Unix:
//!
//! - If its handle is open when it is deleted, the handle stays open until the last reader drops the file.
//! - If its handle is closed then, it is opened again, and stays open likewise.
//! - If the pool is full, the file itself is deleted when the last reader drops it, or when its database is closed. After
//!   a crash in between, the next open finds a file that the manifest does not name, and moves it to the archive.
//!
//! Only the process that writes to a directory may wrap it. Next to a writer, a file that a reader has closed may be
//! gone when it is needed again, so readers keep theirs open.

mod file;
mod pool;

pub use pool::HandlePool;

use super::file::{FileLock, FileSystem, HandleCounts, ReadableFile, WritableFile};
use super::platform;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file system with a pool for the files that are opened by [`FileSystem::open_pooled`].
pub struct PooledFileSystem {
    inner: Arc<dyn FileSystem>,
    pool: Arc<HandlePool>,
}

impl PooledFileSystem {
    /// Wraps `inner`.
    pub fn new(inner: Arc<dyn FileSystem>, pool: Arc<HandlePool>) -> Self {
        PooledFileSystem { inner, pool }
    }

    /// Runs `open`. If the process has too many files open, closes some of the pool's and tries again.
    fn with_room<T>(&self, open: impl Fn() -> io::Result<T>) -> io::Result<T> {
        match open() {
            Err(error) if has_too_many_files(&error) && self.pool.close_half() => open(),
            outcome => outcome,
        }
    }
}

/// Whether the operation failed because too many files are open.
fn has_too_many_files(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| platform::TOO_MANY_FILES.contains(&code))
}

impl FileSystem for PooledFileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        self.with_room(|| self.inner.create(path))
    }

    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>> {
        self.with_room(|| self.inner.open_to_append(path, length))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        self.with_room(|| self.inner.open(path))
    }

    fn open_pooled(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        if let Some(known) = self.pool.find(path) {
            return Ok(known);
        }
        let handle = self.open(path)?;
        Ok(self.pool.add(&self.inner, path, handle))
    }

    fn forget_below(&self, directory: &Path) {
        for path in self.pool.forget_below(directory) {
            // A file that cannot be removed now is garbage; the next open moves it to the archive.
            let _ = self.inner.remove_file(&path);
        }
    }

    fn handle_counts(&self) -> Option<HandleCounts> {
        Some(self.pool.counts())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.with_room(|| self.inner.read(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.link(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let handle = if self.pool.can_reopen(path) { self.inner.open(path).ok() } else { None };
        if self.pool.can_remove_now(path, handle) {
            self.inner.remove_file(path)
        } else {
            Ok(())
        }
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.inner.remove_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.inner.create_dir_all(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.with_room(|| self.inner.sync_dir(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.with_room(|| self.inner.list(path))
    }

    fn exists(&self, path: &Path) -> bool {
        self.inner.exists(path)
    }

    fn is_dir(&self, path: &Path) -> bool {
        self.inner.is_dir(path)
    }

    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>> {
        self.with_room(|| self.inner.lock(path, owner))
    }
}

#[cfg(test)]
mod tests;
