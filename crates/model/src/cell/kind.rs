//! Cell types, and the two timestamps with a special meaning.

/// "Fill in the time of the write"; never stored.
pub const LATEST_TIMESTAMP: i64 = i64::MAX;
/// Sorts after every stored timestamp; only in seek keys.
pub const OLDEST_TIMESTAMP: i64 = i64::MIN;

/// The type of a cell, with HBase's code as its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum CellType {
    /// Sorts last within a timestamp; only in seek keys.
    Minimum = 0,
    /// A value.
    Put = 4,
    /// Marks one version of a column as deleted.
    Delete = 8,
    /// Marks one version of every column of a family as deleted.
    DeleteFamilyVersion = 10,
    /// Marks all versions of a column up to its timestamp as deleted.
    DeleteColumn = 12,
    /// Marks all versions of every column of a family up to its timestamp as deleted.
    DeleteFamily = 14,
    /// Sorts first within a timestamp; only in seek and index keys.
    Maximum = 255,
}

impl CellType {
    /// The type with that code, or `None` if HBase has no such code.
    pub fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Minimum,
            4 => Self::Put,
            8 => Self::Delete,
            10 => Self::DeleteFamilyVersion,
            12 => Self::DeleteColumn,
            14 => Self::DeleteFamily,
            255 => Self::Maximum,
            _ => return None,
        })
    }

    /// HBase's code.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Whether it is one of the four delete markers.
    pub fn is_delete(self) -> bool {
        (8..=14).contains(&self.code())
    }

    /// Whether it deletes in a whole family. Such a cell has an empty qualifier.
    pub fn is_family_delete(self) -> bool {
        matches!(self, Self::DeleteFamily | Self::DeleteFamilyVersion)
    }

    /// HBase's name, as a raw scan in its shell prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minimum => "Minimum",
            Self::Put => "Put",
            Self::Delete => "Delete",
            Self::DeleteFamilyVersion => "DeleteFamilyVersion",
            Self::DeleteColumn => "DeleteColumn",
            Self::DeleteFamily => "DeleteFamily",
            Self::Maximum => "Maximum",
        }
    }
}
