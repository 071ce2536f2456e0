//! Errors as Java exceptions. The class and the flags tell a client whether and where to retry.

use crate::proto::NameBytesPair;
use crate::wire::{Malformed, RemoteException};
use rowstone_model::{Error, ErrorKind};
use rowstone_quotas::limiter::Throttled;

/// The package of HBase's exceptions.
const PACKAGE: &str = "org.apache.hadoop.hbase.";

/// An exception to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::server) struct Exception {
    /// Full Java class name.
    pub class: String,
    /// The message.
    pub message: String,
    /// Whether a retry is useless.
    pub do_not_retry: bool,
    /// Whether the server is overloaded.
    pub is_overloaded: bool,
}

impl Exception {
    /// Creates an exception of HBase's `class`, given without its package, that the client may retry.
    pub fn new(class: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Exception { class: format!("{PACKAGE}{class}"), message, do_not_retry: false, is_overloaded: false }
    }

    /// Creates an exception that the client must not retry.
    pub fn last(class: &str, message: impl Into<String>) -> Self {
        Exception { do_not_retry: true, ..Exception::new(class, message) }
    }

    /// Exception for a call that exceeds a request quota and must wait.
    pub fn throttled(throttled: &Throttled) -> Self {
        Exception::new("quotas.RpcThrottlingException", throttled.to_string())
    }

    /// Exception for a call that this server does not support.
    pub fn unsupported(method: &str) -> Self {
        let message = format!("java.lang.UnsupportedOperationException: {method}");
        Exception::last("DoNotRetryIOException", message)
    }

    /// Exception of an overloaded server.
    pub fn overloaded(message: &str) -> Self {
        Exception { is_overloaded: true, ..Exception::new("CallQueueTooBigException", message) }
    }

    /// Creates an `IOException` of Java.
    pub fn java(message: impl Into<String>, do_not_retry: bool) -> Self {
        let class = "java.io.IOException".to_string();
        Exception { class, message: message.into(), do_not_retry, is_overloaded: false }
    }

    /// The exception as Java prints it: the class, then the message.
    pub fn text(&self) -> String {
        format!("{}: {}\n\tat rowstone.Server.call(Server)\n", self.class, self.message)
    }

    /// The exception as one action's result in a multi.
    pub fn pair(&self) -> NameBytesPair {
        NameBytesPair { name: self.class.clone(), value: Some(self.text().into_bytes()) }
    }

    /// The exception as part of a response frame.
    pub fn to_wire(&self) -> RemoteException {
        RemoteException {
            class: self.class.clone(),
            text: self.text(),
            do_not_retry: self.do_not_retry,
            is_overloaded: self.is_overloaded,
        }
    }
}

impl From<Error> for Exception {
    fn from(error: Error) -> Self {
        let message = error.message();
        // Clients put these names into their own sentences.
        let message = match (error.kind(), quoted(message)) {
            (ErrorKind::NamespaceNotFound, Some(name)) => name.to_string(),
            (ErrorKind::NamespaceExists, Some(name)) => format!("Namespace {name} already exists"),
            _ => message.to_string(),
        };
        let class = match error.kind() {
            ErrorKind::NoSuchColumnFamily => "regionserver.NoSuchColumnFamilyException",
            ErrorKind::Constraint => "constraint.ConstraintException",
            ErrorKind::QuotaExceeded if is_of_space(&error) => "quotas.SpaceLimitingException",
            ErrorKind::QuotaExceeded => "quotas.QuotaExceededException",
            ErrorKind::TableNotFound => "TableNotFoundException",
            ErrorKind::TableExists => "TableExistsException",
            ErrorKind::TableNotEnabled => "TableNotEnabledException",
            ErrorKind::TableNotDisabled => "TableNotDisabledException",
            ErrorKind::SchemaChanged => "ConcurrentTableModificationException",
            ErrorKind::NamespaceNotFound => "NamespaceNotFoundException",
            ErrorKind::NamespaceExists => "NamespaceExistException",
            ErrorKind::SnapshotNotFound => "snapshot.SnapshotDoesNotExistException",
            ErrorKind::SnapshotExists => "snapshot.SnapshotExistsException",
            ErrorKind::AccessDenied => "security.AccessDeniedException",
            ErrorKind::ScannerClosed => "UnknownScannerException",
            ErrorKind::Unsupported => return Exception::unsupported(&message),
            ErrorKind::RegionNotFound => return Exception::new("NotServingRegionException", message),
            ErrorKind::RegionTooBusy => return Exception::new("RegionTooBusyException", message),
            ErrorKind::DatabaseClosed => return Exception::new("regionserver.RegionServerStoppedException", message),
            ErrorKind::LockTimeout | ErrorKind::Timeout | ErrorKind::DiskFull | ErrorKind::Io => {
                return Exception::java(message, false)
            }
            ErrorKind::LogPoisoned | ErrorKind::Corruption => return Exception::java(message, true),
            _ => "DoNotRetryIOException",
        };
        Exception::last(class, message)
    }
}

/// Returns the first quoted name in a message.
fn quoted(message: &str) -> Option<&str> {
    message.split('\'').nth(1)
}

/// Whether an error is a violated space quota, which has its own class.
fn is_of_space(error: &Error) -> bool {
    error.remote_class().is_some_and(|class| class.ends_with("SpaceLimitingException"))
}

impl From<Malformed> for Exception {
    fn from(malformed: Malformed) -> Self {
        Exception::last("DoNotRetryIOException", format!("the request holds {}", malformed.0))
    }
}

/// Converts an error of a region. A dropped or disabled table has no regions here: the client looks up the region
/// again, and with it the table's state.
pub(in crate::server) fn as_region_error(error: Error, region: &str, server: &str) -> Exception {
    match error.kind() {
        ErrorKind::TableNotFound | ErrorKind::TableNotEnabled | ErrorKind::RegionNotFound | ErrorKind::InvalidName => {
            Exception::new("NotServingRegionException", format!("{region} is not online on {server}"))
        }
        _ => error.into(),
    }
}
