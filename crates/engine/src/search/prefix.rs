//! Eight bytes that decide most comparisons of rows.
//!
//! Rows of one table often have a common beginning (`user000000…`), so the eight bytes start after the part that
//! all rows of a segment share:
//!
//! ```text
//! u s e r 0 0 0 0 0 0 1 7 4 2 0 9 9 1
//! |---- shared ----|---- prefix ----|      big-endian, padded with zeros
//! ```
//!
//! The marks of a block ([`super::marks`]) keep the bytes in which rows differ instead.
//!
//! Invariant: among covered rows, a smaller prefix means a smaller row; equal prefixes decide nothing.

use smallvec::SmallVec;

/// Number of times that the shared part may shrink before it is given up. Each time costs a pass over all prefixes.
const MAX_SHRINKS: u32 = 16;
/// A longer shared part is in memory of its own, which costs a get one more cache miss.
const INLINE_BYTES: usize = 24;

/// The shared part of a segment's rows.
#[derive(Debug, Default, Clone)]
pub struct RowPrefix {
    shared: SmallVec<[u8; INLINE_BYTES]>,
    shrinks: u32,
    has_rows: bool,
}

/// Position of a row relative to all covered rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before all of them.
    Before,
    /// Among them, at this prefix.
    At(u64),
    /// After all of them.
    After,
}

/// Number of bytes at the beginning that are equal.
pub(super) fn common(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

/// Eight bytes of `row` from `from` on, as a number.
#[inline]
pub(super) fn eight_bytes(row: &[u8], from: usize) -> u64 {
    match row.get(from..from + 8) {
        Some(bytes) => bytes.iter().fold(0, |number, &byte| (number << 8) | u64::from(byte)),
        None => {
            let rest = row.get(from..).unwrap_or(&[]);
            let number = rest.iter().fold(0u64, |number, &byte| (number << 8) | u64::from(byte));
            if rest.is_empty() {
                0
            } else {
                number << (8 * (8 - rest.len()))
            }
        }
    }
}

impl RowPrefix {
    /// The shared part of sorted rows between these two.
    pub fn between(first: &[u8], last: &[u8]) -> Self {
        RowPrefix { shared: SmallVec::from_slice(&first[..common(first, last)]), shrinks: 0, has_rows: true }
    }

    /// Extends the covered rows by `row`. Returns whether that changed the prefixes of the rows covered before.
    #[inline]
    pub fn admit(&mut self, row: &[u8]) -> bool {
        if self.has_rows && (self.shared.is_empty() || row.starts_with(&self.shared)) {
            return false;
        }
        self.shrink(row)
    }

    #[cold]
    fn shrink(&mut self, row: &[u8]) -> bool {
        if !self.has_rows {
            *self = RowPrefix { shared: SmallVec::from_slice(row), shrinks: 0, has_rows: true };
            return false;
        }
        self.shrinks += 1;
        // Rounded down, so that ascending numbers do not shrink it at every power of ten.
        let shared = common(row, &self.shared) & !3;
        self.shared.truncate(if self.shrinks > MAX_SHRINKS { 0 } else { shared });
        true
    }

    /// The prefix of a covered row.
    #[inline]
    pub fn of(&self, row: &[u8]) -> u64 {
        eight_bytes(row, self.shared.len())
    }

    /// Position of any row.
    #[inline]
    pub fn locate(&self, row: &[u8]) -> Place {
        if self.shared.is_empty() {
            return Place::At(self.of(row));
        }
        match row.get(..self.shared.len()).unwrap_or(row).cmp(&self.shared) {
            std::cmp::Ordering::Less => Place::Before,
            std::cmp::Ordering::Equal => Place::At(self.of(row)),
            std::cmp::Ordering::Greater => Place::After,
        }
    }

    /// Bytes of allocated memory.
    pub fn memory_bytes(&self) -> usize {
        if self.shared.spilled() {
            self.shared.capacity()
        } else {
            0
        }
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        *self = RowPrefix::default();
    }
}
