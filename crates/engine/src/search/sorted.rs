//! Sorted numbers, searched with few CPU cache misses.

use std::ops::Range;

/// Numbers in a CPU cache line.
const LINE: usize = 8;

/// Sorted numbers. A search guesses the position as if they were evenly spread, and then widens its range from there.
/// Evenly spread numbers need one or two cache lines, where a binary search needs one per step; others need at most
/// twice the steps of a binary search.
#[derive(Debug, Default, Clone)]
pub struct Sorted {
    numbers: Vec<u64>,
    /// Positions per unit, from the first number to the last.
    slope: f64,
    first: u64,
}

impl Sorted {
    /// `numbers` ascend.
    pub fn new(numbers: Vec<u64>) -> Self {
        let (first, last) = (numbers.first().copied().unwrap_or(0), numbers.last().copied().unwrap_or(0));
        let slope = numbers.len().saturating_sub(1) as f64 / last.saturating_sub(first).max(1) as f64;
        Sorted { numbers, slope, first }
    }

    /// The number of numbers.
    #[inline]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&u64> {
        self.numbers.get(index)
    }

    /// Number of those that are smaller.
    #[inline]
    fn smaller_than(&self, wanted: u64) -> usize {
        let numbers = self.numbers.as_slice();
        if wanted <= self.first || numbers.is_empty() {
            return 0;
        }
        // A cast to an integer saturates.
        let guess = ((wanted - self.first) as f64 * self.slope) as usize;
        let guess = guess.min(numbers.len() - 1);
        let (mut low, mut high, mut step) = (guess, guess, LINE);
        if numbers[guess] < wanted {
            loop {
                high = (low + step).min(numbers.len());
                if high == numbers.len() || numbers[high] >= wanted {
                    break;
                }
                low = high;
                step *= 2;
            }
        } else {
            loop {
                low = high.saturating_sub(step);
                if low == 0 || numbers[low] < wanted {
                    break;
                }
                high = low;
                step *= 2;
            }
        }
        low + numbers[low..high].partition_point(|&number| number < wanted)
    }

    /// The positions of the numbers equal to `wanted`; an empty range where it would be if there are none.
    #[inline]
    pub fn equal_to(&self, wanted: u64) -> Range<usize> {
        let start = self.smaller_than(wanted);
        let rest = &self.numbers[start..];
        // Most often there is one, or none.
        let mut step = 1;
        while step < rest.len() && rest[step - 1] == wanted && rest[step] == wanted {
            step *= 2;
        }
        let end = rest.len().min(step);
        start..start + rest[..end].partition_point(|&number| number == wanted)
    }

    /// Bytes of allocated memory.
    pub fn memory_bytes(&self) -> u64 {
        8 * self.numbers.capacity() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Sorted;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = Vec<u64>> {
        let number = prop_oneof![
            0..20u64,
            1_000_000..1_000_400u64,
            any::<u64>(),
            Just(u64::MAX),
            (0..64u32).prop_map(|shift| 1 << shift),
        ];
        prop::collection::vec(number, 0..300).prop_map(|mut numbers| {
            numbers.sort_unstable();
            numbers
        })
    }

    proptest! {
        #[test]
        fn the_positions_are_those_of_a_binary_search(numbers in numbers(), others in prop::collection::vec(any::<u64>(), 5)) {
            let sorted = Sorted::new(numbers.clone());
            let near = numbers.iter().flat_map(|&number| [number, number.wrapping_add(1), number.wrapping_sub(1)]);
            for wanted in near.chain(others) {
                let start = numbers.partition_point(|&number| number < wanted);
                let end = numbers.partition_point(|&number| number <= wanted);
                prop_assert_eq!(sorted.equal_to(wanted), start..end, "{} in {:?}", wanted, &numbers);
            }
        }
    }
}
