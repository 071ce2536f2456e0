//! Offsets of sorted entries in a run of bytes, each with the first bytes of its row.
//!
//! A binary search over the rows themselves causes two CPU cache misses per step: one for the offset, one for the
//! row. The numbers here are contiguous, so a search stays within a cache line or two and reads one or two rows at the
//! end:
//!
//! ```text
//! number = first bits of the row after the shared part | offset, in as many bits as the largest offset needs
//! ```
//!
//! A block of 64 KiB has offsets of 16 bits, which leaves six bytes of the row. The search itself is in
//! [`super::sorted`]: it guesses, because most blocks that are searched are in no CPU cache.

use super::partition_point;
use super::prefix::{Place, RowPrefix};
use super::sorted::Sorted;
use bytes::BytesMut;
use std::ops::Range;

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
    numbers: Sorted,
    /// The last bits of each number are the offset, the others are bits of the row.
    offset_bits: u32,
    shared: RowPrefix,
}

impl Marks {
    /// Offsets of entries without rows, in which no row can be searched.
    pub fn without_rows(offsets: &[u32]) -> Self {
        let numbers = Sorted::new(offsets.iter().map(|&offset| offset.into()));
        Marks { numbers, offset_bits: u32::BITS, ..Marks::default() }
    }

    /// Offsets of entries whose rows ascend and are returned by `row_at`.
    pub fn of_rows<'b>(offsets: &[u32], row_at: impl Fn(u32) -> &'b [u8]) -> Self {
        let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else { return Marks::default() };
        let shared = RowPrefix::between(row_at(first), row_at(last));
        let offset_bits = u32::BITS - last.leading_zeros();
        let number_of = |&offset: &u32| shared.of(row_at(offset)) >> offset_bits << offset_bits | u64::from(offset);
        Marks { numbers: Sorted::new(offsets.iter().map(number_of)), offset_bits, shared }
    }

    /// Bytes of the numbers.
    pub fn number_bytes(&self) -> usize {
        size_of::<u64>() * self.len()
    }

    /// The same marks, with the numbers copied to `memory`, which must have a capacity of [`Marks::number_bytes`].
    pub fn moved_to(self, memory: BytesMut) -> Self {
        Marks { numbers: self.numbers.moved_to(memory), ..self }
    }

    /// Drops the marks, and returns the memory of the numbers.
    pub fn into_memory(self) -> BytesMut {
        self.numbers.into_memory()
    }

    /// The number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The offset of the entry at `index`; `None` if there is none.
    #[inline]
    pub fn offset(&self, index: usize) -> Option<u32> {
        let number = self.numbers.get(index)?;
        Some((number & !(u64::MAX << self.offset_bits)) as u32)
    }

    /// Position of a target in `row`. `is_before` is called with indices of entries that may be in that row. It must be
    /// true for a first part of them and false for the rest.
    #[inline]
    pub fn partition_point(&self, row: &[u8], is_before: impl FnMut(usize) -> bool) -> Position {
        let same = self.entries_like(row);
        Position { smaller_rows: same.start, index: partition_point(same, is_before) }
    }

    /// The entries that may be in `row`, without reading any: those with the same first bytes. An empty range if there are
    /// none, where they would be.
    #[inline]
    pub fn entries_like(&self, row: &[u8]) -> Range<usize> {
        match self.shared.locate(row) {
            Place::Before => 0..0,
            Place::After => self.len()..self.len(),
            Place::At(prefix) => self.numbers.beginning_with(prefix >> self.offset_bits, self.offset_bits),
        }
    }

    /// Offset where the next row's entries begin, or `end` after the last. `None` if the entry at `index + 1` may
    /// be in the same row as the one at `index`; the rows must then be compared.
    #[inline]
    pub fn end_of_row(&self, index: usize, end: u32) -> Option<u32> {
        match (self.numbers.get(index), self.numbers.get(index + 1)) {
            (Some(_), None) => Some(end),
            (Some(number), Some(next)) if number >> self.offset_bits != next >> self.offset_bits => {
                self.offset(index + 1)
            }
            _ => None,
        }
    }

    /// Bytes of allocated memory.
    pub fn memory_bytes(&self) -> u64 {
        self.numbers.memory_bytes() + self.shared.memory_bytes() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rows of digits, of letters, of any bytes, and some with a long common beginning.
    fn rows() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let row = || prop_oneof!["[0-9]{0,12}", "[a-c/]{0,10}", "com[.]example[.]a{0,30}[a-z]{0,2}"];
        let texts = prop::collection::vec(row().prop_map(String::into_bytes), 1..200);
        let bytes = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..12), 1..50);
        prop_oneof![texts, bytes].prop_map(|mut rows: Vec<Vec<u8>>| {
            rows.sort_unstable();
            rows
        })
    }

    proptest! {
        #[test]
        fn rows_are_found_where_a_binary_search_finds_them(
            rows in rows(),
            others in rows(),
            step in prop_oneof![Just(1u32), 1..300u32, Just(20_000_000)],
        ) {
            let offsets: Vec<_> = (0..rows.len() as u32).map(|index| index * step).collect();
            let marks = Marks::of_rows(&offsets, |offset| &rows[(offset / step) as usize]);
            prop_assert_eq!(marks.len(), rows.len());
            for (index, row) in rows.iter().enumerate() {
                prop_assert_eq!(marks.offset(index), Some(index as u32 * step));
                if let Some(end) = marks.end_of_row(index, u32::MAX) {
                    prop_assert_eq!(marks.offset(index + 1).unwrap_or(u32::MAX), end);
                    prop_assert_ne!(rows.get(index + 1), Some(row));
                }
            }
            for row in rows.iter().chain(&others) {
                let smaller = rows.partition_point(|other| other < row);
                let not_larger = rows.partition_point(|other| other <= row);
                let found = marks.partition_point(row, |index| &rows[index] < row);
                prop_assert_eq!(found.index, smaller, "{:?}", row);
                prop_assert!(found.smaller_rows <= smaller);
                let like = marks.entries_like(row);
                prop_assert!(like.start <= smaller && not_larger <= like.end, "{:?}", row);
            }
        }
    }
}
