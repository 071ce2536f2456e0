//! Row locks: shared for puts and deletes, exclusive for operations that read before they write. Source: HBase's
//! `RowLockContext`.
//!
//! Rows are hashed to a fixed number of locks. Two rows with the same lock occasionally wait for each other, and
//! nothing ever has to be cleaned up. A region that is not written to allocates none, because they would be most of
//! its memory. A batch takes its locks in ascending order, so that two batches cannot deadlock.

use crate::search::row_hash;
use crate::sys::{ExclusiveGuard, SharedGuard, TimedLock};
use rowstone_model::codec::printable;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;
use std::time::Duration;

const STRIPES: usize = 1024;

/// The locks of one region.
pub struct RowLocks {
    /// Allocated by the first write.
    stripes: OnceLock<Box<[TimedLock]>>,
    wait_ms: AtomicU64,
}

/// Locked while rows are written.
pub enum RowGuards<'a> {
    /// One row, shared.
    Shared(#[allow(dead_code, reason = "held, not read")] SharedGuard<'a>),
    /// One row, exclusive.
    Exclusive(#[allow(dead_code, reason = "held, not read")] ExclusiveGuard<'a>),
    /// Several rows, shared.
    Many(#[allow(dead_code, reason = "held, not read")] Vec<SharedGuard<'a>>),
    /// Several rows, exclusive.
    ManyExclusive(#[allow(dead_code, reason = "held, not read")] Vec<ExclusiveGuard<'a>>),
}

impl RowLocks {
    /// Creates locks with a wait of at most `wait_ms` milliseconds.
    pub fn new(wait_ms: u64) -> Self {
        RowLocks { stripes: OnceLock::new(), wait_ms: AtomicU64::new(wait_ms) }
    }

    /// Sets the maximum wait for later locks.
    pub fn set_wait(&self, wait_ms: u64) {
        self.wait_ms.store(wait_ms, Ordering::Relaxed);
    }

    fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms.load(Ordering::Relaxed))
    }

    #[inline]
    fn stripes(&self) -> &[TimedLock] {
        self.stripes.get_or_init(|| (0..STRIPES).map(|_| TimedLock::default()).collect())
    }

    fn stripe(row: &[u8]) -> usize {
        row_hash(row) as usize % STRIPES
    }

    fn timeout(&self, row: &[u8]) -> Error {
        Error::new(
            ErrorKind::LockTimeout,
            format!(
                "row '{}' stayed locked for {} ms (hbase.rowlock.wait.duration)",
                printable(row),
                self.wait().as_millis()
            ),
        )
    }

    /// Locks one row for a plain write.
    pub fn shared(&self, row: &[u8]) -> Result<RowGuards<'_>> {
        let guard = self.stripes()[Self::stripe(row)].shared(self.wait());
        guard.map(RowGuards::Shared).ok_or_else(|| self.timeout(row))
    }

    /// Locks one row for a read and write.
    pub fn exclusive(&self, row: &[u8]) -> Result<RowGuards<'_>> {
        let guard = self.stripes()[Self::stripe(row)].exclusive(self.wait());
        guard.map(RowGuards::Exclusive).ok_or_else(|| self.timeout(row))
    }

    /// Locks many rows for plain writes.
    pub fn shared_many<'r>(&self, rows: impl Iterator<Item = &'r [u8]>) -> Result<RowGuards<'_>> {
        let mut guards = Vec::new();
        for (stripe, row) in Self::in_order(rows) {
            guards.push(self.stripes()[stripe].shared(self.wait()).ok_or_else(|| self.timeout(row))?);
        }
        Ok(RowGuards::Many(guards))
    }

    /// Locks many rows for reads and writes.
    pub fn exclusive_many<'r>(&self, rows: impl Iterator<Item = &'r [u8]>) -> Result<RowGuards<'_>> {
        let mut guards = Vec::new();
        for (stripe, row) in Self::in_order(rows) {
            guards.push(self.stripes()[stripe].exclusive(self.wait()).ok_or_else(|| self.timeout(row))?);
        }
        Ok(RowGuards::ManyExclusive(guards))
    }

    /// Waits until every current holder of a lock, and every waiter before this call, has released it. Gives up on
    /// a lock after the maximum wait.
    pub fn wait_for_all(&self) {
        for stripe in self.stripes.get().into_iter().flat_map(|stripes| stripes.iter()) {
            drop(stripe.exclusive(self.wait()));
        }
    }

    /// The stripes of the rows, each once, in ascending order.
    fn in_order<'r>(rows: impl Iterator<Item = &'r [u8]>) -> Vec<(usize, &'r [u8])> {
        let mut stripes: Vec<(usize, &[u8])> = rows.map(|row| (Self::stripe(row), row)).collect();
        stripes.sort_unstable_by_key(|stripe| stripe.0);
        stripes.dedup_by_key(|stripe| stripe.0);
        stripes
    }
}
