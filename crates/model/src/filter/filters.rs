//! The 26 filters.

use super::comparators::Comparator;
use super::describe::describe;
use super::fuzzy::FuzzyKey;
use super::operators::{CompareOperator, ListOperator};
use super::ranges::RowKeyRange;
use super::values::{Chance, ColumnOffset};

describe! {
    /// A filter: selects the rows and cells that a read returns. Construct a literal value and pass it through
    /// [`Filter::check`], which rejects everything that HBase rejects.
    ///
    /// ```
    /// use rowstone_model::filter::Filter;
    /// let filter = Filter::PageFilter { page_size: 25 }.check()?;
    /// assert_eq!(filter.to_string(), "PageFilter(25)");
    /// assert!(Filter::PageFilter { page_size: -1 }.check().is_err());
    /// # Ok::<(), rowstone_model::Error>(())
    /// ```
    pub enum Filter {
        /// The first columns of a row, newest version each; ends the scan at the first row that has more.
        ColumnCountGetFilter {
            /// Maximum number of columns; 0 or more.
            limit: i32,
        }
        /// A page of each row's columns.
        ColumnPaginationFilter {
            /// Maximum number of columns on the page; 0 or more.
            limit: i32,
            /// Number of columns to skip, or the first qualifier.
            offset: ColumnOffset,
        }
        /// Columns whose qualifier starts with the prefix.
        ColumnPrefixFilter {
            /// The prefix.
            prefix: Vec<u8>,
        }
        /// Columns whose qualifier lies in a range.
        ColumnRangeFilter {
            /// Smallest qualifier; `None` for no bound.
            min_column: Option<Vec<u8>>,
            /// Whether the range includes it.
            min_column_inclusive: bool,
            /// Largest qualifier; `None` for no bound.
            max_column: Option<Vec<u8>>,
            /// Whether the range includes it.
            max_column_inclusive: bool,
        }
        /// Cells of one column whose value passes.
        ColumnValueFilter {
            /// Family.
            family: Vec<u8>,
            /// Qualifier.
            qualifier: Vec<u8>,
            /// Read as: value `operator` comparator.
            operator: CompareOperator,
            /// The comparator for the value.
            comparator: Comparator,
        }
        /// Cells that share a timestamp with a cell of one column of their row.
        DependentColumnFilter {
            /// Family of the column.
            family: Vec<u8>,
            /// Its qualifier.
            qualifier: Vec<u8>,
            /// Whether the column itself is omitted.
            drop_dependent_column: bool,
            /// Read as: value of the column `operator` comparator.
            operator: CompareOperator,
            /// The comparator for the column's value; `None` accepts every value.
            comparator: Option<Comparator>,
        }
        /// Families whose name passes.
        FamilyFilter {
            /// Read as: family `operator` comparator.
            operator: CompareOperator,
            /// The comparator for the name.
            comparator: Comparator,
        }
        /// Combines filters: all or one of them must pass.
        FilterList {
            /// All or one.
            operator: ListOperator,
            /// The filters, in order of evaluation.
            filters: Vec<Filter>,
        }
        /// The first cell of each row.
        FirstKeyOnlyFilter {}
        /// The cells of each row up to the first of the listed columns; deprecated in HBase.
        FirstKeyValueMatchingQualifiersFilter {
            /// Their qualifiers.
            qualifiers: Vec<Vec<u8>>,
        }
        /// Rows that start like one of several keys, ignoring some bytes.
        FuzzyRowFilter {
            /// The keys; at least one.
            fuzzy_keys: Vec<FuzzyKey>,
        }
        /// Rows up to and including a stop row; then the scan ends.
        InclusiveStopFilter {
            /// The last row.
            stop_row: Vec<u8>,
        }
        /// Cells without their values.
        KeyOnlyFilter {
            /// Whether the value is replaced by its length, as four big-endian bytes.
            length_as_value: bool,
        }
        /// Rows in several ranges.
        MultiRowRangeFilter {
            /// The ranges, sorted and merged; at least one.
            ranges: Vec<RowKeyRange>,
        }
        /// Columns whose qualifier starts with one of the prefixes.
        MultipleColumnPrefixFilter {
            /// The prefixes, sorted and distinct.
            prefixes: Vec<Vec<u8>>,
        }
        /// At most a number of rows, per region.
        PageFilter {
            /// Maximum number of rows; 0 or more.
            page_size: i64,
        }
        /// Rows that start with the prefix; the scan seeks to them and ends after them.
        PrefixFilter {
            /// The prefix.
            prefix: Vec<u8>,
        }
        /// Columns whose qualifier passes.
        QualifierFilter {
            /// Read as: qualifier `operator` comparator.
            operator: CompareOperator,
            /// The comparator for the qualifier.
            comparator: Comparator,
        }
        /// A random sample of rows.
        RandomRowFilter {
            /// Probability that a row is returned: none below 0, all above 1.
            chance: Chance,
        }
        /// Rows whose key passes.
        RowFilter {
            /// Read as: row key `operator` comparator.
            operator: CompareOperator,
            /// The comparator for the key.
            comparator: Comparator,
        }
        /// Like [`Filter::SingleColumnValueFilter`], but omits the tested column.
        SingleColumnValueExcludeFilter {
            /// Family.
            family: Vec<u8>,
            /// Qualifier.
            qualifier: Vec<u8>,
            /// Read as: value `operator` comparator.
            operator: CompareOperator,
            /// The comparator for the value.
            comparator: Comparator,
            /// Whether rows without the column are omitted.
            filter_if_missing: bool,
            /// Whether only the newest version read is tested.
            latest_version_only: bool,
        }
        /// Rows in which the value of one column passes; the read must include that column.
        SingleColumnValueFilter {
            /// Family.
            family: Vec<u8>,
            /// Qualifier.
            qualifier: Vec<u8>,
            /// Read as: value `operator` comparator.
            operator: CompareOperator,
            /// The comparator for the value.
            comparator: Comparator,
            /// Whether rows without the column are omitted.
            filter_if_missing: bool,
            /// Whether only the newest version read is tested.
            latest_version_only: bool,
        }
        /// Rows in which every cell passes.
        SkipFilter {
            /// The filter for each cell.
            filter: Box<Filter>,
        }
        /// Cells with one of the given timestamps.
        TimestampsFilter {
            /// The timestamps, in milliseconds, sorted and distinct; none negative.
            timestamps: Vec<i64>,
            /// Whether the scan may seek past other cells, and so past delete markers among them.
            can_hint: bool,
        }
        /// Cells and rows up to the first that fails; then the scan ends.
        WhileMatchFilter {
            /// The filter for each of them.
            filter: Box<Filter>,
        }
        /// Cells whose value passes.
        ValueFilter {
            /// Read as: value `operator` comparator.
            operator: CompareOperator,
            /// The comparator for the value.
            comparator: Comparator,
        }
    }
}
