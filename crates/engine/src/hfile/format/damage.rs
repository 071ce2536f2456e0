//! Description of damage in bytes whose file is not known yet.

use rowstone_model::cell::MalformedCell;
use rowstone_model::codec::Short;
use rowstone_model::Error;
use std::fmt;
use std::path::Path;

/// The expected contents and those found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    expected: String,
    found: String,
}

impl Damage {
    /// Damage with `expected` and `found` contents.
    pub fn new(expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Damage { expected: expected.to_string(), found: found.to_string() }
    }

    /// Converts to the error to report: the damage is in `file`, in the structure that starts at `offset`.
    pub fn at(self, file: &Path, offset: u64) -> Error {
        Error::corruption(file.display(), offset, self.expected, self.found)
    }
}

impl From<Short> for Damage {
    fn from(short: Short) -> Self {
        Damage::new(
            format_args!("{} more bytes at {} of the content", short.wanted, short.offset),
            format_args!("{} bytes, or a number that does not end", short.available),
        )
    }
}

impl From<MalformedCell> for Damage {
    fn from(malformed: MalformedCell) -> Self {
        Damage::new("a cell", malformed.reason)
    }
}
