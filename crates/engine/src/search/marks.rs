//! Offsets of sorted entries in a run of bytes, with eight bytes of each row next to them.
//!
//! A binary search over the rows themselves causes two CPU cache misses per step: one for the offset, one for the
//! row. The eight bytes are contiguous, so a search stays within a few cache lines and reads one or two rows at the
//! end. Measured on 100,000 rows of 24 + 100 bytes: a cached get went from 1.9 to 1.0 microseconds.
//!
//! The search itself is in [`super::sorted`]: it guesses, because most blocks that are searched are in no CPU cache.

use super::prefix::{Place, RowPrefix};
use super::sorted::Sorted;

/// Position of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Number of entries that sort before it.
    pub index: usize,
    /// Number of those that are certainly in a smaller row: known without reading any.
    pub smaller_rows: usize,
}

/// Ascending offsets. With rows they can be searched by row.
#[derive(Debug, Default, Clone)]
pub struct Marks {
    offsets: Vec<u32>,
    shared: RowPrefix,
    prefixes: Sorted,
}

impl Marks {
    /// Offsets of entries without rows.
    pub fn without_rows(offsets: Vec<u32>) -> Self {
        Marks { offsets, ..Marks::default() }
    }

    /// Offsets of the first `count` entries, whose rows ascend and are returned by `row_at`. Further offsets have
    /// no rows.
    pub fn of_rows<'b>(offsets: Vec<u32>, count: usize, row_at: impl Fn(u32) -> &'b [u8]) -> Self {
        let rows = &offsets[..count.min(offsets.len())];
        let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else { return Marks::without_rows(offsets) };
        let shared = RowPrefix::between(row_at(first), row_at(last));
        let prefixes = Sorted::new(rows.iter().map(|&offset| shared.of(row_at(offset))).collect());
        Marks { offsets, shared, prefixes }
    }

    /// The offsets.
    #[inline]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Position of a target in `row` among the entries with rows. `is_before` is called with indices of entries
    /// that may be in that row. It must be true for a first part of them and false for the rest.
    #[inline]
    pub fn partition_point(&self, row: &[u8], mut is_before: impl FnMut(usize) -> bool) -> Position {
        match self.shared.locate(row) {
            Place::Before => Position { index: 0, smaller_rows: 0 },
            Place::After => Position { index: self.prefixes.len(), smaller_rows: self.prefixes.len() },
            Place::At(prefix) => {
                let same = self.prefixes.equal_to(prefix);
                let (low, mut from, mut to) = (same.start, same.start, same.end);
                while from < to {
                    let middle = from + (to - from) / 2;
                    if is_before(middle) {
                        from = middle + 1;
                    } else {
                        to = middle;
                    }
                }
                Position { index: from, smaller_rows: low }
            }
        }
    }

    /// The entries that may be in `row`, without reading any: those with the same eight bytes.
    #[inline]
    pub fn entries_like(&self, row: &[u8]) -> std::ops::Range<usize> {
        match self.shared.locate(row) {
            Place::Before => 0..0,
            Place::After => self.prefixes.len()..self.prefixes.len(),
            Place::At(prefix) => self.prefixes.equal_to(prefix),
        }
    }

    /// Offset where the next row's entries begin, or `end` after the last. `None` if the entry at `index + 1` may
    /// be in the same row as the one at `index`; the rows must then be compared.
    #[inline]
    pub fn end_of_row(&self, index: usize, end: u32) -> Option<u32> {
        match (self.prefixes.get(index), self.prefixes.get(index + 1)) {
            (Some(_), None) => Some(end),
            (Some(prefix), Some(next)) if prefix != next => self.offsets.get(index + 1).copied(),
            _ => None,
        }
    }

    /// Bytes of allocated memory.
    pub fn memory_bytes(&self) -> u64 {
        4 * self.offsets.capacity() as u64 + self.prefixes.memory_bytes()
    }
}
