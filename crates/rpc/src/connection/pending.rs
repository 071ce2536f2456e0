//! Running calls, and the delivery of responses to their callers.

use super::Channel;
use crate::failure::{Deadline, Failure};
use crate::sync::{lock, wait};
use crate::wire::Response;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};

/// Holds the response of one call.
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
    /// The reason why no more responses will arrive.
    end: Option<Failure>,
}

/// The calls of a connection.
#[derive(Default)]
pub(super) struct Calls {
    table: Mutex<Table>,
}

impl Calls {
    /// Number of running calls; `None` after the end of the connection.
    pub(super) fn count(&self) -> Option<usize> {
        let table = lock(&self.table);
        table.end.is_none().then_some(table.slots.len())
    }

    /// Registers `call_id` and returns the slot for its response.
    pub(super) fn begin(&self, call_id: u32) -> Result<Arc<Slot>, Failure> {
        let mut table = lock(&self.table);
        if let Some(end) = &table.end {
            return Err(end.clone());
        }
        let slot = Arc::new(Slot::default());
        table.slots.insert(call_id, Arc::clone(&slot));
        Ok(slot)
    }

    /// Delivers a response to its caller. If the caller has given up, it is dropped.
    pub(super) fn finish(&self, call_id: u32, answer: Result<Response, Failure>) {
        let slot = lock(&self.table).slots.remove(&call_id);
        if let Some(slot) = slot {
            slot.put(answer);
        }
    }

    fn forget(&self, call_id: u32) {
        lock(&self.table).slots.remove(&call_id);
    }

    /// Fails all calls with `failure`, including later ones.
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

/// A call whose response has not been consumed. Dropping it forgets the call; the server executes it nevertheless.
pub struct Pending {
    shared: Arc<Channel>,
    call_id: u32,
    slot: Arc<Slot>,
    method: &'static str,
    /// Number of responses that had arrived when it was sent.
    answers_before: u64,
}

impl Pending {
    pub(super) fn new(shared: Arc<Channel>, call_id: u32, slot: Arc<Slot>, method: &'static str) -> Self {
        let answers_before = shared.answers.load(Ordering::Relaxed);
        Pending { shared, call_id, slot, method, answers_before }
    }

    /// Waits for the response.
    ///
    /// # Errors
    /// The server's exception, a broken connection, or a timeout at `deadline`.
    pub fn wait(self, deadline: Deadline) -> Result<Response, Failure> {
        let mut answer = lock(&self.slot.answer);
        loop {
            if let Some(answer) = answer.take() {
                return answer.and_then(|response| self.shared.unpack(response));
            }
            let left = deadline.remaining();
            if left.is_zero() {
                drop(answer);
                return Err(self.give_up(deadline));
            }
            answer = wait(&self.slot.arrived, answer, left).0;
        }
    }

    /// If no response at all arrived meanwhile, the connection counts as dead.
    fn give_up(&self, deadline: Deadline) -> Failure {
        let (shared, method) = (&self.shared, self.method);
        let message = format!("{} did not answer {method} within {} ms", shared.server, deadline.given_ms());
        if shared.answers.load(Ordering::Relaxed) == self.answers_before {
            shared.end(Failure::connection(format!("{message}, nor anything else; the connection was given up")));
        }
        Failure::timeout(message)
    }

    /// Whether the response has arrived.
    pub fn is_ready(&self) -> bool {
        lock(&self.slot.answer).is_some()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.shared.calls.forget(self.call_id);
    }
}
