//! What answers take that are being made or wait for their client: limited, as requests are.
//!
//! A client that asks for much and reads nothing holds its answers until it is let go; many such clients would hold all memory
//! there is. Where the limit is reached, large answers go out with what they have, and calls that begin are to come again later.

use super::exception::Exception;
use super::frames::overloaded;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

/// Bytes that are counted together: counting each row would cost more than it tells.
const STEP_BYTES: usize = 64 << 10;

/// The bytes of all answers.
pub(super) struct Held {
    bytes: AtomicUsize,
    most: usize,
}

/// What one answer takes, until it is sent or given up.
pub(super) struct Share {
    held: Arc<Held>,
    bytes: usize,
}

impl Held {
    /// None yet, and at most that many.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Held { bytes: AtomicUsize::new(0), most })
    }

    /// How many there are. A few more than the limit where several are made at once.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// The share of an answer that has nothing yet.
    pub fn share(self: &Arc<Self>) -> Share {
        Share { held: Arc::clone(self), bytes: 0 }
    }

    /// Whether a call may begin.
    pub fn check(&self) -> Result<(), Exception> {
        if self.bytes() < self.most {
            return Ok(());
        }
        Err(overloaded("the memory for answers is full: clients have not taken theirs yet"))
    }
}

impl Share {
    /// Counts what the answer takes now; small ones do not count.
    pub fn note(&mut self, bytes: usize) {
        let more = bytes.saturating_sub(self.bytes);
        if more >= STEP_BYTES {
            self.bytes = bytes;
            self.held.bytes.fetch_add(more, Relaxed);
        }
    }

    /// Whether the answer should take no more than it has.
    pub fn is_scarce(&self) -> bool {
        self.held.bytes() >= self.held.most
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.held.bytes.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn answers_count_until_they_go() {
        let held = Held::new(4 * STEP_BYTES);
        let (mut first, mut second) = (held.share(), held.share());
        first.note(STEP_BYTES - 1);
        assert_eq!(held.bytes(), 0);
        first.note(3 * STEP_BYTES);
        second.note(STEP_BYTES);
        first.note(2 * STEP_BYTES);
        assert_eq!(held.bytes(), 4 * STEP_BYTES);
        assert!(second.is_scarce());
        let refused = held.check().unwrap_err();
        assert!(refused.is_overloaded && refused.class.contains("CallQueueTooBig"));
        drop(second);
        assert!(held.check().is_ok() && !first.is_scarce());
        drop(first);
        assert_eq!(held.bytes(), 0);
    }
}
