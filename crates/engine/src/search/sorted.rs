//! Sorted numbers, searched with few CPU cache misses.

use super::alphabet::Alphabet;
use bytes::{BufMut, BytesMut};
use std::ops::Range;

/// First step from a guess: half the numbers of a CPU cache line.
const STEP: usize = 4;

/// Sorted numbers. A search guesses the position as if they were evenly spread in their [`Alphabet`], corrects the guess
/// by the number found there, and then widens its range. Evenly spread and random numbers need one to three cache lines,
/// where a binary search needs one per step; others need at most twice the steps of a binary search.
#[derive(Debug, Default, Clone)]
pub struct Sorted {
    /// Eight bytes for each number.
    bytes: BytesMut,
    alphabet: Alphabet,
    /// Value of the first number in the alphabet.
    first: f64,
    /// Positions per unit, from the first number to the last.
    slope: f64,
}

/// The numbers as they are stored.
#[derive(Clone, Copy)]
struct Numbers<'s>(&'s [[u8; 8]]);

impl Numbers<'_> {
    #[inline]
    fn at(self, index: usize) -> u64 {
        u64::from_ne_bytes(self.0[index])
    }
}

impl Sorted {
    /// `numbers` ascend.
    pub fn new(numbers: &[u64]) -> Self {
        let alphabet = Alphabet::of(numbers);
        let value = |number: Option<&u64>| number.map_or(0.0, |number| alphabet.value(*number));
        let (first, last) = (value(numbers.first()), value(numbers.last()));
        let slope = numbers.len().saturating_sub(1) as f64 / (last - first).max(1.0);
        let mut bytes = BytesMut::with_capacity(size_of_val(numbers));
        numbers.iter().for_each(|number| bytes.put_u64_ne(*number));
        Sorted { bytes, alphabet, first, slope }
    }

    /// The same numbers, copied to `memory`, which must have the capacity.
    pub fn moved_to(self, mut memory: BytesMut) -> Self {
        memory.clear();
        memory.extend_from_slice(&self.bytes);
        Sorted { bytes: memory, ..self }
    }

    /// Drops the numbers, and returns their memory.
    pub fn into_memory(self) -> BytesMut {
        self.bytes
    }

    #[inline]
    fn numbers(&self) -> Numbers<'_> {
        Numbers(self.bytes.as_chunks().0)
    }

    /// The number of numbers.
    #[inline]
    pub fn len(&self) -> usize {
        self.numbers().0.len()
    }

    /// The number at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        self.numbers().0.get(index).map(|bytes| u64::from_ne_bytes(*bytes))
    }

    /// Number of those that are smaller.
    #[inline]
    fn smaller_than(&self, wanted: u64) -> usize {
        let numbers = self.numbers();
        let Some(last) = numbers.0.len().checked_sub(1) else { return 0 };
        let value = self.alphabet.value(wanted);
        // A cast to an integer saturates.
        let guess = (((value - self.first) * self.slope) as usize).min(last);
        let correction = (value - self.alphabet.value(numbers.at(guess))) * self.slope;
        let guess = guess.saturating_add_signed(correction as isize).min(last);
        let (mut low, mut high, mut step) = (guess, guess, STEP);
        if numbers.at(guess) < wanted {
            loop {
                high = (low + step).min(last + 1);
                if high > last || numbers.at(high) >= wanted {
                    break;
                }
                low = high;
                step *= 2;
            }
        } else {
            loop {
                low = high.saturating_sub(step);
                if low == 0 || numbers.at(low) < wanted {
                    break;
                }
                high = low;
                step *= 2;
            }
        }
        low + numbers.0[low..high].partition_point(|&number| u64::from_ne_bytes(number) < wanted)
    }

    /// The positions of the numbers that begin with the bits of `high`, which are followed by `low_bits` others; an empty
    /// range where they would be if there are none.
    #[inline]
    pub fn beginning_with(&self, high: u64, low_bits: u32) -> Range<usize> {
        let start = self.smaller_than(high << low_bits);
        let rest = &self.numbers().0[start..];
        let begins = |number: &[u8; 8]| u64::from_ne_bytes(*number) >> low_bits == high;
        // Most often there is one, or none.
        let mut step = 1;
        while step < rest.len() && begins(&rest[step - 1]) && begins(&rest[step]) {
            step *= 2;
        }
        let end = rest.len().min(step);
        start..start + rest[..end].partition_point(begins)
    }

    /// Bytes of allocated memory.
    pub fn memory_bytes(&self) -> u64 {
        self.bytes.capacity() as u64
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
        fn the_positions_are_those_of_a_binary_search(
            numbers in numbers(),
            others in prop::collection::vec(any::<u64>(), 5),
            low_bits in 0..40u32,
        ) {
            let sorted = Sorted::new(&numbers);
            let near = numbers.iter().flat_map(|&number| [number, number.wrapping_add(1), number.wrapping_sub(1)]);
            for high in near.chain(others).map(|number| number >> low_bits) {
                let start = numbers.partition_point(|&number| number >> low_bits < high);
                let end = numbers.partition_point(|&number| number >> low_bits <= high);
                let found = sorted.beginning_with(high, low_bits);
                prop_assert_eq!(found, start..end, "{} before {} bits in {:?}", high, low_bits, &numbers);
            }
        }
    }
}
