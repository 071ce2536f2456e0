//! `DependentColumnFilter`: cells with the timestamps of one column.

use super::comparison::{is_of, Comparison};
use super::{Evaluate, ReturnCode, RowCells};
use rowstone_model::cell::Cell;
use rowstone_model::Result;
use std::collections::BTreeSet;

pub(super) struct DependentColumn {
    column: (Vec<u8>, Vec<u8>),
    drops_column: bool,
    comparison: Option<Comparison>,
    timestamps: BTreeSet<i64>,
}

impl DependentColumn {
    pub(super) fn new(column: (Vec<u8>, Vec<u8>), drops_column: bool, comparison: Option<Comparison>) -> Self {
        DependentColumn { column, drops_column, comparison, timestamps: BTreeSet::new() }
    }
}

impl Evaluate for DependentColumn {
    fn reset(&mut self) {
        self.timestamps.clear();
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        if !is_of(cell, &self.column) {
            return Ok(ReturnCode::Include);
        }
        if let Some(comparison) = &self.comparison {
            if !comparison.passes(cell.value())? {
                return Ok(ReturnCode::Skip);
            }
        }
        self.timestamps.insert(cell.timestamp());
        Ok(if self.drops_column { ReturnCode::Skip } else { ReturnCode::Include })
    }

    fn retain_cells(&mut self, cells: &mut RowCells<'_>) {
        cells.retain(|cell| self.timestamps.contains(&cell.timestamp()));
    }
}
