//! Applies the rules to the cells of one row in a single segment or file. The cells are offered one by one, without
//! seeks.

use super::matcher::{MatchCode, Matcher};
use super::reader::{RowCount, RowLimits};
use rowstone_model::cell::{Cell, CellBuffer};

/// Number of skipped cells after which a seeking reader is the better choice.
const MOST_LEFT: u32 = 32;

/// First memory of a result: enough for a few small cells.
const FIRST_BYTES: usize = 256;

/// Collects the cells of one row as they are offered, in order.
pub struct RowTaker<'o, 'q> {
    matcher: &'o mut Matcher<'q>,
    count: RowCount,
    out: &'o mut CellBuffer,
    start: usize,
    max_cells: usize,
    taken: usize,
    left: u32,
}

impl<'o, 'q> RowTaker<'o, 'q> {
    /// Collects up to `max_cells` cells into `out`, by new rules.
    #[inline]
    pub fn new(matcher: &'o mut Matcher<'q>, limits: RowLimits, max_cells: usize, out: &'o mut CellBuffer) -> Self {
        let start = out.byte_len();
        RowTaker { matcher, count: RowCount::new(limits), out, start, max_cells, taken: 0, left: 0 }
    }

    /// Includes the cell or skips it. Returns whether the next one is needed.
    #[inline]
    pub fn offer(&mut self, cell: &Cell<'_>) -> bool {
        let code = self.matcher.check(cell);
        if !code.is_included() {
            self.left += 1;
            return code != MatchCode::SeekNextRow && self.left <= MOST_LEFT;
        }
        if self.count.takes() {
            if self.out.capacity() == 0 {
                self.out.reserve(FIRST_BYTES);
            }
            self.out.push_cell(cell);
            self.taken += 1;
        }
        code != MatchCode::IncludeAndSeekNextRow && !self.count.is_done && self.taken < self.max_cells
    }

    /// Number of cells collected; `None`, with nothing collected, if a seeking reader should read the row instead.
    #[inline]
    pub fn finish(self) -> Option<usize> {
        if self.left > MOST_LEFT {
            self.out.truncate(self.start);
            return None;
        }
        Some(self.taken)
    }
}
