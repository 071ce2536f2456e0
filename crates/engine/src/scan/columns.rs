//! Column tracking: which columns are requested and how many versions of each were included. Sources: HBase's
//! `ScanWildcardColumnTracker` and `ExplicitColumnTracker`, with their one difference. Past its time to live, a
//! requested column returns one version more than MIN_VERSIONS; with the wildcard it returns exactly that many.

use super::expiry::Expiry;
use super::matcher::MatchCode;
use rowstone_model::cell::{is_same, Cell};
use rowstone_model::operations::Qualifiers;
use smallvec::SmallVec;
use std::borrow::Cow;

/// Limits on the number of versions.
#[derive(Debug, Clone, Copy)]
pub(super) struct VersionLimits {
    /// Maximum.
    pub(super) max: u32,
    /// Minimum, even past the family's time to live.
    pub(super) min: u32,
}

/// Tracks all columns, or the requested ones.
#[derive(Debug)]
pub(super) enum ColumnTracker<'q> {
    /// Every column.
    Wildcard(Wildcard),
    /// The requested columns, in order.
    Explicit(Explicit<'q>),
}

/// The state of a pass over every column.
#[derive(Debug, Default)]
pub(super) struct Wildcard {
    qualifier: SmallVec<[u8; 32]>,
    has_column: bool,
    count: u32,
    taken: Option<(i64, u8)>,
}

/// The state of a pass over the requested columns.
#[derive(Debug)]
pub(super) struct Explicit<'q> {
    qualifiers: Cow<'q, Qualifiers>,
    index: usize,
    count: u32,
    taken: Option<i64>,
}

impl<'q> ColumnTracker<'q> {
    /// Every column.
    pub(super) fn wildcard() -> Self {
        Self::Wildcard(Wildcard::default())
    }

    /// These columns.
    pub(super) fn explicit(qualifiers: Cow<'q, Qualifiers>) -> Self {
        Self::Explicit(Explicit { qualifiers, index: 0, count: 0, taken: None })
    }

    /// Resets the state for a new row.
    pub(super) fn reset(&mut self) {
        match self {
            Self::Wildcard(columns) => (columns.has_column, columns.count, columns.taken) = (false, 0, None),
            Self::Explicit(columns) => (columns.index, columns.count, columns.taken) = (0, 0, None),
        }
    }

    /// Whether no further cell of the row can be requested.
    pub(super) fn is_done(&self) -> bool {
        matches!(self, Self::Explicit(columns) if columns.index >= columns.qualifiers.len())
    }

    /// The next requested column, if there is a list.
    pub(super) fn hint(&self) -> Option<&[u8]> {
        match self {
            Self::Wildcard(_) => None,
            Self::Explicit(columns) => columns.qualifiers.get(columns.index).map(Vec::as_slice),
        }
    }

    /// Ends `cell`'s column and returns the code to continue.
    pub(super) fn done_with_column(&mut self, cell: &Cell<'_>) -> MatchCode {
        match self {
            Self::Wildcard(_) => MatchCode::SeekNextColumn,
            Self::Explicit(columns) => {
                columns.pass(cell.qualifier());
                if columns.index >= columns.qualifiers.len() {
                    MatchCode::SeekNextRow
                } else {
                    MatchCode::SeekNextColumn
                }
            }
        }
    }

    /// Whether the column is requested (`Include`), or where to continue.
    #[inline]
    pub(super) fn check_column(&mut self, cell: &Cell<'_>) -> MatchCode {
        match self {
            Self::Wildcard(_) => MatchCode::Include,
            Self::Explicit(columns) => columns.check(cell.qualifier()),
        }
    }

    /// Counts the cell and decides whether to include it. With `uncounted` it is included whatever the counts are:
    /// a reader with an older read point still needs it.
    #[inline]
    pub(super) fn check_versions(
        &mut self,
        cell: &Cell<'_>,
        limits: VersionLimits,
        expiry: &Expiry,
        uncounted: bool,
    ) -> MatchCode {
        match self {
            Self::Wildcard(columns) => columns.check_versions(cell, limits, expiry, uncounted),
            Self::Explicit(columns) => columns.check_versions(cell, limits, expiry, uncounted),
        }
    }
}

impl Wildcard {
    #[inline]
    fn check_versions(
        &mut self,
        cell: &Cell<'_>,
        limits: VersionLimits,
        expiry: &Expiry,
        uncounted: bool,
    ) -> MatchCode {
        let (timestamp, type_code) = (cell.timestamp(), cell.type_code());
        if self.has_column && is_same(&self.qualifier, cell.qualifier()) {
            if uncounted {
                return MatchCode::Include;
            }
            if self.taken == Some((timestamp, type_code)) {
                return MatchCode::Skip;
            }
        } else {
            self.qualifier.clear();
            self.qualifier.extend_from_slice(cell.qualifier());
            (self.has_column, self.count, self.taken) = (true, 0, None);
            if uncounted {
                return MatchCode::Include;
            }
        }
        if !cell.is_delete() {
            self.count = self.count.saturating_add(1);
        }
        if self.count > limits.max {
            return MatchCode::SeekNextColumn;
        }
        if self.count <= limits.min || !expiry.is_past_family_ttl(timestamp) {
            self.taken = Some((timestamp, type_code));
            return MatchCode::Include;
        }
        MatchCode::SeekNextColumn
    }
}

impl Explicit<'_> {
    fn next_column(&mut self) {
        self.index += 1;
        (self.count, self.taken) = (0, None);
    }

    /// Skips requested columns up to `qualifier`.
    fn pass(&mut self, qualifier: &[u8]) {
        while self.qualifiers.get(self.index).is_some_and(|wanted| wanted.as_slice() <= qualifier) {
            self.next_column();
        }
    }

    #[inline]
    fn check(&mut self, qualifier: &[u8]) -> MatchCode {
        loop {
            let Some(wanted) = self.qualifiers.get(self.index) else { return MatchCode::SeekNextRow };
            if is_same(qualifier, wanted) {
                return MatchCode::Include;
            }
            if qualifier < wanted.as_slice() {
                self.taken = None;
                return MatchCode::SeekNextColumn;
            }
            self.next_column();
        }
    }

    #[inline]
    fn check_versions(
        &mut self,
        cell: &Cell<'_>,
        limits: VersionLimits,
        expiry: &Expiry,
        uncounted: bool,
    ) -> MatchCode {
        if uncounted {
            return MatchCode::Include;
        }
        let timestamp = cell.timestamp();
        if self.taken == Some(timestamp) {
            return MatchCode::Skip;
        }
        self.count = self.count.saturating_add(1);
        if self.count >= limits.max || (self.count >= limits.min && expiry.is_past_family_ttl(timestamp)) {
            self.next_column();
            return if self.index >= self.qualifiers.len() {
                MatchCode::IncludeAndSeekNextRow
            } else {
                MatchCode::IncludeAndSeekNextColumn
            };
        }
        self.taken = Some(timestamp);
        MatchCode::Include
    }
}
