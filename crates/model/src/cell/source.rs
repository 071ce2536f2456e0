//! The common interface of files, memstore segments and merges of them: sorted cells, one at a time.

use super::view::Cell;
use crate::error::Result;

/// A cursor over sorted cells, in the order of [`super::compare_cells`].
///
/// Seeks take flat keys and compare them with [`super::compare_keys`]: sequence ids are ignored.
pub trait CellSource: Send {
    /// The cell at the cursor; `None` past the end, and before the first seek.
    fn peek(&self) -> Option<Cell<'_>>;

    /// The sequence id of the cell at the cursor.
    #[inline]
    fn sequence_id(&self) -> Option<u64> {
        self.peek().map(|cell| cell.sequence_id())
    }

    /// Moves to the next cell.
    fn advance(&mut self) -> Result<()>;

    /// Moves to the first cell with a key at or after `key`, forwards or backwards.
    fn seek(&mut self, key: &[u8]) -> Result<()>;

    /// Like [`CellSource::seek`], for a `key` at or after the cursor: cheap if the target is near.
    fn reseek(&mut self, key: &[u8]) -> Result<()>;

    /// Moves to the first cell of the largest row smaller than `row` (if `row` is empty: of the last row), or past
    /// the end if there is no such row.
    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()>;
}

impl<S: CellSource + ?Sized> CellSource for Box<S> {
    fn peek(&self) -> Option<Cell<'_>> {
        (**self).peek()
    }

    fn sequence_id(&self) -> Option<u64> {
        (**self).sequence_id()
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
