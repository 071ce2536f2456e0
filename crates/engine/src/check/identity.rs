//! Identity check: whether a file is the one that the manifest names. A file's blocks have checksums of their own,
//! so a damaged file still shows which of its cells are intact. A different file has valid blocks, but its cells
//! never belonged to this database.

use crate::cache::BlockCache;
use crate::hfile::{Digest, Reader, ReaderOptions};
use crate::sys::FileSystem;
use rowstone_model::{Error, Result};
use std::path::Path;
use std::sync::Arc;

const CACHE_BYTES: u64 = 1 << 20;
const READ_BYTES: usize = 1 << 20;

/// Result of comparing a file with its manifest entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Every byte is unchanged.
    Same,
    /// The file, with some bytes changed.
    Damaged,
    /// Another file: all of its blocks are valid, but belong to another file.
    Another,
}

/// Compares the file at `path` with its digest in the manifest. Without a digest, it counts as the same.
///
/// # Errors
/// `Io`.
pub(super) fn compare(files: &dyn FileSystem, path: &Path, digest: Option<&Digest>) -> Result<Standing> {
    let Some(digest) = digest else { return Ok(Standing::Same) };
    if checksum(files, path)? == digest.whole {
        return Ok(Standing::Same);
    }
    let cache = Arc::new(BlockCache::new(CACHE_BYTES));
    match Reader::open(files, path, cache, ReaderOptions::default()) {
        Ok(reader) if reader.digest(digest.whole)? != *digest && reader.verify().is_ok() => Ok(Standing::Another),
        _ => Ok(Standing::Damaged),
    }
}

/// The digest of a file that can be opened.
///
/// # Errors
/// `Io`, `Corruption`.
pub(super) fn digest_file(files: &dyn FileSystem, path: &Path) -> Result<Digest> {
    let reader = Reader::open(files, path, Arc::new(BlockCache::new(CACHE_BYTES)), ReaderOptions::default())?;
    reader.digest(checksum(files, path)?)
}

/// The CRC32C of all bytes.
fn checksum(files: &dyn FileSystem, path: &Path) -> Result<u32> {
    let failed = |error: std::io::Error| Error::io("read", path.display(), &error);
    let file = files.open(path).map_err(failed)?;
    let length = file.len().map_err(failed)?;
    let mut buffer = vec![0; READ_BYTES.min(length as usize)];
    let (mut offset, mut sum) = (0, 0);
    while offset < length {
        let count = buffer.len().min((length - offset) as usize);
        file.read_at(offset, &mut buffer[..count]).map_err(failed)?;
        sum = crc32c::crc32c_append(sum, &buffer[..count]);
        offset += count as u64;
    }
    Ok(sum)
}
