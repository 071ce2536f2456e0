//! Assembles rows from a server's results: joins pieces of a row, or splits rows if the caller wants pieces of
//! limited size.

use super::results::Results;
use crate::wire::Malformed;
use rowstone_model::cell::{compare_keys, CellBuffer, Layout};
use rowstone_model::operations::{CellBatch, RowRange};

/// A row whose end has not been received.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// Start of its unreturned cells in the batch.
    start: usize,
    /// Number of those cells.
    count: u32,
}

/// Limits on one batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) rows: usize,
    pub(super) bytes: usize,
    /// Maximum number of rows finished since the scan began.
    pub(super) finished_rows: u64,
}

/// Assembles rows from results.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    /// Maximum number of cells in a piece; 0 for no bound.
    piece: u32,
    open: Option<Open>,
    /// Key of the open row.
    row: Vec<u8>,
    /// Cells of the open row, kept between two batches.
    carry: CellBuffer,
    /// A finished row beyond the requested number of rows, kept for the next batch.
    surplus: Option<(CellBuffer, RowRange)>,
    /// After a scanner was lost inside a row: cells up to this key were already returned.
    skip_to: Option<Vec<u8>>,
    /// Number of rows returned completely.
    pub(super) finished_rows: u64,
    /// The row returned last, wholly or in part, and whether its end was reached.
    pub(super) last_row: Option<(Vec<u8>, bool)>,
    last_key: Vec<u8>,
}

impl Assembler {
    /// Assembles whole rows, or pieces of `piece` cells if that is not 0.
    pub(super) fn new(piece: u32) -> Self {
        Assembler { piece, ..Assembler::default() }
    }

    /// Starts an empty batch with the leftovers of the last one.
    pub(super) fn begin(&mut self, out: &mut CellBatch) {
        if let Some((cells, row)) = self.surplus.take() {
            out.cells = cells;
            out.rows.push(RowRange { start: 0, end: out.cells.byte_len(), ..row });
        }
        if let Some(open) = &mut self.open {
            open.start = out.cells.byte_len();
            out.cells.extend_from(&self.carry);
        }
    }

    /// Appends rows of `results` to `out` within `bounds`, but at least one if there is one.
    pub(super) fn take(&mut self, results: &mut Results, bounds: Bounds, out: &mut CellBatch) -> Result<(), Malformed> {
        while !results.is_used_up() && self.finished_rows < bounds.finished_rows {
            let is_full = out.rows.len() >= bounds.rows || out.cells.byte_len() >= bounds.bytes;
            if is_full && !out.rows.is_empty() {
                return Ok(());
            }
            self.take_result(results, out)?;
        }
        if results.is_used_up() && results.ends_region() {
            self.finish(out);
        }
        Ok(())
    }

    fn take_result(&mut self, results: &mut Results, out: &mut CellBatch) -> Result<(), Malformed> {
        let start = out.cells.byte_len();
        let (mut count, is_partial) = results.append_next(&mut out.cells)?;
        if let Some(last) = self.skip_to.take() {
            let found = count;
            count = skip(&last, start, count, &mut out.cells);
            // Several responses may precede the first new cell.
            self.skip_to = (count == 0 && (found == 0 || is_partial)).then_some(last);
        }
        if self.open.is_none() && count > 0 && !is_partial && self.piece == 0 {
            // A whole row in one result: the usual case.
            out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count: count, is_partial: false });
            self.finished_rows += 1;
            return Ok(());
        }
        if count > 0 {
            self.join(start, count, out);
        }
        if !is_partial {
            self.finish(out);
        }
        Ok(())
    }

    /// Adds `count` cells from byte `start` on to the open row. Cells of another row finish it, and open their own.
    fn join(&mut self, start: usize, count: u32, out: &mut CellBatch) {
        let end = out.cells.byte_len();
        let first = out.cells.range(start, end).next();
        if let Some(cell) = first.filter(|cell| self.open.is_none() || cell.row() != self.row) {
            let row = cell.row().to_vec();
            self.finish_at(start, out);
            self.row = row;
            self.open = Some(Open { start, count: 0 });
        }
        let Some(open) = &mut self.open else { return };
        open.count += count;
        while self.piece > 0 && open.count > self.piece {
            let cut = cut_after(&out.cells, open.start, self.piece);
            out.rows.push(RowRange { start: open.start, end: cut, cell_count: self.piece, is_partial: true });
            *open = Open { start: cut, count: open.count - self.piece };
        }
    }

    /// Finishes the open row, if there is one.
    fn finish(&mut self, out: &mut CellBatch) {
        let end = out.cells.byte_len();
        self.finish_at(end, out);
    }

    fn finish_at(&mut self, end: usize, out: &mut CellBatch) {
        let Some(open) = self.open.take() else { return };
        if open.count > 0 {
            out.rows.push(RowRange { start: open.start, end, cell_count: open.count, is_partial: false });
        } else if let Some((_, is_finished)) = &mut self.last_row {
            *is_finished = true;
        }
        self.finished_rows += 1;
    }

    /// Ends the batch: an unfinished row, and a row beyond `max_rows`, are kept for the next one.
    pub(super) fn end(&mut self, max_rows: usize, out: &mut CellBatch) {
        if let Some(open) = &self.open {
            self.carry.clear();
            move_cells(open.start, out, &mut self.carry);
        }
        if out.rows.len() > max_rows {
            self.surplus = out.rows.pop().map(|row| {
                let mut cells = CellBuffer::new();
                move_cells(row.start, out, &mut cells);
                (cells, row)
            });
        }
        self.note_last(out);
    }

    fn note_last(&mut self, out: &CellBatch) {
        let Some(cell) = out.rows.last().and_then(|last| out.row_cells(*last).last()) else { return };
        let goes_on = self.open.is_some() && cell.row() == self.row;
        self.last_row = Some((cell.row().to_vec(), !goes_on));
        if goes_on {
            self.last_key = cell.key().to_vec();
        }
    }

    /// The scanner was lost: drops everything that the next scanner sends again. `out` has no rows yet.
    pub(super) fn restart(&mut self, out: &mut CellBatch) {
        out.cells.clear();
        (self.open, self.skip_to) = (None, None);
        if let Some((row, false)) = &self.last_row {
            self.skip_to = Some(self.last_key.clone());
            self.open = Some(Open { start: 0, count: 0 });
            self.row.clone_from(row);
        }
    }

    /// The region is at its end: other rows follow.
    pub(super) fn leave_region(&mut self) {
        self.last_row = None;
        self.skip_to = None;
    }
}

/// Moves the cells of `batch` from byte `start` on to `target`.
fn move_cells(start: usize, batch: &mut CellBatch, target: &mut CellBuffer) {
    for cell in batch.cells.range(start, batch.cells.byte_len()) {
        target.push_cell(&cell);
    }
    batch.cells.truncate(start);
}

/// Drops cells of the same row as `last` up to and including it, among `count` cells from byte `start` on; returns
/// the number left.
fn skip(last: &[u8], start: usize, count: u32, cells: &mut CellBuffer) -> u32 {
    let mut kept = CellBuffer::new();
    let mut left = count;
    let row_end = last.first_chunk::<2>().map_or(0, |length| 2 + usize::from(u16::from_be_bytes(*length)));
    for cell in cells.range(start, cells.byte_len()) {
        let is_same_row = last.get(..row_end).is_some_and(|row| cell.key().starts_with(row));
        if is_same_row && compare_keys(cell.key(), last).is_le() {
            left = left.saturating_sub(1);
        } else {
            kept.push_cell(&cell);
        }
    }
    cells.truncate(start);
    cells.extend_from(&kept);
    left
}

/// The offset after `count` cells from byte `start` on.
fn cut_after(cells: &CellBuffer, start: usize, count: u32) -> usize {
    let cells = cells.range(start, cells.byte_len()).take(count as usize);
    cells.fold(start, |end, cell| end + cell.written_len(Layout::TAGGED))
}
