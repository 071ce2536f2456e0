//! Untyped field values, in which filters and comparators cross to Python and back.

use super::comparators::Comparator;
use super::decimal::Decimal;
use super::filters::Filter;
use crate::error::{Error, Result};

/// The value of a field of any type.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// No value.
    None,
    /// Bytes.
    Bytes(Vec<u8>),
    /// Text; where a field takes bytes, its UTF-8 encoding.
    Text(String),
    /// A number.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A floating point number.
    Float(f64),
    /// A decimal number.
    Decimal(Decimal),
    /// A comparator.
    Comparator(Comparator),
    /// A filter.
    Filter(Filter),
    /// Several values.
    List(Vec<Part>),
}

/// A type that a filter's or comparator's field can have.
pub trait Field: Sized {
    /// Converts the value to a part.
    fn part(&self) -> Part;

    /// Converts a part to this type.
    ///
    /// # Errors
    /// `InvalidArgument` if the part is of another type.
    fn from_part(part: Part) -> Result<Self>;
}

/// The error for a part of the wrong type.
pub(super) fn mismatch<T>(wanted: &str, part: &Part) -> Result<T> {
    let found = match part {
        Part::None => "None",
        Part::Bytes(_) => "bytes",
        Part::Text(_) => "str",
        Part::Int(_) => "int",
        Part::Bool(_) => "bool",
        Part::Float(_) => "float",
        Part::Decimal(_) => "Decimal",
        Part::Comparator(comparator) => comparator.name(),
        Part::Filter(filter) => filter.name(),
        Part::List(_) => "a list",
    };
    Err(Error::invalid(format!("must be {wanted}, not {found}")))
}

impl Field for Vec<u8> {
    fn part(&self) -> Part {
        Part::Bytes(self.clone())
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Bytes(bytes) => Ok(bytes),
            Part::Text(text) => Ok(text.into_bytes()),
            other => mismatch("bytes or str", &other),
        }
    }
}

impl Field for String {
    fn part(&self) -> Part {
        Part::Text(self.clone())
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Text(text) => Ok(text),
            Part::Bytes(bytes) => String::from_utf8(bytes).map_err(|_| Error::invalid("is not UTF-8 text")),
            other => mismatch("str", &other),
        }
    }
}

impl Field for i64 {
    fn part(&self) -> Part {
        Part::Int(*self)
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Int(number) => Ok(number),
            other => mismatch("int", &other),
        }
    }
}

impl Field for i32 {
    fn part(&self) -> Part {
        Part::Int(i64::from(*self))
    }

    fn from_part(part: Part) -> Result<Self> {
        let number = i64::from_part(part)?;
        Self::try_from(number)
            .map_err(|_| Error::invalid(format!("{number} does not fit 32 bits: at most {} is possible", i32::MAX)))
    }
}

impl Field for bool {
    fn part(&self) -> Part {
        Part::Bool(*self)
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Bool(value) => Ok(value),
            other => mismatch("bool", &other),
        }
    }
}

impl<T: Field> Field for Option<T> {
    fn part(&self) -> Part {
        self.as_ref().map_or(Part::None, Field::part)
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::None => Ok(None),
            other => T::from_part(other).map(Some),
        }
    }
}

/// A type that a list field can contain.
pub(super) trait Item: Field {}
impl Item for Vec<u8> {}
impl Item for i64 {}

impl<T: Item> Field for Vec<T> {
    fn part(&self) -> Part {
        Part::List(self.iter().map(Field::part).collect())
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::List(parts) => parts.into_iter().map(T::from_part).collect(),
            other => mismatch("a list", &other),
        }
    }
}
