//! `MultiRowRangeFilter`: rows of several ranges, with seeks from one to the next.

use super::{Evaluate, ReturnCode};
use rowstone_model::cell::{first_on_row, Cell};
use rowstone_model::filter::RowKeyRange;
use rowstone_model::Result;

pub(super) struct MultiRowRange {
    /// Sorted and disjoint.
    ranges: Vec<RowKeyRange>,
    reversed: bool,
    current: usize,
    code: ReturnCode,
    is_done: bool,
}

impl MultiRowRange {
    pub(super) fn new(ranges: Vec<RowKeyRange>, reversed: bool) -> Self {
        MultiRowRange { ranges, reversed, current: 0, code: ReturnCode::Include, is_done: false }
    }

    /// The range that contains `row`, or else the next in the scan's direction.
    fn find(&self, row: &[u8]) -> Option<usize> {
        if self.reversed {
            self.ranges.partition_point(|range| !range.starts_after(row)).checked_sub(1)
        } else {
            let index = self.ranges.partition_point(|range| range.ends_before(row));
            (index < self.ranges.len()).then_some(index)
        }
    }

    fn edge(&self, index: usize) -> &[u8] {
        let range = &self.ranges[index];
        if self.reversed {
            &range.stop
        } else {
            &range.start
        }
    }
}

impl Evaluate for MultiRowRange {
    fn is_done(&self) -> bool {
        self.is_done
    }

    fn skips_row(&mut self, row: &[u8]) -> Result<bool> {
        if self.is_done {
            return Ok(true);
        }
        self.code = match self.find(row) {
            None => {
                self.is_done = true;
                ReturnCode::NextRow
            }
            Some(index) => {
                self.current = index;
                if self.ranges[index].contains(row) {
                    ReturnCode::Include
                } else if self.edge(index) == row {
                    ReturnCode::NextRow
                } else {
                    ReturnCode::SeekNextUsingHint
                }
            }
        };
        Ok(false)
    }

    fn check(&mut self, _cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(self.code)
    }

    fn hint(&mut self, _cell: &Cell<'_>) -> Option<Vec<u8>> {
        Some(first_on_row(self.edge(self.current)))
    }

    fn is_hinting(&self) -> bool {
        true
    }
}
