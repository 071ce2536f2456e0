//! Offsets of sorted things in a run of bytes, with eight bytes of each row beside them.
//!
//! A search by halves over the rows themselves misses the processor's cache at every step, twice: once for the offset, once
//! for the row. The eight bytes lie together, so a search stays within a few cache lines and looks at one or two rows at the
//! end. Measured on 100,000 rows of 24 + 100 bytes: a cached get went from 1.9 to 1.0 microseconds.

use super::prefix::{Place, RowPrefix};

/// Where a target lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// How many things sort before it.
    pub index: usize,
    /// How many of them are surely in a smaller row: known without looking at any.
    pub smaller_rows: usize,
}

/// Ascending offsets; with rows they can be searched by row.
#[derive(Debug, Default)]
pub struct Marks {
    offsets: Vec<u32>,
    shared: RowPrefix,
    prefixes: Vec<u64>,
}

impl Marks {
    /// Offsets of things without rows.
    pub fn without_rows(offsets: Vec<u32>) -> Self {
        Marks { offsets, ..Marks::default() }
    }

    /// Offsets of the first `count` things, whose rows ascend and are found by `row_at`; further offsets have no rows.
    pub fn of_rows<'b>(offsets: Vec<u32>, count: usize, row_at: impl Fn(u32) -> &'b [u8]) -> Self {
        let rows = &offsets[..count.min(offsets.len())];
        let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else { return Marks::without_rows(offsets) };
        let shared = RowPrefix::between(row_at(first), row_at(last));
        let prefixes = rows.iter().map(|&offset| shared.of(row_at(offset))).collect();
        Marks { offsets, shared, prefixes }
    }

    /// The offsets.
    #[inline]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Where a target in `row` lies among the things with rows. `is_before` is asked about the indices of things whose rows
    /// may be that row; it must hold for a first part of them and no other.
    #[inline]
    pub fn partition_point(&self, row: &[u8], mut is_before: impl FnMut(usize) -> bool) -> Found {
        match self.shared.locate(row) {
            Place::Before => Found { index: 0, smaller_rows: 0 },
            Place::After => Found { index: self.prefixes.len(), smaller_rows: self.prefixes.len() },
            Place::At(prefix) => {
                let low = self.prefixes.partition_point(|&other| other < prefix);
                let same = self.prefixes[low..].partition_point(|&other| other == prefix);
                let (mut from, mut to) = (low, low + same);
                while from < to {
                    let middle = from + (to - from) / 2;
                    if is_before(middle) {
                        from = middle + 1;
                    } else {
                        to = middle;
                    }
                }
                Found { index: from, smaller_rows: low }
            }
        }
    }

    /// Where the next row's things begin, or `end` behind the last: `None` where the thing at `index + 1` may be of the same
    /// row as the one at `index`, and one has to look.
    #[inline]
    pub fn end_of_row(&self, index: usize, end: u32) -> Option<u32> {
        match (self.prefixes.get(index), self.prefixes.get(index + 1)) {
            (Some(_), None) => Some(end),
            (Some(prefix), Some(next)) if prefix != next => self.offsets.get(index + 1).copied(),
            _ => None,
        }
    }

    /// What they take in memory.
    pub fn memory_bytes(&self) -> u64 {
        4 * self.offsets.capacity() as u64 + 8 * self.prefixes.capacity() as u64
    }
}
