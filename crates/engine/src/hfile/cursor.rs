//! A position in one block of cells, and the search for one.
//!
//! A block is bytes in a [`Layout`] plus [`Marks`]: the offsets of some of its cells, a few hundred bytes apart. A search
//! finds the last mark before its goal, then goes forward cell by cell: no further than eight cells or half a kilobyte,
//! whatever encoding the file has and however wide its rows are.
//!
//! Nothing here knows of files: the bytes stay with their owner and come in with every call. They were checked once, by
//! [`marks_of`]; a cursor still refuses to leave them. Offsets are `u32`: no block is larger than
//! [`super::format::MAX_BLOCK_BYTES`].

use crate::cache::Marks;
use rowstone_model::cell::{compare_keys, Cell, Layout, MalformedCell};
use rowstone_model::codec::read_vlong;
use std::cmp::Ordering;

/// Most cells from one mark to the next.
const CELLS_PER_MARK: usize = 8;
/// A mark follows the last one once this many bytes lie between them.
const BYTES_PER_MARK: usize = 512;
/// How many cells a forward search looks at before it goes by halves.
const NEAR_CELLS: usize = 4;

/// Where the parts of a cell lie in its block.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    key_end: u32,
    value_end: u32,
    tags_start: u32,
    tags_end: u32,
    end: u32,
    sequence_id: u64,
}

/// Where a row stands in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowStart {
    /// Whether the block begins with it, so that cells of it may lie in the block before.
    pub is_first: bool,
}

/// A position in a block: at a cell, or past the end.
#[derive(Debug, Clone, Copy)]
pub struct BlockCursor {
    layout: Layout,
    at: Span,
    is_valid: bool,
}

/// Checks every cell of a block and returns the marks to search it by.
///
/// # Errors
/// Where the bytes are not a run of cells in `layout`.
pub fn marks_of(bytes: &[u8], layout: Layout) -> Result<Marks, MalformedCell> {
    let mut offsets = Vec::with_capacity(bytes.len() / BYTES_PER_MARK + 1);
    let (mut offset, mut marked, mut cells) = (0, 0, CELLS_PER_MARK);
    while offset < bytes.len() {
        if cells == CELLS_PER_MARK || offset - marked >= BYTES_PER_MARK {
            offsets.push(offset as u32);
            (marked, cells) = (offset, 0);
        }
        cells += 1;
        offset += Cell::read(&bytes[offset..], layout)?.1;
    }
    offsets.shrink_to_fit();
    let count = offsets.len();
    Ok(Marks::new(offsets, count, |offset| row_at(bytes, offset)))
}

/// The flat key of the cell that starts at `offset`.
#[inline]
fn key_at(bytes: &[u8], offset: u32) -> &[u8] {
    let start = offset as usize;
    let length = u32::from_be_bytes([bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]]);
    &bytes[start + 8..start + 8 + length as usize]
}

#[inline]
fn row_at(bytes: &[u8], offset: u32) -> &[u8] {
    let start = offset as usize + 10;
    let length = u16::from_be_bytes([bytes[start - 2], bytes[start - 1]]);
    &bytes[start..start + usize::from(length)]
}

/// The row of the first cell of a block that [`marks_of`] checked.
pub fn first_row(bytes: &[u8]) -> Option<&[u8]> {
    (!bytes.is_empty()).then(|| row_at(bytes, 0))
}

#[inline]
fn row_of(key: &[u8]) -> &[u8] {
    &key[2..2 + usize::from(u16::from_be_bytes([key[0], key[1]]))]
}

/// How many of the marks are at cells before `key`.
#[inline]
fn marks_before(bytes: &[u8], marks: &Marks, key: &[u8]) -> usize {
    let offsets = marks.offsets();
    let is_before = |offset: &u32| compare_keys(key_at(bytes, *offset), key) == Ordering::Less;
    let window = marks.window(row_of(key));
    let past = window.start + offsets[window].partition_point(is_before);
    // The window is right for rows that begin like all rows of the block; the cells at its edges tell.
    let is_right =
        (past == 0 || is_before(&offsets[past - 1])) && offsets.get(past).is_none_or(|mark| !is_before(mark));
    if is_right {
        past
    } else {
        offsets.partition_point(is_before)
    }
}

impl BlockCursor {
    /// A cursor at no cell, for blocks in `layout`.
    pub fn new(layout: Layout) -> Self {
        BlockCursor { layout, at: Span::default(), is_valid: false }
    }

    /// The cell at the position.
    #[inline]
    pub fn cell<'b>(&self, bytes: &'b [u8]) -> Option<Cell<'b>> {
        if !self.is_valid {
            return None;
        }
        let at = &self.at;
        let key = bytes.get(at.start as usize + 8..at.key_end as usize)?;
        let value = bytes.get(at.key_end as usize..at.value_end as usize)?;
        let tags = bytes.get(at.tags_start as usize..at.tags_end as usize)?;
        Cell::new(key, value, tags, at.sequence_id).ok()
    }

    /// The flat key of the cell at the position.
    #[inline]
    pub fn key<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        if !self.is_valid {
            return None;
        }
        bytes.get(self.at.start as usize + 8..self.at.key_end as usize)
    }

    /// Moves past the end.
    pub fn clear(&mut self) {
        self.is_valid = false;
    }

    /// Moves to the cell that starts at `offset`; past the end where that is the end of `bytes`.
    #[inline]
    pub fn move_to(&mut self, bytes: &[u8], offset: u32) -> Result<(), MalformedCell> {
        self.is_valid = false;
        let start = offset as usize;
        if start >= bytes.len() {
            return Ok(());
        }
        let Some(lengths) = bytes.get(start..start + 8) else {
            return Err(MalformedCell { reason: "fewer than 8 bytes for the lengths" });
        };
        let key_len = u32::from_be_bytes([lengths[0], lengths[1], lengths[2], lengths[3]]) as usize;
        let value_len = u32::from_be_bytes([lengths[4], lengths[5], lengths[6], lengths[7]]) as usize;
        let key_end = start + 8 + key_len;
        let value_end = key_end + value_len;
        let (mut end, mut tags_start) = (value_end, value_end);
        if self.layout.has_tags {
            let Some(length) = bytes.get(end..end + 2) else {
                return Err(MalformedCell { reason: "no tags length" });
            };
            tags_start = end + 2;
            end = tags_start + usize::from(u16::from_be_bytes([length[0], length[1]]));
        }
        let tags_end = end;
        let mut sequence_id = 0;
        if self.layout.has_sequence_id {
            let Some((id, length)) = bytes.get(end..).and_then(read_vlong) else {
                return Err(MalformedCell { reason: "no sequence id" });
            };
            sequence_id = id as u64;
            end += length;
        }
        if end > bytes.len() {
            return Err(MalformedCell { reason: "the cell passes the end" });
        }
        self.at = Span {
            start: offset,
            key_end: key_end as u32,
            value_end: value_end as u32,
            tags_start: tags_start as u32,
            tags_end: tags_end as u32,
            end: end as u32,
            sequence_id,
        };
        self.is_valid = true;
        Ok(())
    }

    /// Moves to the next cell. Returns whether there is one in the block.
    #[inline]
    pub fn advance(&mut self, bytes: &[u8]) -> Result<bool, MalformedCell> {
        if self.is_valid {
            self.move_to(bytes, self.at.end)?;
        }
        Ok(self.is_valid)
    }

    /// Moves to the first cell at or after `key`. Returns whether there is one in the block.
    pub fn seek(&mut self, bytes: &[u8], marks: &Marks, key: &[u8]) -> Result<bool, MalformedCell> {
        let past = marks_before(bytes, marks, key);
        let from = past.checked_sub(1).and_then(|before| marks.offsets().get(before)).copied().unwrap_or(0);
        self.move_to(bytes, from)?;
        self.walk_to(bytes, key)
    }

    /// Like [`BlockCursor::seek`], for a `key` that is not before the position.
    pub fn seek_forward(&mut self, bytes: &[u8], marks: &Marks, key: &[u8]) -> Result<bool, MalformedCell> {
        for _ in 0..NEAR_CELLS {
            match self.key(bytes) {
                Some(at) if compare_keys(at, key) == Ordering::Less => self.move_to(bytes, self.at.end)?,
                at => return Ok(at.is_some()),
            }
        }
        if !self.is_valid {
            return Ok(false);
        }
        let past = marks_before(bytes, marks, key);
        if let Some(&from) = past.checked_sub(1).and_then(|before| marks.offsets().get(before)) {
            if from > self.at.start {
                self.move_to(bytes, from)?;
            }
        }
        self.walk_to(bytes, key)
    }

    #[inline]
    fn walk_to(&mut self, bytes: &[u8], key: &[u8]) -> Result<bool, MalformedCell> {
        while self.key(bytes).is_some_and(|at| compare_keys(at, key) == Ordering::Less) {
            self.move_to(bytes, self.at.end)?;
        }
        Ok(self.is_valid)
    }

    /// Moves to the first cell of the largest row of the block that is smaller than `row`, or of the last row where `row` is
    /// empty. Returns how that row stands in the block; `None`, and past the end, where there is no such row.
    pub fn seek_to_row_before(
        &mut self,
        bytes: &[u8],
        marks: &Marks,
        row: &[u8],
    ) -> Result<Option<RowStart>, MalformedCell> {
        let offsets = marks.offsets();
        let is_before = |found: &[u8]| row.is_empty() || found < row;
        let past = offsets.partition_point(|&mark| is_before(row_at(bytes, mark)));
        let Some(&last) = past.checked_sub(1).and_then(|last| offsets.get(last)) else {
            self.clear();
            return Ok(None);
        };
        self.move_to(bytes, last)?;
        let mut start = last;
        while let Some(key) = self.key(bytes).filter(|key| is_before(row_of(key))) {
            if row_of(key) != row_at(bytes, start) {
                start = self.at.start;
            }
            self.move_to(bytes, self.at.end)?;
        }
        if start == last {
            // The row may begin before the mark: behind the last mark of a smaller row.
            let goal = row_at(bytes, last);
            let smaller = offsets[..past].partition_point(|&mark| row_at(bytes, mark) < goal);
            self.move_to(bytes, smaller.checked_sub(1).map_or(0, |before| offsets[before]))?;
            while self.key(bytes).is_some_and(|key| row_of(key) < goal) {
                self.move_to(bytes, self.at.end)?;
            }
        } else {
            self.move_to(bytes, start)?;
        }
        Ok(self.is_valid.then_some(RowStart { is_first: self.at.start == 0 }))
    }
}
