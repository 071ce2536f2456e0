//! The rules over the cells of one row that lies in one place: they are offered one by one, and nobody seeks.

use super::matcher::{MatchCode, Matcher};
use super::reader::{RowCount, RowLimits};
use rowstone_model::cell::{Cell, CellBuffer};

/// After so many cells that were not taken, a reader that seeks is the better choice.
const MOST_LEFT: u32 = 32;

/// Takes the cells of one row as they are offered, in order.
pub struct RowTaker<'o> {
    matcher: Matcher,
    count: RowCount,
    out: &'o mut CellBuffer,
    start: usize,
    max_cells: usize,
    taken: usize,
    left: u32,
}

impl<'o> RowTaker<'o> {
    /// Takes up to `max_cells` cells into `out`.
    #[inline]
    pub fn new(matcher: Matcher, limits: RowLimits, max_cells: usize, out: &'o mut CellBuffer) -> Self {
        let start = out.byte_len();
        RowTaker { matcher, count: RowCount::new(limits), out, start, max_cells, taken: 0, left: 0 }
    }

    /// Takes the cell or leaves it. Whether the next one is wanted.
    #[inline]
    pub fn offer(&mut self, cell: &Cell<'_>) -> bool {
        let code = self.matcher.check(cell);
        if !code.is_included() {
            self.left += 1;
            return code != MatchCode::SeekNextRow && self.left <= MOST_LEFT;
        }
        if self.count.takes() {
            self.out.push_cell(cell);
            self.taken += 1;
        }
        code != MatchCode::IncludeAndSeekNextRow && !self.count.is_done && self.taken < self.max_cells
    }

    /// How many cells were taken; `None`, and nothing taken, where a reader that seeks shall do it.
    #[inline]
    pub fn finish(self) -> Option<usize> {
        if self.left > MOST_LEFT {
            self.out.truncate(self.start);
            return None;
        }
        Some(self.taken)
    }
}
