//! Field types for column offsets and probabilities.

use crate::error::{Error, Result};

/// The start of a page of columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnOffset {
    /// Skips this number of columns.
    Count(i32),
    /// Starts at the first column whose qualifier is not smaller.
    Column(Vec<u8>),
}

/// A probability, as a 32-bit float like HBase's.
#[derive(Debug, Clone, Copy)]
pub struct Chance(f32);

impl Chance {
    /// A probability of `value`; any number except NaN.
    ///
    /// # Errors
    /// `InvalidArgument` for NaN.
    pub fn new(value: f32) -> Result<Self> {
        if value.is_nan() {
            return Err(Error::invalid("chance must be a number, not NaN"));
        }
        Ok(Chance(value))
    }

    /// The number.
    pub fn value(self) -> f32 {
        self.0
    }
}

impl PartialEq for Chance {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

// `Eq` is sound because NaN, the one number that differs from itself, is rejected.
impl Eq for Chance {}
