//! Failures of requests, classified by what the caller should do, and their conversion to I/O errors.

use std::io::{self, ErrorKind};
use std::time::Duration;

/// Class of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// No file has that name.
    Missing,
    /// The bucket or container does not exist.
    NoBucket,
    /// The user lacks a permission, or the credentials are not valid.
    Denied,
    /// The credentials were valid once.
    Expired,
    /// The file was replaced after it was opened.
    Replaced,
    /// The range is outside the file.
    OutOfRange,
    /// The server asks for fewer requests. Retried.
    Throttled,
    /// The server failed, or the connection broke. Retried.
    Unavailable,
    /// No answer in time. Retried.
    TimedOut,
    /// The answer or the upload ended before its last byte. Retried.
    Truncated,
    /// The server or this crate does not support the request.
    Unsupported,
    /// Any other failure.
    Other,
}

/// One failed request.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Its class.
    pub kind: FailureKind,
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// The server's error code, such as `NoSuchKey` or a Java exception; may be empty.
    pub code: String,
    /// The server's message or the system's; may be empty.
    pub detail: String,
    /// Number of requests that were sent.
    pub attempts: u32,
    /// Time from the first request to the last failure.
    pub elapsed: Duration,
}

impl Failure {
    /// A failure without an answer of a server.
    pub fn new(kind: FailureKind, detail: impl Into<String>) -> Self {
        Failure { kind, status: None, code: String::new(), detail: detail.into(), attempts: 1, elapsed: Duration::ZERO }
    }

    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        use FailureKind::{Throttled, TimedOut, Truncated, Unavailable};
        matches!(self.kind, Throttled | Unavailable | TimedOut | Truncated)
    }

    /// The error of an operation on `key` in `place`, such as "bucket 'logs'".
    pub fn into_io(self, place: &str, key: &str) -> io::Error {
        io::Error::new(self.io_kind(), self.message(place, key))
    }

    /// `UnexpectedEof` is never used: the engine takes it as the end of a damaged file.
    fn io_kind(&self) -> ErrorKind {
        match self.kind {
            FailureKind::Missing | FailureKind::NoBucket => ErrorKind::NotFound,
            FailureKind::Denied | FailureKind::Expired => ErrorKind::PermissionDenied,
            FailureKind::Replaced => ErrorKind::StaleNetworkFileHandle,
            FailureKind::Throttled | FailureKind::TimedOut => ErrorKind::TimedOut,
            FailureKind::Unavailable | FailureKind::Truncated => ErrorKind::ConnectionAborted,
            FailureKind::Unsupported => ErrorKind::Unsupported,
            FailureKind::OutOfRange | FailureKind::Other => ErrorKind::Other,
        }
    }

    fn message(&self, place: &str, key: &str) -> String {
        let answer = self.answer();
        match self.kind {
            FailureKind::Missing => format!("no '{key}' in {place}{answer}"),
            FailureKind::NoBucket => format!("{place} does not exist{answer}; check its name, the region and the endpoint"),
            FailureKind::Denied => format!(
                "access to '{key}' in {place} is denied{answer}; check the credentials, and that they permit listing and reading, and for uploads writing and deleting"
            ),
            FailureKind::Expired => {
                format!("the credentials for {place} have expired, at '{key}'{answer}; renew them and open again")
            }
            FailureKind::Replaced => {
                format!("'{key}' in {place} was replaced or changed after it was opened{answer}; open it again")
            }
            FailureKind::Throttled => format!(
                "{place} throttled the requests for '{key}'{answer}, {}; try again later, or raise max_retries and retry_timeout",
                self.tries()
            ),
            FailureKind::TimedOut => format!(
                "{place} did not answer in time for '{key}'{answer}, {}; check the network, or raise timeout",
                self.tries()
            ),
            FailureKind::Unavailable => format!(
                "the request for '{key}' in {place} failed{answer}, {}; check the endpoint, or raise max_retries",
                self.tries()
            ),
            FailureKind::Truncated => {
                format!("only a part of '{key}' in {place} was transferred{answer}, {}; check the network", self.tries())
            }
            FailureKind::OutOfRange => format!("'{key}' in {place} is shorter than the range that was requested{answer}"),
            FailureKind::Unsupported | FailureKind::Other => {
                format!("the request for '{key}' in {place} failed{answer}")
            }
        }
    }

    /// The answer in brackets: ` (HTTP 403 AccessDenied: message)`.
    fn answer(&self) -> String {
        let status = self.status.map(|status| format!("HTTP {status}")).unwrap_or_default();
        let head = join(&status, " ", &self.code);
        match join(&head, ": ", self.detail.trim()) {
            all if all.is_empty() => all,
            all => format!(" ({all})"),
        }
    }

    fn tries(&self) -> String {
        match self.attempts {
            1 => "after 1 attempt".to_owned(),
            many => format!("after {many} attempts in {:.1} s", self.elapsed.as_secs_f64()),
        }
    }
}

/// Both texts with `between` them, or the one that is not empty.
fn join(first: &str, between: &str, second: &str) -> String {
    let between = if first.is_empty() || second.is_empty() { "" } else { between };
    format!("{first}{between}{second}")
}
