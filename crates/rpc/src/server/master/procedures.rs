//! Procedure IDs and nonces. A request that is repeated because its answer was lost is executed once.

use super::tables::flush_families;
use crate::proto;
use crate::proto::get_procedure_result_response::State as Progress;
use crate::server::call::{Answer, Call, Outcome};
use crate::server::exception::Exception;
use crate::server::session::Session;
use crate::sync::{lock, wait};
use rowstone_model::access::Intent;
use rowstone_model::schema::TableName;
use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Maximum number of requests to remember; the oldest are dropped first.
const REMEMBERED: usize = 10_000;
/// Time that a repeated request waits for the first attempt.
const PATIENCE: Duration = Duration::from_secs(60);

/// Name of the families in a request to flush. Source: `MasterFlushTableProcedureManager`.
const FAMILIES: &str = "family";

type Nonce = (u64, u64);

#[derive(Default)]
struct Book {
    last: u64,
    /// Procedure ID by nonce; `None` while the request is running.
    by_nonce: HashMap<Nonce, Option<u64>>,
    in_order: VecDeque<Nonce>,
}

/// Finished procedures by nonce.
#[derive(Default)]
pub(in crate::server) struct Procedures {
    book: Mutex<Book>,
    changed: Condvar,
}

/// Removes an unfinished request from the book on drop.
struct Attempt<'a> {
    procedures: &'a Procedures,
    nonce: Nonce,
    done: Option<u64>,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let mut book = lock(&self.procedures.book);
        match self.done {
            Some(id) => {
                book.by_nonce.insert(self.nonce, Some(id));
                book.in_order.push_back(self.nonce);
            }
            None => drop(book.by_nonce.remove(&self.nonce)),
        }
        if book.in_order.len() > REMEMBERED {
            if let Some(oldest) = book.in_order.pop_front() {
                book.by_nonce.remove(&oldest);
            }
        }
        self.procedures.changed.notify_all();
    }
}

impl Procedures {
    /// Executes `work` unless the request was executed before, and returns the procedure ID. Different requests run
    /// concurrently; a repeated request waits for the first attempt.
    pub fn run(
        &self,
        nonce: (Option<u64>, Option<u64>),
        work: impl FnOnce() -> rowstone_model::Result<()>,
    ) -> Result<u64, Exception> {
        let Some(number) = nonce.1.filter(|nonce| *nonce != 0) else {
            work()?;
            return Ok(self.number());
        };
        let nonce = (nonce.0.unwrap_or(0), number);
        if let Some(known) = self.begin(nonce)? {
            return Ok(known);
        }
        let mut attempt = Attempt { procedures: self, nonce, done: None };
        work()?;
        let id = self.number();
        attempt.done = Some(id);
        Ok(id)
    }

    /// Marks the request as running, or returns its procedure ID if it is finished.
    fn begin(&self, nonce: Nonce) -> Result<Option<u64>, Exception> {
        let mut book = lock(&self.book);
        loop {
            match book.by_nonce.get(&nonce) {
                None => break,
                Some(Some(known)) => return Ok(Some(*known)),
                Some(None) => {}
            }
            let (guard, timeout) = wait(&self.changed, book, PATIENCE);
            book = guard;
            if timeout.timed_out() {
                return Err(Exception::new(
                    "PleaseHoldException",
                    "the first attempt at this request is still under way",
                ));
            }
        }
        book.by_nonce.insert(nonce, None);
        Ok(None)
    }

    fn number(&self) -> u64 {
        let mut book = lock(&self.book);
        book.last += 1;
        book.last
    }

    fn is_known(&self, id: u64) -> bool {
        (1..=lock(&self.book).last).contains(&id)
    }
}

/// Answers a request by executing `work`.
pub(super) fn run(
    session: &Session,
    nonce: (Option<u64>, Option<u64>),
    work: impl FnOnce() -> rowstone_model::Result<()>,
) -> Outcome {
    let id = session.state.procedures.run(nonce, work)?;
    Ok(Answer::of(&proto::ProcedureId { proc_id: Some(id) }))
}

pub(super) fn result(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetProcedureResultRequest = call.message()?;
    let state =
        if session.state.procedures.is_known(request.proc_id) { Progress::Finished } else { Progress::NotFound };
    Ok(Answer::of(&proto::GetProcedureResultResponse { state: state as i32, result: None, exception: None }))
}

/// Flushes a table in the way of clients before 2.6.
pub(super) fn execute(session: &Session, call: &Call) -> Outcome {
    let procedure = call.message::<proto::ExecProcedureRequest>()?.procedure;
    if procedure.signature != "flush-table-proc" {
        return Err(Exception::unsupported(&format!("procedure {}", procedure.signature)));
    }
    let table = TableName::parse(procedure.instance.as_deref().unwrap_or_default())?;
    let families: Vec<Vec<u8>> = procedure
        .configuration
        .iter()
        .filter(|pair| pair.name == FAMILIES)
        .flat_map(|pair| pair.value.split(','))
        .map(|family| family.as_bytes().to_vec())
        .collect();
    flush_families(session, &table, &families)?;
    Ok(Answer::of(&proto::ExecProcedureResponse { expected_timeout: Some(0) }))
}

pub(super) fn other(session: &Session, method: &str) -> Outcome {
    if method != "IsProcedureDone" {
        session.backend.admin().check(Intent::Operate)?;
    }
    Ok(match method {
        "IsProcedureDone" => Answer::of(&proto::IsProcedureDoneResponse { done: Some(true) }),
        "AbortProcedure" => Answer::of(&proto::Flag { value: Some(false) }),
        // No procedure is running, and none waits for a lock.
        _ => Answer::of(&proto::Empty {}),
    })
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
                    Ok(())
                };
                first.run((Some(1), Some(1)), work).unwrap()
            });
            has_begun.recv().unwrap();
            let other = procedures.run((Some(1), Some(2)), || Ok(())).unwrap();
            assert!(procedures.is_known(other) && !procedures.is_known(other + 1));
            let again = scope.spawn(|| procedures.run((Some(1), Some(1)), || unreachable!("done twice")).unwrap());
            go_on.send(()).unwrap();
            assert_eq!(slow.join().unwrap(), again.join().unwrap());
        });
    }

    #[test]
    fn what_failed_may_be_tried_again() {
        let procedures = Procedures::default();
        let fails = || Err(rowstone_model::Error::invalid("no"));
        assert!(procedures.run((None, Some(5)), fails).is_err());
        let id = procedures.run((None, Some(5)), || Ok(())).unwrap();
        assert_eq!(procedures.run((None, Some(5)), fails).unwrap(), id);
    }
}
