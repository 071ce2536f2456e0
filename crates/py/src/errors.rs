//! Conversion of [`Error`] to the exception classes of `rowstone.errors`.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use rowstone_model::{Error, ErrorKind};

static CLASSES: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// The exception class for `kind`.
fn class_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidArgument => "InvalidArgument",
        ErrorKind::InvalidName => "InvalidName",
        ErrorKind::NoSuchColumnFamily => "NoSuchColumnFamily",
        ErrorKind::CellTooLarge => "CellTooLarge",
        ErrorKind::NotALong => "NotALong",
        ErrorKind::Constraint => "ConstraintViolation",
        ErrorKind::QuotaExceeded => "QuotaExceeded",
        ErrorKind::Unsupported => "UnsupportedOperation",
        ErrorKind::TableNotFound => "TableNotFound",
        ErrorKind::NamespaceNotFound => "NamespaceNotFound",
        ErrorKind::RegionNotFound => "RegionNotFound",
        ErrorKind::TableExists => "TableExists",
        ErrorKind::NamespaceExists => "NamespaceExists",
        ErrorKind::TableNotEnabled => "TableNotEnabled",
        ErrorKind::TableNotDisabled => "TableNotDisabled",
        ErrorKind::SchemaChanged => "SchemaChanged",
        ErrorKind::DatabaseClosed => "DatabaseClosed",
        ErrorKind::ScannerClosed => "ScannerClosed",
        ErrorKind::ReadOnly => "ReadOnly",
        ErrorKind::ForkedHandle => "ForkedHandle",
        ErrorKind::DatabaseLocked => "DatabaseLocked",
        ErrorKind::NotADatabase => "NotADatabase",
        ErrorKind::RegionTooBusy => "RegionTooBusy",
        ErrorKind::LockTimeout => "LockTimeout",
        ErrorKind::Timeout => "OperationTimeout",
        ErrorKind::ConnectionFailed => "ConnectionFailed",
        ErrorKind::AccessDenied => "AccessDenied",
        ErrorKind::Remote => "RemoteError",
        ErrorKind::ResultLost => "ResultLost",
        ErrorKind::Coprocessor => "CoprocessorError",
        ErrorKind::SnapshotNotFound => "SnapshotNotFound",
        ErrorKind::SnapshotExists => "SnapshotExists",
        ErrorKind::DiskFull => "DiskFull",
        ErrorKind::LogPoisoned => "LogPoisoned",
        ErrorKind::Io => "StorageError",
        ErrorKind::Corruption => "CorruptionError",
        ErrorKind::Internal => "InternalError",
    }
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let module = CLASSES.get_or_try_init(py, || py.import("rowstone.errors").map(Bound::unbind))?;
    module.bind(py).getattr(name)
}

/// An exception raised by an observer, carried through the store.
struct Raised(PyErr);

/// Wraps an exception raised by an observer; the caller gets the same exception back.
pub fn error_of(py: Python<'_>, raised: PyErr) -> Error {
    let value = raised.value(py);
    let name = value.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    let kind = match name.as_str() {
        "ConstraintViolation" => ErrorKind::Constraint,
        "InvalidArgument" | "InvalidType" => ErrorKind::InvalidArgument,
        "UnsupportedOperation" => ErrorKind::Unsupported,
        "AccessDenied" => ErrorKind::AccessDenied,
        "RegionTooBusy" => ErrorKind::RegionTooBusy,
        "LockTimeout" => ErrorKind::LockTimeout,
        "OperationTimeout" => ErrorKind::Timeout,
        "DatabaseClosed" => ErrorKind::DatabaseClosed,
        _ => ErrorKind::Coprocessor,
    };
    let message = value.str().map_or_else(|_| name.clone(), |text| text.to_string());
    Error::new(kind, message).caused_by(Raised(raised))
}

fn instance<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    if let Some(Raised(raised)) = error.cause().and_then(|cause| cause.downcast_ref::<Raised>()) {
        return Ok(raised.clone_ref(py).into_value(py).into_bound(py).into_any());
    }
    let class = class(py, class_name(error.kind()))?;
    if let Some(place) = error.place() {
        let parts = (error.message(), place.file.as_str(), place.offset, place.expected.as_str(), place.found.as_str());
        return class.call1(parts);
    }
    let exception = class.call1((error.message(),))?;
    if let Some(code) = error.os_code() {
        exception.setattr("errno", code)?;
    }
    if let Some(class) = error.remote_class() {
        exception.setattr("remote_class", class)?;
    }
    Ok(exception)
}

/// The exception for `error` as an object, for the results of a multi.
pub fn exception<'py>(py: Python<'py>, error: &Error) -> Bound<'py, PyAny> {
    instance(py, error).unwrap_or_else(|problem| problem.into_value(py).into_bound(py).into_any())
}

/// The exception for `error`, to be raised.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    match instance(py, error) {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}

/// An exception of class `name` with `message`, for errors that only Python callers can make.
pub fn raise_named(py: Python<'_>, name: &str, message: &str) -> PyErr {
    match class(py, name).and_then(|class| class.call1((message,))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}

/// The caller passed an argument of the wrong type: a `TypeError` in Rowstone's class hierarchy.
pub fn wrong_type(what: &str, wanted: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let found = object.get_type().name().map_or_else(|_| "something else".to_string(), |name| name.to_string());
    raise_named(object.py(), "InvalidType", &format!("{what} must be {wanted}, not {found}"))
}

/// The caller passed a value that the operation does not accept.
pub fn invalid(py: Python<'_>, message: impl Into<String>) -> PyErr {
    raise(py, &Error::invalid(message))
}
