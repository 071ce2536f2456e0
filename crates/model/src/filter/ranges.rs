//! Ranges of row keys, sorted and merged.

use crate::codec::printable;
use crate::error::{Error, Result};

/// A range of row keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowKeyRange {
    /// First row; empty is the table's start.
    pub start: Vec<u8>,
    /// Whether the range includes it.
    pub include_start: bool,
    /// Last row; empty is the table's end.
    pub stop: Vec<u8>,
    /// Whether the range includes it.
    pub include_stop: bool,
}

impl RowKeyRange {
    fn is_valid(&self) -> bool {
        self.start.is_empty()
            || self.stop.is_empty()
            || self.start < self.stop
            || (self.start == self.stop && self.include_stop)
    }

    /// Whether `row` is in the range.
    pub fn contains(&self, row: &[u8]) -> bool {
        !self.starts_after(row) && !self.ends_before(row)
    }

    /// Whether the range starts after `row`.
    pub fn starts_after(&self, row: &[u8]) -> bool {
        let start = self.start.as_slice();
        start > row || (start == row && !self.include_start)
    }

    /// Whether the range ends before `row`.
    pub fn ends_before(&self, row: &[u8]) -> bool {
        let stop = self.stop.as_slice();
        !stop.is_empty() && (stop < row || (stop == row && !self.include_stop))
    }

    /// Whether there is no gap between this range and `next`, which does not start before this one.
    fn touches(&self, next: &RowKeyRange) -> bool {
        self.stop.is_empty()
            || self.stop > next.start
            || (self.stop == next.start && (self.include_stop || next.include_start))
    }

    fn ends_after(&self, other: &RowKeyRange) -> bool {
        match (self.stop.is_empty(), other.stop.is_empty()) {
            (_, true) => false,
            (true, false) => true,
            (false, false) => (&self.stop, self.include_stop) > (&other.stop, other.include_stop),
        }
    }
}

/// Sorts ranges and merges those that overlap or touch. Source: HBase's `MultiRowRangeFilter.sortAndMerge`. As there, of
/// ranges with the same start row the one that was given first says whether that row is included.
///
/// # Errors
/// `InvalidArgument` if there is no range, or one that ends before it starts.
pub fn merge_ranges(mut ranges: Vec<RowKeyRange>) -> Result<Vec<RowKeyRange>> {
    if ranges.is_empty() {
        return Err(Error::invalid("MultiRowRangeFilter needs at least one range"));
    }
    if let Some(wrong) = ranges.iter().find(|range| !range.is_valid()) {
        let (start, stop) = (printable(&wrong.start), printable(&wrong.stop));
        return Err(Error::invalid(format!("MultiRowRangeFilter: the range from '{start}' to '{stop}' is empty")));
    }
    ranges.sort_by(|left, right| left.start.cmp(&right.start));
    let mut merged: Vec<RowKeyRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut().filter(|last| last.touches(&range)) {
            Some(last) => {
                if range.ends_after(last) {
                    (last.stop, last.include_stop) = (range.stop, range.include_stop);
                }
            }
            None => merged.push(range),
        }
    }
    Ok(merged)
}
