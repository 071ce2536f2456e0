//! Pauses between requests of a client that waits for work on a server.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(200);

/// The pauses between two requests: 5 ms at first, each a quarter longer than the last, up to 200 ms. So a wait is longer
/// than the work by a quarter and 5 ms at most.
pub(super) struct Pauses(Duration);

impl Pauses {
    /// The pauses of a wait that begins.
    pub(super) fn new() -> Self {
        Pauses(FIRST)
    }

    /// The pause that comes next.
    pub(super) fn current(&self) -> Duration {
        self.0
    }

    /// Sleeps for the next pause.
    pub(super) fn sleep(&mut self) {
        std::thread::sleep(self.0);
        self.0 = (self.0 + self.0 / 4).min(LONGEST);
    }
}
