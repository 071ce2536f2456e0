//! The machine's file system.

use super::file::{FileLock, FileSystem, ReadableFile, WritableFile};
use rustix::fs::{flock, Advice, FallocateFlags, FlockOperation, OFlags};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::NonZeroU64;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files through the standard library, `fdatasync`, `fallocate` and `flock`.
#[derive(Debug, Default, Clone, Copy)]
pub struct RealFileSystem;

struct RealFile(File);

impl WritableFile for RealFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        let offset = self.0.stream_position()?;
        match rustix::fs::fallocate(&self.0, FallocateFlags::KEEP_SIZE, offset, bytes) {
            Ok(()) => Ok(()),
            // Some file systems cannot reserve space. Then the writes themselves find out whether there is room.
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS | rustix::io::Errno::INVAL) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn trim(&mut self) -> io::Result<()> {
        // Truncating a file to its own length frees the space allocated behind it.
        let length = self.0.metadata()?.len();
        self.0.set_len(length)
    }

    fn forget(&mut self, start: u64, end: u64) {
        // A file system may ignore this without harm.
        let length = NonZeroU64::new(end.saturating_sub(start));
        let _ = length.map(|_| rustix::fs::fadvise(&self.0, start, length, Advice::DontNeed));
    }

    fn syncer(&self) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(RealFile(self.0.try_clone()?)))
    }
}

impl ReadableFile for File {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read_exact_at(buffer, offset)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

struct RealLock {
    file: File,
    owner_pid: u32,
}

impl FileLock for RealLock {}

impl Drop for RealLock {
    /// Releases the lock itself, not only this handle on it. A forked child has a copy of the handle, and closing
    /// only ours would leave the directory locked until the child ends. The child itself must not release its
    /// parent's lock.
    fn drop(&mut self) {
        if self.owner_pid == std::process::id() {
            let _ = flock(&self.file, FlockOperation::NonBlockingUnlock);
        }
    }
}

impl FileSystem for RealFileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        // Opening a pipe would block the thread forever.
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).custom_flags(OFlags::NONBLOCK.bits() as i32);
        Ok(Box::new(RealFile(options.open(path)?)))
    }

    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>> {
        let mut file = OpenOptions::new().write(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
        // Setting a length, even the current one, frees the space that is reserved behind the end.
        if file.metadata()?.len() != length {
            file.set_len(length)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(Box::new(RealFile(file)))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        // Opening a pipe would block the thread forever, and a pipe has no length.
        let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
        if file.metadata()?.is_file() {
            Ok(Arc::new(file))
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        Ok(paths)
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                let mut holder = String::new();
                file.read_to_string(&mut holder)?;
                return Err(io::Error::new(io::ErrorKind::WouldBlock, holder));
            }
            Err(error) => return Err(error.into()),
        }
        file.set_len(0)?;
        match file.write_all(owner.as_bytes()) {
            // On a full disk the owner's text cannot be written, but the lock is still effective.
            Err(error) if error.kind() == io::ErrorKind::StorageFull => {}
            outcome => outcome?,
        }
        Ok(Box::new(RealLock { file, owner_pid: std::process::id() }))
    }
}
