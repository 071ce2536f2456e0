//! Interface of an evaluator.

use super::{ReturnCode, RowCells, Shown};
use rowstone_model::cell::Cell;
use rowstone_model::Result;

/// State of one filter. The names in brackets are HBase's.
pub(crate) trait Evaluate: Send {
    /// Ends a row. [`reset`]
    fn reset(&mut self) {}

    /// Whether no further cell can pass. [`filterAllRemaining`]
    fn is_done(&self) -> bool {
        false
    }

    /// Whether to skip the whole row. Called once for each row, before its cells. [`filterRowKey`]
    fn skips_row(&mut self, _row: &[u8]) -> Result<bool> {
        Ok(self.is_done())
    }

    /// The verdict on a cell. [`filterCell`]
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode>;

    /// Transforms the value and tags of an included cell. [`transformCell`]
    fn transform<'c>(&self, shown: Shown<'c>) -> Shown<'c> {
        shown
    }

    /// Drops cells of the row after all of them were read. [`filterRowCells`]
    fn retain_cells(&mut self, _cells: &mut RowCells<'_>) {}

    /// Whether to drop the row after its cells were read. [`filterRow`]
    fn drops_row(&mut self) -> bool {
        false
    }

    /// The seek target after [`ReturnCode::SeekNextUsingHint`]: a flat key. [`getNextCellHint`]
    fn hint(&mut self, _cell: &Cell<'_>) -> Option<Vec<u8>> {
        None
    }

    /// Whether its hints are used even if another filter of a list has already excluded the cell. [`HintingFilter`]
    fn is_hinting(&self) -> bool {
        false
    }
}

/// An evaluator that can be part of a list.
pub(crate) type Evaluator = Box<dyn Evaluate>;
