//! Common parts of PREFIX, DIFF and FAST_DIFF: the frame around their cells, and keys derived from the previous
//! key.
//!
//! All three share as much of the row with the previous cell as possible, then of the qualifier. A block has one
//! family, which is never compared.

use super::output::Output;
use super::tags::Dictionary;
use crate::cache::{CachedBlock, Decoding, Restarts};
use crate::hfile::cursor::MarksOfRows;
use crate::hfile::format::{Damage, MAX_BLOCK_BYTES};
use rowstone_model::cell::{Cell, Layout, MalformedCell};
use rowstone_model::codec::{write_varint, write_vlong, Reader};

/// Bytes of timestamp and type at the end of a flat key.
pub const VERSION_BYTES: usize = 9;

/// Encodes and decodes the key and value of one cell after another.
pub trait Codec: Default {
    /// Appends `cell`; `previous` is the cell before it in the block.
    fn encode(&mut self, cell: &Cell<'_>, previous: Option<&Cell<'_>>, out: &mut Vec<u8>);

    /// Continues after a cell of `family`, its length and name, which this codec did not decode.
    fn resume(&mut self, _family: &[u8]) {}

    /// Reads the next cell's key and value into `out`.
    fn decode(&mut self, reader: &mut Reader<'_>, out: &mut Output) -> Result<(), Damage>;
}

/// Appends the content of a block with the cells `cells`.
pub fn encode<C: Codec>(
    cells: &[u8],
    layout: Layout,
    compress_tags: bool,
    out: &mut Vec<u8>,
) -> Result<(), MalformedCell> {
    out.extend_from_slice(&(cells.len() as u32).to_be_bytes());
    let mut codec = C::default();
    let mut dictionary = compress_tags.then(Dictionary::default);
    let mut previous = None;
    let mut rest = cells;
    while !rest.is_empty() {
        let (cell, length) = Cell::read(rest, layout)?;
        rest = &rest[length..];
        codec.encode(&cell, previous.as_ref(), out);
        if layout.has_tags {
            write_varint(out, cell.tags().len() as u64);
            match &mut dictionary {
                Some(dictionary) => dictionary.encode(cell.tags(), out),
                None => out.extend_from_slice(cell.tags()),
            }
        }
        if layout.has_sequence_id {
            write_vlong(out, cell.sequence_id() as i64);
        }
        previous = Some(cell);
    }
    Ok(())
}

/// The cells in `content`, back to back in `layout`, with their marks, and where decoding can begin. A dictionary of tags
/// depends on all cells before: then there are no restarts.
pub fn decode<C: Codec>(
    content: &[u8],
    layout: Layout,
    has_dictionary: bool,
) -> Result<(CachedBlock, Option<Restarts>), Damage> {
    let mut reader = Reader::new(content);
    let size = reader.u32()? as usize;
    if size > MAX_BLOCK_BYTES {
        return Err(Damage::new(format_args!("a block of at most {MAX_BLOCK_BYTES} bytes"), size));
    }
    let encoded_bytes = reader.remaining();
    let mut decoder = Decoder::<C> {
        codec: C::default(),
        layout,
        dictionary: has_dictionary.then(Dictionary::default),
        out: Output::new(size),
    };
    let mut marks = MarksOfRows::of_block(size);
    let mut restarts = (!(has_dictionary && layout.has_tags)).then(|| Restarts::new(encoded_bytes));
    while !reader.is_empty() {
        if let Some(restarts) = &mut restarts {
            restarts.consider(encoded_bytes - reader.remaining(), decoder.out.len(), decoder.out.previous_start());
        }
        let start = decoder.out.len();
        decoder.decode(&mut reader)?;
        marks.note(start, decoder.out.begins_row());
    }
    let cells = decoder.out.finish()?;
    let marks = marks.finish(&cells);
    Ok((CachedBlock::new(cells, marks), restarts))
}

/// The cell `previous`, which is the one before `encoded`, and after it the cells of `encoded`, which have `cell_bytes`
/// bytes. Uses the memory of `buffer`.
pub fn resume<C: Codec>(
    encoded: &[u8],
    layout: Layout,
    decoding: &Decoding<'_>,
    buffer: Vec<u8>,
) -> Result<Vec<u8>, Damage> {
    let out = Output::after(decoding.previous, layout, decoding.cell_bytes, buffer)?;
    let mut decoder = Decoder::<C> { codec: C::default(), layout, dictionary: None, out };
    if let Some(row_end) = decoder.out.previous_row_end() {
        let family = usize::from(decoder.out.key()[row_end]);
        decoder.codec.resume(&decoder.out.key()[row_end..=row_end + family]);
    }
    let mut reader = Reader::new(encoded);
    while !reader.is_empty() {
        decoder.decode(&mut reader)?;
    }
    decoder.out.finish()
}

/// A decoder of cells in one block.
struct Decoder<C> {
    codec: C,
    layout: Layout,
    dictionary: Option<Dictionary>,
    out: Output,
}

impl<C: Codec> Decoder<C> {
    /// Decodes the next cell.
    #[inline]
    fn decode(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        let out = &mut self.out;
        self.codec.decode(reader, out)?;
        if self.layout.has_tags {
            let length = reader.varint()?;
            let length = u16::try_from(length).map_err(|_| Damage::new("at most 65535 bytes of tags", length))?;
            out.push(&length.to_be_bytes())?;
            out.check_room(length.into())?;
            match &mut self.dictionary {
                _ if length == 0 => {}
                Some(dictionary) => dictionary.decode(reader, length.into(), out.bytes_mut())?,
                None => out.push(reader.take(length.into())?)?,
            }
        }
        if self.layout.has_sequence_id {
            let before = reader.rest();
            reader.vlong()?;
            out.push_front(before, before.len() - reader.remaining())?;
        }
        Ok(())
    }
}

/// Number of leading bytes that a key shares with the previous one, counted as the encodings do. A row of another
/// length shares at most its length field. The family counts as equal. Timestamp and type only count
/// `with_version`.
pub fn common_bytes(cell: &Cell<'_>, previous: &Cell<'_>, with_version: bool) -> usize {
    let same = |left: &[u8], right: &[u8]| left.iter().zip(right).take_while(|(l, r)| l == r).count();
    let (row, previous_row) = (cell.row(), previous.row());
    if row.len() != previous_row.len() {
        return same(&cell.key()[..2], &previous.key()[..2]);
    }
    let row_bytes = same(row, previous_row);
    if row_bytes < row.len() {
        return 2 + row_bytes;
    }
    let (qualifier, previous_qualifier) = (cell.qualifier(), previous.qualifier());
    let qualifier_bytes = same(qualifier, previous_qualifier);
    let bytes = 2 + row.len() + 1 + cell.family().len() + qualifier_bytes;
    if !with_version || qualifier.len() != previous_qualifier.len() || qualifier_bytes < qualifier.len() {
        return bytes;
    }
    bytes + same(version(cell.key()), version(previous.key()))
}

/// Timestamp and type of a flat key.
pub fn version(key: &[u8]) -> &[u8] {
    &key[key.len() - VERSION_BYTES..]
}

/// Appends the part of a key's front that DIFF and FAST_DIFF store: the row from byte `common` on and the whole
/// qualifier. If the row is the same, only the rest of the qualifier. Never the family.
pub fn encode_front(cell: &Cell<'_>, common: usize, out: &mut Vec<u8>) {
    let row_end = 2 + cell.row().len();
    if common < row_end {
        out.extend_from_slice(&cell.key()[common..row_end]);
        out.extend_from_slice(cell.qualifier());
    } else {
        let in_qualifier = common.saturating_sub(row_end + 1 + cell.family().len());
        out.extend_from_slice(cell.qualifier().get(in_qualifier..).unwrap_or(&[]));
    }
}

/// Reads the output of [`encode_front`] into the key that `out` has begun. `family` is length and name.
pub fn decode_front(reader: &mut Reader<'_>, out: &mut Output, common: usize, family: &[u8]) -> Result<(), Damage> {
    if out.previous_row_end().is_none_or(|row_end| common < row_end) {
        out.push(reader.take(2usize.saturating_sub(common))?)?;
        let key = out.new_key();
        let row_end = 2 + usize::from(u16::from_be_bytes([key[0], key[1]]));
        let missing = row_end.checked_sub(key.len());
        let missing = missing.ok_or_else(|| Damage::new("a row longer than what it shares", row_end - 2))?;
        out.push(reader.take(missing)?)?;
        out.push(family)?;
    }
    let missing = out.new_key_len().checked_sub(VERSION_BYTES + out.new_key().len());
    let missing = missing.ok_or_else(|| Damage::new("a key with room for its version", out.new_key_len()))?;
    out.push(reader.take(missing)?)
}

/// Reads a length as a varint, unchecked: the caller compares it with the available bytes.
pub fn length(reader: &mut Reader<'_>) -> Result<usize, Damage> {
    Ok(usize::try_from(reader.varint()?).unwrap_or(usize::MAX))
}
