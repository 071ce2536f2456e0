//! An open scan.

use crate::error::Result;
use crate::operations::CellBatch;
use std::time::Instant;

/// An open scan.
pub trait ScannerBackend: Send {
    /// The next rows: at least one, at most `max_rows` and about `max_bytes`; `None` at the end.
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>>;
    /// Like [`ScannerBackend::next_batch`], but stops after the row in progress at `deadline`: the batch may be empty
    /// although more rows follow.
    fn next_until(&mut self, max_rows: usize, max_bytes: usize, deadline: Instant) -> Result<Option<CellBatch>> {
        let _ = deadline;
        self.next_batch(max_rows, max_bytes)
    }
    /// The read point (sequence id) of the region in which the scan began; 0 if unknown.
    fn read_point(&self) -> u64 {
        0
    }
    /// Whether the scan's filter has ended the scan.
    fn is_filter_done(&self) -> bool {
        false
    }
    /// Whether no rows follow those already returned. Some scanners can only tell after another call.
    fn is_at_end(&self) -> bool {
        false
    }
    /// Rows that the filter has dropped so far.
    fn filtered_rows(&self) -> FilteredRows {
        FilteredRows::default()
    }
}

/// Rows that a filter dropped from a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilteredRows {
    /// All dropped rows.
    pub count: u64,
    /// Those dropped by their key alone, without reading any of their cells.
    pub unread: u64,
}

impl std::ops::AddAssign for FilteredRows {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.unread += other.unread;
    }
}
