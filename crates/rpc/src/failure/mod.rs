//! What went wrong with one attempt, and what helps against it.

mod backoff;
mod class;

pub use backoff::{Backoff, Deadline};
pub use class::failure_of;

use crate::wire::Malformed;
use rowstone_model::{Error, ErrorKind};
use std::time::Duration;

/// What to do after a failed attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Nothing helps.
    Stop,
    /// Ask the same server again, a little later.
    Again,
    /// Ask again at once: the server has done a part and says so.
    AtOnce,
    /// Ask the same server again, much later: it has too much to do.
    Overloaded,
    /// Ask again after as long as the server said.
    After(Duration),
    /// Look up where the region is now.
    Relocate,
    /// The region is known to be at this host and port.
    MovedTo(String, u16),
    /// The connection is of no more use, or the server is gone: connect again, and look up what it served.
    Reconnect,
    /// The scanner is gone: open another where this one stood.
    Reopen,
}

/// A failed attempt.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What the caller gets to see if it stays so.
    pub error: Error,
    /// What helps.
    pub remedy: Remedy,
}

impl Failure {
    /// A failure that repeats itself however often one asks.
    pub fn stop(error: Error) -> Self {
        Failure { error, remedy: Remedy::Stop }
    }

    /// The way to a server is broken.
    pub fn connection(message: impl Into<String>) -> Self {
        Failure { error: Error::new(ErrorKind::ConnectionFailed, message), remedy: Remedy::Reconnect }
    }

    /// Time ran out.
    pub fn timeout(message: impl Into<String>) -> Self {
        Failure { error: Error::new(ErrorKind::Timeout, message), remedy: Remedy::Reconnect }
    }

    /// A server's answer cannot be read.
    pub fn malformed(server: &str, malformed: Malformed) -> Self {
        Failure::connection(format!("{server} sent {}; is it an HBase server?", malformed.0))
    }
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Self {
        Failure::connection(format!("a server sent {}; is it an HBase server?", malformed.0))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::stop(error)
    }
}
