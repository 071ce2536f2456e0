//! Memory of answers that are being built or wait for their client, limited as that of requests is.
//!
//! A client that requests much and reads nothing pins its answers until it is dropped, and many such clients would
//! use up all memory. At the limit, large answers are sent with what they have so far, and new reads are refused with
//! an exception that asks for a retry. One connection may use a quarter of the limit, so a single client that does
//! not read blocks only itself.

use crate::server::messages::exception::Exception;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

/// Bytes are counted in steps of this size, because counting each row would cost more than it is worth.
const STEP_BYTES: usize = 64 << 10;

/// One connection may use this fraction of the limit.
const CONNECTIONS: usize = 4;

/// Bytes of the answers of all connections, or of one.
pub(in crate::server) struct AnswerMemory {
    bytes: AtomicUsize,
    most: usize,
    /// The counter of all connections, if this one counts a single connection.
    all: Option<Arc<AnswerMemory>>,
}

/// The memory of one answer, until it is sent or discarded.
pub(in crate::server) struct Share {
    memory: Arc<AnswerMemory>,
    bytes: usize,
}

impl AnswerMemory {
    /// Creates a counter with a limit of `most` bytes.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(AnswerMemory { bytes: AtomicUsize::new(0), most, all: None })
    }

    /// Creates the counter of one connection.
    pub fn of_connection(self: &Arc<Self>) -> Arc<Self> {
        Arc::new(AnswerMemory {
            bytes: AtomicUsize::new(0),
            most: self.most / CONNECTIONS,
            all: Some(Arc::clone(self)),
        })
    }

    /// Number of bytes. It may exceed the limit slightly when several answers grow at once.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Creates the share of an empty answer.
    pub fn share(self: &Arc<Self>) -> Share {
        Share { memory: Arc::clone(self), bytes: 0 }
    }

    /// Rejects a new read if the limit is reached.
    pub fn check(&self) -> Result<(), Exception> {
        if !self.is_full() {
            return Ok(());
        }
        Err(Exception::overloaded("the memory for answers is full: clients have not taken theirs yet"))
    }

    fn is_full(&self) -> bool {
        self.bytes() >= self.most || self.all.as_ref().is_some_and(|all| all.is_full())
    }

    fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Relaxed);
        self.all.iter().for_each(|all| all.add(bytes));
    }

    fn subtract(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Relaxed);
        self.all.iter().for_each(|all| all.subtract(bytes));
    }
}

impl Share {
    /// Updates the size of the answer. Growth below one step is not counted.
    pub fn note(&mut self, bytes: usize) {
        let more = bytes.saturating_sub(self.bytes);
        if more >= STEP_BYTES {
            self.bytes = bytes;
            self.memory.add(more);
        }
    }

    /// Whether the limit is reached, so that the answer should not grow further.
    pub fn is_scarce(&self) -> bool {
        self.memory.is_full()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.subtract(self.bytes);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn answers_count_until_they_are_sent() {
        let memory = AnswerMemory::new(4 * STEP_BYTES);
        let (mut first, mut second) = (memory.share(), memory.share());
        first.note(STEP_BYTES - 1);
        assert_eq!(memory.bytes(), 0);
        first.note(3 * STEP_BYTES);
        second.note(STEP_BYTES);
        first.note(2 * STEP_BYTES);
        assert_eq!(memory.bytes(), 4 * STEP_BYTES);
        assert!(second.is_scarce());
        let refused = memory.check().unwrap_err();
        assert!(refused.is_overloaded && refused.class.contains("CallQueueTooBig"));
        drop(second);
        assert!(memory.check().is_ok() && !first.is_scarce());
        drop(first);
        assert_eq!(memory.bytes(), 0);
    }

    #[test]
    fn a_connection_has_a_quarter_and_others_go_on() {
        let all = AnswerMemory::new(8 * STEP_BYTES);
        let (greedy, other) = (all.of_connection(), all.of_connection());
        let mut share = greedy.share();
        share.note(2 * STEP_BYTES);
        assert!(greedy.check().is_err() && other.check().is_ok() && all.check().is_ok());
        let mut more = all.of_connection().share();
        more.note(6 * STEP_BYTES);
        assert!(other.check().is_err());
        drop((share, more));
        assert_eq!((greedy.bytes(), all.bytes()), (0, 0));
        assert!(greedy.check().is_ok());
    }
}
