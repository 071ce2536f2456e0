//! A position in a run of cells that skips cells newer than its read point.

use super::run::{CellPlace, Run};
use rowstone_model::cell::{compare_keys, first_on_row, Cell};

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
    /// Start of the row that a reversed scan found last.
    row_start: Option<usize>,
}

impl<H: RunHolder> Cursor<H> {
    /// Creates a cursor for cells with a sequence id up to `read_point`. Peeks nothing until a seek.
    pub(crate) fn new(holder: H, first: usize, end: usize, read_point: u64) -> Self {
        Cursor { holder, read_point, first, end, index: end, place: CellPlace::default(), row_start: None }
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
            match self.holder.run().place_after(&self.place, self.index) {
                Some(place) => self.place = place,
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
        let index = self.holder.lower_bound(key, self.first, self.end);
        self.go_to(index);
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
        let mut index = match self.row_start {
            _ if row.is_empty() => self.end,
            // A reversed scan asks for the row before the one that it found last.
            Some(start) if run.row(start) == row => start,
            _ => self.holder.lower_bound(&first_on_row(row), self.first, self.end),
        };
        while index > self.first {
            self.holder.run().prefetch_before(index - 1);
            let start = self.start_of_row(index - 1);
            self.go_to(start);
            if self.index < index {
                self.row_start = Some(start);
                return;
            }
            index = start;
        }
        (self.index, self.row_start) = (self.end, None);
    }

    /// Whether there are cells of a row before `row`, and of `row` or one after it.
    pub(crate) fn surrounds(&self, row: &[u8]) -> bool {
        let run = self.holder.run();
        self.first < self.end && run.row(self.first) < row && run.row(self.end - 1) >= row
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
        (self.first, self.end, self.row_start) = (0, end, None);
        self.go_to(0);
    }
}
