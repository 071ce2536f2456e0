//! The test shared by the two filters on one column's value: `SingleColumnValueFilter` returns the tested column,
//! `SingleColumnValueExcludeFilter` omits it.

use super::operators::CompareOperator;
use super::{Comparator, Filter};

/// The test of a single column's value, borrowed from either filter.
#[derive(Clone, Copy, Debug)]
pub struct SingleColumn<'a> {
    /// Family.
    pub family: &'a [u8],
    /// Qualifier.
    pub qualifier: &'a [u8],
    /// Read as: value `operator` comparator.
    pub operator: CompareOperator,
    /// The comparator for the value.
    pub comparator: &'a Comparator,
    /// Whether rows without the column are omitted.
    pub filter_if_missing: bool,
    /// Whether only the newest of the versions that are read is tested.
    pub latest_version_only: bool,
    /// Whether the tested column is omitted from the rows.
    pub excludes_column: bool,
}

impl SingleColumn<'_> {
    /// The filter that performs this test.
    pub fn to_filter(self) -> Filter {
        let (family, qualifier) = (self.family.to_vec(), self.qualifier.to_vec());
        let (operator, comparator) = (self.operator, self.comparator.clone());
        let Self { filter_if_missing, latest_version_only, excludes_column, .. } = self;
        if excludes_column {
            Filter::SingleColumnValueExcludeFilter {
                family,
                qualifier,
                operator,
                comparator,
                filter_if_missing,
                latest_version_only,
            }
        } else {
            Filter::SingleColumnValueFilter {
                family,
                qualifier,
                operator,
                comparator,
                filter_if_missing,
                latest_version_only,
            }
        }
    }
}

impl Filter {
    /// The single-column test of this filter; `None` for all other filters.
    pub fn single_column(&self) -> Option<SingleColumn<'_>> {
        match self {
            Self::SingleColumnValueFilter {
                family,
                qualifier,
                operator,
                comparator,
                filter_if_missing,
                latest_version_only,
            }
            | Self::SingleColumnValueExcludeFilter {
                family,
                qualifier,
                operator,
                comparator,
                filter_if_missing,
                latest_version_only,
            } => Some(SingleColumn {
                family,
                qualifier,
                operator: *operator,
                comparator,
                filter_if_missing: *filter_if_missing,
                latest_version_only: *latest_version_only,
                excludes_column: matches!(self, Self::SingleColumnValueExcludeFilter { .. }),
            }),
            _ => None,
        }
    }
}
