//! A part of a scan, which one thread reads at a time.

use crate::db::operations::scanner::TableScanner;
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::sys::lock::{Condvar, Mutex, MutexGuard};
use rowstone_model::backend::{FilteredRows, ScannerBackend};
use rowstone_model::operations::{CellBatch, Scan};
use rowstone_model::{Error, Result};
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Instant;

/// Bytes of the batches that wait for the caller; the last one may pass the limit.
const MOST_BYTES: usize = 1 << 20;

/// The table of a scan.
pub(super) struct Source {
    pub(super) shared: Arc<Shared>,
    pub(super) handle: Arc<TableHandle>,
}

impl Source {
    pub(super) fn open(&self, scan: Scan) -> Result<TableScanner> {
        TableScanner::open(Arc::clone(&self.shared), Arc::clone(&self.handle), scan)
    }
}

/// A batch, and the piece's properties after it.
pub(super) struct Fetched {
    pub(super) batch: Result<Option<CellBatch>>,
    pub(super) standing: Standing,
}

/// Properties of a scan.
#[derive(Clone, Copy, Default)]
pub(super) struct Standing {
    pub(super) is_filter_done: bool,
    pub(super) is_at_end: bool,
    pub(super) filtered_rows: FilteredRows,
}

impl Standing {
    pub(super) fn of(scan: &TableScanner) -> Self {
        Standing {
            is_filter_done: scan.is_filter_done(),
            is_at_end: scan.is_at_end(),
            filtered_rows: scan.filtered_rows(),
        }
    }
}

impl Fetched {
    fn failed(error: Error) -> Self {
        Fetched { batch: Err(error), standing: Standing::default() }
    }

    /// Whether nothing of the piece follows.
    pub(super) fn is_last(&self) -> bool {
        matches!(self.batch, Ok(None)) || (self.batch.is_ok() && self.standing.is_at_end)
    }

    fn byte_len(&self) -> usize {
        self.size().1
    }

    /// Rows and bytes of the batch.
    pub(super) fn size(&self) -> (usize, usize) {
        match &self.batch {
            Ok(Some(batch)) => (batch.rows.len(), batch.cells.byte_len()),
            _ => (0, 0),
        }
    }
}

/// A part of a scan.
pub(super) struct Piece {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    scan: ScanOwner,
    fetched: VecDeque<Fetched>,
    /// Bytes of `fetched`.
    bytes: usize,
    /// Rows and bytes of the last request.
    size: (usize, usize),
    /// Whether the last batch that was read was an error, or the end.
    has_ended: bool,
    is_queued: bool,
    /// Whether the owner is gone.
    is_over: bool,
}

/// The thread that owns the scan.
enum ScanOwner {
    /// None.
    Free(Part),
    /// One of the database.
    WithThread,
    /// The caller; it stays there if reading panicked or failed.
    WithCaller,
}

/// The piece's scan.
enum Part {
    /// With the rows and bytes of a batch of the scan so far.
    Planned(Box<Scan>, (usize, usize)),
    Open(Box<TableScanner>),
}

impl Part {
    fn read(&mut self, source: &Source, size: (usize, usize), deadline: Option<Instant>) -> Fetched {
        loop {
            match self {
                Part::Open(scan) => {
                    let batch = scan.next(size.0, size.1, deadline);
                    return Fetched { batch, standing: Standing::of(scan) };
                }
                Part::Planned(scan, (rows, bytes)) => match source.open(Scan::clone(scan)) {
                    Ok(mut opened) => {
                        opened.expect(*rows, *bytes);
                        *self = Part::Open(Box::new(opened));
                    }
                    Err(error) => return Fetched::failed(error),
                },
            }
        }
    }
}

impl State {
    fn wants_more(&self) -> bool {
        !self.is_over && !self.has_ended && self.bytes < MOST_BYTES
    }

    /// Takes back the scan after a batch. A scan that failed within a file is not read further: it would skip the rest
    /// of that file. One that could not be opened can be tried again.
    fn take_back(&mut self, part: Part, fetched: &Fetched) {
        self.has_ended = fetched.batch.is_err() || fetched.is_last();
        let has_failed = fetched.batch.is_err() && matches!(part, Part::Open(_));
        self.scan = if has_failed { ScanOwner::WithCaller } else { ScanOwner::Free(part) };
    }
}

impl Piece {
    /// The piece of a scan that has not been read.
    pub(super) fn opened(scan: TableScanner) -> Self {
        Piece::of(Part::Open(Box::new(scan)))
    }

    /// The piece of a scan that is opened when it is read; its batches are probably as large as `expected`, in rows and
    /// bytes.
    pub(super) fn planned(scan: Scan, expected: (usize, usize)) -> Self {
        Piece::of(Part::Planned(Box::new(scan), expected))
    }

    fn of(part: Part) -> Self {
        let (scan, fetched) = (ScanOwner::Free(part), VecDeque::new());
        let state = State { scan, fetched, bytes: 0, size: (1, 1), has_ended: false, is_queued: false, is_over: false };
        Piece { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next batch, from a thread or, if none reads, read here; `None` after the deadline.
    pub(super) fn next(
        &self,
        source: &Source,
        size: (usize, usize),
        deadline: Option<Instant>,
    ) -> Result<Option<Fetched>> {
        let mut state = self.state.lock();
        loop {
            if let Some(fetched) = state.fetched.pop_front() {
                state.bytes -= fetched.byte_len();
                return Ok(Some(fetched));
            }
            match std::mem::replace(&mut state.scan, ScanOwner::WithCaller) {
                ScanOwner::Free(mut part) => {
                    let fetched = MutexGuard::unlocked(&mut state, || part.read(source, size, deadline));
                    state.take_back(part, &fetched);
                    return Ok(Some(fetched));
                }
                ScanOwner::WithThread => state.scan = ScanOwner::WithThread,
                ScanOwner::WithCaller => return Err(Error::internal("the scan has failed before; open another one")),
            }
            match deadline {
                None => self.changed.wait(&mut state),
                Some(deadline) if Instant::now() >= deadline => return Ok(None),
                Some(deadline) => {
                    self.changed.wait_until(&mut state, deadline);
                }
            }
        }
    }

    /// Has a thread read on, unless one does or enough batches wait.
    pub(super) fn queue(self: &Arc<Self>, source: &Arc<Source>, size: (usize, usize)) {
        let mut state = self.state.lock();
        state.size = size;
        if !state.is_queued && state.wants_more() && matches!(state.scan, ScanOwner::Free(_)) {
            let (piece, of) = (Arc::clone(self), Arc::clone(source));
            state.is_queued = source.shared.workers.submit(Box::new(move || piece.read_on(&of)));
        }
    }

    /// The work of a thread: reads until enough batches wait.
    fn read_on(&self, source: &Source) {
        let mut state = self.state.lock();
        state.is_queued = false;
        while state.wants_more() {
            let mut part = match std::mem::replace(&mut state.scan, ScanOwner::WithThread) {
                ScanOwner::Free(part) => part,
                elsewhere => {
                    state.scan = elsewhere;
                    return;
                }
            };
            let size = state.size;
            let read = || catch_unwind(AssertUnwindSafe(|| part.read(source, size, None)));
            let fetched = MutexGuard::unlocked(&mut state, read).unwrap_or_else(|_| {
                Fetched::failed(Error::internal("a scan panicked while it read ahead; please report it"))
            });
            if state.is_over {
                drop(state);
                return;
            }
            state.take_back(part, &fetched);
            state.bytes += fetched.byte_len();
            state.fetched.push_back(fetched);
            self.changed.notify_all();
        }
    }

    /// Ends the piece and drops its batches.
    pub(super) fn end(&self) {
        let mut state = self.state.lock();
        state.is_over = true;
        let fetched = std::mem::take(&mut state.fetched);
        let scan = std::mem::replace(&mut state.scan, ScanOwner::WithCaller);
        drop(state);
        drop((fetched, scan));
    }
}
