//! The file behind a writer: buffers small writes, reserves space ahead of large ones, and syncs a large file in parts.
//!
//! Writing into reserved space is two to four times faster than growing a file, and takes a fraction of the CPU
//! time.

use super::options::Digest;
use crate::sys::{FileSystem, WritableFile};
use rowstone_model::{Error, Result};
use std::path::{Path, PathBuf};

/// Bytes buffered before a write: few enough to stay in the CPU's cache.
const BUFFER_BYTES: usize = 256 << 10;
/// Additional capacity for one block beyond that.
const BLOCK_ROOM_BYTES: usize = 96 << 10;
/// Bytes reserved at a time.
const RESERVE_BYTES: u64 = 8 << 20;
/// Bytes after which a file that is still being written is synced. The operating system would otherwise collect a whole
/// flush or compaction and give it to the disk at once, and the log's next sync would wait behind it.
pub(super) const SYNC_BYTES: u64 = 8 << 20;

/// A file that grows at its end.
pub struct Output {
    file: Box<dyn WritableFile>,
    path: PathBuf,
    buffer: Vec<u8>,
    /// Bytes handed to the file system.
    written: u64,
    reserved: u64,
    /// Bytes that are on the disk.
    synced: u64,
    expected: u64,
    /// The load-on-open offset.
    tail_offset: u64,
    digest: Digest,
}

impl Output {
    /// Creates a file and reserves space up to `expected` bytes.
    pub fn create(files: &dyn FileSystem, path: &Path, expected: u64) -> Result<Self> {
        let file = files.create(path).map_err(|error| Error::io("create", path.display(), &error))?;
        let most = BUFFER_BYTES + BLOCK_ROOM_BYTES;
        let buffer = Vec::with_capacity(usize::try_from(expected).map_or(most, |expected| expected.min(most)));
        let (tail_offset, digest) = (u64::MAX, Digest { tail: 0, whole: 0, samples: None });
        let path = path.to_path_buf();
        Ok(Output { file, path, buffer, written: 0, reserved: 0, synced: 0, expected, tail_offset, digest })
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// The buffered end of the file. Append to it, then call [`Output::flush_if_full`].
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Writes the buffer out if it is full.
    pub fn flush_if_full(&mut self) -> Result<()> {
        if self.buffer.len() >= BUFFER_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let end = self.offset();
        if end > self.reserved && end < self.expected {
            let bytes = RESERVE_BYTES.max(end - self.written).min(self.expected - self.written);
            self.file.reserve(bytes).map_err(|error| Error::io("reserve space for", self.path.display(), &error))?;
            self.reserved = self.written + bytes;
        }
        self.file.append(&self.buffer).map_err(|error| Error::io("write", self.path.display(), &error))?;
        let tail = (self.tail_offset.saturating_sub(self.written) as usize).min(self.buffer.len());
        self.digest.whole = crc32c::crc32c_append(self.digest.whole, &self.buffer);
        self.digest.tail = crc32c::crc32c_append(self.digest.tail, &self.buffer[tail..]);
        self.written = end;
        self.buffer.clear();
        if self.written - self.synced >= SYNC_BYTES {
            self.sync()?;
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        self.file.sync().map_err(|error| Error::io("sync", self.path.display(), &error))?;
        self.synced = self.written;
        Ok(())
    }

    /// Marks the load-on-open offset: all later bytes are loaded on open.
    pub fn begin_tail(&mut self) {
        self.tail_offset = self.offset();
    }

    /// Syncs the file, frees unused reserved space, and returns length and digest.
    pub fn finish(mut self) -> Result<(u64, Digest)> {
        self.flush()?;
        if self.reserved > self.written {
            self.file.trim().map_err(|error| Error::io("trim", self.path.display(), &error))?;
        }
        self.sync()?;
        Ok((self.written, self.digest))
    }
}
