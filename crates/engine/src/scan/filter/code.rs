//! Verdict of a filter on a cell, and how a list combines several.

/// The verdict on a cell. Source: HBase's `Filter.ReturnCode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnCode {
    /// Include it.
    Include,
    /// Include it and go to the next column.
    IncludeAndNextColumn,
    /// Include it and go to the next row.
    IncludeAndSeekNextRow,
    /// Skip it.
    Skip,
    /// Skip it and the rest of its column.
    NextColumn,
    /// Skip it and the rest of its row, in this family.
    NextRow,
    /// Skip it and seek to the filter's hint.
    SeekNextUsingHint,
}

impl ReturnCode {
    /// Whether the cell is included.
    pub fn is_included(self) -> bool {
        matches!(self, Self::Include | Self::IncludeAndNextColumn | Self::IncludeAndSeekNextRow)
    }

    /// Length of the code's jump: a cell, a column, a row.
    fn reach(self) -> u8 {
        match self {
            Self::Include | Self::Skip | Self::SeekNextUsingHint => 0,
            Self::IncludeAndNextColumn | Self::NextColumn => 1,
            Self::IncludeAndSeekNextRow | Self::NextRow => 2,
        }
    }

    fn of(is_included: bool, reach: u8) -> Self {
        match (is_included, reach) {
            (true, 0) => Self::Include,
            (true, 1) => Self::IncludeAndNextColumn,
            (true, _) => Self::IncludeAndSeekNextRow,
            (false, 0) => Self::Skip,
            (false, 1) => Self::NextColumn,
            (false, _) => Self::NextRow,
        }
    }

    /// All must pass: the cell is included if both include it, and the longer jump is made. A hint takes
    /// precedence.
    pub(super) fn and(self, other: Self) -> Self {
        if self == Self::SeekNextUsingHint || other == Self::SeekNextUsingHint {
            return Self::SeekNextUsingHint;
        }
        Self::of(self.is_included() && other.is_included(), self.reach().max(other.reach()))
    }

    /// One must pass: the cell is included if one includes it, and the shorter jump is made. A hint is only used if
    /// both have one.
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::SeekNextUsingHint && other == Self::SeekNextUsingHint {
            return Self::SeekNextUsingHint;
        }
        Self::of(self.is_included() || other.is_included(), self.reach().min(other.reach()))
    }
}
