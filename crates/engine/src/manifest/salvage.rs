//! Reading as much of a manifest as possible, for checks and repairs. Nothing is changed.

use super::file::{check_header, damaged, decode, misfit, path, whole, HEADER_BYTES};
use super::state::State;
use crate::frame::{FrameReader, Step};
use crate::sys::FileSystem;
use rowstone_model::{Error, Result};
use std::path::Path;

/// The readable part of a manifest.
#[derive(Debug, Default)]
pub struct Salvaged {
    /// The state after all commits before the damage; `None` if not even the first can be read.
    pub state: Option<State>,
    /// The end of the last valid commit.
    pub valid_bytes: u64,
    /// Bytes of a torn tail, as a crash leaves it.
    pub torn_bytes: u64,
    /// The damage that ends the file, unless a crash explains it.
    pub damage: Option<Error>,
}

/// Reads the manifest in `directory`.
pub fn salvage(files: &dyn FileSystem, directory: &Path) -> Salvaged {
    let mut salvaged = Salvaged::default();
    if let Err(error) = read(files, &path(directory), &mut salvaged) {
        salvaged.damage = Some(error);
    }
    salvaged
}

fn read(files: &dyn FileSystem, path: &Path, salvaged: &mut Salvaged) -> Result<()> {
    let failed = |error: std::io::Error| Error::io("read manifest", path.display(), &error);
    if !files.exists(path) {
        return Err(Error::corruption(path.display(), 0, "the manifest", "none"));
    }
    let file = files.open(path).map_err(failed)?;
    let length = file.len().map_err(failed)?;
    let mut header = [0; HEADER_BYTES];
    if length < HEADER_BYTES as u64 {
        return Err(Error::corruption(path.display(), 0, "a header of 32 bytes", format!("{length} bytes")));
    }
    file.read_at(0, &mut header).map_err(failed)?;
    let seed = check_header(&header, path)?;
    let mut reader = FrameReader::new(&*file, seed, HEADER_BYTES as u64, length);
    loop {
        let frame = match reader.next_frame().map_err(failed)? {
            Step::Frame(frame) => frame,
            Step::End if salvaged.state.is_some() => break,
            Step::End => return Err(Error::corruption(path.display(), length, "the state", "the file's end")),
            Step::Invalid(invalid) => match reader.proof_of_damage().map_err(failed)? {
                None if salvaged.state.is_some() => break,
                _ => return Err(damaged(path, reader.offset(), invalid)),
            },
        };
        let offset = frame.offset;
        let commit = decode(frame, path)?;
        salvaged.state = Some(match &salvaged.state {
            None => whole(commit, path)?,
            Some(state) => state.after(&commit.edits).map_err(|error| misfit(path, offset, &error))?,
        });
        salvaged.valid_bytes = reader.offset();
    }
    salvaged.valid_bytes = reader.offset();
    salvaged.torn_bytes = length - reader.offset();
    Ok(())
}
