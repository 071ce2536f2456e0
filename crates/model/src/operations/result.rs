//! What comes back.

use crate::cell::{CellBuffer, Cells};
use smallvec::SmallVec;

/// Where a row (or a piece of one) lies in a [`CellBatch`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowRange {
    /// First byte of its first cell.
    pub start: usize,
    /// First byte after its last cell.
    pub end: usize,
    /// How many cells.
    pub cell_count: u32,
    /// Whether more cells of the same row follow in another result.
    pub is_partial: bool,
}

/// Places of rows: the one of a get needs no memory of its own.
pub type Rows = SmallVec<[RowRange; 1]>;

/// Rows of cells in one piece of memory, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CellBatch {
    /// The cells of all rows.
    pub cells: CellBuffer,
    /// The rows; a multi-get has an empty range for each row that was not found.
    pub rows: Rows,
}

impl CellBatch {
    /// The cells of one row.
    pub fn row_cells(&self, row: RowRange) -> Cells<'_> {
        self.cells.range(row.start, row.end)
    }
}

/// What a condition led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// Whether the condition held and the mutations were done.
    pub success: bool,
    /// New values of increments and appends.
    pub cells: CellBatch,
}

/// The result of one action of a multi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionResult {
    /// The row that was read, or the new values of increments and appends; possibly empty.
    Row(CellBatch),
    /// A put or delete was done.
    Done,
}
