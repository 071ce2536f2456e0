//! Registry of open scanners and their leases. A scanner whose lease expires is closed.

use crate::server::identifiers::random_number;
use crate::server::ledgers::clock::LeaseClock;
use crate::server::ledgers::open_scanner::OpenScanner;
use crate::server::messages::exception::Exception;
use crate::sync::lock;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Number of closed scanners to remember, so that closing one twice is no error.
const REMEMBERED: usize = 10_000;

struct Entry {
    scanner: Arc<Mutex<OpenScanner>>,
    /// Expiry of the lease; `None` while a call is running.
    expires_ms: Option<u64>,
    /// The user who opened the scanner, if access control is on.
    owner: Option<String>,
    /// The user whose share it counts against.
    user: Arc<str>,
    is_filtered: bool,
}

impl Entry {
    /// Rejects users other than the owner. Source: `AccessController.requireScannerOwner`.
    fn check_owner(&self, user: Option<&str>) -> Result<(), Exception> {
        if self.owner.as_deref() == user {
            return Ok(());
        }
        let message = format!("User '{}' is not the scanner owner!", user.unwrap_or_default());
        Err(Exception::last("security.AccessDeniedException", message))
    }
}

#[derive(Default)]
struct Registry {
    open: HashMap<u64, Entry>,
    /// Number of open scanners of each user.
    count_by_user: HashMap<Arc<str>, usize>,
    closed: HashSet<u64>,
    closed_in_order: VecDeque<u64>,
    /// Number of expired leases.
    expired: usize,
}

impl Registry {
    /// Rejects a scanner of `user` beyond the limit of `most`. A user may have as many scanners as remain free, so one
    /// client that opens many leaves half of them to the others.
    fn check_room(&self, user: &str, most: usize) -> Result<(), Exception> {
        let free = most.saturating_sub(self.open.len());
        let own = self.count_by_user.get(user).copied().unwrap_or(0);
        if free == 0 {
            return Err(Exception::new("RegionTooBusyException", format!("{most} scanners are open, the limit")));
        }
        if own >= free {
            let message = format!("user {user} has {own} open scanners, the limit while {free} of {most} are free");
            return Err(Exception::new("RegionTooBusyException", message));
        }
        Ok(())
    }

    fn insert(&mut self, id: u64, entry: Entry) {
        *self.count_by_user.entry(Arc::clone(&entry.user)).or_default() += 1;
        self.open.insert(id, entry);
    }

    fn remove(&mut self, id: u64) -> Option<Entry> {
        let entry = self.open.remove(&id)?;
        if let Some(count) = self.count_by_user.get_mut(&entry.user) {
            *count -= 1;
            if *count == 0 {
                self.count_by_user.remove(&entry.user);
            }
        }
        Some(entry)
    }

    fn remember_closed(&mut self, id: u64) {
        if self.closed.insert(id) {
            self.closed_in_order.push_back(id);
        }
        if self.closed_in_order.len() > REMEMBERED {
            if let Some(oldest) = self.closed_in_order.pop_front() {
                self.closed.remove(&oldest);
            }
        }
    }
}

/// The scanners of a server.
pub(in crate::server) struct Scanners {
    registry: Mutex<Registry>,
    lease: Duration,
    most: usize,
    clock: LeaseClock,
}

impl Scanners {
    pub fn new(lease: Duration, most: usize, clock: LeaseClock) -> Self {
        Scanners { registry: Mutex::default(), lease, most, clock }
    }

    /// The lease time of scanners.
    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// Registers a scanner of `user`, marked as in use and owned by `owner`. Returns its unguessable number.
    pub(in crate::server) fn open(
        &self,
        scanner: OpenScanner,
        user: &str,
        owner: Option<&str>,
    ) -> Result<(u64, Arc<Mutex<OpenScanner>>), Exception> {
        let mut registry = lock(&self.registry);
        registry.check_room(user, self.most)?;
        let mut id = random_number()?;
        while id == 0 || registry.open.contains_key(&id) {
            id = random_number()?;
        }
        let is_filtered = scanner.is_filtered;
        let scanner = Arc::new(Mutex::new(scanner));
        let (user, owner) = (Arc::from(user), owner.map(str::to_string));
        registry.insert(id, Entry { scanner: Arc::clone(&scanner), expires_ms: None, owner, user, is_filtered });
        Ok((id, scanner))
    }

    /// Returns a scanner and marks it as in use.
    pub(in crate::server) fn take(&self, id: u64, user: Option<&str>) -> Result<Arc<Mutex<OpenScanner>>, Exception> {
        self.expire();
        let mut registry = lock(&self.registry);
        let Some(entry) = registry.open.get_mut(&id) else {
            let message = format!("Unknown scanner '{id}'. This can happen due to any of the following reasons: a) Scanner id given is wrong, b) Scanner lease expired because of long wait between consecutive client checkins, c) Server may be closing down, d) RegionServer restart during upgrade.");
            return Err(Exception::last("UnknownScannerException", message));
        };
        entry.check_owner(user)?;
        entry.expires_ms = None;
        Ok(Arc::clone(&entry.scanner))
    }

    /// Ends the use of a scanner and renews its lease.
    pub(in crate::server) fn give_back(&self, id: u64) {
        let expires_ms = self.clock.now_ms() + self.lease.as_millis() as u64;
        if let Some(entry) = lock(&self.registry).open.get_mut(&id) {
            entry.expires_ms = Some(expires_ms);
        }
    }

    /// Closes a scanner on behalf of its owner. Returns whether it is known, open or already closed.
    pub(in crate::server) fn close_for(&self, id: u64, user: Option<&str>) -> Result<bool, Exception> {
        if let Some(entry) = lock(&self.registry).open.get(&id) {
            entry.check_owner(user)?;
        }
        Ok(self.close(id))
    }

    /// Closes a scanner. Returns whether it is known, open or already closed.
    pub(in crate::server) fn close(&self, id: u64) -> bool {
        let mut registry = lock(&self.registry);
        let found = registry.remove(id);
        let known = found.is_some() || registry.closed.contains(&id);
        if found.is_some() {
            registry.remember_closed(id);
        }
        drop(registry);
        drop(found);
        known
    }

    /// Whether a scanner has a filter.
    pub(in crate::server) fn is_filtered(&self, id: u64) -> bool {
        lock(&self.registry).open.get(&id).is_some_and(|entry| entry.is_filtered)
    }

    /// Number of open scanners.
    pub fn count(&self) -> usize {
        lock(&self.registry).open.len()
    }

    /// Number of scanners that were closed because their lease expired.
    pub fn expired_count(&self) -> usize {
        lock(&self.registry).expired
    }

    /// Closes scanners whose lease has expired.
    pub fn expire(&self) {
        let now = self.clock.now_ms();
        let mut gone = Vec::new();
        let mut registry = lock(&self.registry);
        let late: Vec<u64> = registry
            .open
            .iter()
            .filter(|(_, entry)| entry.expires_ms.is_some_and(|expires| expires <= now))
            .map(|(id, _)| *id)
            .collect();
        registry.expired += late.len();
        for id in late {
            gone.extend(registry.remove(id));
            // Its client will still close it at some time.
            registry.remember_closed(id);
        }
        drop(registry);
        // Drop the scanners outside the lock.
        drop(gone);
    }

    /// Closes all scanners.
    pub fn clear(&self) {
        let mut registry = lock(&self.registry);
        registry.count_by_user.clear();
        let open = std::mem::take(&mut registry.open);
        drop(registry);
        drop(open);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::backend::{FilteredRows, ScannerBackend};
    use rowstone_model::operations::CellBatch;

    struct NoRows;

    impl ScannerBackend for NoRows {
        fn next_batch(&mut self, _max_rows: usize, _max_bytes: usize) -> rowstone_model::Result<Option<CellBatch>> {
            Ok(None)
        }
    }

    fn scanner() -> OpenScanner {
        OpenScanner {
            region: Arc::from(b"t,,1.0.".as_slice()),
            scanner: Box::new(NoRows),
            table: None,
            largest_bytes: 0,
            pending: CellBatch::default(),
            next_row: 0,
            sent_bytes: 0,
            rows_left: None,
            next_call: 0,
            max_bytes: 1,
            allows_partial: false,
            wants_cursor: false,
            last_row: Vec::new(),
            ends_in_piece: false,
            told: FilteredRows::default(),
            is_filtered: false,
            needs_whole_rows: false,
        }
    }

    #[test]
    fn a_scanner_belongs_to_its_user() {
        let scanners = Scanners::new(Duration::from_secs(60), 9, LeaseClock::default());
        let (id, _) = scanners.open(scanner(), "ann", Some("ann")).unwrap();
        for other in [Some("bob"), None] {
            let refused = scanners.take(id, other).err().unwrap();
            assert!(refused.class.ends_with("security.AccessDeniedException"));
            assert!(scanners.close_for(id, other).is_err());
        }
        assert!(scanners.take(id, Some("ann")).is_ok());
        assert!(scanners.close_for(id, Some("ann")).unwrap());
    }

    #[test]
    fn a_user_leaves_scanners_to_the_others() {
        let scanners = Scanners::new(Duration::from_secs(60), 9, LeaseClock::default());
        let open = |user| scanners.open(scanner(), user, None).map(|(id, _)| id);
        let first: Vec<u64> = (0..5).map(|_| open("greedy").unwrap()).collect();
        let refused = open("greedy").unwrap_err();
        assert!(refused.class.ends_with("RegionTooBusyException") && refused.message.contains("greedy has 5"));
        assert_eq!([open("ann"), open("ann"), open("bob")].into_iter().filter(Result::is_ok).count(), 3);
        assert!(open("bob").is_err() && open("eve").is_ok());
        assert!(open("new").unwrap_err().message.contains("9 scanners are open"));
        first.into_iter().for_each(|id| assert!(scanners.close(id)));
        assert!(open("greedy").is_ok());
        scanners.clear();
        assert_eq!((0..9).filter(|_| open("greedy").is_ok()).count(), 5);
    }
}
