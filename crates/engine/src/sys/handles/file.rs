//! A file of the pool.

use super::super::file::{FileSystem, ReadableFile};
use super::has_too_many_files;
use super::pool::HandlePool;
use arc_swap::{ArcSwapOption, Guard};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};

/// An open handle.
pub(super) struct Handle(pub(super) Arc<dyn ReadableFile>);

/// A file of the pool. Its handle may be closed.
pub(super) struct PooledFile {
    pub(super) me: Weak<PooledFile>,
    pool: Arc<HandlePool>,
    system: Arc<dyn FileSystem>,
    path: PathBuf,
    pub(super) handle: ArcSwapOption<Handle>,
    /// Whether it was read, with its handle open, since the last visit.
    pub(super) was_used: AtomicBool,
    /// Whether it was deleted with its handle open: the handle must stay open.
    pub(super) is_kept: AtomicBool,
    /// Whether it was deleted with its handle closed.
    pub(super) is_removed_at_drop: AtomicBool,
}

impl PooledFile {
    /// A file without a handle.
    pub(super) fn new(pool: &Arc<HandlePool>, system: &Arc<dyn FileSystem>, path: &Path) -> Arc<Self> {
        Arc::new_cyclic(|me| PooledFile {
            me: Weak::clone(me),
            pool: Arc::clone(pool),
            system: Arc::clone(system),
            path: path.to_path_buf(),
            handle: ArcSwapOption::empty(),
            was_used: AtomicBool::new(false),
            is_kept: AtomicBool::new(false),
            is_removed_at_drop: AtomicBool::new(false),
        })
    }

    /// The handle, if it is open; notes that it is used.
    fn open_handle(&self) -> Guard<Option<Arc<Handle>>> {
        let handle = self.handle.load();
        // A read of the flag is cheaper than a write that other threads' processors must learn of.
        if handle.is_some() && !self.was_used.load(Relaxed) {
            self.was_used.store(true, Relaxed);
        }
        handle
    }

    /// Opens the handle again.
    #[cold]
    fn reopen(&self) -> io::Result<Arc<Handle>> {
        let opened = match self.system.open(&self.path) {
            Err(error) if has_too_many_files(&error) && self.pool.close_half() => self.system.open(&self.path),
            outcome => outcome,
        };
        self.pool.refill(self, opened)
    }
}

impl ReadableFile for PooledFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if let Some(handle) = self.open_handle().as_deref() {
            return handle.0.read_at(offset, buffer);
        }
        self.reopen()?.0.read_at(offset, buffer)
    }

    fn read_at_once(&self, offset: u64, buffer: &mut [u8]) -> io::Result<bool> {
        // Opening a file may have to wait for the disk.
        self.open_handle().as_deref().map_or(Ok(false), |handle| handle.0.read_at_once(offset, buffer))
    }

    fn will_need(&self, offset: u64, bytes: u64) {
        if let Some(handle) = self.open_handle().as_deref() {
            handle.0.will_need(offset, bytes);
        } else if let Ok(handle) = self.reopen() {
            handle.0.will_need(offset, bytes);
        }
    }

    fn len(&self) -> io::Result<u64> {
        if let Some(handle) = self.open_handle().as_deref() {
            return handle.0.len();
        }
        self.reopen()?.0.len()
    }
}

impl Drop for PooledFile {
    fn drop(&mut self) {
        if self.handle.swap(None).is_some() {
            self.pool.note_dropped();
        }
        // A child of `fork` has a copy of this file, which the parent may still read.
        if self.is_removed_at_drop.load(Relaxed) && self.pool.is_ours() {
            // A file that cannot be removed now is garbage; the next open sweeps it away.
            let _ = self.system.remove_file(&self.path);
        }
    }
}
