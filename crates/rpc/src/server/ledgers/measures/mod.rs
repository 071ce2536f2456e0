//! Counters of the server: calls, their times and sizes, failures. Each thread updates one of a few copies, so that
//! threads do not contend for cache lines; a reader adds the copies up.

mod histogram;
mod report;
mod series;

pub use histogram::Seen;
pub use report::Measured;

use crate::server::ledgers::finished::CallTimes;
use crate::server::messages::call::Call;
use crate::sync::lock;
use histogram::Histogram;
use series::{of_method, of_work, Series, ALL};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::Duration;

/// Number of copies of the counters.
const SHARDS: usize = 8;
/// Maximum number of distinct rare methods and failures, because clients can invent names.
const MOST_NAMES: usize = 256;
const OTHER: &str = "other";
/// Operations that take longer count as slow. Source: HBase's `MetricsRegionServer`.
const SLOW: Duration = Duration::from_secs(1);

/// Returns the index of the copy that this thread updates.
fn shard_of_thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static SHARD: Cell<usize> = Cell::new(NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS);
    }
    SHARD.with(Cell::get)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// All counters of a server.
pub(in crate::server) struct Measures {
    shards: Vec<Vec<Histogram>>,
    /// Times of rare methods.
    rare: Mutex<BTreeMap<String, Histogram>>,
    /// Number of failures by exception class.
    failures: Mutex<BTreeMap<String, u64>>,
    /// Operations that took more than a second, in the order of the series.
    slow: [AtomicU64; ALL.len()],
    /// Calls that wait for a thread.
    pub waiting: AtomicU64,
    /// Conditions that held, and conditions that did not.
    pub checks_passed: AtomicU64,
    pub checks_failed: AtomicU64,
    /// Successful authentications, failed ones, and fallbacks to SIMPLE.
    pub authentication_successes: AtomicU64,
    pub authentication_failures: AtomicU64,
    pub authentication_fallbacks: AtomicU64,
    /// Connections whose user was authorized, and connections whose user was not.
    pub authorization_successes: AtomicU64,
    pub authorization_failures: AtomicU64,
}

impl Default for Measures {
    fn default() -> Self {
        let shard = || ALL.iter().map(|_| Histogram::default()).collect();
        Measures {
            shards: (0..SHARDS).map(|_| shard()).collect(),
            rare: Mutex::default(),
            failures: Mutex::default(),
            slow: [const { AtomicU64::new(0) }; ALL.len()],
            waiting: AtomicU64::new(0),
            checks_passed: AtomicU64::new(0),
            checks_failed: AtomicU64::new(0),
            authentication_successes: AtomicU64::new(0),
            authentication_failures: AtomicU64::new(0),
            authentication_fallbacks: AtomicU64::new(0),
            authorization_successes: AtomicU64::new(0),
            authorization_failures: AtomicU64::new(0),
        }
    }
}

/// Returns the entry for `name`, or the shared one for all others if there are too many names.
fn get_or_insert<'a, T: Default>(map: &'a mut BTreeMap<String, T>, name: &str) -> &'a mut T {
    let name = if map.len() < MOST_NAMES || map.contains_key(name) { name } else { OTHER };
    map.entry(name.to_string()).or_default()
}

/// Increments a counter.
pub(in crate::server) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Measures {
    fn add(&self, series: Series, value: u64, times: u64) {
        if let Some(histogram) = self.shards.get(shard_of_thread()).and_then(|shard| shard.get(series as usize)) {
            histogram.add(value, times);
        }
    }

    /// Counts a finished call.
    pub fn called(&self, call: &Call, times: CallTimes) {
        let CallTimes { queued, processed } = times;
        match of_method(call.method()) {
            Some(series) => self.time(series, processed, 1),
            None => get_or_insert(&mut lock(&self.rare), call.method()).add(nanoseconds(processed), 1),
        }
        self.add(Series::Queue, nanoseconds(queued), 1);
        self.add(Series::Total, nanoseconds(queued + processed), 1);
        self.add(Series::Request, call.wire_bytes() as u64, 1);
        of_work(call, processed, |series, taken, count| self.time(series, taken, count));
    }

    fn time(&self, series: Series, taken: Duration, times: u64) {
        if taken > SLOW {
            self.slow[series as usize].fetch_add(times, Ordering::Relaxed);
        }
        self.add(series, nanoseconds(taken), times);
    }

    /// Counts a sent answer of this many bytes.
    pub fn sent(&self, bytes: usize) {
        self.add(Series::Response, bytes as u64, 1);
    }

    /// Counts the bytes of the cells in an answer to a scan.
    pub fn scanned(&self, bytes: usize) {
        self.add(Series::ScanSize, bytes as u64, 1);
    }

    /// Counts an exception of a Java class, which ended a call or one action of it.
    pub fn failed(&self, class: &str) {
        *get_or_insert(&mut lock(&self.failures), class) += 1;
    }
}
