//! Offsets of sorted entries in a run of bytes, each with some bytes of its row.
//!
//! A binary search over the rows themselves causes two CPU cache misses per step: one for the offset, one for the
//! row. The numbers here are contiguous, so a search stays within a cache line or two and reads one or two rows at the
//! end:
//!
//! ```text
//! number = first bits of the row's branch bytes | offset, in as many bits as the largest offset needs
//! ```
//!
//! A block of 64 KiB has offsets of 16 bits, which leaves six [branch bytes](super::branches). The search itself is in
//! [`super::sorted`]: it guesses, because most blocks that are searched are in no CPU cache. What the numbers say is
//! certain for rows of the entries. For any other row it may be a guess, too, and is then checked by reading rows.

use super::branches::BranchBytes;
use super::sorted::Sorted;
use super::{partition_point, partition_point_near};
use crate::sys::advice::MemoryRange;
use bytes::BytesMut;
use std::cmp::Ordering;
use std::ops::Range;

/// Ascending offsets. With rows they can be searched by row.
#[derive(Debug, Default, Clone)]
pub struct Marks {
    numbers: Sorted,
    /// The last bits of each number are the offset, the others are bits of the row.
    offset_bits: u32,
    branches: BranchBytes,
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
        let offset_bits = u32::BITS - last.leading_zeros();
        let row_bytes = (u64::BITS - offset_bits).div_ceil(u8::BITS) as usize;
        let branches = BranchBytes::of((row_at(first), row_at(last)), offsets.iter().map(|&at| row_at(at)), row_bytes);
        let number_of =
            |&offset: &u32| branches.of_row(row_at(offset)) >> offset_bits << offset_bits | u64::from(offset);
        Marks { numbers: Sorted::new(offsets.iter().map(number_of)), offset_bits, branches }
    }

    /// Bytes of the numbers.
    pub fn number_bytes(&self) -> usize {
        size_of::<u64>() * self.len()
    }

    /// The memory of the numbers.
    pub fn memory(&self) -> MemoryRange {
        self.numbers.memory()
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

    /// Number of entries that are smaller than a target in `row`. `compare` compares an entry with it: all smaller entries
    /// come first. It must not say that entries of two rows are equal to it.
    #[inline]
    pub fn smaller_than(&self, row: &[u8], compare: impl Fn(usize) -> Ordering) -> usize {
        let like = self.entries_with_number_of(row, |_| ());
        // Then all entries before it are of smaller rows.
        if !like.is_empty() && compare(like.start) == Ordering::Equal {
            return like.start;
        }
        let is_before = |index| compare(index) == Ordering::Less;
        match self.branches.compare_beginning(row) {
            Ordering::Less => 0,
            Ordering::Greater => self.len(),
            Ordering::Equal if self.branches.are_decisive() => partition_point(like, is_before),
            Ordering::Equal => partition_point_near(like, self.len(), is_before),
        }
    }

    /// The first entry of `row`; `None` if there is none. `compare` compares the row of an entry with it. It is called only
    /// for entries that have the row's number, so most often for one or none. Before any mark is read, `near` is called with one
    /// that is probably near it.
    #[inline]
    pub fn find(&self, row: &[u8], near: impl FnOnce(usize), compare: impl Fn(usize) -> Ordering) -> Option<usize> {
        let like = self.entries_with_number_of(row, near);
        if like.is_empty() {
            return None;
        }
        match compare(like.start) {
            Ordering::Equal => Some(like.start),
            Ordering::Greater => None,
            Ordering::Less => {
                let found = partition_point(like.start + 1..like.end, |index| compare(index) == Ordering::Less);
                (found < like.end && compare(found) == Ordering::Equal).then_some(found)
            }
        }
    }

    /// The entries of `row`, and perhaps of others, without reading any. The range may be empty if there are none.
    #[inline]
    pub fn entries_like(&self, row: &[u8]) -> Range<usize> {
        match self.branches.compare_beginning(row) {
            Ordering::Less => 0..0,
            Ordering::Equal => self.entries_with_number_of(row, |_| ()),
            Ordering::Greater => self.len()..self.len(),
        }
    }

    #[inline]
    fn entries_with_number_of(&self, row: &[u8], near: impl FnOnce(usize)) -> Range<usize> {
        self.numbers.beginning_with(self.branches.of_row(row) >> self.offset_bits, self.offset_bits, near)
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
        self.numbers.memory_bytes() + self.branches.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rows of digits, of letters, of any bytes, of few bytes, of two parts, and some with a long common beginning.
    fn rows() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let row = || prop_oneof!["[0-9]{0,12}", "[a-c/]{0,10}", "com[.]example[.]a{0,30}[a-z]{0,2}"];
        let texts = prop::collection::vec(row().prop_map(String::into_bytes), 1..200);
        let parts = || prop_oneof!["sensor[0-3]{2}[|]2026-1[0-2]-[0-3][0-9]", "a{0,2}(b{60,70}[0-9]{0,3})?"];
        let parts = prop::collection::vec(parts().prop_map(String::into_bytes), 1..200);
        let bytes = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..12), 1..50);
        let few = prop::sample::select(&[0u8, 1, 0xff][..]);
        let few = prop::collection::vec(prop::collection::vec(few, 0..5), 1..100);
        prop_oneof![texts, parts, bytes, few].prop_map(|mut rows: Vec<Vec<u8>>| {
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
                let found = marks.smaller_than(row, |index| rows[index].cmp(row));
                prop_assert_eq!(found, smaller, "{:?}", row);
                let found = marks.find(row, |_| (), |index| rows[index].cmp(row));
                prop_assert_eq!(found, (smaller < not_larger).then_some(smaller), "{:?}", row);
                let like = marks.entries_like(row);
                prop_assert!(smaller == not_larger || like.start <= smaller && not_larger <= like.end, "{:?}", row);
            }
        }
    }
}
