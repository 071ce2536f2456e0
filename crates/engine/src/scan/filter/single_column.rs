//! `SingleColumnValueFilter` and its variant that excludes the tested column.

use super::comparison::{is_of, Comparison};
use super::{Evaluate, ReturnCode, RowCells};
use rowstone_model::cell::Cell;
use rowstone_model::filter::SingleColumn;
use rowstone_model::Result;

/// Rows in which a column's value passes.
pub(super) struct SingleColumnValue {
    column: (Vec<u8>, Vec<u8>),
    comparison: Comparison,
    filter_if_missing: bool,
    latest_version_only: bool,
    excludes_column: bool,
    state: State,
}

/// State of the current row.
#[derive(Default)]
struct State {
    is_found: bool,
    is_matched: bool,
}

impl SingleColumnValue {
    pub(super) fn new(test: &SingleColumn<'_>, comparison: Comparison) -> Self {
        Self {
            column: (test.family.to_vec(), test.qualifier.to_vec()),
            comparison,
            filter_if_missing: test.filter_if_missing,
            latest_version_only: test.latest_version_only,
            excludes_column: test.excludes_column,
            state: State::default(),
        }
    }
}

impl Evaluate for SingleColumnValue {
    fn reset(&mut self) {
        self.state = State::default();
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        if self.state.is_matched {
            return Ok(ReturnCode::Include);
        }
        if self.latest_version_only && self.state.is_found {
            return Ok(ReturnCode::NextRow);
        }
        if !is_of(cell, &self.column) {
            return Ok(ReturnCode::Include);
        }
        self.state.is_found = true;
        self.state.is_matched = self.comparison.passes(cell.value())?;
        let is_decided = !self.state.is_matched && self.latest_version_only;
        Ok(if is_decided { ReturnCode::NextRow } else { ReturnCode::Include })
    }

    fn retain_cells(&mut self, cells: &mut RowCells<'_>) {
        if self.excludes_column {
            cells.retain(|cell| !is_of(cell, &self.column));
        }
    }

    fn drops_row(&mut self) -> bool {
        if self.state.is_found {
            !self.state.is_matched
        } else {
            self.filter_if_missing
        }
    }
}
