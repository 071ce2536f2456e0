//! A position in a run of cells that skips cells newer than its read point.

use super::run::{CellPlace, Run};
use rowstone_model::cell::{compare_keys, first_on_row, is_same, row_of, Cell};

/// Cells of a row that are stepped over on the way back to its first one, before it is searched for.
const NEAR_CELLS: usize = 8;

/// An owner, or a shared owner, of a run.
pub(crate) trait RunHolder {
    fn run(&self) -> &Run;

    /// The first cell in `from..to` whose key is at or after `key`, or `to`.
    fn lower_bound(&self, key: &[u8], from: usize, to: usize) -> usize {
        self.run().lower_bound(key, from, to)
    }
}

impl RunHolder for Run {
    fn run(&self) -> &Run {
        self
    }
}

/// A position among the cells `first..end` of a run.
pub(crate) struct Cursor<H> {
    pub(crate) holder: H,
    read_point: u64,
    first: usize,
    end: usize,
    index: usize,
    place: CellPlace,
    /// Index that a seek or a step back has found last: the next one will probably find one near it.
    found: Option<usize>,
}

impl<H: RunHolder> Cursor<H> {
    /// Creates a cursor for cells with a sequence id up to `read_point`. Peeks nothing until a seek.
    pub(crate) fn new(holder: H, first: usize, end: usize, read_point: u64) -> Self {
        Cursor { holder, read_point, first, end, index: end, place: CellPlace::default(), found: None }
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<Cell<'_>> {
        if self.index >= self.end {
            return None;
        }
        self.holder.run().view(&self.place)
    }

    #[inline]
    pub(crate) fn sequence_id(&self) -> Option<u64> {
        (self.index < self.end).then_some(self.place.sequence_id)
    }

    #[inline]
    pub(crate) fn is_at_end(&self) -> bool {
        self.index >= self.end
    }

    #[inline]
    pub(crate) fn advance(&mut self) {
        if self.index >= self.end {
            return;
        }
        self.step();
        self.skip_newer();
    }

    /// Passes the cells of the current row to `visit`, and moves past each for which it returns true. Returns whether the
    /// row has been left.
    #[inline]
    pub(crate) fn visit_run(&mut self, mut visit: impl FnMut(&Cell<'_>) -> bool) -> bool {
        let run = self.holder.run();
        let Some(mut cell) = self.peek() else { return false };
        let (row, mut index, mut place) = (cell.row(), self.index, self.place);
        let has_left = 'run: loop {
            if !visit(&cell) {
                break false;
            }
            loop {
                index += 1;
                if index >= self.end {
                    break 'run true;
                }
                let Some((next, next_place)) = run.cell_after(&place, index) else {
                    index = self.end;
                    break 'run true;
                };
                (cell, place) = (next, next_place);
                if place.sequence_id <= self.read_point {
                    break;
                }
            }
            if !is_same(cell.row(), row) {
                break true;
            }
        };
        (self.index, self.place) = (index, place);
        has_left
    }

    #[inline]
    fn skip_newer(&mut self) {
        while self.index < self.end && self.place.sequence_id > self.read_point {
            self.step();
        }
    }

    /// Moves to the next cell, visible or not.
    #[inline]
    fn step(&mut self) {
        self.index += 1;
        if self.index < self.end {
            match self.holder.run().cell_after(&self.place, self.index) {
                Some((_, place)) => self.place = place,
                None => self.index = self.end,
            }
        }
    }

    /// Moves to the first visible cell from `index` on.
    pub(crate) fn go_to(&mut self, index: usize) {
        self.index = self.end;
        if index < self.end {
            if let Some(place) = self.holder.run().place(index) {
                (self.index, self.place) = (index, place);
                self.skip_newer();
            }
        }
    }

    pub(crate) fn seek(&mut self, key: &[u8]) {
        let index = match self.found {
            Some(found) => self.search_back(key, found),
            None => self.holder.lower_bound(key, self.first, self.end),
        };
        self.found = Some(index);
        self.go_to(index);
    }

    /// Like `lower_bound` of all cells, but cheap if the answer is a little before `from`.
    fn search_back(&self, key: &[u8], from: usize) -> usize {
        let run = self.holder.run();
        let is_before = |index: usize| compare_keys(run.key(index), key).is_lt();
        let (mut end, mut step) = (from, 1);
        while end > self.first {
            let start = end.saturating_sub(step).max(self.first);
            if is_before(start) {
                break;
            }
            (end, step) = (start, step * 2);
        }
        if end == from {
            return self.holder.lower_bound(key, from.saturating_sub(1).max(self.first), self.end);
        }
        self.holder.lower_bound(key, end.saturating_sub(step).max(self.first), end)
    }

    /// `key` must be at or after the position, if there is one.
    pub(crate) fn reseek(&mut self, key: &[u8]) {
        if self.index >= self.end {
            return self.seek(key);
        }
        let run = self.holder.run();
        let before = |index: usize| compare_keys(run.key(index), key).is_lt();
        // Most targets are a few cells on. From the sixteenth on, the whole range is searched.
        let near = (self.index + 16).min(self.end);
        let mut index = self.index;
        while index < near && before(index) {
            index += 1;
        }
        if index == near && near < self.end {
            index = self.holder.lower_bound(key, near, self.end);
        }
        if index != self.index {
            self.go_to(index);
        }
    }

    pub(crate) fn seek_to_previous_row(&mut self, row: &[u8]) {
        let run = self.holder.run();
        let begins_at = |index: usize| {
            (index == self.end || run.row(index) >= row) && (index == self.first || run.row(index - 1) < row)
        };
        let mut index = match self.found {
            _ if row.is_empty() => self.end,
            // A reversed scan asks for the row before the one that it found last.
            Some(found) if begins_at(found) => found,
            _ => self.holder.lower_bound(&first_on_row(row), self.first, self.end),
        };
        while index > self.first {
            self.holder.run().prefetch_before(index - 1);
            let start = self.start_of_row(index - 1);
            self.go_to(start);
            if self.index < index {
                self.found = Some(start);
                return;
            }
            index = start;
        }
        (self.index, self.found) = (self.end, None);
    }

    /// See [`CellSource::row_back`](rowstone_model::cell::CellSource::row_back). Large cells that are scattered take so long
    /// to read that nothing is gained.
    pub(crate) fn row_back(&self, rows: usize) -> Option<&[u8]> {
        let run = self.holder.run();
        let is_worth_it = self.index < self.end && !run.is_scattered();
        is_worth_it.then(|| run.row(self.index.saturating_sub(rows).max(self.first)))
    }

    /// Whether there are cells of a row before `row`, and of `row` or one after it.
    pub(crate) fn surrounds(&self, row: &[u8]) -> bool {
        let run = self.holder.run();
        self.first < self.end && run.row(self.first) < row && run.row(self.end - 1) >= row
    }

    /// Whether there are cells of the row of `key` or of one before it, and a cell at or after `key`.
    pub(crate) fn reaches(&self, key: &[u8]) -> bool {
        let run = self.holder.run();
        self.first < self.end && run.row(self.first) <= row_of(key) && compare_keys(run.key(self.end - 1), key).is_ge()
    }

    /// The first cell of the row that cell `index` is in.
    fn start_of_row(&self, index: usize) -> usize {
        let run = self.holder.run();
        let row = run.row(index);
        let nearest = index.saturating_sub(NEAR_CELLS).max(self.first);
        let mut start = index;
        while start > nearest && run.row(start - 1) == row {
            start -= 1;
        }
        if start > nearest || start == self.first {
            return start;
        }
        self.holder.lower_bound(&first_on_row(row), self.first, start)
    }

    /// The last cell of the run, visible or not.
    pub(crate) fn last(&self) -> Option<Cell<'_>> {
        self.holder.run().cell(self.end.checked_sub(1)?)
    }

    /// Adapts to changes of an owned run: it now has `end` cells, and the position is before the first.
    pub(crate) fn restart(&mut self, end: usize) {
        (self.first, self.end, self.found) = (0, end, None);
        self.go_to(0);
    }
}
