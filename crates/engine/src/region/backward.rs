//! Reversed scans without a filter read *spans*: a few rows at a time, forward, which is cheaper than a step back for each
//! row. The rows of a span are returned in reverse.
//!
//! Some scans step back for each row. A filter sees rows one by one in the order of the scan, and may end it after any of
//! them. Pieces of a row end a call of [`RegionScanner::fill`] after any of them. And a scan that reads uncommitted cells
//! might find more rows in a span than it wants.

use super::scanner::RegionScanner;
use super::Region;
use rowstone_model::cell::row_after;
use rowstone_model::operations::CellBatch;
use rowstone_model::Result;
use smallvec::SmallVec;
use std::ops::Deref;

/// Most rows of a span.
const MOST_ROWS: usize = 512;
/// Bytes of cells that a span may have, if its rows are as large as the last ones.
const SPAN_BYTES: usize = 256 << 10;
/// Bytes of cells at which a span that has larger rows than expected is given up.
const MOST_BYTES: usize = 2 * SPAN_BYTES;
/// Bytes by which a batch may pass its limit, so that it does not end with many short spans.
const SLACK_BYTES: usize = 8 << 10;

/// Limits of the next span.
pub(super) struct Span {
    rows: usize,
    /// Mean bytes of the last rows that were returned.
    row_bytes: usize,
}

impl Default for Span {
    fn default() -> Self {
        Span { rows: 1, row_bytes: 0 }
    }
}

impl<R: Deref<Target = Region>> RegionScanner<R> {
    /// Whether the scan reads spans.
    #[inline]
    pub(super) fn reads_spans(&self) -> bool {
        self.scan.reversed && self.filter.is_none() && self.scan.batch == 0 && !self.scan.options.read_uncommitted
    }

    /// Appends the next rows of a reversed scan: at most `rows`, and about `bytes`. Returns the number of rows read,
    /// those without visible cells too.
    pub(super) fn next_span(&mut self, rows: usize, bytes: usize, out: &mut CellBatch) -> Result<usize> {
        if !self.find_row() {
            self.is_done = true;
            return Ok(0);
        }
        let (first, start_bytes) = (out.rows.len(), out.cells.byte_len());
        let fit = SPAN_BYTES.min(bytes.saturating_add(SLACK_BYTES)) / self.span.row_bytes.max(1);
        let mut read = match self.span_start(rows.min(self.span.rows).min(fit)) {
            Some(start) => self.read_span(&start, out)?,
            None => 0,
        };
        if read == 0 {
            self.read_row(0, false, out)?;
            self.count_row();
            let row = &self.row;
            self.families.iter_mut().try_for_each(|family| family.finish_row_backward(row))?;
            read = 1;
        }
        self.span.rows = (2 * self.span.rows).min(MOST_ROWS);
        if out.rows.len() > first {
            self.span.row_bytes = (out.cells.byte_len() - start_bytes) / (out.rows.len() - first);
        }
        Ok(read)
    }

    /// The first row of a span of at most `rows` rows that ends with the current row. `None` if it has only that row.
    fn span_start(&self, rows: usize) -> Option<Vec<u8>> {
        let of_each = rows / self.families.len();
        let mut start: &[u8] = &[];
        for family in self.families.iter().filter(|family| family.current_row().is_some()) {
            start = start.max(family.row_back(of_each)?);
        }
        let first = self.bound.first_row();
        let start = start.max(&first);
        (start < self.row.as_slice()).then(|| start.to_vec())
    }

    /// Appends the rows from `start` to the current one in reverse, and moves to the row before them. Returns the number of
    /// rows read, or 0 if they are too large. Then it moves nowhere.
    fn read_span(&mut self, start: &[u8], out: &mut CellBatch) -> Result<usize> {
        let last = std::mem::take(&mut self.row);
        let (rows, bytes, finished_rows) = (out.rows.len(), out.cells.byte_len(), self.finished_rows);
        // The other families have no row of the span.
        let mut moved = SmallVec::<[usize; 4]>::new();
        for (index, family) in self.families.iter_mut().enumerate() {
            if family.current_row() >= Some(start) {
                family.seek_back(start)?;
                moved.push(index);
            }
        }
        if let Some(read) = self.read_up_to(&last, &moved, out)? {
            out.rows[rows..].reverse();
            self.step_back(&moved, start)?;
            return Ok(read);
        }
        out.rows.truncate(rows);
        out.cells.truncate(bytes);
        self.finished_rows = finished_rows;
        self.span.rows = 1;
        self.step_back(&moved, &row_after(&last))?;
        self.row = last;
        Ok(0)
    }

    /// Appends the rows that these families are at, up to row `last`. Returns their number, or `None` if they are too large.
    fn read_up_to(&mut self, last: &[u8], families: &[usize], out: &mut CellBatch) -> Result<Option<usize>> {
        let (start_bytes, mut read) = (out.cells.byte_len(), 0);
        while self.find_row_of(families, last) {
            let is_last = self.row == last;
            self.read_row(0, !is_last, out)?;
            self.count_row();
            read += 1;
            if is_last {
                break;
            }
            if out.cells.byte_len() - start_bytes > MOST_BYTES {
                return Ok(None);
            }
            let row = &self.row;
            self.families.iter_mut().try_for_each(|family| family.finish_row(row))?;
        }
        Ok(Some(read))
    }

    fn step_back(&mut self, families: &[usize], row: &[u8]) -> Result<()> {
        families.iter().try_for_each(|&index| self.families[index].seek_to_previous_row(row))
    }

    /// Finds the first row that these families are at, if it is not after `last`.
    fn find_row_of(&mut self, families: &[usize], last: &[u8]) -> bool {
        let found = families.iter().filter_map(|&index| self.families[index].current_row()).min();
        let Some(found) = found.filter(|row| *row <= last) else { return false };
        self.row.clear();
        self.row.extend_from_slice(found);
        true
    }
}
