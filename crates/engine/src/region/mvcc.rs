//! The order of a region's writes, and their visibility to readers. Source: HBase's
//! `MultiVersionConcurrencyControl`.
//!
//! A write allocates the next sequence id when it enters the log, and completes when all its cells are in the
//! memstore. The read point is the largest id below which every write has completed, so a reader sees each write as
//! a whole or not at all.

use crate::sys::lock::{Condvar, Mutex};
use crate::sys::raw::sync::atomic::AtomicU64;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;

/// Allocates sequence ids and publishes the read point.
pub struct Mvcc {
    read_point: AtomicU64,
    state: Mutex<State>,
    advanced: Condvar,
    readers: Mutex<BTreeMap<u64, usize>>,
}

struct State {
    /// The last id allocated.
    last: u64,
    /// The writes that have not completed, and completed ones behind them, in order.
    pending: VecDeque<(u64, bool)>,
}

impl Mvcc {
    /// Continues after `last`, the largest id of any earlier write.
    pub fn new(last: u64) -> Self {
        Mvcc {
            read_point: AtomicU64::new(last),
            state: Mutex::new(State { last, pending: VecDeque::new() }),
            advanced: Condvar::new(),
            readers: Mutex::new(BTreeMap::new()),
        }
    }

    /// Begins a write and returns its sequence id. Called inside the log's lock, so that log order is write order.
    pub fn begin(&self) -> u64 {
        let mut state = self.state.lock();
        state.last += 1;
        let id = state.last;
        state.pending.push_back((id, false));
        id
    }

    /// Ends a write, applied or given up. Returns when readers see it and all writes before it.
    pub fn complete(&self, id: u64) {
        let mut state = self.state.lock();
        if let Some(entry) = state.pending.iter_mut().find(|entry| entry.0 == id) {
            entry.1 = true;
        }
        let mut reached = None;
        while let Some(&(first, true)) = state.pending.front() {
            state.pending.pop_front();
            reached = Some(first);
        }
        if let Some(reached) = reached {
            self.read_point.store(reached, Ordering::Release);
            self.advanced.notify_all();
        }
        while self.read_point.load(Ordering::Acquire) < id {
            self.advanced.wait(&mut state);
        }
    }

    /// Continues after `id`, which an earlier instance of the region allocated. No write may be running.
    pub fn advance(&self, id: u64) {
        let mut state = self.state.lock();
        state.last = state.last.max(id);
        self.read_point.fetch_max(id, Ordering::AcqRel);
    }

    /// Everything up to this id is visible.
    #[inline]
    pub fn read_point(&self) -> u64 {
        self.read_point.load(Ordering::Acquire)
    }

    /// The last id allocated.
    pub fn last(&self) -> u64 {
        self.state.lock().last
    }

    /// Registers a scanner at the current read point. Flushes and compactions respect it until it is released.
    pub fn register_reader(&self) -> u64 {
        self.register_reader_at(u64::MAX)
    }

    /// The same at `wanted`, an earlier read point. Cells that flushes and compactions have dropped since do not
    /// come back.
    pub fn register_reader_at(&self, wanted: u64) -> u64 {
        let mut readers = self.readers.lock();
        let point = self.read_point().min(wanted);
        *readers.entry(point).or_insert(0) += 1;
        point
    }

    /// Releases a scanner's read point.
    pub fn release_reader(&self, point: u64) {
        let mut readers = self.readers.lock();
        if let Some(count) = readers.get_mut(&point) {
            *count -= 1;
            if *count == 0 {
                readers.remove(&point);
            }
        }
    }

    /// The oldest read point in use; the current one if no scanner is open.
    pub fn smallest_read_point(&self) -> u64 {
        let readers = self.readers.lock();
        readers.keys().next().copied().unwrap_or_else(|| self.read_point())
    }

    /// Number of open scanners.
    pub fn open_readers(&self) -> usize {
        self.readers.lock().values().sum()
    }
}
