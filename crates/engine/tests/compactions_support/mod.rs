//! Files in memory that hold one thread: a compaction stops at its new file, and a reader at the first log, until the
//! test lets it continue.

use rowstone_engine::sys::{FileLock, FileSystem, MemoryFileSystem, ReadableFile, WritableFile};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};

/// Name of the threads that are held, unless a test names others.
pub const HELD: &str = "held";

/// A place at which held threads wait.
#[derive(Default)]
pub struct Gate {
    /// Whether it is open, and whether a thread has arrived.
    state: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.1 = true;
        self.changed.notify_all();
        while !state.0 {
            state = self.changed.wait(state).unwrap();
        }
    }

    /// Returns when a thread waits.
    pub fn wait_for_arrival(&self) {
        let mut state = self.state.lock().unwrap();
        while !state.1 {
            state = self.changed.wait(state).unwrap();
        }
    }

    /// Lets all threads pass from now on.
    pub fn open(&self) {
        self.state.lock().unwrap().0 = true;
        self.changed.notify_all();
    }
}

/// A file system in memory with a gate before each new file, and before each log that is read.
pub struct Gated {
    pub files: MemoryFileSystem,
    /// Name of the threads that stop at it.
    pub held: &'static str,
    pub gate: Arc<Gate>,
}

impl FileSystem for Gated {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        if std::thread::current().name() == Some(self.held) {
            self.gate.pass();
        }
        self.files.create(path)
    }

    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>> {
        self.files.open_to_append(path, length)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        let is_log = path.extension().is_some_and(|extension| extension == "wal");
        if is_log && std::thread::current().name() == Some(self.held) {
            self.gate.pass();
        }
        self.files.open(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.files.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.files.remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.files.remove_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.files.create_dir_all(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.files.sync_dir(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.files.list(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.exists(path)
    }

    fn is_dir(&self, path: &Path) -> bool {
        self.files.is_dir(path)
    }

    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>> {
        self.files.lock(path, owner)
    }
}
