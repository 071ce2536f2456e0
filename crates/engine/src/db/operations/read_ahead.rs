//! A scan that reads ahead: threads of the database fill its next batches while the caller uses the last one.
//!
//! The rows and their order are those of the scan itself, because it is the same scan: at any time one thread has it.
//! An error is returned in place of the batch that it prevented. The first batches are read by the caller, so a short
//! scan never involves a thread. At most [`BATCHES`] batches wait. If no thread has begun with the next one, the caller
//! reads it.

use super::scanner::TableScanner;
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::sys::lock::{Condvar, Mutex, MutexGuard};
use rowstone_model::backend::{FilteredRows, ScannerBackend};
use rowstone_model::operations::{CellBatch, RowRange};
use rowstone_model::{Error, Result};
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Instant;

/// Number of batches that wait for the caller.
const BATCHES: usize = 2;
/// Number of batches that are read before threads take part.
const FIRST_BATCHES: u32 = 2;

/// A scan of a table with batches that were read ahead.
pub(in crate::db) struct ReadAhead {
    shared: Arc<Shared>,
    handle: Arc<TableHandle>,
    reading: Arc<Reading>,
    /// The rest of a batch that was larger than the caller wanted.
    rest: Option<Fetched>,
    /// Properties of the scan after the batch returned last.
    standing: Standing,
    read_point: u64,
    calls: u32,
}

struct Reading {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    scan: Place,
    fetched: VecDeque<Fetched>,
    /// Rows and bytes of the last request.
    size: (usize, usize),
    is_queued: bool,
    /// Whether the owner is gone.
    is_over: bool,
}

/// The thread that has the scan.
enum Place {
    /// None.
    Free(Box<TableScanner>),
    /// One of the database.
    WithThread,
    /// The caller; it stays there if reading panicked.
    WithCaller,
}

/// A batch, and the scan's properties after it.
struct Fetched {
    batch: Result<Option<CellBatch>>,
    standing: Standing,
}

#[derive(Clone, Copy, Default)]
struct Standing {
    is_filter_done: bool,
    is_at_end: bool,
    filtered_rows: FilteredRows,
}

impl Standing {
    fn of(scan: &TableScanner) -> Self {
        Standing {
            is_filter_done: scan.is_filter_done(),
            is_at_end: scan.is_at_end(),
            filtered_rows: scan.filtered_rows(),
        }
    }
}

impl Fetched {
    fn from(scan: &mut TableScanner, size: (usize, usize), deadline: Option<Instant>) -> Self {
        let batch = scan.next(size.0, size.1, deadline);
        Fetched { batch, standing: Standing::of(scan) }
    }

    /// Whether more batches may follow.
    fn continues(&self) -> bool {
        matches!(self.batch, Ok(Some(_))) && !self.standing.is_at_end
    }
}

impl ReadAhead {
    /// The same scan, which must not have been read.
    pub(in crate::db) fn new(shared: Arc<Shared>, handle: Arc<TableHandle>, scan: TableScanner) -> Self {
        let (standing, read_point) = (Standing::of(&scan), scan.read_point());
        let state = State {
            scan: Place::Free(Box::new(scan)),
            fetched: VecDeque::new(),
            size: (1, 1),
            is_queued: false,
            is_over: false,
        };
        let reading = Arc::new(Reading { state: Mutex::new(state), changed: Condvar::new() });
        ReadAhead { shared, handle, reading, rest: None, standing, read_point, calls: 0 }
    }

    fn next(&mut self, size: (usize, usize), deadline: Option<Instant>) -> Result<Option<CellBatch>> {
        self.shared.check_open()?;
        self.handle.check_enabled()?;
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
        self.standing = fetched.standing;
        fetched.batch
    }

    /// The next batch, from a thread or read here; `None` after the deadline.
    fn fetch(&mut self, size: (usize, usize), deadline: Option<Instant>) -> Result<Option<Fetched>> {
        self.calls = self.calls.saturating_add(1);
        let mut state = self.reading.state.lock();
        state.size = size;
        let fetched = loop {
            if let Some(fetched) = state.fetched.pop_front() {
                break fetched;
            }
            match std::mem::replace(&mut state.scan, Place::WithCaller) {
                Place::Free(mut scan) => {
                    let read = || Fetched::from(&mut scan, size, deadline);
                    let fetched = MutexGuard::unlocked(&mut state, read);
                    state.scan = Place::Free(scan);
                    break fetched;
                }
                Place::WithThread => state.scan = Place::WithThread,
                Place::WithCaller => return Err(Error::internal("the scan has failed before; open another one")),
            }
            match deadline {
                None => self.reading.changed.wait(&mut state),
                Some(deadline) if Instant::now() >= deadline => return Ok(None),
                Some(deadline) => {
                    self.reading.changed.wait_until(&mut state, deadline);
                }
            }
        };
        if fetched.continues() && self.calls >= FIRST_BATCHES {
            self.queue(&mut state);
        }
        Ok(Some(fetched))
    }

    /// Has a thread read on, unless one does.
    fn queue(&self, state: &mut State) {
        if !state.is_queued && state.wants_more() && matches!(state.scan, Place::Free(_)) {
            let reading = Arc::clone(&self.reading);
            state.is_queued = self.shared.workers.submit(Box::new(move || reading.run()));
        }
    }
}

impl State {
    fn wants_more(&self) -> bool {
        !self.is_over && self.fetched.len() < BATCHES && self.fetched.back().is_none_or(Fetched::continues)
    }
}

impl Reading {
    /// The work of a thread: reads until enough batches wait.
    fn run(&self) {
        let mut state = self.state.lock();
        state.is_queued = false;
        while state.wants_more() {
            let mut scan = match std::mem::replace(&mut state.scan, Place::WithThread) {
                Place::Free(scan) => scan,
                elsewhere => {
                    state.scan = elsewhere;
                    return;
                }
            };
            let size = state.size;
            let read = || catch_unwind(AssertUnwindSafe(|| Fetched::from(&mut scan, size, None)));
            let fetched = MutexGuard::unlocked(&mut state, read).unwrap_or_else(|_| Fetched {
                batch: Err(Error::internal("a scan panicked while it read ahead; please report it")),
                standing: Standing::default(),
            });
            if state.is_over {
                drop(state);
                return;
            }
            state.fetched.push_back(fetched);
            state.scan = Place::Free(scan);
            self.changed.notify_all();
        }
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
    /// Does not wait: a thread that reads drops the scan when it has finished its batch.
    fn drop(&mut self) {
        let mut state = self.reading.state.lock();
        state.is_over = true;
        let fetched = std::mem::take(&mut state.fetched);
        let scan = std::mem::replace(&mut state.scan, Place::WithCaller);
        drop(state);
        drop((fetched, scan));
    }
}
