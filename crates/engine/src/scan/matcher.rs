//! Matcher: decides on one cell. Sources: HBase's `NormalUserScanQueryMatcher`, `RawScanQueryMatcher`,
//! `MinorCompactionScanQueryMatcher`, `MajorCompactionScanQueryMatcher`.

use super::columns::{ColumnTracker, VersionLimits};
use super::deletes::{DeleteTracker, Deleted};
use super::expiry::Expiry;
use rowstone_model::cell::Cell;
use rowstone_model::operations::{Qualifiers, TimeRange};
use rowstone_model::schema::{FamilyOptions, KeepDeletedCells};
use std::borrow::Cow;

/// Verdict on a cell, and how to continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchCode {
    /// Include it and check the next cell.
    Include,
    /// Include it; no further cell of its column is needed.
    IncludeAndSeekNextColumn,
    /// Include it; no further cell of its row is needed.
    IncludeAndSeekNextRow,
    /// Skip it and check the next cell.
    Skip,
    /// Skip it and the rest of its column.
    SeekNextColumn,
    /// Skip it and the rest of its row.
    SeekNextRow,
}

impl MatchCode {
    /// Whether the cell is included.
    #[inline]
    pub fn is_included(self) -> bool {
        matches!(self, Self::Include | Self::IncludeAndSeekNextColumn | Self::IncludeAndSeekNextRow)
    }

    /// Whether no further cell of the row is needed.
    #[inline]
    pub(super) fn ends_row(self) -> bool {
        matches!(self, Self::IncludeAndSeekNextRow | Self::SeekNextRow)
    }

    /// The code that continues in the same way, without the cell.
    pub(super) fn without_cell(self) -> Self {
        match self {
            Self::Include => Self::Skip,
            Self::IncludeAndSeekNextColumn => Self::SeekNextColumn,
            Self::IncludeAndSeekNextRow => Self::SeekNextRow,
            other => other,
        }
    }
}

/// Purpose of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A reader: sees cells that are neither deleted nor surplus.
    User,
    /// A raw reader: sees markers and the cells that they cover.
    Raw,
    /// A flush, or a compaction of some files: markers are retained.
    KeepDeletes {
        /// The oldest read point of open scanners: newer cells are retained and not counted.
        cut: u64,
    },
    /// A compaction of all files: markers are dropped when they are due.
    DropDeletes {
        /// As above.
        cut: u64,
        /// The smallest timestamp of any put in the files.
        earliest_put: i64,
        /// `hbase.hstore.time.to.purge.deletes`: younger markers are retained, unless it is 0.
        purge_delay_ms: i64,
    },
}

/// The rules of one pass over one store. Those of a get borrow its columns.
#[derive(Debug)]
pub struct Matcher<'q> {
    mode: Mode,
    columns: ColumnTracker<'q>,
    deletes: DeleteTracker,
    limits: VersionLimits,
    expiry: Expiry,
    time_range: TimeRange,
    keep_deleted_cells: KeepDeletedCells,
    /// Puts that reach the matcher are not deleted: [`super::new_version`] has checked that.
    ignores_markers: bool,
    /// Maximum number of versions to return, of those that pass the filter.
    versions_after_filter: u32,
}

impl<'q> Matcher<'q> {
    /// Rules for a reader that requests `versions` of each of `qualifiers` (or of all columns) within `time_range`.
    #[inline]
    pub fn for_read(
        family: &FamilyOptions,
        raw: bool,
        versions: u32,
        qualifiers: Option<Cow<'q, Qualifiers>>,
        time_range: TimeRange,
        expiry: Expiry,
    ) -> Self {
        Matcher {
            mode: if raw { Mode::Raw } else { Mode::User },
            columns: qualifiers.map_or_else(ColumnTracker::wildcard, ColumnTracker::explicit),
            deletes: DeleteTracker::default(),
            limits: VersionLimits {
                max: if raw { versions } else { versions.min(family.max_versions) },
                min: family.min_versions,
            },
            expiry: if raw { expiry.without_family_ttl() } else { expiry },
            time_range,
            keep_deleted_cells: family.keep_deleted_cells,
            ignores_markers: false,
            versions_after_filter: if raw { versions } else { versions.min(family.max_versions) },
        }
    }

    /// Puts the rules in front of a filter, which must see all versions that the family stores.
    pub fn show_all_versions(&mut self, family: &FamilyOptions) {
        self.limits.max = if self.mode == Mode::Raw { u32::MAX } else { family.max_versions };
    }

    /// Number of versions to return of those that a filter includes.
    pub(super) fn versions_after_filter(&self) -> u32 {
        self.versions_after_filter
    }

    /// Ends the cell's column: a filter needs no more of it.
    pub(super) fn done_with_column(&mut self, cell: &Cell<'_>) -> MatchCode {
        self.columns.done_with_column(cell)
    }

    /// Rules for a flush or a compaction; `mode` is `KeepDeletes` or `DropDeletes`.
    pub fn for_rewrite(family: &FamilyOptions, mode: Mode, expiry: Expiry) -> Self {
        Matcher {
            mode,
            columns: ColumnTracker::wildcard(),
            deletes: DeleteTracker::default(),
            limits: VersionLimits { max: family.max_versions, min: family.min_versions },
            expiry,
            time_range: TimeRange::ALL,
            keep_deleted_cells: family.keep_deleted_cells,
            ignores_markers: false,
            versions_after_filter: u32::MAX,
        }
    }

    /// Like [`Matcher::for_rewrite`], for cells that [`super::new_version`] has reduced.
    pub fn for_new_version(family: &FamilyOptions, mode: Mode, expiry: Expiry) -> Self {
        Matcher { ignores_markers: true, ..Self::for_rewrite(family, mode, expiry) }
    }

    /// Resets the state for a new row.
    pub fn reset(&mut self) {
        self.columns.reset();
        self.deletes.reset();
    }

    /// The next requested qualifier, if columns were requested.
    pub fn column_hint(&self) -> Option<&[u8]> {
        self.columns.hint()
    }

    /// The verdict on `cell`. Cells of a row must come in order, the newest sequence id of equal keys first.
    #[inline]
    pub fn check(&mut self, cell: &Cell<'_>) -> MatchCode {
        if self.columns.is_done() {
            return MatchCode::SeekNextRow;
        }
        let timestamp = cell.timestamp();
        if self.limits.min == 0 && self.expiry.is_past_family_ttl(timestamp) {
            return self.columns.done_with_column(cell);
        }
        if self.expiry.is_past_cell_ttl(cell) {
            return MatchCode::Skip;
        }
        match self.mode {
            Mode::User => self.check_for_user(cell, timestamp),
            Mode::Raw => self.check_time_and_column(cell, timestamp),
            Mode::KeepDeletes { cut } => {
                if !cell.is_delete() {
                    return self.check_put_for_rewrite(cell, cut);
                }
                self.track_for_rewrite(cell, cut);
                MatchCode::Include
            }
            Mode::DropDeletes { cut, earliest_put, purge_delay_ms } => {
                if !cell.is_delete() {
                    return self.check_put_for_rewrite(cell, cut);
                }
                if !self.track_for_rewrite(cell, cut) {
                    return MatchCode::Include;
                }
                match self.try_drop_marker(timestamp, earliest_put, purge_delay_ms) {
                    Some(code) => code,
                    None => self.columns.check_versions(cell, self.limits, &self.expiry, false),
                }
            }
        }
    }

    #[inline]
    fn check_for_user(&mut self, cell: &Cell<'_>, timestamp: i64) -> MatchCode {
        if cell.is_delete() {
            // Without KEEP_DELETED_CELLS a marker also covers all older cells, whatever range is requested.
            let counts = match self.keep_deleted_cells {
                KeepDeletedCells::False => timestamp >= self.time_range.min,
                KeepDeletedCells::True | KeepDeletedCells::Ttl => self.time_range.contains(timestamp),
            };
            if counts {
                self.deletes.add(cell);
            }
            return MatchCode::Skip;
        }
        match self.deletes.is_deleted(cell) {
            Deleted::No => self.check_time_and_column(cell, timestamp),
            Deleted::Version => MatchCode::Skip,
            Deleted::RestOfColumn => self.columns.done_with_column(cell),
        }
    }

    #[inline]
    fn check_time_and_column(&mut self, cell: &Cell<'_>, timestamp: i64) -> MatchCode {
        if timestamp < self.time_range.min {
            return self.columns.done_with_column(cell);
        }
        if !self.time_range.contains(timestamp) {
            return MatchCode::Skip;
        }
        match self.columns.check_column(cell) {
            MatchCode::Include => self.columns.check_versions(cell, self.limits, &self.expiry, false),
            elsewhere => elsewhere,
        }
    }

    fn check_put_for_rewrite(&mut self, cell: &Cell<'_>, cut: u64) -> MatchCode {
        match self.deletes.is_deleted(cell) {
            Deleted::No => self.columns.check_versions(cell, self.limits, &self.expiry, cell.sequence_id() > cut),
            Deleted::Version => MatchCode::Skip,
            Deleted::RestOfColumn => MatchCode::SeekNextColumn,
        }
    }

    /// Applies the marker to older puts unless KEEP_DELETED_CELLS prevents it. Returns `false`, and applies nothing,
    /// if an open scanner must not see the marker yet.
    fn track_for_rewrite(&mut self, marker: &Cell<'_>, cut: u64) -> bool {
        if marker.sequence_id() > cut {
            return false;
        }
        let covers = match self.keep_deleted_cells {
            KeepDeletedCells::False => true,
            KeepDeletedCells::True => false,
            KeepDeletedCells::Ttl => self.expiry.is_past_family_ttl(marker.timestamp()),
        };
        if covers && !self.ignores_markers {
            self.deletes.add(marker);
        }
        true
    }

    /// Drops a delete marker in a major compaction, unless it is younger than `hbase.hstore.time.to.purge.deletes` or
    /// KEEP_DELETED_CELLS retains it.
    fn try_drop_marker(&self, timestamp: i64, earliest_put: i64, delay_ms: i64) -> Option<MatchCode> {
        if delay_ms > 0 && self.expiry.now_ms.saturating_sub(timestamp) <= delay_ms {
            return Some(MatchCode::Include);
        }
        let stays = match self.keep_deleted_cells {
            KeepDeletedCells::False => false,
            KeepDeletedCells::True => true,
            KeepDeletedCells::Ttl => !self.expiry.is_past_family_ttl(timestamp),
        };
        if !stays {
            return Some(MatchCode::Skip);
        }
        // No put is as old as this marker: no further cell of the column is worth retaining.
        (timestamp < earliest_put).then_some(MatchCode::SeekNextColumn)
    }
}
