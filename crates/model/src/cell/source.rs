//! The common interface of files, memstore segments and merges of them: sorted cells, one at a time.

use super::order::is_same;
use super::view::Cell;
use crate::error::Result;
use smallvec::SmallVec;

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

    /// Passes cells of the current row to `visit`, and moves past each for which it returns true. The run ends at the
    /// first cell that `visit` refuses, and at the end of the row. It may end earlier, after any cell. Returns whether the cursor is known
    /// to have left the row. After an error the position is undefined.
    #[inline]
    fn visit_run(&mut self, mut visit: impl FnMut(&Cell<'_>) -> bool) -> Result<bool>
    where
        Self: Sized,
    {
        let Some(first) = self.peek() else { return Ok(false) };
        if !visit(&first) {
            return Ok(false);
        }
        let row = SmallVec::<[u8; 64]>::from_slice(first.row());
        loop {
            self.advance()?;
            match self.peek() {
                Some(cell) if is_same(cell.row(), &row) => {
                    if !visit(&cell) {
                        return Ok(false);
                    }
                }
                _ => return Ok(true),
            }
        }
    }

    /// Moves to the first cell with a key at or after `key`, forwards or backwards.
    fn seek(&mut self, key: &[u8]) -> Result<()>;

    /// Like [`CellSource::seek`], for a `key` at or after the cursor: cheap if the target is near.
    fn reseek(&mut self, key: &[u8]) -> Result<()>;

    /// Moves to the first cell of the largest row smaller than `row` (if `row` is empty: of the last row), or past
    /// the end if there is no such row.
    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()>;

    /// After [`CellSource::seek_to_previous_row`]: a row at most `rows` rows before the current one, or that one, from which on
    /// reading forward costs less than more steps back. `None` if none does, and past the end.
    fn row_back(&self, rows: usize) -> Option<&[u8]> {
        let _ = rows;
        None
    }

    /// After [`CellSource::row_back`]: moves to the first cell at or after `key`, which is the smallest of a row at or before the
    /// current one. [`CellSource::seek_to_previous_row`] is next called with that row.
    fn seek_back(&mut self, key: &[u8]) -> Result<()> {
        self.seek(key)
    }
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

    fn row_back(&self, rows: usize) -> Option<&[u8]> {
        (**self).row_back(rows)
    }

    fn seek_back(&mut self, key: &[u8]) -> Result<()> {
        (**self).seek_back(key)
    }
}
