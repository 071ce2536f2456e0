//! Counters of the database as a whole, since it was opened.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Each event costs one relaxed addition, and all of them are rare.
#[derive(Default)]
pub(in crate::db) struct Counts {
    splits_asked: AtomicU64,
    splits: AtomicU64,
    blocked_writes: AtomicU64,
    blocked_ms: AtomicU64,
    delayed_writes: AtomicU64,
    delayed_us: AtomicU64,
}

impl Counts {
    /// Counts a request to split a region.
    pub fn split_asked(&self) {
        self.splits_asked.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a finished split.
    pub fn split_done(&self) {
        self.splits.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a write that waited until a flush had made room, or gave up.
    pub fn blocked(&self, time: Duration) {
        self.blocked_writes.fetch_add(1, Ordering::Relaxed);
        self.blocked_ms.fetch_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Counts a write that waited because memory was almost full.
    pub fn delayed(&self, time: Duration) {
        self.delayed_writes.fetch_add(1, Ordering::Relaxed);
        self.delayed_us.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// All counters, by name.
    pub fn numbers(&self) -> [(&'static str, u64); 6] {
        [
            ("splits_asked", &self.splits_asked),
            ("splits", &self.splits),
            ("blocked_writes", &self.blocked_writes),
            ("blocked_ms", &self.blocked_ms),
            ("delayed_writes", &self.delayed_writes),
            ("delayed_us", &self.delayed_us),
        ]
        .map(|(name, count)| (name, count.load(Ordering::Relaxed)))
    }
}
