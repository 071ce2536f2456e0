//! Registry of open scanners and their leases. A scanner whose lease expires is closed.

use super::open_scanner::OpenScanner;
use crate::server::exception::Exception;
use crate::server::options::LeaseClock;
use crate::server::state::random_number;
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
struct Book {
    open: HashMap<u64, Entry>,
    closed: HashSet<u64>,
    closed_in_order: VecDeque<u64>,
    /// Number of expired leases.
    expired: usize,
}

impl Book {
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
    book: Mutex<Book>,
    lease: Duration,
    most: usize,
    clock: LeaseClock,
}

impl Scanners {
    pub fn new(lease: Duration, most: usize, clock: LeaseClock) -> Self {
        Scanners { book: Mutex::default(), lease, most, clock }
    }

    /// The lease time of scanners.
    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// Registers a scanner, marked as in use and owned by `owner`. Returns its unguessable number.
    pub(super) fn open(
        &self,
        scanner: OpenScanner,
        owner: Option<&str>,
    ) -> Result<(u64, Arc<Mutex<OpenScanner>>), Exception> {
        let mut book = lock(&self.book);
        if book.open.len() >= self.most {
            let message = format!("{} scanners are open, the limit", self.most);
            return Err(Exception::new("RegionTooBusyException", message));
        }
        let mut id = random_number()?;
        while id == 0 || book.open.contains_key(&id) {
            id = random_number()?;
        }
        let is_filtered = scanner.is_filtered;
        let scanner = Arc::new(Mutex::new(scanner));
        let owner = owner.map(str::to_string);
        book.open.insert(id, Entry { scanner: Arc::clone(&scanner), expires_ms: None, owner, is_filtered });
        Ok((id, scanner))
    }

    /// Returns a scanner and marks it as in use.
    pub(super) fn take(&self, id: u64, user: Option<&str>) -> Result<Arc<Mutex<OpenScanner>>, Exception> {
        self.expire();
        let mut book = lock(&self.book);
        let Some(entry) = book.open.get_mut(&id) else {
            let message = format!("Unknown scanner '{id}'. This can happen due to any of the following reasons: a) Scanner id given is wrong, b) Scanner lease expired because of long wait between consecutive client checkins, c) Server may be closing down, d) RegionServer restart during upgrade.");
            return Err(Exception::last("UnknownScannerException", message));
        };
        entry.check_owner(user)?;
        entry.expires_ms = None;
        Ok(Arc::clone(&entry.scanner))
    }

    /// Ends the use of a scanner and renews its lease.
    pub(super) fn give_back(&self, id: u64) {
        let expires_ms = self.clock.now_ms() + self.lease.as_millis() as u64;
        if let Some(entry) = lock(&self.book).open.get_mut(&id) {
            entry.expires_ms = Some(expires_ms);
        }
    }

    /// Closes a scanner on behalf of its owner. Returns whether it is known, open or already closed.
    pub(super) fn close_for(&self, id: u64, user: Option<&str>) -> Result<bool, Exception> {
        if let Some(entry) = lock(&self.book).open.get(&id) {
            entry.check_owner(user)?;
        }
        Ok(self.close(id))
    }

    /// Closes a scanner. Returns whether it is known, open or already closed.
    pub(super) fn close(&self, id: u64) -> bool {
        let mut book = lock(&self.book);
        let found = book.open.remove(&id);
        let known = found.is_some() || book.closed.contains(&id);
        if found.is_some() {
            book.remember_closed(id);
        }
        drop(book);
        drop(found);
        known
    }

    /// Whether a scanner has a filter.
    pub(super) fn is_filtered(&self, id: u64) -> bool {
        lock(&self.book).open.get(&id).is_some_and(|entry| entry.is_filtered)
    }

    /// Number of open scanners.
    pub fn count(&self) -> usize {
        lock(&self.book).open.len()
    }

    /// Number of scanners that were closed because their lease expired.
    pub fn expired_count(&self) -> usize {
        lock(&self.book).expired
    }

    /// Closes scanners whose lease has expired.
    pub fn expire(&self) {
        let now = self.clock.now_ms();
        let mut gone = Vec::new();
        let mut book = lock(&self.book);
        let late: Vec<u64> = book
            .open
            .iter()
            .filter(|(_, entry)| entry.expires_ms.is_some_and(|expires| expires <= now))
            .map(|(id, _)| *id)
            .collect();
        book.expired += late.len();
        for id in late {
            gone.extend(book.open.remove(&id));
            // Its client will still close it at some time.
            book.remember_closed(id);
        }
        drop(book);
        // Drop the scanners outside the lock.
        drop(gone);
    }

    /// Closes all scanners.
    pub fn clear(&self) {
        let open = std::mem::take(&mut lock(&self.book).open);
        drop(open);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::backend::{FilteredRows, ScannerBackend};
    use rowstone_model::operations::CellBatch;

    struct Nothing;

    impl ScannerBackend for Nothing {
        fn next_batch(&mut self, _max_rows: usize, _max_bytes: usize) -> rowstone_model::Result<Option<CellBatch>> {
            Ok(None)
        }
    }

    fn scanner() -> OpenScanner {
        OpenScanner {
            region: Arc::from(b"t,,1.0.".as_slice()),
            scanner: Box::new(Nothing),
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
    fn a_scanner_is_read_and_closed_by_who_opened_it() {
        let scanners = Scanners::new(Duration::from_secs(60), 9, LeaseClock::default());
        let (id, _) = scanners.open(scanner(), Some("ann")).unwrap();
        for other in [Some("bob"), None] {
            let refused = scanners.take(id, other).err().unwrap();
            assert!(refused.class.ends_with("security.AccessDeniedException"));
            assert!(scanners.close_for(id, other).is_err());
        }
        assert!(scanners.take(id, Some("ann")).is_ok());
        assert!(scanners.close_for(id, Some("ann")).unwrap());
    }
}
