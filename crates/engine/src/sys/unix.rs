//! File operations of Linux and other Unix systems: `fallocate`, `fadvise`, `flock`, `fsync` of a directory. Resource
//! limits of the process.

use super::file::FileLock;
use rustix::fs::{flock, FlockOperation, OFlags};
use rustix::io::Errno;
#[cfg(target_os = "linux")]
use rustix::io::ReadWriteFlags;
use rustix::process::{getrlimit, Resource};
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Error code of a failed device.
pub const DEVICE_FAILED: i32 = Errno::IO.raw_os_error();
/// Error code of a full disk.
pub const DISK_FULL: i32 = Errno::NOSPC.raw_os_error();
/// Error code of a call that a signal interrupted.
pub const INTERRUPTED: i32 = Errno::INTR.raw_os_error();

/// Error codes of a process, and of a system, that has too many files open.
pub const TOO_MANY_FILES: [i32; 2] = [Errno::MFILE.raw_os_error(), Errno::NFILE.raw_os_error()];

/// Bytes of address space that the process may have; `None` for no limit.
pub fn address_space_limit() -> Option<u64> {
    getrlimit(Resource::As).current
}

/// Bytes of writable memory that the process may have; `None` for no limit.
pub fn data_segment_limit() -> Option<u64> {
    getrlimit(Resource::Data).current
}

/// Number of files that the process may have open; `None` for no limit.
pub fn open_files_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Options to open a file with. Opening a pipe does not block.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    options
}

/// Options to write to a file with. A symbolic link is refused: a user who can create one in the directory could
/// otherwise choose the file that the process overwrites.
pub fn writing_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32);
    options
}

/// Explains the error of a symbolic link.
fn explain_link(error: io::Error) -> io::Error {
    if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) {
        return io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link; replace it with a regular file");
    }
    error
}

/// Reserves space for `bytes` bytes from `offset`, without changing the file's length.
#[cfg(target_os = "linux")]
pub fn reserve(file: &File, offset: u64, bytes: u64) -> io::Result<()> {
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::KEEP_SIZE, offset, bytes) {
        Ok(()) => Ok(()),
        // Some file systems cannot reserve space. Then the writes themselves find out whether there is room.
        Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Does nothing: other systems reserve space in other ways, and the reservation is a hint.
#[cfg(not(target_os = "linux"))]
pub fn reserve(_file: &File, _offset: u64, _bytes: u64) -> io::Result<()> {
    Ok(())
}

/// Lets the page cache drop the bytes from `start` to `end`. A file system may ignore it.
#[cfg(target_os = "linux")]
pub fn forget(file: &File, start: u64, end: u64) {
    advise(file, start, end.saturating_sub(start), rustix::fs::Advice::DontNeed);
}

/// Lets the page cache load `bytes` bytes from `offset` meanwhile. A file system may ignore it.
#[cfg(target_os = "linux")]
pub fn will_need(file: &File, offset: u64, bytes: u64) {
    advise(file, offset, bytes, rustix::fs::Advice::WillNeed);
}

#[cfg(target_os = "linux")]
fn advise(file: &File, offset: u64, bytes: u64, advice: rustix::fs::Advice) {
    // A length of 0 would mean the rest of the file.
    let length = std::num::NonZeroU64::new(bytes);
    let _ = length.map(|_| rustix::fs::fadvise(file, offset, length, advice));
}

/// Does nothing: other systems have no such hint.
#[cfg(not(target_os = "linux"))]
pub fn forget(_file: &File, _start: u64, _end: u64) {}

/// Does nothing: other systems have no such hint.
#[cfg(not(target_os = "linux"))]
pub fn will_need(_file: &File, _offset: u64, _bytes: u64) {}

/// Fills `buffer` from `offset`.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// Fills `buffer` from `offset` if these bytes are in the page cache.
#[cfg(target_os = "linux")]
pub fn read_at_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<bool> {
    let bytes = buffer.len();
    let read = rustix::io::preadv2(file, &mut [io::IoSliceMut::new(buffer)], offset, ReadWriteFlags::NOWAIT);
    match read {
        Ok(read) => Ok(read == bytes),
        // Not in memory, or a kernel or file system without the flag.
        Err(Errno::AGAIN | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL | Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns false: other systems do not tell what is in memory.
#[cfg(not(target_os = "linux"))]
pub fn read_at_once(_file: &File, _buffer: &mut [u8], _offset: u64) -> io::Result<bool> {
    Ok(false)
}

/// Returns when the names in a directory are on the disk.
pub fn sync_dir(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Locks the file at `path`, which is created if missing. Returns the file and the lock.
///
/// # Errors
/// `WouldBlock` if it is locked; the message is the file's text. `InvalidInput` if it is a symbolic link.
pub fn lock(path: &Path) -> io::Result<(File, Box<dyn FileLock>)> {
    let mut file = writing_options().read(true).create(true).truncate(false).open(path).map_err(explain_link)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => {
            let mut owner = String::new();
            file.read_to_string(&mut owner)?;
            return Err(io::Error::new(io::ErrorKind::WouldBlock, owner));
        }
        Err(error) => return Err(error.into()),
    }
    let lock = Lock { file: file.try_clone()?, path: path.to_path_buf(), owner_pid: std::process::id() };
    Ok((file, Box::new(lock)))
}

struct Lock {
    file: File,
    path: PathBuf,
    owner_pid: u32,
}

impl FileLock for Lock {
    fn is_in_place(&self) -> bool {
        match (self.file.metadata(), std::fs::metadata(&self.path)) {
            (Ok(locked), Ok(found)) => (locked.dev(), locked.ino()) == (found.dev(), found.ino()),
            (_, Err(error)) => !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
            (Err(_), Ok(_)) => true,
        }
    }
}

impl Drop for Lock {
    /// Releases the lock itself, not only this handle on it. A forked child has a copy of the handle, and closing
    /// only ours would leave the directory locked until the child ends. The child itself must not release its
    /// parent's lock.
    fn drop(&mut self) {
        if self.owner_pid == std::process::id() {
            let _ = flock(&self.file, FlockOperation::NonBlockingUnlock);
        }
    }
}
