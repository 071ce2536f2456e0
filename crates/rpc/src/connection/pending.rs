//! Calls under way: who waits for which answer.

use super::Shared;
use crate::failure::{Deadline, Failure};
use crate::sync::{lock, wait};
use crate::wire::Response;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};

/// Where the answer of one call is put.
#[derive(Default)]
pub(super) struct Slot {
    answer: Mutex<Option<Result<Response, Failure>>>,
    arrived: Condvar,
}

impl Slot {
    fn put(&self, answer: Result<Response, Failure>) {
        *lock(&self.answer) = Some(answer);
        self.arrived.notify_one();
    }
}

#[derive(Default)]
struct Table {
    slots: HashMap<u32, Arc<Slot>>,
    /// Why there will be no more answers.
    end: Option<Failure>,
}

/// The calls of a connection.
#[derive(Default)]
pub(super) struct Calls {
    table: Mutex<Table>,
}

impl Calls {
    pub(super) fn is_open(&self) -> bool {
        lock(&self.table).end.is_none()
    }

    /// A place for the answer to `call_id`.
    pub(super) fn begin(&self, call_id: u32) -> Result<Arc<Slot>, Failure> {
        let mut table = lock(&self.table);
        if let Some(end) = &table.end {
            return Err(end.clone());
        }
        let slot = Arc::new(Slot::default());
        table.slots.insert(call_id, Arc::clone(&slot));
        Ok(slot)
    }

    /// Hands an answer to who waits for it; one for a call that nobody waits for any more is dropped.
    pub(super) fn finish(&self, call_id: u32, answer: Result<Response, Failure>) {
        let slot = lock(&self.table).slots.remove(&call_id);
        if let Some(slot) = slot {
            slot.put(answer);
        }
    }

    fn forget(&self, call_id: u32) {
        lock(&self.table).slots.remove(&call_id);
    }

    /// Ends all calls with `failure`, and every later one.
    pub(super) fn end(&self, failure: Failure) {
        let slots = {
            let mut table = lock(&self.table);
            let end = table.end.get_or_insert(failure).clone();
            std::mem::take(&mut table.slots).into_values().map(|slot| (slot, end.clone())).collect::<Vec<_>>()
        };
        for (slot, end) in slots {
            slot.put(Err(end));
        }
    }
}

/// A call whose answer has not been taken yet. Dropping it forgets the call; the server still does it.
pub struct Pending {
    shared: Arc<Shared>,
    call_id: u32,
    slot: Arc<Slot>,
    method: &'static str,
    /// Answers that had come when it was sent.
    answers_before: u64,
}

impl Pending {
    pub(super) fn new(shared: Arc<Shared>, call_id: u32, slot: Arc<Slot>, method: &'static str) -> Self {
        let answers_before = shared.answers.load(Ordering::Relaxed);
        Pending { shared, call_id, slot, method, answers_before }
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// What the server answered with, a broken connection, or a timeout at `deadline`.
    pub fn wait(self, deadline: Deadline) -> Result<Response, Failure> {
        let mut answer = lock(&self.slot.answer);
        loop {
            if let Some(answer) = answer.take() {
                return answer.and_then(|response| self.shared.unpack(response));
            }
            let left = deadline.left();
            if left.is_zero() {
                drop(answer);
                return Err(self.give_up(deadline));
            }
            answer = wait(&self.slot.arrived, answer, left).0;
        }
    }

    /// Where nothing at all came meanwhile, the connection is taken for dead.
    fn give_up(&self, deadline: Deadline) -> Failure {
        let (shared, method) = (&self.shared, self.method);
        let message = format!("{} did not answer {method} within {} ms", shared.server, deadline.given_ms());
        if shared.answers.load(Ordering::Relaxed) == self.answers_before {
            shared.end(Failure::connection(format!("{message}, nor anything else; the connection was given up")));
        }
        Failure::timeout(message)
    }

    /// Whether the answer is there.
    pub fn is_ready(&self) -> bool {
        lock(&self.slot.answer).is_some()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.shared.calls.forget(self.call_id);
    }
}
