//! A clock that was set back. Writes without a timestamp then get earlier ones than those before them, and stay invisible behind
//! them, as in HBase. `rowstone.monotone.timestamps` prevents it; what is here only notices it.

use std::sync::atomic::{AtomicI64, Ordering};

/// Clocks are corrected by less all the time.
const TOLERANCE_MS: i64 = 1_000;

/// The latest time that the clock was seen at, or that a write of an earlier process has.
pub(super) struct ClockWatch(AtomicI64);

impl Default for ClockWatch {
    fn default() -> Self {
        ClockWatch(AtomicI64::new(i64::MIN))
    }
}

impl ClockWatch {
    /// Notes a time that the clock has been at.
    pub(super) fn note(&self, at_ms: i64) {
        self.0.fetch_max(at_ms, Ordering::Relaxed);
    }

    /// By how many milliseconds the clock is behind; 0 where it is not.
    pub(super) fn behind_ms(&self, now_ms: i64) -> i64 {
        let latest = self.0.fetch_max(now_ms, Ordering::Relaxed);
        let behind = latest.saturating_sub(now_ms);
        if behind > TOLERANCE_MS {
            behind
        } else {
            0
        }
    }
}
