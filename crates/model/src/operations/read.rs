//! Gets and scans.

use super::guard::{CellGuard, Guard};
use super::mutation::RowKey;
use crate::cell::MAX_ROW_BYTES;
use crate::error::{Error, Result};
use crate::filter::Filter;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A range of timestamps from `min` (inclusive) to `max` (exclusive).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeRange {
    /// First timestamp.
    pub min: i64,
    /// First timestamp after the range; `i64::MAX` for no bound.
    pub max: i64,
}

impl TimeRange {
    /// All timestamps.
    pub const ALL: TimeRange = TimeRange { min: 0, max: i64::MAX };

    /// `[min, max)`.
    ///
    /// # Errors
    /// `InvalidArgument` for a negative bound or `min > max`.
    pub fn new(min: i64, max: i64) -> Result<Self> {
        if min < 0 || max < 0 {
            return Err(Error::invalid(format!("time range [{min}, {max}) has a negative bound")));
        }
        if max < min {
            return Err(Error::invalid(format!("time range [{min}, {max}) ends before it starts")));
        }
        Ok(TimeRange { min, max })
    }

    /// The range of exactly `timestamp`.
    pub fn at(timestamp: i64) -> Result<Self> {
        Self::new(timestamp, timestamp.saturating_add(1))
    }

    /// Whether the range contains `timestamp`.
    #[inline]
    pub fn contains(&self, timestamp: i64) -> bool {
        self.min <= timestamp && (timestamp < self.max || self.max == i64::MAX)
    }
}

/// Sorted and distinct qualifiers, shared by the copies of a selection and by its readers.
pub type Qualifiers = Arc<Vec<Vec<u8>>>;

/// The columns to read: whole families or qualifiers by family. Empty means every family.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSelection {
    /// Qualifiers by family; `None` for the whole family.
    pub families: BTreeMap<Vec<u8>, Option<Qualifiers>>,
}

impl ColumnSelection {
    /// Adds a whole family. As in HBase this replaces qualifiers added earlier.
    pub fn add_family(&mut self, family: &[u8]) {
        self.families.insert(family.to_vec(), None);
    }

    /// Adds one column. As in HBase this narrows a whole family to the columns added.
    pub fn add_column(&mut self, family: &[u8], qualifier: &[u8]) {
        let qualifiers = self.families.entry(family.to_vec()).or_default().get_or_insert_default();
        let qualifiers = Arc::make_mut(qualifiers);
        if let Err(index) = qualifiers.binary_search_by(|known| known.as_slice().cmp(qualifier)) {
            qualifiers.insert(index, qualifier.to_vec());
        }
    }

    /// Whether the selection includes the column.
    pub fn has(&self, family: &[u8], qualifier: &[u8]) -> bool {
        match self.families.get(family) {
            None => self.is_all(),
            Some(None) => true,
            Some(Some(qualifiers)) => qualifiers.iter().any(|known| known == qualifier),
        }
    }

    /// Whether the selection includes every family.
    pub fn is_all(&self) -> bool {
        self.families.is_empty()
    }
}

/// Handling of cells whose values are in MOB files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MobValues {
    /// With their values.
    #[default]
    Loaded,
    /// With the stored reference: the length of the value and the name of the file.
    References,
    /// With their values, or an empty one if the file is missing or damaged.
    EmptyWhereLost,
}

/// Options shared by gets and scans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// Columns.
    pub columns: ColumnSelection,
    /// Maximum number of versions per column, newest first.
    pub versions: u32,
    /// Timestamps.
    pub time_range: TimeRange,
    /// Timestamps by family, overriding `time_range`.
    pub family_time_ranges: BTreeMap<Vec<u8>, TimeRange>,
    /// Maximum number of cells per row and family; `None` for no bound, 0 counts as 1, as in HBase.
    pub cells_per_family: Option<u32>,
    /// Number of cells per row and family to skip first.
    pub offset_per_family: u32,
    /// Filter on rows and cells, applied after the selection of columns and timestamps.
    pub filter: Option<Arc<Filter>>,
    /// Whether families that the filter does not need are read only for rows that pass it. The filter sees their
    /// cells only then. As in HBase such a scan cannot be reversed. Source: `Scan.setLoadColumnFamiliesOnDemand`.
    pub load_families_on_demand: bool,
    /// Whether blocks read are added to the block cache.
    pub cache_blocks: bool,
    /// Include delete markers and deleted cells.
    pub raw: bool,
    /// Include cells of writes that have not completed.
    pub read_uncommitted: bool,
    /// Handling of values in MOB files.
    pub mob_values: MobValues,
    /// Decides which cells are visible to the caller; never sent to another process.
    pub guard: Option<Guard<dyn CellGuard>>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            columns: ColumnSelection::default(),
            versions: 1,
            time_range: TimeRange::ALL,
            family_time_ranges: BTreeMap::new(),
            cells_per_family: None,
            offset_per_family: 0,
            filter: None,
            load_families_on_demand: false,
            cache_blocks: true,
            raw: false,
            read_uncommitted: false,
            mob_values: MobValues::Loaded,
            guard: None,
        }
    }
}

impl ReadOptions {
    /// Whether a filter or guard decides on the cells selected by columns, versions and timestamps.
    pub fn is_filtered(&self) -> bool {
        self.filter.is_some() || self.guard.is_some()
    }

    /// Refuses options that contradict each other.
    ///
    /// # Errors
    /// `InvalidArgument`.
    pub fn check(&self) -> Result<()> {
        if self.versions == 0 {
            return Err(Error::invalid("versions must be at least 1"));
        }
        if self.raw && self.columns.families.values().any(Option::is_some) {
            return Err(Error::invalid("Cannot specify any column for a raw scan (families are allowed)"));
        }
        Ok(())
    }

    /// The time range of `family`.
    pub fn time_range_of(&self, family: &[u8]) -> TimeRange {
        self.family_time_ranges.get(family).copied().unwrap_or(self.time_range)
    }
}

/// A read of one row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Get {
    /// Row key.
    pub row: RowKey,
    /// The read options. Several gets may share them.
    pub options: Arc<ReadOptions>,
}

impl Get {
    /// Creates a read of `row`.
    pub fn new(row: impl AsRef<[u8]>, options: impl Into<Arc<ReadOptions>>) -> Self {
        let (row, options) = (RowKey::from_slice(row.as_ref()), options.into());
        Get { row, options }
    }

    /// Creates a read of `row` with the default options.
    pub fn of(row: impl AsRef<[u8]>) -> Self {
        Get::new(row, ReadOptions::default())
    }
}

/// A read of a range of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// The row to start at: the smallest, or with `reversed` the largest. Empty is the table's end on that side.
    pub start: Vec<u8>,
    /// Whether the scan includes `start`.
    pub include_start: bool,
    /// The row to stop at. Empty is the table's other end.
    pub stop: Vec<u8>,
    /// Whether the scan includes `stop`.
    pub include_stop: bool,
    /// Return rows in descending order; cells inside a row keep their order.
    pub reversed: bool,
    /// Maximum number of rows; 0 for no bound.
    pub limit: u64,
    /// Maximum number of cells per result, which splits wide rows into pieces; 0 for no bound.
    pub batch: u32,
    /// Maximum number of rows per server response; 0 for as many as fit. Ignored by a directory, which sends no
    /// responses.
    pub caching: u32,
    /// Read at this read point of the region where the scan begins, taken from an earlier scan (see
    /// [`ScannerBackend::read_point`](crate::backend::ScannerBackend::read_point)); 0 reads the current state. Cells
    /// overwritten or deleted since then may be missing.
    pub read_point: u64,
    /// The read options.
    pub options: ReadOptions,
}

impl Scan {
    /// Refuses options that contradict each other.
    ///
    /// # Errors
    /// `InvalidArgument`.
    pub fn check(&self) -> Result<()> {
        self.options.check()?;
        for (name, row) in [("start", &self.start), ("stop", &self.stop)] {
            // The smallest row after the longest one is a byte longer.
            if row.len() > MAX_ROW_BYTES + 1 {
                return Err(Error::invalid(format!(
                    "the scan's {name} has {} bytes, but a row key has at most {MAX_ROW_BYTES}",
                    row.len()
                )));
            }
        }
        match self.options.filter.as_deref().filter(|filter| self.batch > 0 && filter.needs_whole_rows()) {
            None => Ok(()),
            Some(filter) => Err(Error::invalid(format!(
                "batch {} would cut rows into pieces, and {} decides on whole rows",
                self.batch,
                filter.name()
            ))),
        }
    }
}

impl Default for Scan {
    fn default() -> Self {
        Scan {
            start: Vec::new(),
            include_start: true,
            stop: Vec::new(),
            include_stop: false,
            reversed: false,
            limit: 0,
            batch: 0,
            caching: 0,
            read_point: 0,
            options: ReadOptions::default(),
        }
    }
}

impl Scan {
    /// Narrows the scan to rows that start with `prefix`, like HBase's `setStartStopRowForPrefixScan`. In HBase, that
    /// together with `reversed` finds nothing; here reversed scans swap the two ends.
    pub fn set_prefix(&mut self, prefix: &[u8]) {
        let mut after = prefix.to_vec();
        while after.last() == Some(&0xff) {
            after.pop();
        }
        if let Some(last) = after.last_mut() {
            *last += 1;
        }
        if self.reversed {
            (self.start, self.include_start) = (after, false);
            (self.stop, self.include_stop) = (prefix.to_vec(), true);
        } else {
            (self.start, self.include_start) = (prefix.to_vec(), true);
            (self.stop, self.include_stop) = (after, false);
        }
    }
}
