//! The pool of open handles: counts, and the choice of those to close.
//!
//! The choice is the clock algorithm, which approximates "least recently used". A read that finds its handle open only
//! sets a flag. When there are too many handles, they are visited in the order in which they were opened. One with the
//! flag loses it and goes to the end of the queue; one without it is closed. A read therefore takes no lock unless its
//! handle is closed, and files that are read once make no others close.

use super::super::file::{FileSystem, HandleCounts, ReadableFile};
use super::super::lock::Mutex;
use super::super::platform;
use super::file::{Handle, PooledFile};
use arc_swap::ArcSwapOption;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Weak};

/// Smallest limit of a process's pool.
const LEAST: usize = 16;
/// Number of dropped files above which the lists of files are cleared of them.
const SLACK: usize = 64;

/// The pool of this process. A child of `fork` makes its own: a lock may be held there by a thread that is gone.
static OF_PROCESS: ArcSwapOption<HandlePool> = ArcSwapOption::const_empty();

/// Open handles of store files, up to a limit.
pub struct HandlePool {
    limit: Box<dyn Fn() -> usize + Send + Sync>,
    pid: u32,
    files: Mutex<Files>,
    open: AtomicUsize,
    reopened: AtomicU64,
}

#[derive(Default)]
struct Files {
    /// Files whose handle is open, in the order of visits.
    queue: VecDeque<Weak<PooledFile>>,
    /// Files that are not deleted, by path.
    known: BTreeMap<PathBuf, Weak<PooledFile>>,
    /// Length of a list at which dropped files are removed from both.
    sweep_at: usize,
}

impl Files {
    /// Removes the files that were dropped, once they may be many.
    fn sweep(&mut self) {
        if self.queue.len().max(self.known.len()) >= self.sweep_at {
            self.queue.retain(|file| file.strong_count() > 0);
            self.known.retain(|_, file| file.strong_count() > 0);
            self.sweep_at = self.queue.len().max(self.known.len()) * 2 + SLACK;
        }
    }
}

impl HandlePool {
    /// A pool of `limit` handles.
    pub fn new(limit: impl Fn() -> usize + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(HandlePool {
            limit: Box::new(limit),
            pid: std::process::id(),
            files: Mutex::default(),
            open: AtomicUsize::new(0),
            reopened: AtomicU64::new(0),
        })
    }

    /// The pool of this process: half of the files that it may have open. The other half is for logs, files being
    /// written, sockets and the rest of the program.
    pub fn of_process() -> Arc<Self> {
        let own = |pool: &Option<Arc<HandlePool>>| pool.as_ref().filter(|pool| pool.is_ours()).cloned();
        if let Some(pool) = own(&OF_PROCESS.load()) {
            return pool;
        }
        let new = HandlePool::new(|| half_of(platform::open_files_limit()));
        OF_PROCESS.rcu(|current| Some(own(current).unwrap_or_else(|| Arc::clone(&new))));
        own(&OF_PROCESS.load()).unwrap_or(new)
    }

    /// Whether this process made the pool; a child of `fork` has a copy of its parent's.
    pub(super) fn is_ours(&self) -> bool {
        self.pid == std::process::id()
    }

    /// Counts a handle that is closed because its file was dropped.
    pub(super) fn note_dropped(&self) {
        self.open.fetch_sub(1, Relaxed);
    }

    /// The current numbers.
    pub fn counts(&self) -> HandleCounts {
        let (open, limit) = (self.open.load(Relaxed) as u64, (self.limit)() as u64);
        HandleCounts { open, limit, reopened: self.reopened.load(Relaxed) }
    }

    /// The file at `path`, if it is in the pool.
    pub(super) fn find(&self, path: &Path) -> Option<Arc<PooledFile>> {
        self.files.lock().known.get(path).and_then(Weak::upgrade)
    }

    /// Adds a file that was just opened. If another thread was faster, returns its file.
    pub(super) fn add(
        self: &Arc<Self>,
        system: &Arc<dyn FileSystem>,
        path: &Path,
        handle: Arc<dyn ReadableFile>,
    ) -> Arc<PooledFile> {
        let file = PooledFile::new(self, system, path);
        let mut files = self.files.lock();
        if let Some(known) = files.known.get(path).and_then(Weak::upgrade) {
            drop(files);
            return known;
        }
        files.known.insert(path.to_path_buf(), Arc::downgrade(&file));
        let closed = self.fill(&mut files, &file, &Arc::new(Handle(handle)));
        drop(files);
        drop(closed);
        file
    }

    /// Closes others until there is room for one more, and gives `file` a handle. What is returned must be dropped
    /// without the lock.
    fn fill(&self, files: &mut Files, file: &PooledFile, handle: &Arc<Handle>) -> Vec<Arc<PooledFile>> {
        let visited = self.close(files, (self.limit)().saturating_sub(1));
        file.handle.store(Some(Arc::clone(handle)));
        self.open.fetch_add(1, Relaxed);
        files.queue.push_back(Weak::clone(&file.me));
        files.sweep();
        visited
    }

    /// Gives `file` its handle again, unless another thread was faster. Then an error of `opened` does not count: the
    /// file may have been deleted since.
    pub(super) fn refill(
        &self,
        file: &PooledFile,
        opened: io::Result<Arc<dyn ReadableFile>>,
    ) -> io::Result<Arc<Handle>> {
        let mut files = self.files.lock();
        if let Some(handle) = file.handle.load_full() {
            return Ok(handle);
        }
        let handle = Arc::new(Handle(opened?));
        self.reopened.fetch_add(1, Relaxed);
        let visited = self.fill(&mut files, file, &handle);
        drop(files);
        drop(visited);
        Ok(handle)
    }

    /// Closes handles until at most `most` are open. Returns the files that it visited, so that none is dropped, and
    /// with it deleted, while the lock is held.
    fn close(&self, files: &mut Files, most: usize) -> Vec<Arc<PooledFile>> {
        let mut visited = Vec::new();
        for _ in 0..2 * files.queue.len() {
            if self.open.load(Relaxed) <= most {
                break;
            }
            let Some(next) = files.queue.pop_front() else { break };
            let Some(file) = next.upgrade() else { continue };
            if file.was_used.swap(false, Relaxed) {
                files.queue.push_back(next);
            } else if !file.is_kept.load(Relaxed) && file.handle.swap(None).is_some() {
                self.open.fetch_sub(1, Relaxed);
            }
            visited.push(file);
        }
        visited
    }

    /// Closes half of the handles; returns whether any was closed.
    pub(super) fn close_half(&self) -> bool {
        let mut files = self.files.lock();
        let before = self.open.load(Relaxed);
        let visited = self.close(&mut files, before / 2);
        drop(files);
        drop(visited);
        self.open.load(Relaxed) < before
    }

    /// Whether the file at `path` is in use, its handle is closed, and there is room to open it again.
    pub(super) fn can_reopen(&self, path: &Path) -> bool {
        let is_closed = self.find(path).is_some_and(|file| file.handle.load().is_none());
        is_closed && self.open.load(Relaxed) < (self.limit)()
    }

    /// Whether the file at `path` can be deleted now. If it is in use and its handle is closed, it gets `handle`; without
    /// one, it is deleted when it is dropped.
    pub(super) fn can_remove_now(&self, path: &Path, handle: Option<Arc<dyn ReadableFile>>) -> bool {
        let mut files = self.files.lock();
        let Some(file) = files.known.get(path).and_then(Weak::upgrade) else { return true };
        if let Some(handle) = handle.filter(|_| file.handle.load().is_none()) {
            file.handle.store(Some(Arc::new(Handle(handle))));
            self.open.fetch_add(1, Relaxed);
        }
        let is_open = file.handle.load().is_some();
        if is_open {
            file.is_kept.store(true, Relaxed);
            files.known.remove(path);
        } else {
            file.is_removed_at_drop.store(true, Relaxed);
        }
        drop(files);
        is_open
    }

    /// Forgets the files below `directory`: another database may be opened there later. Returns those that are still to
    /// be deleted.
    pub(super) fn forget_below(&self, directory: &Path) -> Vec<PathBuf> {
        let (mut still_to_delete, mut visited) = (Vec::new(), Vec::new());
        let mut files = self.files.lock();
        files.known.retain(|path, file| {
            if !path.starts_with(directory) {
                return true;
            }
            if let Some(file) = file.upgrade() {
                if file.is_removed_at_drop.swap(false, Relaxed) {
                    still_to_delete.push(path.clone());
                }
                visited.push(file);
            }
            false
        });
        drop(files);
        drop(visited);
        still_to_delete
    }
}

#[cfg(test)]
impl HandlePool {
    /// Length of the longer list of files.
    pub(super) fn listed(&self) -> usize {
        let files = self.files.lock();
        files.queue.len().max(files.known.len())
    }
}

/// Half of the files that a process may have open.
fn half_of(limit: Option<u64>) -> usize {
    let half = limit.map_or(usize::MAX, |limit| usize::try_from(limit / 2).unwrap_or(usize::MAX));
    half.max(LEAST)
}
