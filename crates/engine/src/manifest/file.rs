//! The manifest's bytes: header and commits, written and read back.
//!
//! ```text
//! offset width  all big-endian
//!   0     8     magic 89 "RSMAN" 0d 0a
//!   8     4     version of the directory's format, 2
//!  12     8     salt: random
//!  20     8     time of creation, ms
//!  28     4     CRC32C of bytes 0 to 27; also the seed of the frames' checksums
//! ```

use super::edit::{Commit, Edit, Edits};
use super::state::State;
use crate::frame::{self, FrameReader, Invalid, Step, HEAD_BYTES, MAX_PAYLOAD_BYTES};
use crate::sys::{FileSystem, System};
use rowstone_model::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

pub(super) const HEADER_BYTES: usize = 32;
const MAGIC: [u8; 8] = *b"\x89RSMAN\r\n";
/// Version of the directory's format: of this file and all files that it refers to.
const VERSION: u32 = 2;

pub(super) fn path(directory: &Path) -> PathBuf {
    directory.join("MANIFEST")
}

/// The bytes of a complete new file, header and state, and the seed.
pub(super) fn encode_whole(system: &System, state: &State) -> Result<(Vec<u8>, u32)> {
    let mut bytes = Vec::with_capacity(4096);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_be_bytes());
    bytes.extend_from_slice(&system.entropy.next_u64().to_be_bytes());
    bytes.extend_from_slice(&system.clock.now_ms().to_be_bytes());
    let seed = crc32c::crc32c(&bytes);
    bytes.extend_from_slice(&seed.to_be_bytes());
    encode_frame(&mut bytes, &Commit::whole(state), seed, HEADER_BYTES as u64)?;
    Ok((bytes, seed))
}

/// The frame of one commit, for `offset`.
pub(super) fn encode_edits(edits: &[Edit], seed: u32, offset: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    encode_frame(&mut bytes, &Edits { edits }, seed, offset)?;
    Ok(bytes)
}

fn encode_frame(out: &mut Vec<u8>, commit: &impl serde::Serialize, seed: u32, offset: u64) -> Result<()> {
    let start = out.len();
    out.resize(start + HEAD_BYTES, 0);
    serde_json::to_writer(&mut *out, commit).map_err(|error| Error::internal(format!("manifest edit: {error}")))?;
    if out.len() - start > MAX_PAYLOAD_BYTES {
        return Err(Error::internal("a manifest commit is above the limit of a frame"));
    }
    frame::finish(out, start, seed, offset);
    Ok(())
}

/// Contents of a manifest.
pub(super) struct Contents {
    pub state: State,
    pub seed: u32,
    /// Offset after the first frame.
    pub whole_bytes: u64,
    /// Offset after the last valid frame.
    pub valid_bytes: u64,
    /// Whether a mark proves that all commits were synced.
    pub is_proven: bool,
    /// Whether a torn tail follows.
    pub is_torn: bool,
}

/// Reads the state of the database in `directory`. Changes nothing, and may run next to a writer.
///
/// # Errors
/// `NotADatabase` without a manifest; `Unsupported` for another version; `Corruption`; `Io`.
pub fn read(files: &dyn FileSystem, directory: &Path) -> Result<State> {
    match super::journal::inspect(files, directory)? {
        super::journal::Standing::Database => Ok(read_contents(files, &path(directory))?.state),
        other => Err(other.refusal(directory)),
    }
}

/// Refuses a directory of another format version. Call it before anything in the directory is changed, even the lock.
/// A missing or damaged manifest passes: its readers report it.
///
/// # Errors
/// `Unsupported`.
pub fn refuse_other_version(files: &dyn FileSystem, directory: &Path) -> Result<()> {
    let path = path(directory);
    let mut header = [0; HEADER_BYTES];
    let read = files.open(&path).and_then(|file| file.read_at(0, &mut header));
    match read.map(|()| check_header(&header, &path)) {
        Ok(Err(error)) if error.kind() == ErrorKind::Unsupported => Err(error),
        _ => Ok(()),
    }
}

pub(super) fn read_contents(files: &dyn FileSystem, path: &Path) -> Result<Contents> {
    let failed = |error: std::io::Error| Error::io("read manifest", path.display(), &error);
    let file = files.open(path).map_err(failed)?;
    let length = file.len().map_err(failed)?;
    let mut header = [0; HEADER_BYTES];
    if length < HEADER_BYTES as u64 {
        return Err(Error::corruption(path.display(), 0, "a header of 32 bytes", format!("{length} bytes")));
    }
    file.read_at(0, &mut header).map_err(failed)?;
    let seed = check_header(&header, path)?;
    let mut reader = FrameReader::new(&*file, seed, HEADER_BYTES as u64, length);
    let mut state = match reader.next_frame().map_err(failed)? {
        Step::Frame(frame) => whole(decode(frame, path)?, path)?,
        Step::End => return Err(Error::corruption(path.display(), length, "the state", "the file's end")),
        Step::Invalid(invalid) => return Err(damaged(path, HEADER_BYTES as u64, invalid)),
    };
    let whole_bytes = reader.offset();
    let (mut last_commit, mut is_second_look) = (whole_bytes, false);
    let is_torn = loop {
        match reader.next_frame().map_err(failed)? {
            Step::Frame(frame) => {
                is_second_look = false;
                let offset = frame.offset;
                let commit = decode(frame, path)?;
                state = state.into_after(&commit.edits).map_err(|error| misfit(path, offset, &error))?;
                last_commit = reader.offset();
            }
            Step::End => break false,
            Step::Invalid(invalid) => match reader.proof_of_damage().map_err(failed)? {
                None => break true,
                // A concurrent writer may have completed the frame since it was read.
                Some(_) if !is_second_look => is_second_look = true,
                Some(_) => return Err(damaged(path, reader.offset(), invalid)),
            },
        }
    };
    let valid_bytes = reader.offset();
    let is_proven = reader.synced().max(whole_bytes) >= last_commit;
    Ok(Contents { state, seed, whole_bytes, valid_bytes, is_proven, is_torn })
}

pub(super) fn damaged(path: &Path, offset: u64, invalid: Invalid) -> Error {
    Error::corruption(path.display(), offset, invalid.expected, invalid.found)
}

pub(super) fn misfit(path: &Path, offset: u64, error: &Error) -> Error {
    Error::corruption(path.display(), offset, "edits that fit what is before", error.message())
}

pub(super) fn check_header(bytes: &[u8; HEADER_BYTES], path: &Path) -> Result<u32> {
    let word = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    if bytes[..8] != MAGIC {
        let found = format!("{:02x?}", &bytes[..8]);
        return Err(Error::corruption(path.display(), 0, format!("the magic {MAGIC:02x?} of a manifest"), found));
    }
    // Magic, version and checksum have their offsets in every version. So damage never looks like another version.
    let found = crc32c::crc32c(&bytes[..28]);
    if found != word(28) {
        let expected = format!("header checksum {:#010x}", word(28));
        return Err(Error::corruption(path.display(), 28, expected, format!("{found:#010x}")));
    }
    if word(8) != VERSION {
        let advice = if word(8) > VERSION {
            "open it with a newer Rowstone"
        } else {
            "it is from before the first release; export its tables with the version that wrote it"
        };
        let message = format!(
            "{} is of directory format {}, and this Rowstone knows {VERSION}: {advice}",
            path.display(),
            word(8)
        );
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    Ok(found)
}

pub(super) fn decode(frame: frame::Frame<'_>, path: &Path) -> Result<Commit> {
    serde_json::from_slice(frame.payload).map_err(|error| {
        let expected = "edits that this version knows";
        Error::corruption(path.display(), frame.offset, expected, error.to_string())
    })
}

pub(super) fn whole(commit: Commit, path: &Path) -> Result<State> {
    let at = HEADER_BYTES as u64;
    let Some(id) = commit.database_id else {
        return Err(Error::corruption(path.display(), at, "the database's id", "none"));
    };
    let mut state = State::new(id);
    state.last_region_id = commit.last_region_id.unwrap_or(0);
    state.commits = commit.commits.unwrap_or(0);
    state.with(&commit.edits).map_err(|error| misfit(path, at, &error))
}
