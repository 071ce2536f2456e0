//! Slow log: the most recent slow calls and calls with large answers, for `get_slowlog_responses` and the web UI.
//! Source: HBase's `SlowLogQueueService`.

mod describe;

use describe::describe;

use crate::proto::slow_call::Kind;
use crate::proto::SlowCall;
use crate::server::ledgers::finished::{CallTimes, Finished};
use crate::sync::lock;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

/// Settings of the slow log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowLogOptions {
    /// Whether the slow log is on.
    pub is_on: bool,
    /// Calls that take longer are slow; `None` disables this.
    pub slow_after: Option<Duration>,
    /// Calls with answers of more bytes are large; `None` disables this.
    pub large_after: Option<u64>,
    /// Maximum number of calls to remember; the oldest is dropped first.
    pub most: usize,
}

impl Default for SlowLogOptions {
    fn default() -> Self {
        let slow_after = Some(Duration::from_secs(10));
        SlowLogOptions { is_on: true, slow_after, large_after: Some(100 << 20), most: 256 }
    }
}

/// The most recent slow and large calls of a server.
pub(in crate::server) struct SlowCalls {
    options: SlowLogOptions,
    ring: Mutex<VecDeque<SlowCall>>,
}

impl SlowCalls {
    pub fn new(options: SlowLogOptions) -> Self {
        SlowCalls { options, ring: Mutex::default() }
    }

    /// Whether a call is slow, large, both or neither.
    fn kind_of(&self, times: CallTimes, response_bytes: u64) -> Option<Kind> {
        let is_slow = self.options.slow_after.is_some_and(|limit| times.processed > limit);
        let is_large = self.options.large_after.is_some_and(|limit| response_bytes > limit);
        match (is_slow, is_large) {
            (false, false) => None,
            (true, false) => Some(Kind::SlowLog),
            (false, true) => Some(Kind::LargeLog),
            (true, true) => Some(Kind::All),
        }
    }

    /// Records a finished call if it is slow (`hbase.ipc.warn.response.time`) or large (`hbase.ipc.warn.response.size`).
    pub fn record(&self, finished: &Finished<'_>) {
        let bytes = finished.outcome.as_ref().map_or(0, |answer| (answer.message.len() + answer.cells.len()) as u64);
        let Some(kind) = self.kind_of(finished.times, bytes).filter(|_| self.options.is_on) else { return };
        let described = describe(finished, bytes, kind);
        let mut ring = lock(&self.ring);
        while ring.len() >= self.options.most.max(1) {
            ring.pop_front();
        }
        ring.push_back(described);
    }

    /// Returns the recorded calls, newest first.
    pub fn all(&self) -> Vec<SlowCall> {
        lock(&self.ring).iter().rev().cloned().collect()
    }

    /// Clears the log. Returns whether it is on.
    pub fn clear(&self) -> bool {
        lock(&self.ring).clear();
        self.options.is_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(seconds: u64, bytes: u64, options: SlowLogOptions) -> Option<Kind> {
        let times = CallTimes { queued: Duration::from_secs(100), processed: Duration::from_secs(seconds) };
        SlowCalls::new(options).kind_of(times, bytes)
    }

    #[test]
    fn slow_and_large_calls_exceed_the_thresholds() {
        let options = SlowLogOptions::default;
        assert_eq!(kind(10, 100 << 20, options()), None);
        assert_eq!(kind(11, 0, options()), Some(Kind::SlowLog));
        assert_eq!(kind(0, (100 << 20) + 1, options()), Some(Kind::LargeLog));
        assert_eq!(kind(11, u64::MAX, options()), Some(Kind::All));
        assert_eq!(kind(11, u64::MAX, SlowLogOptions { slow_after: None, large_after: None, ..options() }), None);
    }
}
