//! The 26 filters.

use super::comparators::Comparator;
use super::describe::describe;
use super::fuzzy::FuzzyKey;
use super::operators::{CompareOperator, ListOperator};
use super::ranges::RowKeyRange;
use super::values::{Chance, ColumnOffset};

describe! {
    /// A filter: which rows and cells a read returns. Made by [`Filter::check`] from a value written out, so that what HBase
    /// refuses is refused.
    ///
    /// ```
    /// use rowstone_model::filter::Filter;
    /// let filter = Filter::PageFilter { page_size: 25 }.check()?;
    /// assert_eq!(filter.to_string(), "PageFilter(25)");
    /// assert!(Filter::PageFilter { page_size: -1 }.check().is_err());
    /// # Ok::<(), rowstone_model::Error>(())
    /// ```
    pub enum Filter {
        /// The first cells of a row, newest version of each column; ends the scan at the first row that has more.
        ColumnCountGetFilter {
            /// Columns at most; 0 or more.
            limit: i32,
        }
        /// A page of each row's columns.
        ColumnPaginationFilter {
            /// Columns on the page; 0 or more.
            limit: i32,
            /// Columns to pass over, or the qualifier to begin at.
            offset: ColumnOffset,
        }
        /// Columns whose qualifier starts with the prefix.
        ColumnPrefixFilter {
            /// The prefix.
            prefix: Vec<u8>,
        }
        /// Columns whose qualifier lies in a range.
        ColumnRangeFilter {
            /// Smallest qualifier; `None` is no bound.
            min_column: Option<Vec<u8>>,
            /// Whether it belongs to the range.
            min_column_inclusive: bool,
            /// Largest qualifier; `None` is no bound.
            max_column: Option<Vec<u8>>,
            /// Whether it belongs to the range.
            max_column_inclusive: bool,
        }
        /// One column, where its value passes.
        ColumnValueFilter {
            /// Family.
            family: Vec<u8>,
            /// Qualifier.
            qualifier: Vec<u8>,
            /// Read as: value `operator` comparator.
            operator: CompareOperator,
            /// What the value is compared with.
            comparator: Comparator,
        }
        /// Cells that have the timestamp of a cell of one column of their row.
        DependentColumnFilter {
            /// Family of the column.
            family: Vec<u8>,
            /// Its qualifier.
            qualifier: Vec<u8>,
            /// Whether the column itself is left out.
            drop_dependent_column: bool,
            /// Read as: value of the column `operator` comparator.
            operator: CompareOperator,
            /// What the column's value is compared with; `None` accepts every value.
            comparator: Option<Comparator>,
        }
        /// Families whose name passes.
        FamilyFilter {
            /// Read as: family `operator` comparator.
            operator: CompareOperator,
            /// What the name is compared with.
            comparator: Comparator,
        }
        /// All or one of several filters must pass.
        FilterList {
            /// All or one.
            operator: ListOperator,
            /// The filters, in the order in which they are asked.
            filters: Vec<Filter>,
        }
        /// The first cell of each row.
        FirstKeyOnlyFilter {}
        /// The cells of each row up to the first of the named columns; deprecated in HBase.
        FirstKeyValueMatchingQualifiersFilter {
            /// Their qualifiers.
            qualifiers: Vec<Vec<u8>>,
        }
        /// Rows that begin like one of several keys, some bytes of which do not matter.
        FuzzyRowFilter {
            /// The keys; at least one.
            fuzzy_keys: Vec<FuzzyKey>,
        }
        /// Rows up to a row, itself included; then the scan ends.
        InclusiveStopFilter {
            /// The last row.
            stop_row: Vec<u8>,
        }
        /// Cells without their values.
        KeyOnlyFilter {
            /// Whether the value's length, four big-endian bytes, stands in its place.
            length_as_value: bool,
        }
        /// Rows of several ranges.
        MultiRowRangeFilter {
            /// The ranges, sorted and merged; at least one.
            ranges: Vec<RowKeyRange>,
        }
        /// Columns whose qualifier starts with one of the prefixes.
        MultipleColumnPrefixFilter {
            /// The prefixes, sorted and distinct.
            prefixes: Vec<Vec<u8>>,
        }
        /// A number of rows, of each region.
        PageFilter {
            /// Rows at most; 0 or more.
            page_size: i64,
        }
        /// Rows that start with the prefix; the scan seeks to them and ends behind them.
        PrefixFilter {
            /// The prefix.
            prefix: Vec<u8>,
        }
        /// Columns whose qualifier passes.
        QualifierFilter {
            /// Read as: qualifier `operator` comparator.
            operator: CompareOperator,
            /// What the qualifier is compared with.
            comparator: Comparator,
        }
        /// Rows by chance.
        RandomRowFilter {
            /// How probable it is that a row is returned: none below 0, all above 1.
            chance: Chance,
        }
        /// Rows whose key passes.
        RowFilter {
            /// Read as: row key `operator` comparator.
            operator: CompareOperator,
            /// What the key is compared with.
            comparator: Comparator,
        }
        /// Like [`Filter::SingleColumnValueFilter`], and the tested column is left out.
        SingleColumnValueExcludeFilter {
            /// Family.
            family: Vec<u8>,
            /// Qualifier.
            qualifier: Vec<u8>,
            /// Read as: value `operator` comparator.
            operator: CompareOperator,
            /// What the value is compared with.
            comparator: Comparator,
            /// Whether rows without the column are left out.
            filter_if_missing: bool,
            /// Whether only the newest version that is read counts.
            latest_version_only: bool,
        }
        /// Rows in which the value of one column passes; the column must be among those that are read.
        SingleColumnValueFilter {
            /// Family.
            family: Vec<u8>,
            /// Qualifier.
            qualifier: Vec<u8>,
            /// Read as: value `operator` comparator.
            operator: CompareOperator,
            /// What the value is compared with.
            comparator: Comparator,
            /// Whether rows without the column are left out.
            filter_if_missing: bool,
            /// Whether only the newest version that is read counts.
            latest_version_only: bool,
        }
        /// Rows of which every cell passes.
        SkipFilter {
            /// What each cell is asked.
            filter: Box<Filter>,
        }
        /// Cells of certain timestamps.
        TimestampsFilter {
            /// The timestamps, in milliseconds, sorted and distinct; none negative.
            timestamps: Vec<i64>,
            /// Whether the scan may seek past others, and so past deletes among them.
            can_hint: bool,
        }
        /// Cells and rows up to the first that does not pass; then the scan ends.
        WhileMatchFilter {
            /// What each is asked.
            filter: Box<Filter>,
        }
        /// Cells whose value passes.
        ValueFilter {
            /// Read as: value `operator` comparator.
            operator: CompareOperator,
            /// What the value is compared with.
            comparator: Comparator,
        }
    }
}
