//! Where a scan stands, and how much it fetches at once.

use rowstone_model::backend::ScannerBackend;
use rowstone_model::operations::CellBatch;
use rowstone_model::Result;
use std::sync::Arc;

/// Rows of the first batch: somebody who looks at one page of a table should not pay for a thousand.
const FIRST_ROWS: usize = 16;
/// Rows of a batch at most.
const MOST_ROWS: usize = 1024;
/// Bytes of a batch, about: enough to forget the cost of a call, and still within a core's second-level cache.
const BATCH_BYTES: usize = 256 << 10;

/// Where a scan stands.
pub struct Position {
    /// `None` after the last batch and after `close`.
    pub backend: Option<Box<dyn ScannerBackend>>,
    /// Rows that were fetched.
    pub batch: Arc<CellBatch>,
    /// The first of them that was not handed out.
    pub next: usize,
    rows_wanted: usize,
    /// Whether it was closed, or handed over.
    pub is_closed: bool,
}

impl Position {
    /// The beginning of a scan of at most `limit` rows; 0 is no limit.
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

    /// Lets go of what the scan held.
    pub fn close(&mut self) {
        self.is_closed = true;
        self.backend = None;
        (self.batch, self.next) = (Arc::default(), 0);
    }
}
