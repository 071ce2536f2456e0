//! Row keys with wildcard bytes.

use crate::codec::printable;
use crate::error::{Error, Result};

/// A key and a mask of the bytes that count. Only the prefix of a row of the key's length is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzyKey {
    key: Vec<u8>,
    mask: Vec<u8>,
}

impl FuzzyKey {
    /// Creates a fuzzy key; a byte of `mask` is 0 where the row must have the key's byte, 1 where any byte matches.
    /// Wildcard bytes of the key become 0, as HBase sends them.
    ///
    /// # Errors
    /// `InvalidArgument` if the lengths differ or the mask contains anything else.
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

    /// 0 where the key's byte must match, 1 where any byte does.
    pub fn mask(&self) -> &[u8] {
        &self.mask
    }

    /// Whether `row` matches the key. A shorter row matches if all of its bytes do.
    pub fn fits(&self, row: &[u8]) -> bool {
        self.key.iter().zip(&self.mask).zip(row).all(|((byte, &kind), found)| kind == 1 || byte == found)
    }
}
