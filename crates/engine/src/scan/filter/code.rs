//! What a filter says about a cell, and how a list makes one verdict of several.

/// The verdict on a cell. Source: HBase's `Filter.ReturnCode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnCode {
    /// Take it.
    Include,
    /// Take it and go to the next column.
    IncludeAndNextColumn,
    /// Take it and go to the next row.
    IncludeAndSeekNextRow,
    /// Leave it.
    Skip,
    /// Leave it and the rest of its column.
    NextColumn,
    /// Leave it and the rest of its row, in this family.
    NextRow,
    /// Leave it and go where the filter says.
    SeekNextUsingHint,
}

impl ReturnCode {
    /// Whether the cell is taken.
    pub fn is_included(self) -> bool {
        matches!(self, Self::Include | Self::IncludeAndNextColumn | Self::IncludeAndSeekNextRow)
    }

    /// How far the code jumps: a cell, a column, a row.
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

    /// All must pass: the cell is taken if both take it, and the farther jump is made. A hint goes before everything.
    pub(super) fn and(self, other: Self) -> Self {
        if self == Self::SeekNextUsingHint || other == Self::SeekNextUsingHint {
            return Self::SeekNextUsingHint;
        }
        Self::of(self.is_included() && other.is_included(), self.reach().max(other.reach()))
    }

    /// One must pass: the cell is taken if one takes it, and the shorter jump is made. Hints count only together.
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::SeekNextUsingHint && other == Self::SeekNextUsingHint {
            return Self::SeekNextUsingHint;
        }
        Self::of(self.is_included() || other.is_included(), self.reach().min(other.reach()))
    }
}
