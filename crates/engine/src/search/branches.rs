//! The bytes of sorted rows by which neighbors differ first.
//!
//! ```text
//! s e n s o r 1 7 | 2 0 2 6 - 1 1 - 2 8
//! s e n s o r 1 7 | 2 0 2 6 - 1 1 - 2 9
//! s e n s o r 1 8 | 2 0 2 6 - 1 1 - 2 8
//!               ^                     ^
//! ```
//!
//! All of them together suffice to order the rows: the first byte in which any two of the rows differ is one in which two
//! neighbors between them differ first. So rows with a long common beginning, and rows of several parts of which each
//! varies little, need only a few bytes. Eight at most are kept, of the 64 bytes after the common beginning. Rows that
//! agree in these have equal numbers.
//!
//! Another row may differ in other bytes. Its branch bytes only say where it would be if it were one of these rows. If
//! they follow the common beginning without a gap, that is where it is.
//!
//! Source of the idea: the discriminative bits of HOT (Binna et al., SIGMOD 2018), which go back to Patricia trees.

use super::prefix::{common, eight_bytes};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Maximum number of branch bytes.
const MOST: usize = 8;
/// No row has a byte here.
const NOWHERE: u16 = u16::MAX;
/// A longer common beginning is in memory of its own.
const INLINE_BYTES: usize = 24;

/// Number of bytes after the common beginning in which branch bytes are looked for.
const SEARCHED_BYTES: usize = u64::BITS as usize;

/// Positions of the branch bytes of some rows: of many, the first; of few, also those behind the last.
#[derive(Debug, Clone)]
pub struct BranchBytes {
    /// Ascending.
    positions: [u16; MOST],
    /// Whether a byte between the common beginning and the last position is not a branch byte.
    has_gap: bool,
    /// The common beginning of the rows.
    shared: SmallVec<[u8; INLINE_BYTES]>,
}

impl Default for BranchBytes {
    fn default() -> Self {
        BranchBytes { positions: [NOWHERE; MOST], has_gap: true, shared: SmallVec::new() }
    }
}

impl BranchBytes {
    /// The first `most` branch bytes of `rows`, which ascend and begin and end with `ends`.
    pub fn of<'b>(ends: (&[u8], &[u8]), rows: impl Iterator<Item = &'b [u8]>, most: usize) -> Self {
        let shared = common(ends.0, ends.1);
        // Bit n: neighbors differ first in the byte `shared + n`.
        let mut places = 0u64;
        let mut last: Option<&[u8]> = None;
        for row in rows {
            let rest = row.get(shared..).unwrap_or_default();
            if let Some(before) = last.replace(rest) {
                let same = common(before, rest);
                if same < rest.len().min(SEARCHED_BYTES) {
                    places |= 1 << same;
                }
            }
        }
        let shared_bytes = SmallVec::from_slice(&ends.0[..shared]);
        let mut branches = BranchBytes { has_gap: false, shared: shared_bytes, ..BranchBytes::default() };
        let mut next = 0;
        for position in branches.positions.iter_mut().take(most) {
            // After the last branch byte, further bytes are kept: an absent row then more often differs from all these rows.
            let place = if places == 0 { next } else { places.trailing_zeros() as usize };
            branches.has_gap |= place != next;
            *position = (shared + place).min(usize::from(NOWHERE)) as u16;
            next = place + 1;
            places &= places.wrapping_sub(1);
        }
        branches
    }

    /// The branch bytes of `row` as the first bytes of a number. Bytes that it does not have are zeros.
    #[inline]
    pub fn of_row(&self, row: &[u8]) -> u64 {
        if !self.has_gap {
            return eight_bytes(row, self.shared.len());
        }
        let byte = |position: &u16| u64::from(row.get(usize::from(*position)).copied().unwrap_or(0));
        self.positions.iter().fold(0, |number, position| number << 8 | byte(position))
    }

    /// Whether numbers decide: a row that begins like these is before each that has a larger number, and after each that has
    /// a smaller one.
    #[inline]
    pub fn are_decisive(&self) -> bool {
        !self.has_gap
    }

    /// Whether `row` begins like these rows (`Equal`), or is before or after all of them.
    #[inline]
    pub fn compare_beginning(&self, row: &[u8]) -> Ordering {
        if row.starts_with(&self.shared) {
            return Ordering::Equal;
        }
        // A beginning of the shared bytes is before them.
        row.cmp(&self.shared)
    }

    /// Bytes of allocated memory.
    pub fn memory_bytes(&self) -> u64 {
        if self.shared.spilled() {
            self.shared.capacity() as u64
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&str]) -> BranchBytes {
        let ends = (rows[0].as_bytes(), rows[rows.len() - 1].as_bytes());
        BranchBytes::of(ends, rows.iter().map(|row| row.as_bytes()), MOST)
    }

    #[test]
    fn only_bytes_by_which_neighbors_differ_first_are_kept() {
        let branches = of(&["sensor17|1128", "sensor17|1129", "sensor18|1128"]);
        assert_eq!(branches.of_row(b"sensor18|1129"), u64::from_be_bytes(*b"89\0\0\0\0\0\0"));
        assert_eq!(branches.of_row(b"sensor1"), 0);
        assert!(!branches.are_decisive());
    }

    #[test]
    fn bytes_without_a_gap_are_decisive_for_rows_with_the_same_beginning() {
        let branches = of(&["user10", "user12", "user20"]);
        assert!(branches.are_decisive());
        let rows = ["user15", "user3", "user", "used15", "usf", "use", ""];
        let compared = rows.map(|row| branches.compare_beginning(row.as_bytes()));
        assert_eq!(compared.map(|ordering| ordering as i8), [0, 0, 0, -1, 1, -1, -1]);
    }

    #[test]
    fn only_the_first_branches_are_kept() {
        let rows: Vec<String> = (1..70).map(|count| "b".repeat(count)).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert_eq!(of(&rows).of_row(b"abcdefghijkl"), u64::from_be_bytes(*b"bcdefghi"));
        let ends = (rows[0].as_bytes(), rows[rows.len() - 1].as_bytes());
        let three = BranchBytes::of(ends, rows.iter().map(|row| row.as_bytes()), 3);
        assert_eq!(three.of_row(b"abcdefghijkl") >> 40, u64::from_be_bytes(*b"\0\0\0\0\0bcd"));
    }
}
