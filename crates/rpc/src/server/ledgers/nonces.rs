//! Nonces: increments and appends that are repeated because their answer was lost are executed once. Source:
//! `ServerNonceManager`.
//!
//! Nonces of logged writes are in the log and survive a restart (`Backend::written_nonces`). Those of operations that
//! wrote nothing, or that skipped the log, do not.

use crate::server::ledgers::clock::LeaseClock;
use crate::server::messages::exception::Exception;
use crate::sync::{lock, wait};
use rowstone_model::operations::Nonce;
use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Time that a nonce is remembered: longer than clients retry.
const MEMORY_MS: u64 = 30 * 60 * 1000;
/// Maximum number of nonces; the oldest are dropped first.
const MOST: usize = 1 << 20;
/// Time that a repeated operation waits for the first attempt.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Default)]
struct Operations {
    /// Whether the operation is finished.
    known: HashMap<Nonce, bool>,
    /// Finished operations with their time, oldest first.
    done: VecDeque<(u64, Nonce)>,
}

impl Operations {
    fn note(&mut self, now_ms: u64, nonce: Nonce) {
        self.known.insert(nonce, true);
        self.done.push_back((now_ms, nonce));
    }
}

/// Nonces of running and finished operations.
pub(in crate::server) struct Nonces {
    operations: Mutex<Operations>,
    changed: Condvar,
    clock: LeaseClock,
}

/// Removes an unfinished operation on drop.
struct Attempt<'a> {
    nonces: &'a Nonces,
    nonce: Nonce,
    is_done: bool,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let mut operations = lock(&self.nonces.operations);
        if self.is_done {
            let now = self.nonces.clock.now_ms();
            operations.note(now, self.nonce);
            while operations.done.len() > MOST || operations.done.front().is_some_and(|(at, _)| at + MEMORY_MS < now) {
                let Some((_, oldest)) = operations.done.pop_front() else { break };
                operations.known.remove(&oldest);
            }
        } else {
            operations.known.remove(&self.nonce);
        }
        self.nonces.changed.notify_all();
    }
}

impl Nonces {
    pub fn new(clock: LeaseClock) -> Self {
        Nonces { operations: Mutex::default(), changed: Condvar::new(), clock }
    }

    /// Creates a ledger with the nonces `written`, oldest first, which an earlier server executed.
    pub fn with(clock: LeaseClock, written: Vec<Nonce>) -> Self {
        let now = clock.now_ms();
        let nonces = Nonces::new(clock);
        let mut operations = lock(&nonces.operations);
        written.into_iter().for_each(|nonce| operations.note(now, nonce));
        drop(operations);
        nonces
    }

    /// Runs `work`, or `again` if the operation was executed before. A repeated operation waits for a running first
    /// attempt.
    pub fn once<T>(
        &self,
        nonce: Option<Nonce>,
        work: impl FnOnce() -> Result<T, Exception>,
        again: impl FnOnce() -> Result<T, Exception>,
    ) -> Result<T, Exception> {
        let Some(nonce) = nonce else { return work() };
        let mut operations = lock(&self.operations);
        loop {
            match operations.known.get(&nonce) {
                None => break,
                Some(true) => {
                    drop(operations);
                    return again();
                }
                Some(false) => {
                    let (guard, timeout) = wait(&self.changed, operations, PATIENCE);
                    operations = guard;
                    if timeout.timed_out() {
                        let message = "the first attempt at this operation is still under way";
                        return Err(Exception::new("exceptions.OperationConflictException", message));
                    }
                }
            }
        }
        operations.known.insert(nonce, false);
        drop(operations);
        let mut attempt = Attempt { nonces: self, nonce, is_done: false };
        let outcome = work();
        attempt.is_done = outcome.is_ok();
        outcome
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::Arc;

    #[test]
    fn a_repetition_is_not_done_until_the_number_is_forgotten() {
        let now = Arc::new(AtomicU64::new(0));
        let told = Arc::clone(&now);
        let nonces = Nonces::new(LeaseClock::new(move || told.load(Ordering::Relaxed)));
        let run = |number| nonces.once(Nonce::new(1, number), || Ok("done"), || Ok("again")).unwrap();
        assert_eq!((run(7), run(7), run(8)), ("done", "again", "done"));
        now.store(MEMORY_MS + 1, Ordering::Relaxed);
        assert_eq!((run(9), run(7)), ("done", "done"));
    }

    #[test]
    fn what_failed_may_be_tried_again() {
        let nonces = Nonces::new(LeaseClock::default());
        let fails = || Err::<(), _>(Exception::new("RegionTooBusyException", "full"));
        assert!(nonces.once(Nonce::new(1, 1), fails, || Ok(())).is_err());
        assert!(nonces.once(Nonce::new(1, 1), || Ok(()), fails).is_ok());
    }

    #[test]
    fn what_another_server_did_is_not_done_again() {
        let nonces = Nonces::with(LeaseClock::default(), Nonce::new(1, 7).into_iter().collect());
        let run = |number| nonces.once(Nonce::new(1, number), || Ok("done"), || Ok("again")).unwrap();
        assert_eq!((run(7), run(8)), ("again", "done"));
    }
}
