//! Detection of a clock that was set back. Writes without a timestamp then get earlier timestamps than older writes
//! and stay hidden behind them, as in HBase. `rowstone.monotone.timestamps` prevents that; this module only detects
//! it.

use std::sync::atomic::{AtomicI64, Ordering};

/// Smaller steps back are ordinary clock corrections.
const TOLERANCE_MS: i64 = 1_000;

/// The latest time read from the clock, or the time of the latest write of an earlier process.
pub(in crate::db) struct ClockWatch(AtomicI64);

impl Default for ClockWatch {
    fn default() -> Self {
        ClockWatch(AtomicI64::new(i64::MIN))
    }
}

impl ClockWatch {
    /// Notes a time read from the clock.
    pub(in crate::db) fn note(&self, at_ms: i64) {
        self.0.fetch_max(at_ms, Ordering::Relaxed);
    }

    /// Milliseconds by which the clock is behind, or 0.
    pub(in crate::db) fn behind_ms(&self, now_ms: i64) -> i64 {
        let latest = self.0.fetch_max(now_ms, Ordering::Relaxed);
        let behind = latest.saturating_sub(now_ms);
        if behind > TOLERANCE_MS {
            behind
        } else {
            0
        }
    }
}
