//! A position in one block of cells, and searches in it.
//!
//! A block is bytes in a [`Layout`] plus *marks*: the offset of the first cell of every row, and of every eighth
//! cell after it in the same row. A search finds a mark, then steps over at most eight cells, whatever encoding the
//! file has and however wide its rows are.
//!
//! Nothing here knows about files: the bytes stay with their owner and are passed with every call. [`marks_of`] has
//! checked them once; a cursor still refuses to read outside of them. Offsets are `u32`: no block is larger than
//! [`super::format::MAX_BLOCK_BYTES`].

use crate::search::Marks;
use crate::sys::advice::prefetch;
use rowstone_model::cell::{compare_keys, is_same, row_of, Cell, Layout, MalformedCell};
use rowstone_model::codec::read_vlong;
use std::cmp::Ordering;

/// Cells of one row between two marks.
const CELLS_PER_MARK: usize = 8;
/// Number of cells that a forward search checks before it uses the marks.
const NEAR_CELLS: usize = 4;

/// Location of a cell's parts in its block.
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

/// The row at or before which a search ended: see [`last_row_before`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowStart {
    /// Offset of its first cell in the block.
    pub offset: u32,
    /// Its first mark. The block begins with the row of mark 0: the previous block may then also have cells of it.
    pub mark: usize,
}

/// Reason why [`BlockCursor::visit_run`] ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// At the first cell of another row.
    Row,
    /// At the cell that was refused.
    Refused,
    /// Past the end of the block, in which the row may continue.
    Block,
}

/// A position in a block: at a cell, or past the end.
#[derive(Debug, Clone, Copy)]
pub struct BlockCursor {
    layout: Layout,
    at: Span,
    is_valid: bool,
}

/// Checks every cell of a block and returns the marks for searching it.
///
/// # Errors
/// If the bytes are not a run of cells in `layout`.
pub fn marks_of(bytes: &[u8], layout: Layout) -> Result<Marks, MalformedCell> {
    let mut marks = MarksOfRows::of_block(bytes.len());
    let mut offset = 0;
    let mut row: &[u8] = &[];
    while offset < bytes.len() {
        let (cell, length) = Cell::read(&bytes[offset..], layout)?;
        marks.note(offset, cell.row() != row);
        row = cell.row();
        offset += length;
    }
    Ok(marks.finish(bytes))
}

/// Collects the marks of a block while its cells are read or decoded.
pub struct MarksOfRows {
    offsets: Vec<u32>,
    since_mark: usize,
}

impl MarksOfRows {
    /// Marks of a block of `bytes` bytes.
    pub fn of_block(bytes: usize) -> Self {
        MarksOfRows { offsets: Vec::with_capacity(bytes / 1024 + 1), since_mark: CELLS_PER_MARK }
    }

    /// Notes the next cell of the block.
    #[inline]
    pub fn note(&mut self, offset: usize, begins_row: bool) {
        if begins_row || self.since_mark == CELLS_PER_MARK {
            self.offsets.push(offset as u32);
            self.since_mark = 0;
        }
        self.since_mark += 1;
    }

    /// The marks of a block of these cells, all of which were noted.
    pub fn finish(self, bytes: &[u8]) -> Marks {
        Marks::of_rows(&self.offsets, |offset| row_at(bytes, offset))
    }
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

/// The first mark whose row is not smaller than `row`.
#[inline]
fn mark_of(bytes: &[u8], marks: &Marks, row: &[u8]) -> usize {
    marks.smaller_than(row, |mark| marks.offset(mark).map_or(Ordering::Greater, |start| row_at(bytes, start).cmp(row)))
}

/// The largest row of the block that is smaller than `row`, or the last row if `row` is empty.
pub fn last_row_before(bytes: &[u8], marks: &Marks, row: &[u8]) -> Option<RowStart> {
    let end = if row.is_empty() { marks.len() } else { mark_of(bytes, marks, row) };
    row_before_mark(bytes, marks, end)
}

/// The row that comes before the row whose first mark is `mark`.
pub fn row_before_mark(bytes: &[u8], marks: &Marks, mark: usize) -> Option<RowStart> {
    let mut first = mark.checked_sub(1)?;
    let found = row_at(bytes, marks.offset(first)?);
    // Only a row with more than eight cells has several marks.
    if first > 0 && row_at(bytes, marks.offset(first - 1)?) == found {
        first = mark_of(bytes, marks, found);
    }
    Some(RowStart { offset: marks.offset(first)?, mark: first })
}

/// The row of a mark.
#[inline]
pub fn row_of_mark<'b>(bytes: &'b [u8], marks: &Marks, mark: usize) -> Option<&'b [u8]> {
    marks.offset(mark).map(|start| row_at(bytes, start))
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

    /// The sequence id of the cell at the position.
    #[inline]
    pub fn sequence_id(&self) -> Option<u64> {
        self.is_valid.then_some(self.at.sequence_id)
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

    /// Moves to the cell that starts at `offset`, or past the end if that is the end of `bytes`.
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

    /// Passes the cells of the current row to `visit`, and moves past each for which it returns true.
    #[inline]
    pub fn visit_run(
        &mut self,
        bytes: &[u8],
        mut visit: impl FnMut(&Cell<'_>) -> bool,
    ) -> Result<RunEnd, MalformedCell> {
        let Some(mut cell) = self.cell(bytes) else { return Ok(RunEnd::Block) };
        let (row, first, mut start, mut end) = (cell.row(), self.at.start, self.at.start, self.at.end);
        let reached = loop {
            if !visit(&cell) {
                break RunEnd::Refused;
            }
            start = end;
            if start as usize >= bytes.len() {
                break RunEnd::Block;
            }
            let (next, length) = match Cell::read(&bytes[start as usize..], self.layout) {
                Ok(next) => next,
                Err(error) => {
                    self.is_valid = false;
                    return Err(error);
                }
            };
            if !is_same(next.row(), row) {
                break RunEnd::Row;
            }
            (cell, end) = (next, start + length as u32);
        };
        if start != first {
            self.move_to(bytes, start)?;
        }
        Ok(reached)
    }

    /// Moves to the first cell at or after `key`. Returns whether there is one in the block.
    pub fn seek(&mut self, bytes: &[u8], marks: &Marks, key: &[u8]) -> Result<bool, MalformedCell> {
        let row = row_of(key);
        let compare = |start| compare_keys(key_at(bytes, start), key);
        let found = marks.smaller_than(row, |mark| marks.offset(mark).map_or(Ordering::Greater, compare));
        let is_in_row = |&mark: &usize| row_of_mark(bytes, marks, mark) == Some(row);
        let Some(before) = found.checked_sub(1).filter(is_in_row) else {
            // Every row has a mark, so all cells before this one are in smaller rows.
            self.move_to(bytes, marks.offset(found).unwrap_or(bytes.len() as u32))?;
            return Ok(self.is_valid);
        };
        self.move_to(bytes, marks.offset(before).unwrap_or(0))?;
        while self.key(bytes).is_some_and(|at| compare_keys(at, key) == Ordering::Less) {
            self.move_to(bytes, self.at.end)?;
        }
        Ok(self.is_valid)
    }

    /// Moves to the first cell of `row`, or past the end if the block has none. Returns the end of the row's cells if it
    /// is known without reading them.
    #[inline]
    pub fn find_row(&mut self, bytes: &[u8], marks: &Marks, row: &[u8]) -> Result<Option<u32>, MalformedCell> {
        let compare = |mark| {
            let Some(start) = marks.offset(mark) else { return Ordering::Greater };
            let end = marks.offset(mark + 1).map_or(bytes.len(), |end| end as usize);
            prefetch(bytes.get(start as usize..end).unwrap_or_default());
            row_at(bytes, start).cmp(row)
        };
        // As if all cells were equally long. Most often it is in the page of the cell, which the processor then looks up while
        // it waits for the marks.
        let near = |mark: usize| {
            let at = bytes.len() * mark / marks.len();
            prefetch(bytes.get(at..at + 1).unwrap_or_default());
        };
        self.clear();
        // Every row has a mark at its first cell.
        let Some(found) = marks.find(row, near, compare) else { return Ok(None) };
        self.move_to(bytes, marks.offset(found).unwrap_or(bytes.len() as u32))?;
        Ok(marks.end_of_row(found, bytes.len() as u32))
    }

    /// End offset of the cell at the position.
    #[inline]
    pub fn end(&self) -> u32 {
        self.at.end
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
        self.seek(bytes, marks, key)
    }
}
