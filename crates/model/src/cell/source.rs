//! Cells in order, one at a time: what files, memstore segments and merges of them have in common.

use super::view::Cell;
use crate::error::Result;

/// A position in a sorted run of cells, in the order of [`super::compare_cells`].
///
/// Keys given to the seeks are flat keys, compared with [`super::compare_keys`]: sequence ids play no part.
pub trait CellSource: Send {
    /// The cell at the position; `None` past the end, and before the first seek.
    fn peek(&self) -> Option<Cell<'_>>;

    /// Moves to the next cell.
    fn advance(&mut self) -> Result<()>;

    /// Moves to the first cell whose key is at or after `key`, from wherever the position is.
    fn seek(&mut self, key: &[u8]) -> Result<()>;

    /// Like [`CellSource::seek`], for a `key` at or after the position: cheap where the target is near.
    fn reseek(&mut self, key: &[u8]) -> Result<()>;

    /// Moves to the first cell of the largest row that is smaller than `row` (with an empty `row`: of the last row),
    /// or past the end where there is no such row.
    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()>;
}

impl<S: CellSource + ?Sized> CellSource for Box<S> {
    fn peek(&self) -> Option<Cell<'_>> {
        (**self).peek()
    }

    fn advance(&mut self) -> Result<()> {
        (**self).advance()
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        (**self).seek(key)
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        (**self).reseek(key)
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        (**self).seek_to_previous_row(row)
    }
}
