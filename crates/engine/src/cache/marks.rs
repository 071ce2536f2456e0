//! Sorted places in a block, and the first bytes of the rows at them, so that a search touches few of the places.
//!
//! A binary search that compares keys where they lie waits for memory at every step. Eight bytes of each row, taken after the
//! bytes that all rows of the block begin with, lie side by side here; a guess by proportion and a short search among them
//! leaves one or two keys to compare in full.
//!
//! The bytes that all rows share are not kept. A row that does not begin with them gets a meaningless window, so a caller
//! compares the keys at its edges before it believes it.

use std::ops::Range;

/// Bytes of a row that are kept.
const PREFIX_BYTES: usize = 8;

/// Offsets of places in a block, ascending, and the rows' first bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Marks {
    offsets: Vec<u32>,
    prefixes: Vec<u64>,
    /// Bytes that all rows begin with.
    shared: usize,
}

/// Eight bytes of `row` from `shared` on as a number that sorts as they do; missing ones count as zero.
#[inline]
fn prefix(row: &[u8], shared: usize) -> u64 {
    let rest = row.get(shared..).unwrap_or(&[]);
    match rest.first_chunk::<PREFIX_BYTES>() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => {
            let mut bytes = [0; PREFIX_BYTES];
            bytes[..rest.len()].copy_from_slice(rest);
            u64::from_be_bytes(bytes)
        }
    }
}

impl Marks {
    /// Places at `offsets`, where `row_at` gives the row at each of the first `row_count`. Offsets and rows must be sorted.
    pub fn new<'b>(offsets: Vec<u32>, row_count: usize, row_at: impl Fn(u32) -> &'b [u8]) -> Self {
        let with_rows = &offsets[..row_count.min(offsets.len())];
        let shared = match (with_rows.first(), with_rows.last()) {
            (Some(&first), Some(&last)) => {
                row_at(first).iter().zip(row_at(last)).take_while(|(first, last)| first == last).count()
            }
            _ => 0,
        };
        let prefixes = with_rows.iter().map(|&offset| prefix(row_at(offset), shared)).collect();
        Marks { offsets, prefixes, shared }
    }

    /// Places without rows, for those who search otherwise.
    pub fn plain(offsets: Vec<u32>) -> Self {
        Marks { offsets, prefixes: Vec::new(), shared: 0 }
    }

    /// The places.
    #[inline]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The places whose rows may be `row`: those before are of smaller rows, those behind of larger ones, provided that `row`
    /// begins with what all rows share.
    #[inline]
    pub fn window(&self, row: &[u8]) -> Range<usize> {
        let wanted = prefix(row, self.shared);
        let start = lower_bound(&self.prefixes, wanted);
        let same = self.prefixes[start..].iter().take(4).take_while(|&&found| found == wanted).count();
        let end = match same {
            4 => start + self.prefixes[start..].partition_point(|&found| found == wanted),
            _ => start + same,
        };
        start..end
    }

    /// What the marks take in memory.
    pub fn memory_bytes(&self) -> u64 {
        4 * self.offsets.capacity() as u64 + 8 * self.prefixes.capacity() as u64
    }
}

/// The first place in `values`, which are sorted, that is not below `wanted`.
///
/// Looks first where it would be if the values were spread evenly, as hashed and counted rows are, and goes on from there in
/// growing steps: a few lines of memory where the guess is good, a binary search where it is not.
#[inline]
fn lower_bound(values: &[u64], wanted: u64) -> usize {
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return 0 };
    if wanted <= first {
        return 0;
    }
    if wanted > last {
        return values.len();
    }
    let share = (wanted - first) as f64 / (last - first) as f64;
    let guess = ((share * (values.len() - 1) as f64) as usize).min(values.len() - 1);
    let (mut low, mut high);
    let mut step = 1;
    if values[guess] < wanted {
        low = guess + 1;
        high = low;
        while high < values.len() && values[high] < wanted {
            low = high + 1;
            high += step;
            step *= 2;
        }
        high = high.min(values.len());
    } else {
        high = guess;
        low = guess;
        while low > 0 && values[low - 1] >= wanted {
            high = low - 1;
            low = low.saturating_sub(step);
            step *= 2;
        }
    }
    low + values[low..high].partition_point(|&value| value < wanted)
}

#[cfg(test)]
mod tests {
    //! Proves: the search gives what a binary search gives, for any numbers.

    use super::*;

    #[test]
    fn the_guess_never_misses() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state >> 20
        };
        for round in 0..2000 {
            let spread = [3, 100, 1 << 20, u64::MAX][round % 4];
            let mut values: Vec<u64> = (0..random() % 200).map(|_| random() % spread).collect();
            values.sort_unstable();
            if round % 5 == 0 {
                values.push(u64::MAX);
            }
            for _ in 0..50 {
                let wanted = random() % spread;
                let expected = values.partition_point(|&value| value < wanted);
                assert_eq!(lower_bound(&values, wanted), expected, "{values:?} {wanted}");
            }
        }
    }

    #[test]
    fn a_window_holds_all_places_of_a_row() {
        let rows: [&[u8]; 6] = [b"row", b"row1", b"row1", b"row100000000", b"row100000001", b"row2"];
        let marks = Marks::new((0..6).collect(), 6, |offset| rows[offset as usize]);
        assert_eq!(marks.window(b"row"), 0..1);
        assert_eq!(marks.window(b"row1"), 1..3);
        assert_eq!(marks.window(b"row10000000"), 3..5);
        assert_eq!(marks.window(b"row3"), 6..6);
        assert_eq!(Marks::default().window(b"x"), 0..0);
    }
}
