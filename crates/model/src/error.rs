//! One error type, classified by what the caller should do.
//!
//! Programs match on `ErrorKind`; the message names the object, the value and the limit for a human reader.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The result of everything in Rowstone that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an error, named after HBase's exception if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    // Fix the call.
    /// An argument is outside the range that the operation accepts.
    InvalidArgument,
    /// A table, family or namespace name breaks HBase's naming rules.
    InvalidName,
    /// The table has no family of that name.
    NoSuchColumnFamily,
    /// A row, family or cell is longer than its limit.
    CellTooLarge,
    /// An increment found a value that is not 8 bytes long.
    NotALong,
    /// A namespace still contains tables, or a schema rule is violated.
    Constraint,
    /// A namespace limit would be exceeded.
    QuotaExceeded,
    /// This backend does not support the operation.
    Unsupported,
    // Correct the name or location.
    /// No table has that name.
    TableNotFound,
    /// No namespace has that name.
    NamespaceNotFound,
    /// No region contains that row.
    RegionNotFound,
    /// No snapshot has that name.
    SnapshotNotFound,
    /// A table of that name already exists.
    TableExists,
    /// A namespace of that name already exists.
    NamespaceExists,
    /// A snapshot of that name already exists.
    SnapshotExists,
    // Ask for permission.
    /// The user lacks a permission.
    AccessDenied,
    // Check the cluster.
    /// A server threw an exception that has no kind of its own here.
    Remote,
    // Read the row.
    /// A repeated increment or append was applied once, but its result is no longer known.
    ResultLost,
    // Check the observer.
    /// An observer of the table failed.
    Coprocessor,
    // Change the state first.
    /// The table is disabled.
    TableNotEnabled,
    /// The table is enabled.
    TableNotDisabled,
    /// The table's descriptor is not the one that the change was made from.
    SchemaChanged,
    /// The database handle is closed.
    DatabaseClosed,
    /// The scanner is closed.
    ScannerClosed,
    /// The database was opened read-only.
    ReadOnly,
    /// The handle belongs to the parent of a forked process.
    ForkedHandle,
    /// Another process has the directory open.
    DatabaseLocked,
    /// The directory contains something other than a database.
    NotADatabase,
    // Try again.
    /// The memstore is full; a flush is under way.
    RegionTooBusy,
    /// A row lock was not acquired in time.
    LockTimeout,
    /// The operation exceeded its time limit.
    Timeout,
    /// A server is unreachable, or its connection broke.
    ConnectionFailed,
    // Check the machine.
    /// No space left on the device.
    DiskFull,
    /// The log refused a write after an earlier failure; reopen the database.
    LogPoisoned,
    /// The operating system reported an error.
    Io,
    // Repair the data.
    /// A file contains unexpected data.
    Corruption,
    /// An internal invariant is violated: a bug in Rowstone.
    Internal,
}

/// The location and nature of damage in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corruption {
    /// Path of the damaged file.
    pub file: String,
    /// Byte offset of the damage.
    pub offset: u64,
    /// The expected content.
    pub expected: String,
    /// The actual content.
    pub found: String,
}

/// An error: its kind, a human-readable message, and for damage its location.
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    corruption: Option<Corruption>,
    os_code: Option<i32>,
    /// Whether an I/O error says that there is no such file.
    is_not_found: bool,
    remote_class: Option<String>,
    cause: Option<Arc<dyn Any + Send + Sync>>,
}

/// Next step after the operating system refused to open another file.
const TOO_MANY_FILES_HINT: &str = "; raise the limit of open files (ulimit -n), or close some";

/// Whether a process, or the whole system, has too many files open: `EMFILE` and `ENFILE` of all Unix systems.
fn has_too_many_files(error: &std::io::Error) -> bool {
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

impl Error {
    /// Creates an error of `kind` with `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            corruption: None,
            os_code: None,
            is_not_found: false,
            remote_class: None,
            cause: None,
        }))
    }

    /// An argument that the operation does not accept.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// A violated internal invariant.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// Unexpected data in `file` at `offset`.
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
            is_not_found: false,
            remote_class: None,
            cause: None,
        }))
    }

    /// An operating system error while `doing` something to `path`.
    pub fn io(doing: &str, path: impl fmt::Display, error: &std::io::Error) -> Self {
        let kind = match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => ErrorKind::DiskFull,
            _ => ErrorKind::Io,
        };
        let hint = if has_too_many_files(error) { TOO_MANY_FILES_HINT } else { "" };
        let message = format!("cannot {doing} {path}: {error}{hint}");
        Error(Box::new(Inner {
            kind,
            message,
            corruption: None,
            os_code: error.raw_os_error(),
            is_not_found: error.kind() == std::io::ErrorKind::NotFound,
            remote_class: None,
            cause: None,
        }))
    }

    /// The kind that programs match on.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The human-readable message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The location of the damage, for [`ErrorKind::Corruption`].
    pub fn place(&self) -> Option<&Corruption> {
        self.0.corruption.as_ref()
    }

    /// The operating system's error number, if any.
    pub fn os_code(&self) -> Option<i32> {
        self.0.os_code
    }

    /// Whether it is an I/O error because there is no such file.
    pub fn is_not_found(&self) -> bool {
        self.0.is_not_found
    }

    /// The Java class of the exception that a server returned.
    pub fn remote_class(&self) -> Option<&str> {
        self.0.remote_class.as_deref()
    }

    /// Marks this error as one that a server returned as an exception of `class`.
    pub fn from_remote(mut self, class: impl Into<String>) -> Self {
        self.0.remote_class = Some(class.into());
        self
    }

    /// The exception that an observer raised, in its language's own representation.
    pub fn cause(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.0.cause.as_deref()
    }

    /// Attaches `cause` to this error.
    pub fn caused_by(mut self, cause: impl Any + Send + Sync) -> Self {
        self.0.cause = Some(Arc::new(cause));
        self
    }

    /// Prefixes the message with `context`.
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
