//! Where and when a table is read and written, in bounded memory: what a heat map is drawn from.
//!
//! Every row that is asked for costs one relaxed addition. The first [`ALL`] of them are looked at, later about one of
//! sixteen, chosen by its number: evenly, and without a rhythm that could fall in with that of the keys. What is looked at
//! goes into a window of time, with as many rows of it as a window keeps ([`windows`]). So a table takes 200 KB at most,
//! and nothing before its first row.

mod windows;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};
use windows::Windows;

/// So many are all looked at.
const ALL: u64 = 1_024;
/// Of the later ones, those whose number times this has four leading zeros: a sixteenth. By the golden ratio the gaps
/// between them have three lengths, and no period.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A while, and what was asked for in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeatWindow {
    /// When it began, in milliseconds.
    pub start_ms: i64,
    /// How long it is.
    pub width_ms: i64,
    /// How many rows were asked for.
    pub total: u64,
    /// Some of them, each as likely as every other; long ones are cut.
    pub rows: Vec<Vec<u8>>,
}

/// What was asked of a table, by time: windows in which nothing was are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeatMap {
    /// Gets, and rows that scans gave.
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
    /// A read of `row`. `now_ms` is asked only where the read is looked at.
    #[inline]
    pub fn read(&self, row: &[u8], now_ms: impl FnOnce() -> i64) {
        self.reads.note(row, now_ms);
    }

    /// A write of `row`.
    #[inline]
    pub fn write(&self, row: &[u8], now_ms: impl FnOnce() -> i64) {
        self.writes.note(row, now_ms);
    }

    /// Reads of `count` rows: what [`Heat::read`] does for each, at the cost of one.
    pub fn read_many<'r>(&self, count: usize, row: impl Fn(usize) -> Option<&'r [u8]>, now_ms: impl Fn() -> i64) {
        self.reads.note_many(count, row, now_ms);
    }

    /// Writes of `count` rows.
    pub fn write_many<'r>(&self, count: usize, row: impl Fn(usize) -> Option<&'r [u8]>, now_ms: impl Fn() -> i64) {
        self.writes.note_many(count, row, now_ms);
    }

    /// What was counted so far.
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

    /// Nobody waits for it: where another looks at a row at this moment, this one is only counted.
    #[inline(never)]
    fn look_at(&self, number: u64, row: &[u8], now_ms: i64) {
        let mut windows = match self.windows.try_lock() {
            Ok(windows) => windows,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        windows.get_or_insert_with(|| Box::new(Windows::new(now_ms))).add(number, row, now_ms);
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
