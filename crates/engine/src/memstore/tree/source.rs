//! Reading a tree during writes: small runs of cells are copied out under the lock, then read without it.
//!
//! The next run starts after the last cell of the previous one, in the full order. So no cell is seen twice or out
//! of order, whatever was inserted meanwhile; such cells are newer than the read point and are not copied.

use super::super::flat::{Cursor, Run};
use super::{Position, SharedTree, Tree};
use rowstone_model::cell::{compare_keys, first_on_row, row_of, Cell, Layout};
use std::sync::Arc;

/// Length of the first run: short, for readers of only a few cells. Each next one is twice as long.
const FIRST_RUN_CELLS: usize = 4;
const MAX_RUN_CELLS: usize = 128;
/// Maximum bytes of a run. It may end after one cell.
const MAX_RUN_BYTES: usize = 64 * 1024;

/// Maximum cells that a reversed scan passes under the lock.
const MAX_PASSED_CELLS: usize = 512;

/// A get that finds at most this many cells of its row copies them and is done with the tree.
const ROW_CELLS: usize = 64;

/// A position in a tree.
pub(crate) struct TreeSource {
    tree: Arc<SharedTree>,
    read_point: u64,
    /// The only row to read, if set.
    row: Option<Vec<u8>>,
    cursor: Cursor<Run>,
    /// Whether the run reaches the end of the cells to read.
    is_complete: bool,
    run_cells: usize,
    /// Whether the run has whole rows, and perhaps a cell of the next one: a reversed scan copied it.
    is_backward: bool,
}

/// A tree's cells of one row: none, few (copied), or more than that.
pub(crate) enum RowCells {
    None,
    Few(Cursor<Run>),
    Many,
}

/// The visible cells of `row`, for a get.
pub(crate) fn row_cells(tree: &SharedTree, row: &[u8], read_point: u64) -> RowCells {
    let tree = tree.read();
    let start = tree.lower_bound_of_row(row);
    let mut run = Run::default();
    let is_complete = tree.copy(start, Some(row), read_point, ROW_CELLS, &mut run);
    match (run.len(), is_complete) {
        (_, false) => RowCells::Many,
        (0, true) => RowCells::None,
        (cells, true) => RowCells::Few(Cursor::new(run, 0, cells, read_point)),
    }
}

impl Tree {
    /// Copies visible cells from `position` on into `run`, until there are `cells` of them or many bytes. Returns
    /// whether all requested cells were copied.
    fn copy(&self, mut position: Position, row: Option<&[u8]>, read_point: u64, cells: usize, run: &mut Run) -> bool {
        let all_visible = self.stats.max_sequence_id <= read_point;
        while let Some(entry) = self.get(position) {
            if row.is_some_and(|row| row_of(self.entry_key(entry)) != row) {
                return true;
            }
            if run.len() >= cells || run.byte_len() >= MAX_RUN_BYTES {
                return false;
            }
            if all_visible || self.entry_sequence_id(entry) <= read_point {
                run.push_bytes(self.entry_bytes(entry));
            }
            position = self.next(position);
        }
        true
    }

    /// Passes the cells of `row` up to `read_point` to `visit`, in order, until it returns false.
    #[inline]
    pub(crate) fn visit_row(&self, row: &[u8], read_point: u64, mut visit: impl FnMut(&Cell<'_>) -> bool) {
        let mut position = self.lower_bound_of_row(row);
        let Some(prefix) = self.get(position).map(|first| first.prefix) else { return };
        // An entry of another prefix belongs to another row. Its cell is not read, which would cost a cache miss.
        while let Some(entry) = self.get(position).filter(|entry| entry.prefix == prefix) {
            let Ok((cell, _)) = Cell::read(self.entry_bytes(entry), Layout::STORED) else { return };
            if cell.row() != row || (cell.sequence_id() <= read_point && !visit(&cell)) {
                return;
            }
            position = self.next(position);
        }
    }

    /// Whether any cell of `row`, whose cells begin at `position`, is visible.
    fn has_visible(&self, position: Position, row: &[u8], read_point: u64) -> bool {
        let mut run = Run::default();
        self.copy(position, Some(row), read_point, 1, &mut run);
        run.len() > 0
    }
}

impl TreeSource {
    /// All cells, or those of one row, up to `read_point`.
    pub(crate) fn new(tree: Arc<SharedTree>, row: Option<&[u8]>, read_point: u64) -> Self {
        TreeSource {
            tree,
            read_point,
            row: row.map(<[u8]>::to_vec),
            cursor: Cursor::new(Run::default(), 0, 0, read_point),
            is_complete: false,
            run_cells: FIRST_RUN_CELLS,
            is_backward: false,
        }
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<Cell<'_>> {
        self.cursor.peek()
    }

    #[inline]
    pub(crate) fn sequence_id(&self) -> Option<u64> {
        self.cursor.sequence_id()
    }

    #[inline]
    pub(crate) fn advance(&mut self) {
        self.cursor.advance();
        if self.cursor.is_at_end() && !self.is_complete {
            self.read_on();
        }
    }

    /// Like [`Cursor::visit_run`]; it may end after any cell.
    #[inline]
    pub(crate) fn visit_run(&mut self, visit: impl FnMut(&Cell<'_>) -> bool) -> bool {
        let has_left = self.cursor.visit_run(visit);
        if self.cursor.is_at_end() && !self.is_complete {
            self.read_on();
            return false;
        }
        has_left
    }

    /// See [`CellSource::row_back`](rowstone_model::cell::CellSource::row_back).
    pub(crate) fn row_back(&self, rows: usize) -> Option<&[u8]> {
        self.cursor.row_back(rows)
    }

    /// Replaces the run with the next one.
    fn read_on(&mut self) {
        let Some(last) = self.cursor.last() else { return };
        // The run's memory is about to be overwritten; key and sequence id of its last cell are still needed.
        let (key, sequence_id) = (last.key().to_vec(), last.sequence_id());
        let Ok(last) = Cell::new(&key, &[], &[], sequence_id) else { return };
        self.run_cells = (self.run_cells * 2).min(MAX_RUN_CELLS);
        self.fill(|tree| tree.after(&last));
    }

    /// Replaces the run by one that starts at the position that `find` returns.
    fn fill(&mut self, find: impl FnOnce(&Tree) -> Position) {
        let run = &mut self.cursor.holder;
        run.clear();
        let tree = self.tree.read();
        let start = find(&tree);
        self.is_complete = tree.copy(start, self.row.as_deref(), self.read_point, self.run_cells, run);
        drop(tree);
        let cells = run.len();
        self.cursor.restart(cells);
        self.is_backward = false;
    }

    pub(crate) fn seek(&mut self, key: &[u8]) {
        if self.is_backward && self.cursor.reaches(key) {
            return self.cursor.seek(key);
        }
        self.run_cells = FIRST_RUN_CELLS;
        match self.row.as_deref().map(first_on_row) {
            // The key is before the only row: cells of other rows must be skipped.
            Some(start) if compare_keys(key, &start).is_lt() => {
                self.fill(|tree| tree.lower_bound(row_of(&start), &start));
            }
            _ => self.fill(|tree| tree.lower_bound(row_of(key), key)),
        }
    }

    pub(crate) fn reseek(&mut self, key: &[u8]) {
        // Before the first seek there is no run: the first reseek is a seek.
        let in_run = self.is_complete || self.cursor.last().is_some_and(|last| compare_keys(last.key(), key).is_ge());
        if in_run {
            self.cursor.reseek(key)
        } else {
            self.seek(key)
        }
    }

    pub(crate) fn seek_to_previous_row(&mut self, row: &[u8]) {
        if self.is_backward && self.cursor.surrounds(row) {
            return self.cursor.seek_to_previous_row(row);
        }
        self.run_cells = if self.is_backward { (self.run_cells * 2).min(MAX_RUN_CELLS) } else { FIRST_RUN_CELLS };
        if self.row.is_none() && self.copy_rows_before(row) {
            return;
        }
        self.run_cells = FIRST_RUN_CELLS;
        let (only, read_point) = (self.row.clone(), self.read_point);
        self.fill(|tree| match only {
            Some(only) if row.is_empty() || only.as_slice() < row => tree.lower_bound_of_row(&only),
            Some(_) => tree.end(),
            None => tree.previous_row(row, read_point),
        });
    }

    /// Replaces the run by whole rows before `row`, and moves to the last of them. Returns false if that row is long.
    fn copy_rows_before(&mut self, row: &[u8]) -> bool {
        let run = &mut self.cursor.holder;
        run.clear();
        let tree = self.tree.read();
        let Some((start, stop)) = tree.rows_before(row, self.read_point, self.run_cells) else { return false };
        self.is_complete = tree.copy_rows(start, stop, self.read_point, run);
        drop(tree);
        let cells = run.len();
        self.cursor.restart(cells);
        self.cursor.seek_to_previous_row(row);
        // Without a row before `row`, the source is past the end and stays there.
        self.is_complete |= self.cursor.is_at_end();
        self.is_backward = true;
        true
    }
}

impl Tree {
    /// Start and end of the last rows before `row` that have `cells` visible cells, or of all rows if there are fewer.
    /// `None` if too many cells, or too large ones, come before the first whole row with a visible cell.
    fn rows_before(&self, row: &[u8], read_point: u64, cells: usize) -> Option<(Position, Position)> {
        let stop = if row.is_empty() { self.end() } else { self.lower_bound_of_row(row) };
        let (mut start, mut position) = (stop, stop);
        let (mut passed, mut bytes) = (0, 0);
        // Visible cells from `position` on, and from `start` on.
        let (mut visible, mut in_whole_rows) = (0, 0);
        let mut row_at: Option<&[u8]> = None;
        while let Some(previous) = self.previous(position) {
            let entry = self.get(previous)?;
            let row = row_of(self.entry_key(entry));
            if row_at.is_some_and(|last| last != row) {
                (start, in_whole_rows) = (position, visible);
            }
            if in_whole_rows >= cells || passed == MAX_PASSED_CELLS || bytes >= MAX_RUN_BYTES {
                return (in_whole_rows > 0).then_some((start, stop));
            }
            passed += 1;
            if self.entry_sequence_id(entry) <= read_point {
                visible += 1;
                bytes += self.entry_bytes(entry).len();
            }
            (position, row_at) = (previous, Some(row));
        }
        Some((position, stop))
    }

    /// Copies the visible cells from `start` to `stop` into `run`, and the next one after them if it is near. Without it,
    /// the source would read on behind the last row. Returns whether there is no cell after the run.
    fn copy_rows(&self, start: Position, stop: Position, read_point: u64, run: &mut Run) -> bool {
        let mut position = start;
        let mut passed_after = 0;
        while let Some(entry) = self.get(position) {
            if position == stop || passed_after > 0 {
                passed_after += 1;
            }
            let is_visible = self.entry_sequence_id(entry) <= read_point;
            if is_visible {
                run.push_bytes(self.entry_bytes(entry));
            }
            if passed_after > 0 && (is_visible || passed_after == MAX_PASSED_CELLS) {
                return false;
            }
            position = self.next(position);
        }
        true
    }

    /// The first cell of the largest row before `row` (or of all rows, if it is empty) that has a visible cell.
    fn previous_row(&self, row: &[u8], read_point: u64) -> Position {
        let mut position = if row.is_empty() { self.end() } else { self.lower_bound_of_row(row) };
        while let Some(last) = self.previous(position) {
            let Some(entry) = self.get(last) else { break };
            let row = row_of(self.entry_key(entry));
            position = self.lower_bound_of_row(row);
            if self.has_visible(position, row, read_point) {
                return position;
            }
        }
        self.end()
    }
}
