//! Reading a file past damage: every valid data block, in file order, and the holes between them.
//!
//! Blocks are found by their headers alone; after bytes that are not a block the next one is searched for. Index
//! and trailer are not needed. Properties that only they record (compression, form of the cells) are determined by
//! trial on the first block.

use super::blocks::{decode_block, open_block, DataForm, RawBlock};
use super::open::{open, Opened};
use crate::cache::CachedBlock;
use crate::hfile::cursor::BlockCursor;
use crate::hfile::encoding::encoding_id;
use crate::hfile::format::{BlockType, Damage, Header, HEADER_BYTES, TRAILER_BYTES};
use crate::sys::FileSystem;
use bytes::BytesMut;
use rowstone_model::cell::{compare_keys, Cell, Layout};
use rowstone_model::schema::{Compression, Encoding};
use rowstone_model::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::Path;

/// Properties of a file that does not record them itself.
#[derive(Debug, Clone, Default)]
pub struct Guess {
    /// The compression of its family.
    pub compression: Option<Compression>,
    /// Its family.
    pub family: Option<Vec<u8>>,
}

/// Unreadable bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// Offset where they begin.
    pub offset: u64,
    /// Offset of the next block.
    pub end: u64,
    /// The expected contents.
    pub expected: String,
    /// The contents found.
    pub found: String,
    /// The type of block that begins there, if its header is readable.
    pub kind: Option<BlockType>,
    /// The last row before it; the hole may begin within that row.
    pub row_before: Option<Vec<u8>>,
    /// The first row after it; the hole may end within that row.
    pub row_after: Option<Vec<u8>>,
}

impl Hole {
    /// Whether it may have contained cells.
    pub fn has_cells(&self) -> bool {
        self.kind.is_none_or(|kind| matches!(kind, BlockType::Data | BlockType::EncodedData))
    }
}

/// Result of reading a damaged file.
#[derive(Debug, Default)]
pub struct Salvaged {
    /// The error because of which the file cannot be opened, if any.
    pub refusal: Option<Error>,
    /// The holes, in order.
    pub holes: Vec<Hole>,
    /// Number of cells in valid blocks.
    pub cells: u64,
    /// Number of cells according to the trailer, if the file can be opened.
    pub entry_count: Option<u64>,
    /// First and last row of the cells.
    pub rows: Option<(Vec<u8>, Vec<u8>)>,
    /// The largest sequence id of a cell, or the recorded one of the file.
    pub max_sequence_id: u64,
    /// Whether the cells have tags.
    pub has_tags: bool,
    /// Whether the file came from a compaction of all files.
    pub is_major: bool,
    /// Whether its cells retain their sequence ids although it was bulk loaded.
    pub keeps_sequence_ids: bool,
    /// Creation time in milliseconds; 0 if it is not recorded.
    pub create_time_ms: i64,
    /// Compression and encoding, if known.
    pub form: Option<(Compression, Encoding)>,
}

struct Salvage<'a> {
    bytes: &'a [u8],
    end: usize,
    path: &'a Path,
    guess: &'a Guess,
    form: Option<(Compression, DataForm)>,
    last_key: Vec<u8>,
    /// Offset of the last block of each type.
    offsets: HashMap<BlockType, usize>,
    found: Salvaged,
}

/// Reads the file at `path` and passes every cell of a valid block to `visit`, in order.
///
/// # Errors
/// `Io`; errors of `visit`.
pub fn salvage(
    files: &dyn FileSystem,
    path: &Path,
    guess: &Guess,
    visit: &mut dyn FnMut(&Cell<'_>) -> Result<()>,
) -> Result<Salvaged> {
    let bytes = files.read(path).map_err(|error| Error::io("read", path.display(), &error))?;
    let file = files.open(path).map_err(|error| Error::io("open", path.display(), &error))?;
    let mut salvage = Salvage {
        bytes: &bytes,
        end: bytes.len(),
        path,
        guess,
        form: None,
        last_key: Vec::new(),
        offsets: HashMap::new(),
        found: Salvaged::default(),
    };
    match open(file.as_ref(), path) {
        Ok(opened) => salvage.know(&opened),
        Err(error) if matches!(error.kind(), ErrorKind::Corruption | ErrorKind::Unsupported) => {
            salvage.found.refusal = Some(error);
        }
        Err(error) => return Err(error),
    }
    salvage.walk(visit)?;
    salvage.found.form = salvage.form.map(|(compression, form)| (compression, form.encoding));
    Ok(salvage.found)
}

impl Salvage<'_> {
    fn know(&mut self, opened: &Opened) {
        let info = &opened.info;
        let (encoding, layout, has_tag_dictionary) = (info.encoding, info.layout, info.has_tag_dictionary);
        self.form = Some((info.compression, DataForm { encoding, layout, has_tag_dictionary }));
        self.end = self.bytes.len() - TRAILER_BYTES;
        self.found.entry_count = Some(info.entry_count);
        self.found.max_sequence_id = info.max_sequence_id;
        self.found.is_major = info.is_major;
        self.found.keeps_sequence_ids = info.keeps_sequence_ids;
        self.found.create_time_ms = info.create_time_ms;
    }

    fn walk(&mut self, visit: &mut dyn FnMut(&Cell<'_>) -> Result<()>) -> Result<()> {
        let mut at = 0;
        while at < self.end {
            match self.block(at) {
                Ok((header, cells)) => {
                    if let Some((block, layout)) = cells {
                        self.show(&block, layout, visit)?;
                    }
                    self.offsets.insert(header.block_type, at);
                    at += header.total_bytes();
                }
                // The trailer, or the rest of it, follows the last block.
                Err(_) if self.found.refusal.is_some() && self.next_block(at + 1).is_none() && self.is_trailer(at) => {
                    break
                }
                Err(damage) => at = self.hole(at, damage),
            }
        }
        Ok(())
    }

    fn is_trailer(&self, at: usize) -> bool {
        self.bytes.len() - at <= TRAILER_BYTES
    }

    /// Notes a hole at `at` and returns the offset of the next block.
    fn hole(&mut self, at: usize, damage: Damage) -> usize {
        let next = self.next_block(at + 1).unwrap_or(self.end);
        // The type is only known if the header's block extends exactly to the next one and was written for this
        // offset. Otherwise the hole may have contained more.
        let header = Header::parse(&self.bytes[at..]).ok();
        let is_its_own = |header: &Header| at + header.total_bytes() == next && self.may_follow(header, at);
        let kind = header.filter(is_its_own).map(|header| header.block_type);
        let Some(place) = damage.at(self.path, at as u64).place().cloned() else { return next };
        let row_before = Cell::new(&self.last_key, &[], &[], 0).ok().map(|cell| cell.row().to_vec());
        let row_before = row_before.filter(|_| !self.last_key.is_empty());
        let (expected, found) = (place.expected, place.found);
        let hole = Hole { offset: at as u64, end: next as u64, expected, found, kind, row_before, row_after: None };
        self.found.holes.push(hole);
        next
    }

    /// The block at `at`, and its cells if it has some.
    #[allow(clippy::type_complexity, reason = "one caller, which takes it apart at once")]
    fn block(&mut self, at: usize) -> Result<(Header, Option<(CachedBlock, Layout)>), Damage> {
        let (header, bytes) = self.framed(at)?;
        if !self.may_follow(&header, at) {
            let found = format!("one written for another place, after the block at {}", header.previous_offset);
            return Err(Damage::new(format_args!("the block written for offset {at}"), found));
        }
        if !matches!(header.block_type, BlockType::Data | BlockType::EncodedData) {
            // Its content cannot be verified before the compression is known, and it has no cells.
            return match self.form {
                Some((compression, _)) => open_block(bytes, compression).map(|_| (header, None)),
                None => Ok((header, None)),
            };
        }
        let (block, layout) = match self.form {
            Some((compression, form)) => (decode_block(open_block(bytes, compression)?, form)?, form.layout),
            None => self.try_forms(&bytes)?,
        };
        let first = Cell::read(block.bytes(), layout)?.0;
        if !self.last_key.is_empty() && compare_keys(first.key(), &self.last_key) == Ordering::Less {
            return Err(Damage::new("cells behind those before", "a block of smaller keys"));
        }
        Ok((header, Some((block, layout))))
    }

    /// Whether the previous block of its type, according to the header, is the last one found, or is in a hole.
    fn may_follow(&self, header: &Header, at: usize) -> bool {
        let before = header.previous_offset;
        let known = self.offsets.get(&header.block_type).map_or(-1, |offset| *offset as i64);
        let in_hole = |hole: &Hole| (hole.offset as i64..hole.end as i64).contains(&before);
        before < at as i64 && (before == known || self.found.holes.iter().any(in_hole))
    }

    /// The block's header and bytes, if they are valid.
    fn framed(&self, at: usize) -> Result<(Header, BytesMut), Damage> {
        let rest = &self.bytes[at..self.end];
        let header = Header::parse(rest)?;
        let Some(bytes) = rest.get(..header.total_bytes()) else {
            return Err(Damage::new(format_args!("at most {} bytes", rest.len()), header.total_bytes()));
        };
        let (data, sums) = bytes.split_at(header.data_bytes);
        crate::hfile::format::checksum::verify(data, sums, header.checksum, header.bytes_per_checksum)?;
        Ok((header, bytes.into()))
    }

    /// The next offset at or after `from` where a valid block begins.
    fn next_block(&self, from: usize) -> Option<usize> {
        let magics = |at: usize| BlockType::ALL.iter().any(|kind| self.bytes[at..].starts_with(kind.magic()));
        (from..self.end.saturating_sub(HEADER_BYTES)).find(|at| magics(*at) && self.framed(*at).is_ok())
    }

    /// Finds the first form in which the block is a run of cells of the family.
    fn try_forms(&mut self, bytes: &[u8]) -> Result<(CachedBlock, Layout), Damage> {
        let all = [Compression::None, Compression::Gz, Compression::Snappy, Compression::Lz4, Compression::Zstd];
        for compression in self.guess.compression.into_iter().chain(all) {
            let Ok(raw) = open_block(bytes.into(), compression) else { continue };
            for form in forms(&raw) {
                let Ok(block) = decode_block(raw.clone(), form) else { continue };
                if self.is_plausible(&block, form.layout) {
                    self.form = Some((compression, form));
                    self.found.has_tags = form.layout.has_tags;
                    return Ok((block, form.layout));
                }
            }
        }
        Err(Damage::new("cells in a compression and form that are known", "others"))
    }

    fn is_plausible(&self, block: &CachedBlock, layout: Layout) -> bool {
        let mut last: Vec<u8> = Vec::new();
        let mut rest = block.bytes();
        while !rest.is_empty() {
            let Ok((cell, length)) = Cell::read(rest, layout) else { return false };
            let is_ordered = last.is_empty() || compare_keys(&last, cell.key()) != Ordering::Greater;
            let is_known = self.guess.family.as_deref().is_none_or(|family| family == cell.family());
            if !is_ordered || !is_known {
                return false;
            }
            last = cell.key().to_vec();
            rest = &rest[length..];
        }
        true
    }

    fn show(
        &mut self,
        block: &CachedBlock,
        layout: Layout,
        visit: &mut dyn FnMut(&Cell<'_>) -> Result<()>,
    ) -> Result<()> {
        let bytes = block.bytes();
        let malformed = |error| Damage::from(error).at(self.path, 0);
        let mut cursor = BlockCursor::new(layout);
        cursor.move_to(bytes, 0).map_err(malformed)?;
        self.found.has_tags |= layout.has_tags;
        if let Some(first) = cursor.cell(bytes) {
            let row = first.row().to_vec();
            for hole in self.found.holes.iter_mut().filter(|hole| hole.row_after.is_none()) {
                hole.row_after = Some(row.clone());
            }
            self.found.rows.get_or_insert_with(|| (row.clone(), row));
        }
        while let Some(cell) = cursor.cell(bytes) {
            visit(&cell)?;
            self.found.cells += 1;
            self.found.max_sequence_id = self.found.max_sequence_id.max(cell.sequence_id());
            self.last_key.clear();
            self.last_key.extend_from_slice(cell.key());
            cursor.advance(bytes).map_err(malformed)?;
        }
        let last = Cell::new(&self.last_key, &[], &[], 0).map(|cell| cell.row().to_vec()).unwrap_or_default();
        if let Some(rows) = &mut self.found.rows {
            rows.1 = last;
        }
        Ok(())
    }
}

/// Possible forms of a block's cells.
fn forms(block: &RawBlock) -> Vec<DataForm> {
    let payload = block.buffer.get(block.content.clone()).unwrap_or(&[]);
    let id = payload.get(..2).map_or(0, |id| u16::from_be_bytes([id[0], id[1]]));
    let encodings = [Encoding::Prefix, Encoding::Diff, Encoding::FastDiff, Encoding::RowIndexV1];
    let encoding = match block.header.block_type {
        BlockType::EncodedData => encodings.into_iter().find(|encoding| encoding_id(*encoding) == id),
        _ => Some(Encoding::None),
    };
    let mut forms = Vec::new();
    for (has_tags, has_sequence_id) in [(true, true), (false, true), (true, false), (false, false)] {
        let layout = Layout { has_tags, has_sequence_id };
        for has_tag_dictionary in [true, false] {
            forms.extend(encoding.map(|encoding| DataForm { encoding, layout, has_tag_dictionary }));
        }
    }
    forms
}
