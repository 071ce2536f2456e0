//! Results of operations.

use crate::cell::{CellBuffer, Cells};
use smallvec::SmallVec;

/// The position of a row (or part of one) in a [`CellBatch`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowRange {
    /// First byte of its first cell.
    pub start: usize,
    /// First byte after its last cell.
    pub end: usize,
    /// Number of cells.
    pub cell_count: u32,
    /// Whether more cells of the same row follow in another result.
    pub is_partial: bool,
}

/// Positions of rows. The single one of a get is stored inline.
pub type Rows = SmallVec<[RowRange; 1]>;

/// Rows of cells in one allocation. The cells of a reversed scan may be in another order than the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CellBatch {
    /// The cells of all rows.
    pub cells: CellBuffer,
    /// The rows; a multi-get has an empty range for each missing row.
    pub rows: Rows,
}

impl CellBatch {
    /// Creates a batch with one row of `cells`; without cells, an empty batch.
    pub fn of_row(cells: CellBuffer) -> Self {
        let (end, cell_count) = (cells.byte_len(), cells.iter().count() as u32);
        let row = (cell_count > 0).then_some(RowRange { start: 0, end, cell_count, is_partial: false });
        CellBatch { cells, rows: row.into_iter().collect() }
    }

    /// Removes all rows and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.cells.clear();
        self.rows.clear();
    }

    /// The cells of one row.
    pub fn row_cells(&self, row: RowRange) -> Cells<'_> {
        self.cells.range(row.start, row.end)
    }
}

/// The result of a check-and-mutate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// Whether the condition held and the mutations were applied.
    pub success: bool,
    /// New values of increments and appends.
    pub cells: CellBatch,
}

impl CheckResult {
    /// The result of mutations that were applied and returned `cells`.
    pub fn applied(cells: CellBatch) -> Self {
        CheckResult { success: true, cells }
    }
}

/// The result of one action of a multi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionResult {
    /// The row read, or the new values of increments and appends; possibly empty.
    Row(CellBatch),
    /// A put or delete was applied.
    Done,
}
