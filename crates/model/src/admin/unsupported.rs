//! Error of operations that a backend does not support.

use crate::error::{Error, ErrorKind, Result};

/// Reports that the backend cannot do `what`.
pub(super) fn unsupported<T>(what: &str) -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported, format!("cannot {what}: this kind of database does not support it")))
}
