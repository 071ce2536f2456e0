//! Names of directories, remembered for a short time.
//!
//! Opening a root asks whether a directory exists, then lists it, several times within a second. A file
//! that turns out to be missing clears all listings, so that the next one is current.

use crate::storage::Entry;
use rowstone_engine::sys::lock::Mutex;
use rowstone_engine::sys::Clock;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Directories that are remembered at most; more than that begin again.
const LIMIT: usize = 10_000;

struct Listing {
    at_ms: i64,
    entries: Arc<Vec<Entry>>,
}

/// Listings by key.
pub struct Listings {
    ttl_ms: i64,
    clock: Arc<dyn Clock>,
    known: Mutex<HashMap<String, Listing>>,
}

impl Listings {
    /// Listings that are remembered for `ttl`.
    pub fn new(ttl: Duration, clock: Arc<dyn Clock>) -> Self {
        let ttl_ms = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX);
        Listings { ttl_ms, clock, known: Mutex::default() }
    }

    /// The names in a directory, sorted, if they are remembered.
    pub fn get(&self, key: &str) -> Option<Arc<Vec<Entry>>> {
        let now = self.clock.now_ms();
        let known = self.known.lock();
        let listing = known.get(key)?;
        // A clock that was set back makes a listing too young, not fresh.
        (0..self.ttl_ms).contains(&(now - listing.at_ms)).then(|| Arc::clone(&listing.entries))
    }

    /// Remembers the names in a directory, sorted.
    pub fn add(&self, key: &str, mut entries: Vec<Entry>) -> Arc<Vec<Entry>> {
        entries.sort();
        entries.dedup_by(|second, first| second.name == first.name);
        let entries = Arc::new(entries);
        let listing = Listing { at_ms: self.clock.now_ms(), entries: Arc::clone(&entries) };
        let mut known = self.known.lock();
        if known.len() >= LIMIT {
            known.clear();
        }
        known.insert(key.to_owned(), listing);
        entries
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.known.lock().clear();
    }
}
