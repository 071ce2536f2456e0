//! A scan that reads ahead. Threads of the database fill its next batches while the caller uses the last one.
//!
//! | file | contents |
//! |---|---|
//! | `piece` | a part of a scan, read by one thread at a time |
//! | `cut` | the ranges of rows of the pieces |
//!
//! A forward scan without a filter or a limit is cut into pieces, short ranges of rows, and several threads read the
//! next ones at once. Any other scan is one piece. The caller gets the rows of the first piece, then those of the
//! next: the rows and their order are those of the scan itself. An error is returned in place of the batch that it
//! prevented. The first batches are read by the caller, so a short scan never involves a thread.

mod cut;
mod piece;

use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use piece::{Fetched, Piece, Source, Standing};
use rowstone_model::backend::{FilteredRows, ScannerBackend};
use rowstone_model::operations::{CellBatch, RowRange, Scan};
use rowstone_model::{Error, Result};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Number of batches that are read before threads take part.
const FIRST_BATCHES: u32 = 2;
/// Maximum number of pieces that threads read besides the first one, by the number of threads.
const PIECES_PER_THREAD: usize = 2;

/// A scan of a table with batches that were read ahead.
pub(in crate::db) struct ReadAhead {
    source: Arc<Source>,
    /// The first piece is the one whose rows come next.
    pieces: VecDeque<Arc<Piece>>,
    /// The rows behind the pieces.
    uncut: Option<Scan>,
    /// The rest of a batch that was larger than the caller wanted.
    rest: Option<Fetched>,
    /// Properties of the scan after the batch returned last.
    standing: Standing,
    /// Counts of the pieces that were read to their end.
    filtered_rows: FilteredRows,
    read_point: u64,
    calls: u32,
    /// Rows and bytes of the largest batch.
    largest: (usize, usize),
}

impl ReadAhead {
    /// Opens a scan.
    ///
    /// # Errors
    /// Those of the first piece's scan.
    pub(in crate::db) fn open(shared: Arc<Shared>, handle: Arc<TableHandle>, scan: Scan) -> Result<Self> {
        let source = Arc::new(Source { shared, handle });
        let (first, uncut) = source.cut_first(scan);
        let opened = source.open(first)?;
        Ok(ReadAhead {
            standing: Standing::of(&opened),
            read_point: opened.read_point(),
            pieces: VecDeque::from([Arc::new(Piece::opened(opened))]),
            source,
            uncut,
            rest: None,
            filtered_rows: FilteredRows::default(),
            calls: 0,
            largest: (0, 0),
        })
    }

    fn next(&mut self, size: (usize, usize), deadline: Option<Instant>) -> Result<Option<CellBatch>> {
        self.source.shared.check_open()?;
        self.source.handle.check_enabled()?;
        while !self.standing.is_at_end || self.rest.is_some() {
            let fetched = match self.rest.take() {
                Some(rest) => Some(rest),
                None => self.fetch(size, deadline)?,
            };
            // The deadline has passed.
            let Some(mut fetched) = fetched else { return Ok(Some(CellBatch::default())) };
            if let Ok(Some(batch)) = &mut fetched.batch {
                if batch.rows.len() > size.0.max(1) {
                    let first = first_rows(batch, size.0.max(1));
                    self.rest = Some(fetched);
                    return Ok(Some(first));
                }
            }
            self.take_standing(&fetched);
            match fetched.batch {
                // The piece had no more rows.
                Ok(None) if deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                    return Ok(Some(CellBatch::default()));
                }
                Ok(None) => {}
                batch => return batch,
            }
        }
        Ok(None)
    }

    /// The next batch of the first piece, if there is one; `None` after the deadline.
    fn fetch(&mut self, size: (usize, usize), deadline: Option<Instant>) -> Result<Option<Fetched>> {
        self.calls = self.calls.saturating_add(1);
        let is_long = self.calls > FIRST_BATCHES;
        let most = if is_long { 1 + self.source.shared.workers.count() * PIECES_PER_THREAD } else { 1 };
        while self.pieces.len() < most {
            let Some(scan) = self.uncut.take() else { break };
            let (first, uncut) = self.source.cut_first(scan);
            self.uncut = uncut;
            self.pieces.push_back(Arc::new(Piece::planned(first, self.largest)));
        }
        let Some(first) = self.pieces.front() else { return Err(Error::internal("a scan has no pieces")) };
        let fetched = first.next(&self.source, size, deadline)?;
        let (rows, bytes) = fetched.as_ref().map_or((0, 0), Fetched::size);
        self.largest = (self.largest.0.max(rows), self.largest.1.max(bytes));
        if is_long {
            self.pieces.iter().for_each(|piece| piece.queue(&self.source, size));
        }
        Ok(fetched)
    }

    /// Notes the scan's properties after a batch. A piece that was read to its end is removed.
    fn take_standing(&mut self, after: &Fetched) {
        self.standing = after.standing;
        self.standing.filtered_rows += self.filtered_rows;
        if after.is_last() {
            self.pieces.pop_front();
            self.filtered_rows = self.standing.filtered_rows;
        }
        self.standing.is_at_end = self.pieces.is_empty() && self.uncut.is_none();
    }
}

/// Moves the first `count` rows out of `batch`.
fn first_rows(batch: &mut CellBatch, count: usize) -> CellBatch {
    let part = |rows: &[RowRange]| {
        let mut part = CellBatch::default();
        for row in rows {
            let start = part.cells.byte_len();
            batch.row_cells(*row).for_each(|cell| part.cells.push_cell(&cell));
            part.rows.push(RowRange { start, end: part.cells.byte_len(), ..*row });
        }
        part
    };
    let (first, rest) = (part(&batch.rows[..count]), part(&batch.rows[count..]));
    *batch = rest;
    first
}

impl ScannerBackend for ReadAhead {
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>> {
        self.next((max_rows, max_bytes), None)
    }

    fn next_until(&mut self, max_rows: usize, max_bytes: usize, deadline: Instant) -> Result<Option<CellBatch>> {
        self.next((max_rows, max_bytes), Some(deadline))
    }

    fn is_filter_done(&self) -> bool {
        self.standing.is_filter_done
    }

    fn is_at_end(&self) -> bool {
        self.standing.is_at_end
    }

    fn read_point(&self) -> u64 {
        self.read_point
    }

    fn filtered_rows(&self) -> FilteredRows {
        self.standing.filtered_rows
    }
}

impl Drop for ReadAhead {
    /// Does not wait: a thread that reads drops its scan when it has finished its batch.
    fn drop(&mut self) {
        self.pieces.iter().for_each(|piece| piece.end());
    }
}
