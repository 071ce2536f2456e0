//! Tracker of the delete markers seen so far in a row, and whether they cover a put. Source: HBase's
//! `ScanDeleteTracker`.
//!
//! Markers sort before the puts they cover, so one marker per column is enough; sequence ids play no part.

use rowstone_model::cell::{Cell, CellType};

/// Reason why a put is deleted, as far as it determines the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deleted {
    /// It is not.
    No,
    /// This version is; older ones of the column may not be.
    Version,
    /// This and all older versions of the column are.
    RestOfColumn,
}

/// The markers of one row in one family.
#[derive(Debug, Default)]
pub(super) struct DeleteTracker {
    family: Option<i64>,
    family_versions: Vec<i64>,
    column: Option<ColumnMarker>,
    qualifier: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct ColumnMarker {
    cell_type: CellType,
    timestamp: i64,
}

impl DeleteTracker {
    /// Resets the state for a new row.
    pub(super) fn reset(&mut self) {
        self.family = None;
        self.family_versions.clear();
        self.column = None;
    }

    /// Adds a marker.
    pub(super) fn add(&mut self, marker: &Cell<'_>) {
        let timestamp = marker.timestamp();
        if self.family.is_some_and(|family| timestamp <= family) {
            return;
        }
        match marker.cell_type() {
            CellType::DeleteFamily => self.family = Some(timestamp),
            CellType::DeleteFamilyVersion => self.family_versions.push(timestamp),
            cell_type => {
                // Within a column, a DeleteColumn already covers everything that an older marker after it would.
                let is_covered = self
                    .column
                    .is_some_and(|known| cell_type < known.cell_type && self.qualifier == marker.qualifier());
                if !is_covered {
                    self.column = Some(ColumnMarker { cell_type, timestamp });
                    self.qualifier.clear();
                    self.qualifier.extend_from_slice(marker.qualifier());
                }
            }
        }
    }

    /// Whether the markers cover `put`. Cells must come in order.
    #[inline]
    pub(super) fn is_deleted(&mut self, put: &Cell<'_>) -> Deleted {
        if self.family.is_none() && self.family_versions.is_empty() && self.column.is_none() {
            return Deleted::No;
        }
        let timestamp = put.timestamp();
        if self.family.is_some_and(|family| timestamp <= family) {
            return Deleted::RestOfColumn;
        }
        if self.family_versions.contains(&timestamp) {
            return Deleted::Version;
        }
        let Some(marker) = self.column else { return Deleted::No };
        if self.qualifier == put.qualifier() {
            if marker.cell_type == CellType::DeleteColumn {
                return Deleted::RestOfColumn;
            }
            if marker.timestamp == timestamp {
                return Deleted::Version;
            }
        }
        self.column = None;
        Deleted::No
    }
}
