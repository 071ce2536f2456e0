//! Errors as Java exceptions: a client decides by the class, and by the flag, whether it tries again, and where.

use crate::proto::NameBytesPair;
use crate::wire::{Malformed, RemoteException};
use rowstone_model::{Error, ErrorKind};
use rowstone_quotas::limiter::Throttled;

/// The package of HBase's exceptions.
const PACKAGE: &str = "org.apache.hadoop.hbase.";

/// An exception to answer with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exception {
    /// Full Java class name.
    pub class: String,
    /// What it says.
    pub message: String,
    /// Whether asking again is of no use.
    pub do_not_retry: bool,
    /// Whether the server has too much to do.
    pub is_overloaded: bool,
}

impl Exception {
    /// An exception of HBase's `class`, named without the package, that may pass.
    pub fn new(class: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Exception { class: format!("{PACKAGE}{class}"), message, do_not_retry: false, is_overloaded: false }
    }

    /// The same for one that does not pass.
    pub fn last(class: &str, message: impl Into<String>) -> Self {
        Exception { do_not_retry: true, ..Exception::new(class, message) }
    }

    /// A call that has to wait because a limit on requests is used up.
    pub fn throttled(throttled: &Throttled) -> Self {
        Exception::new("quotas.RpcThrottlingException", throttled.to_string())
    }

    /// A call that this server has no answer to.
    pub fn unsupported(method: &str) -> Self {
        let message = format!("java.lang.UnsupportedOperationException: {method}");
        Exception::last("DoNotRetryIOException", message)
    }

    fn java(message: impl Into<String>, do_not_retry: bool) -> Self {
        let class = "java.io.IOException".to_string();
        Exception { class, message: message.into(), do_not_retry, is_overloaded: false }
    }

    /// As Java prints it: class and message first.
    pub fn text(&self) -> String {
        format!("{}: {}\n\tat rowstone.Server.call(Server)\n", self.class, self.message)
    }

    /// As one action of a multi has it.
    pub fn pair(&self) -> NameBytesPair {
        NameBytesPair { name: self.class.clone(), value: Some(self.text().into_bytes()) }
    }

    /// As a frame has it.
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
        // Clients put the names into sentences of their own.
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

/// The first name that a message has in quotes.
fn quoted(message: &str) -> Option<&str> {
    message.split('\'').nth(1)
}

/// Whether it is the error of a limit on space, which has a class of its own.
fn is_of_space(error: &Error) -> bool {
    error.remote_class().is_some_and(|class| class.ends_with("SpaceLimitingException"))
}

impl From<Malformed> for Exception {
    fn from(malformed: Malformed) -> Self {
        Exception::last("DoNotRetryIOException", format!("the request holds {}", malformed.0))
    }
}

/// A table that is gone or disabled has no regions here: who named one looks the region up again, and the table's state with it.
pub(super) fn as_region_error(error: Error, region: &str, server: &str) -> Exception {
    match error.kind() {
        ErrorKind::TableNotFound | ErrorKind::TableNotEnabled | ErrorKind::RegionNotFound | ErrorKind::InvalidName => {
            Exception::new("NotServingRegionException", format!("{region} is not online on {server}"))
        }
        _ => error.into(),
    }
}
