//! The position of a scan, and its fetch size.

use rowstone_model::backend::ScannerBackend;
use rowstone_model::operations::CellBatch;
use rowstone_model::Result;
use std::sync::Arc;

/// Rows in the first batch. It is small so that reading the first page of a table does not fetch a thousand rows.
const FIRST_ROWS: usize = 16;
/// Maximum number of rows in a batch.
const MOST_ROWS: usize = 1024;
/// Approximate bytes in a batch: enough to amortize the cost of a call, and within a core's second-level cache.
const BATCH_BYTES: usize = 256 << 10;

/// The position of a scan.
pub struct Position {
    /// `None` after the last batch and after `close`.
    pub backend: Option<Box<dyn ScannerBackend>>,
    /// The rows fetched last.
    pub batch: Arc<CellBatch>,
    /// Index of the first of them that has not been returned.
    pub next: usize,
    rows_wanted: usize,
    /// Whether the scan was closed, or the rest of it was passed to another reader.
    pub is_closed: bool,
}

impl Position {
    /// The start of a scan of at most `limit` rows; 0 for no limit.
    pub fn new(backend: Box<dyn ScannerBackend>, limit: u64) -> Self {
        let rows_wanted = match limit {
            0 => FIRST_ROWS,
            limit => FIRST_ROWS.max((limit as usize).min(MOST_ROWS)),
        };
        Position { backend: Some(backend), batch: Arc::default(), next: 0, rows_wanted, is_closed: false }
    }

    /// Fetches the next batch; false at the end.
    pub fn fetch(&mut self) -> Result<bool> {
        let Some(backend) = self.backend.as_mut() else { return Ok(false) };
        let batch = backend.next_batch(self.rows_wanted, BATCH_BYTES)?;
        self.rows_wanted = (self.rows_wanted * 2).min(MOST_ROWS);
        match batch {
            Some(batch) => (self.batch, self.next) = (Arc::new(batch), 0),
            None => self.backend = None,
        }
        Ok(self.backend.is_some())
    }

    /// Releases the resources of the scan.
    pub fn close(&mut self) {
        self.is_closed = true;
        self.backend = None;
        (self.batch, self.next) = (Arc::default(), 0);
    }
}
