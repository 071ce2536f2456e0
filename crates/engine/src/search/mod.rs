//! Finding a row among sorted rows with few memory accesses, in files and memstores.

mod alphabet;
mod hash;
mod marks;
mod prefix;
mod sorted;

pub(crate) use hash::row_hash;
pub use marks::{Marks, Position};
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
