//! Gets and scans.

use super::guard::{CellGuard, Guard};
use crate::error::{Error, Result};
use crate::filter::Filter;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Timestamps from `min`, included, to `max`, excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeRange {
    /// First timestamp.
    pub min: i64,
    /// First timestamp after the range; `i64::MAX` is no bound.
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

    /// Exactly `timestamp`.
    pub fn at(timestamp: i64) -> Result<Self> {
        Self::new(timestamp, timestamp.saturating_add(1))
    }

    /// Whether `timestamp` lies in the range.
    #[inline]
    pub fn contains(&self, timestamp: i64) -> bool {
        self.min <= timestamp && (timestamp < self.max || self.max == i64::MAX)
    }
}

/// Which columns to read: families, each with its qualifiers or whole. Empty means every family.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSelection {
    /// Qualifiers by family, sorted and distinct; `None` is the whole family.
    pub families: BTreeMap<Vec<u8>, Option<Vec<Vec<u8>>>>,
}

impl ColumnSelection {
    /// Adds a whole family. As in HBase this replaces qualifiers asked for earlier.
    pub fn add_family(&mut self, family: &[u8]) {
        self.families.insert(family.to_vec(), None);
    }

    /// Adds one column. As in HBase this narrows a whole family to its asked-for columns.
    pub fn add_column(&mut self, family: &[u8], qualifier: &[u8]) {
        let qualifiers = self.families.entry(family.to_vec()).or_default().get_or_insert_with(Vec::new);
        if let Err(index) = qualifiers.binary_search_by(|known| known.as_slice().cmp(qualifier)) {
            qualifiers.insert(index, qualifier.to_vec());
        }
    }

    /// Whether the column is read.
    pub fn has(&self, family: &[u8], qualifier: &[u8]) -> bool {
        match self.families.get(family) {
            None => self.is_all(),
            Some(None) => true,
            Some(Some(qualifiers)) => qualifiers.iter().any(|known| known == qualifier),
        }
    }

    /// Whether every family is read.
    pub fn is_all(&self) -> bool {
        self.families.is_empty()
    }
}

/// What a reader gets of cells whose values are in MOB files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MobValues {
    /// Their values.
    #[default]
    Loaded,
    /// What is stored in their place: the length of the value and the name of the file.
    References,
    /// Their values; where the file is missing or damaged, an empty one.
    EmptyWhereLost,
}

/// What a get and a scan have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// Columns.
    pub columns: ColumnSelection,
    /// Newest versions of a column to return, at most.
    pub versions: u32,
    /// Timestamps.
    pub time_range: TimeRange,
    /// Timestamps by family, instead of `time_range` there.
    pub family_time_ranges: BTreeMap<Vec<u8>, TimeRange>,
    /// Cells of one row and family to return at most; `None` is no bound, 0 counts as 1, as in HBase.
    pub cells_per_family: Option<u32>,
    /// Cells of one row and family to pass over first.
    pub offset_per_family: u32,
    /// Which rows and cells are returned, after columns and timestamps were chosen.
    pub filter: Option<Arc<Filter>>,
    /// Whether families that the filter can do without are read only for rows that it lets through, and their cells are shown to
    /// it only then. As in HBase no such scan goes backward. Source: `Scan.setLoadColumnFamiliesOnDemand`.
    pub load_families_on_demand: bool,
    /// Whether blocks that are read go to the cache.
    pub cache_blocks: bool,
    /// Markers and deleted cells too.
    pub raw: bool,
    /// Also cells whose write has not completed.
    pub read_uncommitted: bool,
    /// What becomes of values in MOB files.
    pub mob_values: MobValues,
    /// Which cells are shown at all; nobody beyond this process is told.
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
    /// Whether somebody decides about the cells that columns, versions and timestamps let through.
    pub fn is_filtered(&self) -> bool {
        self.filter.is_some() || self.guard.is_some()
    }

    /// The time range that holds in `family`.
    pub fn time_range_of(&self, family: &[u8]) -> TimeRange {
        self.family_time_ranges.get(family).copied().unwrap_or(self.time_range)
    }
}

/// One row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Get {
    /// Row key.
    pub row: Vec<u8>,
    /// What of it.
    pub options: ReadOptions,
}

/// A range of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// Where to begin: the smallest row, or with `reversed` the largest. Empty is the table's end on that side.
    pub start: Vec<u8>,
    /// Whether `start` itself is read.
    pub include_start: bool,
    /// Where to end. Empty is the table's other end.
    pub stop: Vec<u8>,
    /// Whether `stop` itself is read.
    pub include_stop: bool,
    /// Rows from large to small; cells inside a row keep their order.
    pub reversed: bool,
    /// Rows to return at most; 0 is no bound.
    pub limit: u64,
    /// Cells of one result at most, so that a wide row comes in pieces; 0 is no bound.
    pub batch: u32,
    /// Rows that a server sends at once at most; 0 is as many as its answers hold. A directory has no answers.
    pub caching: u32,
    /// What was visible at that read point of the region where the scan begins, which an earlier scan had (see
    /// [`ScannerBackend::read_point`](crate::backend::ScannerBackend::read_point)); 0 is what is visible now. What was written over or
    /// deleted since may be gone.
    pub read_point: u64,
    /// What of each row.
    pub options: ReadOptions,
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
    /// Narrows the scan to rows that start with `prefix`, as HBase's `setStartStopRowForPrefixScan` does: combined with
    /// `reversed` it finds nothing there, so `reversed` scans swap the ends here.
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
