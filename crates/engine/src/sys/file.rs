//! File system interface of the engine.
//!
//! A write is durable after [`WritableFile::sync`]; a created, renamed or removed name after
//! [`FileSystem::sync_dir`] of its directory. Nothing else is guaranteed across a power loss.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file being written from front to back.
pub trait WritableFile: Send {
    /// Appends all of `bytes`. After an error, some of them may be in the file.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns when everything appended is on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Reserves space on the disk for `bytes` more bytes without changing the file's length. A hint: may do nothing.
    fn reserve(&mut self, bytes: u64) -> io::Result<()>;
    /// Frees reserved space behind the last byte. A hint: may do nothing.
    fn trim(&mut self) -> io::Result<()> {
        Ok(())
    }
    /// Declares that the synced bytes from `start` to `end` will not be read, so the operating system can free
    /// their page cache. A hint: may do nothing.
    fn forget(&mut self, start: u64, end: u64) {
        let _ = (start, end);
    }
    /// A second handle on the same file, for syncing while this one appends.
    fn syncer(&self) -> io::Result<Box<dyn WritableFile>>;
}

/// A file open for reading at any offset, by many threads at once.
pub trait ReadableFile: Send + Sync {
    /// Fills `buffer` from `offset`; fails with `UnexpectedEof` if the file ends before.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
    /// Fills `buffer` from `offset` if the operating system has these bytes in memory. Otherwise returns false, and the
    /// contents of `buffer` are arbitrary. May always return false.
    fn read_at_once(&self, offset: u64, buffer: &mut [u8]) -> io::Result<bool> {
        let _ = (offset, buffer);
        Ok(false)
    }
    /// Declares that these bytes will be read soon: they may be loaded meanwhile. Does not wait for them. A hint: may do
    /// nothing.
    fn will_need(&self, offset: u64, bytes: u64) {
        let _ = (offset, bytes);
    }
    /// The file's length in bytes.
    fn len(&self) -> io::Result<u64>;
    /// Whether the file has no bytes.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }
}

/// Numbers of the handles that [`FileSystem::open_pooled`] opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandleCounts {
    /// Open handles.
    pub open: u64,
    /// Number of open handles above which some are closed.
    pub limit: u64,
    /// Number of handles that were opened again.
    pub reopened: u64,
}

/// Lock of a database that is open for writing; released when dropped.
pub trait FileLock: Send + Sync {
    /// Whether the locked file still has its path. It has not if its directory was moved or deleted, or if another file
    /// has replaced it. If that cannot be found out, it counts as being there.
    fn is_in_place(&self) -> bool {
        true
    }
}

/// Files and directories.
pub trait FileSystem: Send + Sync {
    /// Creates a file. An existing one of that name is truncated.
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>>;
    /// Opens an existing file for appending, after truncating it to `length` bytes. If it has that length already, space
    /// reserved behind its end stays reserved.
    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>>;
    /// Opens an existing file for reading.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>>;
    /// Opens an existing file for reading, one of possibly many that stay open for long. Its handle may be closed
    /// meanwhile, and is then opened again at the next read. The file is not renamed or replaced while it is open.
    fn open_pooled(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        self.open(path)
    }
    /// Forgets what is known of the files below `directory`, whose database is closed.
    fn forget_below(&self, _directory: &Path) {}
    /// Numbers of the handles; `None` if all files stay open.
    fn handle_counts(&self) -> Option<HandleCounts> {
        None
    }
    /// All bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.open(path)?;
        let mut bytes = vec![0; file.len()? as usize];
        file.read_at(0, &mut bytes)?;
        Ok(bytes)
    }
    /// Renames a file, replacing a file of the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file a second name (a hard link).
    ///
    /// # Errors
    /// `Unsupported` if the file system has no links; otherwise the system's error, such as for paths on two disks.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let _ = (from, to);
        Err(io::ErrorKind::Unsupported.into())
    }
    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty directory.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;
    /// Creates a directory and its missing parents.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;
    /// Returns when the names in a directory are on the disk.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// The paths in a directory, sorted; empty if the directory does not exist.
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>>;
    /// Whether there is a file or directory of that name.
    fn exists(&self, path: &Path) -> bool;
    /// Whether there is a directory of that name.
    fn is_dir(&self, path: &Path) -> bool;
    /// Takes the lock file of a database and writes `owner` into it.
    ///
    /// # Errors
    /// `WouldBlock` if another process has locked it; the message is what that owner wrote.
    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>>;
}
