//! `TimestampsFilter`: cells of certain timestamps.

use super::{Evaluate, ReturnCode};
use rowstone_model::cell::{flat_key, last_on_column, Cell, CellType};
use rowstone_model::Result;

pub(super) struct Timestamps {
    /// Sorted.
    pub(super) timestamps: Vec<i64>,
    pub(super) can_hint: bool,
}

impl Evaluate for Timestamps {
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        let timestamp = cell.timestamp();
        Ok(match self.timestamps.binary_search(&timestamp) {
            Ok(_) => ReturnCode::Include,
            Err(0) => ReturnCode::NextColumn,
            Err(_) if self.can_hint => ReturnCode::SeekNextUsingHint,
            Err(_) => ReturnCode::Skip,
        })
    }

    fn hint(&mut self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        if !self.can_hint {
            return None;
        }
        let (row, family, qualifier) = (cell.row(), cell.family(), cell.qualifier());
        let smaller = self.timestamps.partition_point(|&timestamp| timestamp < cell.timestamp());
        Some(match smaller.checked_sub(1) {
            Some(index) => flat_key(row, family, qualifier, self.timestamps[index], CellType::Maximum),
            None => last_on_column(row, family, qualifier),
        })
    }

    fn is_hinting(&self) -> bool {
        true
    }
}
