//! Keys some bytes of which do not matter.

use super::part::{mismatch, Field, Item, Part};
use crate::codec::printable;
use crate::error::{Error, Result};

/// A key and which of its bytes count. Rows are compared with it on the key's length only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzyKey {
    key: Vec<u8>,
    mask: Vec<u8>,
}

impl FuzzyKey {
    /// The key `key`; a byte of `mask` is 0 where the key's byte must be met, 1 where any byte will do. Bytes that do not
    /// matter become 0 in the key, as HBase sends them.
    ///
    /// # Errors
    /// `InvalidArgument` where the lengths differ or the mask holds anything else.
    pub fn new(mut key: Vec<u8>, mask: Vec<u8>) -> Result<Self> {
        if key.len() != mask.len() {
            return Err(Error::invalid(format!(
                "fuzzy key '{}' has {} bytes and its mask {}; they must be equally long",
                printable(&key),
                key.len(),
                mask.len()
            )));
        }
        for (byte, &kind) in key.iter_mut().zip(&mask) {
            match kind {
                0 => {}
                1 => *byte = 0,
                other => {
                    return Err(Error::invalid(format!(
                        "the mask of a fuzzy key holds {other}; it takes 0 (this byte) and 1 (any byte)"
                    )));
                }
            }
        }
        Ok(FuzzyKey { key, mask })
    }

    /// The key.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// 0 where the key's byte counts, 1 where any byte will do.
    pub fn mask(&self) -> &[u8] {
        &self.mask
    }

    /// Whether `row` begins like the key. A row that ends sooner fits if what there is of it does.
    pub fn fits(&self, row: &[u8]) -> bool {
        self.key.iter().zip(&self.mask).zip(row).all(|((byte, &kind), found)| kind == 1 || byte == found)
    }
}

impl Item for FuzzyKey {}

impl Field for FuzzyKey {
    fn part(&self) -> Part {
        Part::List(vec![self.key.part(), self.mask.part()])
    }

    fn from_part(part: Part) -> Result<Self> {
        const WANTED: &str = "a pair (key, mask)";
        let Part::List(parts) = part else { return mismatch(WANTED, &part) };
        match <[Part; 2]>::try_from(parts) {
            Ok([key, mask]) => Self::new(Vec::from_part(key)?, Vec::from_part(mask)?),
            Err(parts) => mismatch(WANTED, &Part::List(parts)),
        }
    }
}
