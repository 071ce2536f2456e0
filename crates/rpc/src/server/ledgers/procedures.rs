//! Procedure ids and nonces. A request that is repeated because its answer was lost is executed once.

use crate::server::messages::exception::Exception;
use crate::sync::{lock, wait};
use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Maximum number of requests to remember; the oldest are dropped first.
const REMEMBERED: usize = 10_000;
/// Maximum number of failures to remember.
const REMEMBERED_FAILURES: usize = 100;
/// Time that a repeated request waits for the first attempt.
const PATIENCE: Duration = Duration::from_secs(60);

type Nonce = (u64, u64);

#[derive(Default)]
struct Requests {
    last: u64,
    /// Procedure ID by nonce; `None` while the request is running.
    by_nonce: HashMap<Nonce, Option<u64>>,
    in_order: VecDeque<Nonce>,
}

/// Finished procedures by nonce.
#[derive(Default)]
pub(in crate::server) struct Procedures {
    requests: Mutex<Requests>,
    changed: Condvar,
    failures: Mutex<VecDeque<(u64, Exception)>>,
}

/// Removes an unfinished request on drop.
struct Attempt<'a> {
    procedures: &'a Procedures,
    nonce: Nonce,
    done: Option<u64>,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let mut requests = lock(&self.procedures.requests);
        match self.done {
            Some(id) => {
                requests.by_nonce.insert(self.nonce, Some(id));
                requests.in_order.push_back(self.nonce);
            }
            None => drop(requests.by_nonce.remove(&self.nonce)),
        }
        if requests.in_order.len() > REMEMBERED {
            if let Some(oldest) = requests.in_order.pop_front() {
                requests.by_nonce.remove(&oldest);
            }
        }
        self.procedures.changed.notify_all();
    }
}

impl Procedures {
    /// Executes `work` unless the request was executed before, and returns the procedure ID. Different requests run
    /// concurrently; a repeated request waits for the first attempt.
    pub fn run<E: Into<Exception>>(
        &self,
        nonce: (Option<u64>, Option<u64>),
        work: impl FnOnce() -> Result<(), E>,
    ) -> Result<u64, Exception> {
        let Some(number) = nonce.1.filter(|nonce| *nonce != 0) else {
            work().map_err(Into::into)?;
            return Ok(self.number());
        };
        let nonce = (nonce.0.unwrap_or(0), number);
        if let Some(known) = self.begin(nonce)? {
            return Ok(known);
        }
        let mut attempt = Attempt { procedures: self, nonce, done: None };
        work().map_err(Into::into)?;
        let id = self.number();
        attempt.done = Some(id);
        Ok(id)
    }

    /// Records a procedure that failed, and returns its ID. HBase reports some errors only with a procedure's result.
    pub fn fail(&self, failure: Exception) -> u64 {
        let id = self.number();
        let mut failures = lock(&self.failures);
        failures.push_back((id, failure));
        if failures.len() > REMEMBERED_FAILURES {
            failures.pop_front();
        }
        id
    }

    /// The failure of a procedure, if it failed.
    pub fn failure(&self, id: u64) -> Option<Exception> {
        lock(&self.failures).iter().find(|(failed, _)| *failed == id).map(|(_, failure)| failure.clone())
    }

    /// Marks the request as running, or returns its procedure ID if it is finished.
    fn begin(&self, nonce: Nonce) -> Result<Option<u64>, Exception> {
        let mut requests = lock(&self.requests);
        loop {
            match requests.by_nonce.get(&nonce) {
                None => break,
                Some(Some(known)) => return Ok(Some(*known)),
                Some(None) => {}
            }
            let (guard, timeout) = wait(&self.changed, requests, PATIENCE);
            requests = guard;
            if timeout.timed_out() {
                return Err(Exception::new(
                    "PleaseHoldException",
                    "the first attempt at this request is still under way",
                ));
            }
        }
        requests.by_nonce.insert(nonce, None);
        Ok(None)
    }

    fn number(&self) -> u64 {
        let mut requests = lock(&self.requests);
        requests.last += 1;
        requests.last
    }

    pub fn is_known(&self, id: u64) -> bool {
        (1..=lock(&self.requests).last).contains(&id)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;

    #[test]
    fn one_request_holds_up_no_other_and_a_repetition_waits_for_the_first() {
        let procedures = Procedures::default();
        let (begun, has_begun) = channel();
        let (go_on, may_go_on) = channel::<()>();
        thread::scope(|scope| {
            let first = &procedures;
            let slow = scope.spawn(move || {
                let work = || {
                    begun.send(()).unwrap();
                    may_go_on.recv().unwrap();
                    Ok::<_, Exception>(())
                };
                first.run((Some(1), Some(1)), work).unwrap()
            });
            has_begun.recv().unwrap();
            let other = procedures.run((Some(1), Some(2)), || Ok::<_, Exception>(())).unwrap();
            assert!(procedures.is_known(other) && !procedures.is_known(other + 1));
            let again = scope.spawn(|| {
                procedures.run((Some(1), Some(1)), || -> Result<(), Exception> { unreachable!("done twice") }).unwrap()
            });
            go_on.send(()).unwrap();
            assert_eq!(slow.join().unwrap(), again.join().unwrap());
        });
    }

    #[test]
    fn failed_procedures_can_be_retried() {
        let procedures = Procedures::default();
        let fails = || Err(rowstone_model::Error::invalid("no"));
        assert!(procedures.run((None, Some(5)), fails).is_err());
        let id = procedures.run((None, Some(5)), || Ok::<_, Exception>(())).unwrap();
        assert_eq!(procedures.run((None, Some(5)), fails).unwrap(), id);
    }
}
