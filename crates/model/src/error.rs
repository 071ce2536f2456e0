//! One error type, classed by what the caller should do about it.
//!
//! `ErrorKind` is what a program switches on; the message names the thing, the value and the limit for a person.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The result of everything in Rowstone that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in HBase's words where HBase has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    // Fix the call.
    /// An argument is outside what the operation takes.
    InvalidArgument,
    /// A table, family or namespace name breaks HBase's naming rules.
    InvalidName,
    /// The table has no family of that name.
    NoSuchColumnFamily,
    /// A row, family or cell is longer than its limit.
    CellTooLarge,
    /// An increment met a value that is not 8 bytes.
    NotALong,
    /// A namespace still holds tables, or a rule of the schema is broken.
    Constraint,
    /// A namespace limit would be exceeded.
    QuotaExceeded,
    /// This backend cannot do that.
    Unsupported,
    // Look somewhere else.
    /// No table of that name.
    TableNotFound,
    /// No namespace of that name.
    NamespaceNotFound,
    /// No region holds that row.
    RegionNotFound,
    /// No snapshot of that name.
    SnapshotNotFound,
    /// A table of that name is there already.
    TableExists,
    /// A namespace of that name is there already.
    NamespaceExists,
    /// A snapshot of that name is there already.
    SnapshotExists,
    // Ask for permission.
    /// The cluster does not let this user do that.
    AccessDenied,
    // Look at the cluster.
    /// A server refused with an exception that has no kind of its own.
    Remote,
    // Look at the observer.
    /// An observer of the table failed.
    Coprocessor,
    // Change the state first.
    /// The table is disabled.
    TableNotEnabled,
    /// The table is enabled.
    TableNotDisabled,
    /// The database handle is closed.
    DatabaseClosed,
    /// The scanner is closed.
    ScannerClosed,
    /// The database was opened read-only.
    ReadOnly,
    /// The handle belongs to the parent of a forked process.
    ForkedHandle,
    /// Another process holds the directory.
    DatabaseLocked,
    /// The directory holds something else than a database.
    NotADatabase,
    // Try again.
    /// Memory for recent writes is full; a flush is on its way.
    RegionTooBusy,
    /// A row lock was not had in time.
    LockTimeout,
    /// The operation ran out of its time.
    Timeout,
    /// A server could not be reached, or the connection to it broke.
    ConnectionFailed,
    // Look after the machine.
    /// No space left on the device.
    DiskFull,
    /// The log refused a write after an earlier failure; reopen the database.
    LogPoisoned,
    /// The operating system reported an error.
    Io,
    // Repair the data.
    /// A file does not hold what it should.
    Corruption,
    /// Rowstone broke a promise to itself: a bug.
    Internal,
}

/// Where a file is damaged, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corruption {
    /// Path of the damaged file.
    pub file: String,
    /// Byte offset of the damage.
    pub offset: u64,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

/// An error: its kind, a sentence for a person, and for damage the place.
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    corruption: Option<Corruption>,
    os_code: Option<i32>,
    remote_class: Option<String>,
    cause: Option<Arc<dyn Any + Send + Sync>>,
}

impl Error {
    /// An error of `kind` that says `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            corruption: None,
            os_code: None,
            remote_class: None,
            cause: None,
        }))
    }

    /// The caller passed something the operation does not take.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// A promise of our own code is broken.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// `file` does not hold at `offset` what it should.
    pub fn corruption(
        file: impl fmt::Display,
        offset: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let place = Corruption { file: file.to_string(), offset, expected: expected.into(), found: found.into() };
        let message = format!(
            "{} is damaged at offset {}: expected {}, found {}",
            place.file, place.offset, place.expected, place.found
        );
        Error(Box::new(Inner {
            kind: ErrorKind::Corruption,
            message,
            corruption: Some(place),
            os_code: None,
            remote_class: None,
            cause: None,
        }))
    }

    /// The operating system failed while `doing` something to `path`.
    pub fn io(doing: &str, path: impl fmt::Display, error: &std::io::Error) -> Self {
        let kind = match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => ErrorKind::DiskFull,
            _ => ErrorKind::Io,
        };
        let message = format!("cannot {doing} {path}: {error}");
        Error(Box::new(Inner {
            kind,
            message,
            corruption: None,
            os_code: error.raw_os_error(),
            remote_class: None,
            cause: None,
        }))
    }

    /// What a program switches on.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The sentence for a person.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The damaged place, for [`ErrorKind::Corruption`].
    pub fn place(&self) -> Option<&Corruption> {
        self.0.corruption.as_ref()
    }

    /// The operating system's error number, where there was one.
    pub fn os_code(&self) -> Option<i32> {
        self.0.os_code
    }

    /// The Java class of the exception that a server answered with.
    pub fn remote_class(&self) -> Option<&str> {
        self.0.remote_class.as_deref()
    }

    /// The same error as one that a server answered with, as an exception of `class`.
    pub fn from_remote(mut self, class: impl Into<String>) -> Self {
        self.0.remote_class = Some(class.into());
        self
    }

    /// What an observer raised, in whatever form its language has for that.
    pub fn cause(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.0.cause.as_deref()
    }

    /// The same error, raised because of `cause`.
    pub fn caused_by(mut self, cause: impl Any + Send + Sync) -> Self {
        self.0.cause = Some(Arc::new(cause));
        self
    }

    /// The same error with `context` in front of its message.
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.0.message = format!("{context}: {}", self.0.message);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}
