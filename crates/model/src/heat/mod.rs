//! Access counts of a table by key and time, in bounded memory: the data behind a heat map.
//!
//! Every accessed row costs one relaxed addition. The first [`ALL`] rows are sampled; after that about one in
//! sixteen, selected by its number. The samples are spread evenly, without a period that could coincide with a pattern
//! in the keys. A sample is added to the current time window; the windows retain a limited number of rows ([`windows`]).
//! A table needs at most 200 KB, and nothing before its first access.

mod windows;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};
use windows::Windows;

/// This many accesses are all sampled.
const ALL: u64 = 1_024;
/// Later accesses are sampled if their number times this has four leading zero bits: one in sixteen. Because of the
/// golden ratio the gaps between samples have three lengths and no period.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// One in so many later accesses is sampled.
const EVERY: u64 = 16;

/// The accesses of one time window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeatWindow {
    /// Start time in milliseconds.
    pub start_ms: i64,
    /// Length in milliseconds.
    pub width_ms: i64,
    /// Number of accessed rows.
    pub total: u64,
    /// A uniform sample of their keys, truncated if long.
    pub rows: Vec<Vec<u8>>,
}

/// Accesses of a table over time. Windows without any are omitted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeatMap {
    /// Gets, and rows returned by scans.
    pub reads: Vec<HeatWindow>,
    /// Mutations.
    pub writes: Vec<HeatWindow>,
}

/// Counts the reads and writes of a table.
#[derive(Default)]
pub struct Heat {
    reads: Side,
    writes: Side,
}

impl Heat {
    /// Counts a read of `row`. `now_ms` is only called if the read is sampled.
    #[inline]
    pub fn read(&self, row: &[u8], now_ms: impl FnOnce() -> i64) {
        self.reads.note(row, now_ms);
    }

    /// Counts a write of `row`.
    #[inline]
    pub fn write(&self, row: &[u8], now_ms: impl FnOnce() -> i64) {
        self.writes.note(row, now_ms);
    }

    /// Counts reads of `count` rows: equivalent to [`Heat::read`] for each, at the cost of one.
    pub fn read_many<'r>(&self, count: usize, row: impl Fn(usize) -> Option<&'r [u8]>, now_ms: impl Fn() -> i64) {
        self.reads.note_many(count, row, now_ms);
    }

    /// Counts writes of `count` rows.
    pub fn write_many<'r>(&self, count: usize, row: impl Fn(usize) -> Option<&'r [u8]>, now_ms: impl Fn() -> i64) {
        self.writes.note_many(count, row, now_ms);
    }

    /// The counts so far.
    pub fn map(&self) -> HeatMap {
        HeatMap { reads: self.reads.map(), writes: self.writes.map() }
    }
}

impl fmt::Debug for Heat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |side: &Side| side.count.load(Ordering::Relaxed);
        write!(formatter, "Heat {{ reads: {}, writes: {} }}", count(&self.reads), count(&self.writes))
    }
}

#[derive(Default)]
struct Side {
    count: AtomicU64,
    windows: Mutex<Option<Box<Windows>>>,
}

impl Side {
    #[inline]
    fn note(&self, row: &[u8], now_ms: impl FnOnce() -> i64) {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        if is_looked_at(number) {
            self.look_at(number, row, now_ms());
        }
    }

    fn note_many<'r>(&self, count: usize, row: impl Fn(usize) -> Option<&'r [u8]>, now_ms: impl Fn() -> i64) {
        let first = self.count.fetch_add(count as u64, Ordering::Relaxed);
        for index in 0..count {
            let number = first + index as u64;
            if is_looked_at(number) {
                if let Some(row) = row(index) {
                    self.look_at(number, row, now_ms());
                }
            }
        }
    }

    /// Never waits: if another thread is sampling at this moment, this access is only counted.
    #[inline(never)]
    fn look_at(&self, number: u64, row: &[u8], now_ms: i64) {
        let mut windows = match self.windows.try_lock() {
            Ok(windows) => windows,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let every = if number < ALL { 1 } else { EVERY };
        windows.get_or_insert_with(|| Box::new(Windows::new(now_ms))).add(number, every, row, now_ms);
    }

    fn map(&self) -> Vec<HeatWindow> {
        let windows = self.windows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        windows.as_ref().map_or_else(Vec::new, |windows| windows.map(self.count.load(Ordering::Relaxed)))
    }
}

#[inline]
fn is_looked_at(number: u64) -> bool {
    number < ALL || number.wrapping_mul(SPREAD) >> 60 == 0
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
