//! Failures of single attempts, and their remedies.

mod backoff;
mod class;
mod kinds;

pub use backoff::{Backoff, Deadline};
pub use class::failure_of;

use crate::wire::Malformed;
use rowstone_model::{Error, ErrorKind};
use std::time::Duration;

/// The reaction to a failed attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// None: the failure is permanent.
    Stop,
    /// Retry on the same server, after a short pause.
    Again,
    /// Retry at once: the server has reported partial completion.
    AtOnce,
    /// Retry on the same server, after a long pause: it is overloaded.
    Overloaded,
    /// Retry after the pause that the server specified.
    After(Duration),
    /// Look up the region's location again.
    Relocate,
    /// The region has moved to this host and port.
    MovedTo(String, u16),
    /// The connection is unusable or the server is down: reconnect, and look up the regions that it served.
    Reconnect,
    /// The scanner no longer exists: open another at its position.
    Reopen,
}

impl Remedy {
    /// Orders remedies by the pause that they need: the longest pause serves all actions of a batch.
    pub fn pause_order(&self) -> (u8, Duration) {
        match self {
            Remedy::AtOnce => (0, Duration::ZERO),
            Remedy::Overloaded => (2, Duration::ZERO),
            Remedy::After(pause) => (3, *pause),
            _ => (1, Duration::ZERO),
        }
    }
}

/// A failed attempt.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The error for the caller if the failure persists.
    pub error: Error,
    /// The remedy.
    pub remedy: Remedy,
}

impl Failure {
    /// A permanent failure.
    pub fn stop(error: Error) -> Self {
        Failure { error, remedy: Remedy::Stop }
    }

    /// A failed connection to a server.
    pub fn connection(message: impl Into<String>) -> Self {
        Failure { error: Error::new(ErrorKind::ConnectionFailed, message), remedy: Remedy::Reconnect }
    }

    /// A timeout.
    pub fn timeout(message: impl Into<String>) -> Self {
        Failure { error: Error::new(ErrorKind::Timeout, message), remedy: Remedy::Reconnect }
    }

    /// An unreadable response of a server.
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
