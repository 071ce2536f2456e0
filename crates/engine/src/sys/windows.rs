//! File operations of Windows. Compiled, not tested: no test runs on Windows.
//!
//! The standard library opens files so that others may read, rename and delete them, as on Unix. NTFS logs changes
//! of names itself, so a directory needs no sync. Hints about disk space and the page cache do nothing.

use super::file::FileLock;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// `ERROR_IO_DEVICE`: error code of a failed device.
pub const DEVICE_FAILED: i32 = 1117;
/// `ERROR_DISK_FULL`: error code of a full disk.
pub const DISK_FULL: i32 = 112;
/// `WSAEINTR`: error code of an interrupted call.
pub const INTERRUPTED: i32 = 10004;
/// Another process has the file open in a way that excludes this one.
const ERROR_SHARING_VIOLATION: i32 = 32;
/// Others may open the file for reading only.
const FILE_SHARE_READ: u32 = 1;

/// `ERROR_TOO_MANY_OPEN_FILES`: error code of a process that has too many files open.
pub const TOO_MANY_FILES: [i32; 1] = [4];

/// Returns none: limits of job objects are not read.
pub fn address_space_limit() -> Option<u64> {
    None
}

/// Returns none, as above.
pub fn data_segment_limit() -> Option<u64> {
    None
}

/// Returns none: Windows has no such limit.
pub fn open_files_limit() -> Option<u64> {
    None
}

/// Options to open a file with.
pub fn options() -> OpenOptions {
    OpenOptions::new()
}

/// Options to write to a file with.
pub fn writing_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    options
}

/// Does nothing: the reservation is a hint.
pub fn reserve(_file: &File, _offset: u64, _bytes: u64) -> io::Result<()> {
    Ok(())
}

/// Does nothing: there is no such hint.
pub fn forget(_file: &File, _start: u64, _end: u64) {}

/// Does nothing: there is no such hint.
pub fn will_need(_file: &File, _offset: u64, _bytes: u64) {}

/// Fills `buffer` from `offset`. Moves the handle's own position, which no reader uses.
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                buffer = &mut buffer[length..];
                offset += length as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns false: Windows does not tell what is in memory.
pub fn read_at_once(_file: &File, _buffer: &mut [u8], _offset: u64) -> io::Result<bool> {
    Ok(false)
}

/// Does nothing: a directory cannot be synced, and NTFS logs its changes.
pub fn sync_dir(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Opens the file at `path` for writing as the only writer; it is created if missing. Returns the file and the lock.
/// The lock is the open handle: unlike a lock on bytes, it lets other processes read the owner's text.
///
/// # Errors
/// `WouldBlock` if it is locked; the message is the file's text.
pub fn lock(path: &Path) -> io::Result<(File, Box<dyn FileLock>)> {
    let mut exclusive = OpenOptions::new();
    exclusive.read(true).write(true).create(true).truncate(false).share_mode(FILE_SHARE_READ);
    match exclusive.open(path) {
        Ok(file) => {
            let lock = Lock { _file: file.try_clone()? };
            Ok((file, Box::new(lock)))
        }
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => {
            Err(io::Error::new(io::ErrorKind::WouldBlock, std::fs::read_to_string(path)?))
        }
        Err(error) => Err(error),
    }
}

/// Keeps the handle open. Windows closes it when the process ends, and does not pass it to child processes.
struct Lock {
    _file: File,
}

impl FileLock for Lock {}
