//! Finding a row among sorted rows with few memory accesses, in files and memstores.

mod alphabet;
mod branches;
mod hash;
mod marks;
mod prefix;
mod sorted;

pub(crate) use hash::row_hash;
pub use marks::Marks;
pub use prefix::{Place, RowPrefix};

use std::ops::Range;

/// The first index in `range` for which `is_before` is false, or the end of the range. `is_before` must be true for a first
/// part of the range and false for the rest.
#[inline]
pub(crate) fn partition_point(range: Range<usize>, mut is_before: impl FnMut(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The same for `0..len`, if it is probably in `guess` or next to it: `is_before` is called with few other indices.
#[inline]
pub(crate) fn partition_point_near(guess: Range<usize>, len: usize, mut is_before: impl FnMut(usize) -> bool) -> usize {
    let found = partition_point(guess.clone(), &mut is_before);
    let (mut low, mut high, mut step) = (found, found, 1);
    if found == guess.start {
        while low > 0 && !is_before(low - 1) {
            high = low - 1;
            low = high.saturating_sub(step);
            step *= 2;
        }
    }
    if found == guess.end && low == found {
        while high < len && is_before(high) {
            low = high + 1;
            high = len.min(low + step);
            step *= 2;
        }
    }
    partition_point(low..high, is_before)
}

#[cfg(test)]
mod tests {
    use super::partition_point_near;

    #[test]
    fn a_guess_does_not_change_what_is_found() {
        for len in 0..12 {
            for point in 0..=len {
                for start in 0..=len {
                    for end in start..=len {
                        let found = partition_point_near(start..end, len, |index| index < point);
                        assert_eq!(found, point, "{start}..{end} of {len}");
                    }
                }
            }
        }
    }
}
