//! Queue of finished calls for tracing. Spans are exported elsewhere, so no call waits for the export. Source: the
//! spans of HBase's `ServerRpcConnection` and `CallRunner`.

use crate::server::ledgers::finished::Finished;
use crate::sync::lock;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Capacity of the queue. Further calls are only counted.
const MOST: usize = 8_192;
/// At this length, the exporter is woken.
const MANY: usize = MOST / 4;
/// Limits on data that clients choose: longer headers are dropped, longer method names are replaced by a common one,
/// longer messages are cut.
const MOST_HEADER_BYTES: usize = 4 << 10;
const MOST_METHOD_BYTES: usize = 64;
const MOST_MESSAGE_BYTES: usize = 2 << 10;

/// A finished call. Times are nanoseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedCall {
    /// The service, by its short name.
    pub service: &'static str,
    /// The method.
    pub method: String,
    /// Trace context of the client, under the names that its tracing system uses.
    pub headers: Vec<(String, String)>,
    /// Arrival time.
    pub came_ns: u64,
    /// Start time.
    pub started_ns: u64,
    /// End time.
    pub ended_ns: u64,
    /// Java class and message of the exception, if the call failed.
    pub failure: Option<(String, String)>,
}

#[derive(Default)]
struct Waiting {
    calls: Vec<TracedCall>,
    lost: u64,
    is_over: bool,
}

/// Finished calls of a server that are not yet exported. The queue may outlive the server.
pub struct TracedCalls {
    is_on: bool,
    waiting: Mutex<Waiting>,
    are_many: Condvar,
}

impl TracedCalls {
    /// Creates an empty queue, which stays empty unless `is_on`.
    pub(in crate::server) fn new(is_on: bool) -> Self {
        TracedCalls { is_on, waiting: Mutex::default(), are_many: Condvar::new() }
    }

    /// Adds a call that has just finished.
    pub(in crate::server) fn record(&self, finished: &Finished<'_>) {
        if !self.is_on {
            return;
        }
        let Finished { service, call, times, outcome, .. } = *finished;
        let ended = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let started = ended.saturating_sub(times.processed);
        let header_bytes: usize = call.trace().map(|(name, value)| name.len() + value.len()).sum();
        let headers = call.trace().filter(|_| header_bytes <= MOST_HEADER_BYTES);
        self.add(TracedCall {
            service: service.name(),
            method: if call.method().len() <= MOST_METHOD_BYTES { call.method() } else { "other" }.to_string(),
            headers: headers.map(|(name, value)| (name.clone(), value.clone())).collect(),
            came_ns: nanoseconds(started.saturating_sub(times.queued)),
            started_ns: nanoseconds(started),
            ended_ns: nanoseconds(ended),
            failure: outcome
                .as_ref()
                .err()
                .map(|exception| (exception.class.clone(), beginning(&exception.message, MOST_MESSAGE_BYTES))),
        });
    }

    fn add(&self, call: TracedCall) {
        let mut waiting = lock(&self.waiting);
        if waiting.calls.len() >= MOST || waiting.is_over {
            waiting.lost += 1;
            return;
        }
        waiting.calls.push(call);
        let are_many = waiting.calls.len() == MANY;
        drop(waiting);
        if are_many {
            self.are_many.notify_all();
        }
    }

    /// Takes the queued calls after `patience`, or earlier if there are many; `None` if the queue is closed and
    /// empty.
    pub fn take(&self, patience: Duration) -> Option<Vec<TracedCall>> {
        let waiting = lock(&self.waiting);
        let goes_on = |waiting: &mut Waiting| waiting.calls.len() < MANY && !waiting.is_over;
        let waited = self.are_many.wait_timeout_while(waiting, patience, goes_on);
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let calls = std::mem::take(&mut waiting.calls);
        (!calls.is_empty() || !waiting.is_over).then_some(calls)
    }

    /// Closes the queue.
    pub(in crate::server) fn end(&self) {
        lock(&self.waiting).is_over = true;
        self.are_many.notify_all();
    }

    /// Number of calls that were dropped because the queue was full.
    pub(in crate::server) fn lost(&self) -> u64 {
        lock(&self.waiting).lost
    }
}

/// Returns the start of `text`, at most `most_bytes` long.
fn beginning(text: &str, most_bytes: usize) -> String {
    let end = (0..=most_bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text[..end.unwrap_or(0)].to_string()
}

fn nanoseconds(since: Duration) -> u64 {
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn call(number: u64) -> TracedCall {
        TracedCall {
            service: "ClientService",
            method: "Get".to_string(),
            headers: Vec::new(),
            came_ns: number,
            started_ns: number,
            ended_ns: number,
            failure: None,
        }
    }

    #[test]
    fn calls_come_in_order_and_those_beyond_the_limit_are_counted() {
        let traced = TracedCalls::new(true);
        (0..MOST as u64 + 3).for_each(|number| traced.add(call(number)));
        let taken = traced.take(Duration::ZERO).unwrap();
        assert!(taken.iter().map(|call| call.ended_ns).eq(0..MOST as u64));
        assert_eq!(traced.lost(), 3);
        assert_eq!(traced.take(Duration::ZERO), Some(Vec::new()));
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        assert_eq!(beginning("abc", 5), "abc");
        assert_eq!(beginning("a\u{e9}c", 2), "a");
        assert_eq!(beginning("a\u{e9}c", 3), "a\u{e9}");
    }

    #[test]
    fn a_waiter_is_woken_by_a_batch_and_at_the_end() {
        let traced = Arc::new(TracedCalls::new(true));
        let other = Arc::clone(&traced);
        let waits = std::thread::spawn(move || other.take(Duration::from_secs(3_600)).map(|calls| calls.len()));
        (0..MANY as u64).for_each(|number| traced.add(call(number)));
        assert_eq!(waits.join().unwrap(), Some(MANY));
        traced.add(call(1));
        traced.end();
        assert_eq!(traced.take(Duration::from_secs(3_600)), Some(vec![call(1)]));
        assert_eq!(traced.take(Duration::from_secs(3_600)), None);
    }
}
