//! Encodings of data blocks: cells as differences to the previous cell, or with an index of rows.
//!
//! ```text
//! ENCODED_DATA payload = u16 encoding (PREFIX 2, DIFF 3, FAST_DIFF 4, ROW_INDEX_V1 7) | content
//! content of PREFIX, DIFF, FAST_DIFF = u32 bytes of the cells when decoded | cells
//! cell = the encoded key and value
//!        | varint tags length | tags, in a dictionary if the file says so          if the file has tags
//!        | vlong sequence id                                                       if the file has them
//! ```
//!
//! Decoding returns the cells back to back in the file's [`Layout`], like encoding NONE: nothing above this folder
//! knows about encodings. Encoding also starts from that form.
//!
//! All encodings assume one family per block.

mod delta;
mod diff;
mod fast_diff;
mod output;
mod prefix;
mod row_index;
mod tags;

use crate::cache::{CachedBlock, Decoding, Restarts};
use crate::hfile::cursor::marks_of;
use crate::hfile::format::{BlockType, Damage};
use bytes::BytesMut;
use rowstone_model::cell::{Layout, MalformedCell};
use rowstone_model::schema::Encoding;
use std::ops::Range;

/// Bytes before the cells of a block in PREFIX, DIFF or FAST_DIFF: the encoding's number, and the size when decoded.
pub const DELTA_HEAD_BYTES: usize = ID_BYTES + 4;
const ID_BYTES: usize = 2;

/// HBase's number of an encoding.
pub fn encoding_id(encoding: Encoding) -> u16 {
    match encoding {
        Encoding::None => 0,
        Encoding::Prefix => 2,
        Encoding::Diff => 3,
        Encoding::FastDiff => 4,
        Encoding::RowIndexV1 => 7,
    }
}

/// The type of the data blocks of files in that encoding.
pub fn data_block_type(encoding: Encoding) -> BlockType {
    match encoding {
        Encoding::None => BlockType::Data,
        _ => BlockType::EncodedData,
    }
}

/// Whether cells are stored as differences to the cell before.
pub fn is_delta(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Prefix | Encoding::Diff | Encoding::FastDiff)
}

/// Appends the payload of an encoded block with the cells `cells`, which are back to back in `layout`.
///
/// # Errors
/// If `cells` is not a run of cells.
pub fn encode(
    encoding: Encoding,
    cells: &[u8],
    layout: Layout,
    compress_tags: bool,
    out: &mut Vec<u8>,
) -> Result<(), MalformedCell> {
    out.extend_from_slice(&encoding_id(encoding).to_be_bytes());
    match encoding {
        Encoding::RowIndexV1 => row_index::encode(cells, layout, out),
        Encoding::Prefix => delta::encode::<prefix::Prefix>(cells, layout, compress_tags, out),
        Encoding::Diff => delta::encode::<diff::Diff>(cells, layout, compress_tags, out),
        Encoding::FastDiff => delta::encode::<fast_diff::FastDiff>(cells, layout, compress_tags, out),
        Encoding::None => {
            out.extend_from_slice(cells);
            Ok(())
        }
    }
}

/// The cells in `window` of `buffer`, the payload of a data block, with their marks; and where decoding can begin.
pub fn decode(
    encoding: Encoding,
    buffer: BytesMut,
    window: Range<usize>,
    layout: Layout,
    has_dictionary: bool,
) -> Result<(CachedBlock, Option<Restarts>), Damage> {
    if encoding == Encoding::None {
        return Ok((plain_block(buffer, window, layout)?, None));
    }
    let payload = buffer.get(window.clone()).unwrap_or(&[]);
    let id = payload.get(..2).map_or(0, |id| u16::from_be_bytes([id[0], id[1]]));
    if id != encoding_id(encoding) {
        return Err(Damage::new(format_args!("a block in encoding {}", encoding.name()), format_args!("number {id}")));
    }
    let content = window.start + ID_BYTES..window.end;
    let encoded = &buffer[content.clone()];
    match encoding {
        Encoding::None | Encoding::RowIndexV1 => {
            let start = content.start;
            let cells = row_index::cells(encoded)?;
            Ok((plain_block(buffer, start..start + cells, layout)?, None))
        }
        Encoding::Prefix => delta::decode::<prefix::Prefix>(encoded, layout, has_dictionary),
        Encoding::Diff => delta::decode::<diff::Diff>(encoded, layout, has_dictionary),
        Encoding::FastDiff => delta::decode::<fast_diff::FastDiff>(encoded, layout, has_dictionary),
    }
}

/// The block of the cells in `window` of `buffer`.
fn plain_block(buffer: BytesMut, window: Range<usize>, layout: Layout) -> Result<CachedBlock, Damage> {
    let marks = marks_of(buffer.get(window.clone()).unwrap_or_default(), layout)?;
    Ok(CachedBlock::window(buffer, window, marks))
}

/// Decodes a run of cells that begins within a block, and ends where a cell does: see [`Decoding`]. The cell before the
/// run is in front of the result.
pub fn resume(
    encoding: Encoding,
    encoded: &[u8],
    layout: Layout,
    decoding: &Decoding<'_>,
    buffer: Vec<u8>,
) -> Result<Vec<u8>, Damage> {
    match encoding {
        Encoding::Prefix => delta::resume::<prefix::Prefix>(encoded, layout, decoding, buffer),
        Encoding::Diff => delta::resume::<diff::Diff>(encoded, layout, decoding, buffer),
        Encoding::FastDiff => delta::resume::<fast_diff::FastDiff>(encoded, layout, decoding, buffer),
        Encoding::None | Encoding::RowIndexV1 => Err(Damage::new("an encoding with restarts", encoding.name())),
    }
}
