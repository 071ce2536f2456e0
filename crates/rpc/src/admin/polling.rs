//! Pauses between requests of a client that waits for work on a server.

use crate::failure::Deadline;
use rowstone_model::{Error, ErrorKind, Result};
use std::time::Duration;

const FIRST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(200);
/// Time for which HBase's own clients wait for the master's work: `hbase.client.sync.wait.timeout.msec`.
const MASTER_WORK: Duration = Duration::from_secs(600);

/// The pauses between two requests: 5 ms at first, each a quarter longer than the last, up to 200 ms. So a wait is longer
/// than the work by a quarter and 5 ms at most.
pub(super) struct Pauses(Duration);

impl Pauses {
    /// The pauses of a wait that begins.
    pub(super) fn new() -> Self {
        Pauses(FIRST)
    }

    /// Sleeps for the next pause.
    pub(super) fn sleep(&mut self) {
        std::thread::sleep(self.0);
        self.0 = (self.0 + self.0 / 4).min(LONGEST);
    }
}

/// A wait with a time limit.
pub(super) struct Wait {
    pauses: Pauses,
    deadline: Deadline,
}

impl Wait {
    /// A wait that ends at `deadline`.
    pub(super) fn until(deadline: Deadline) -> Self {
        Wait { pauses: Pauses::new(), deadline }
    }

    /// A wait for work of the master: ten minutes, or the operation timeout if that is longer.
    ///
    /// Some work never ends: HBase 2.6.4 may forget the flush of a table, if one of its regions is already being flushed.
    pub(super) fn for_master(operation_timeout: Duration) -> Self {
        Self::until(Deadline::after(operation_timeout.max(MASTER_WORK)))
    }

    /// Sleeps for the next pause.
    ///
    /// # Errors
    /// `Timeout` if the pause is longer than the time left. `unfinished` says what has not happened.
    pub(super) fn sleep(&mut self, unfinished: &dyn Fn() -> String) -> Result<()> {
        if self.pauses.0 >= self.deadline.remaining() {
            let message = format!("{} within {} ms; the master continues", unfinished(), self.deadline.given_ms());
            return Err(Error::new(ErrorKind::Timeout, message));
        }
        self.pauses.sleep();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_with_its_limit_and_says_what_has_not_happened() {
        let mut wait = Wait::until(Deadline::after(Duration::from_millis(30)));
        let unfinished = || "FlushTable (procedure 23) has not ended".to_string();
        let mut count = 0;
        let error = loop {
            match wait.sleep(&unfinished) {
                Ok(()) => count += 1,
                Err(error) => break error,
            }
        };
        assert!(count <= 4, "{count} pauses are longer than the limit");
        assert_eq!(error.kind(), ErrorKind::Timeout);
        assert_eq!(error.message(), "FlushTable (procedure 23) has not ended within 30 ms; the master continues");
    }

    #[test]
    fn the_master_has_ten_minutes_or_the_time_of_an_operation() {
        let given_ms = |seconds| Wait::for_master(Duration::from_secs(seconds)).deadline.given_ms();
        assert_eq!((given_ms(120), given_ms(1_200)), (600_000, 1_200_000));
    }
}
