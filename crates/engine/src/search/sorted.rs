//! Sorted numbers, searched with few CPU cache misses.

use super::alphabet::Alphabet;
use crate::sys::advice::MemoryRange;
use bytes::{BufMut, BytesMut};
use std::ops::Range;

/// Number of steps from a guess, one by one, before they become larger: half the numbers of a CPU cache line.
const NEAR: usize = 4;

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

fn number(bytes: &[u8; 8]) -> u64 {
    u64::from_ne_bytes(*bytes)
}

impl Sorted {
    /// `numbers` ascend.
    pub fn new(numbers: impl ExactSizeIterator<Item = u64>) -> Self {
        let mut bytes = BytesMut::with_capacity(size_of::<u64>() * numbers.len());
        numbers.for_each(|number| bytes.put_u64_ne(number));
        let mut sorted = Sorted { bytes, ..Sorted::default() };
        sorted.prepare();
        sorted
    }

    fn prepare(&mut self) {
        let numbers = self.numbers();
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return };
        let alphabet = Alphabet::of(numbers);
        let (first, last) = (alphabet.value(number(first)), alphabet.value(number(last)));
        self.slope = (numbers.len() - 1) as f64 / (last - first).max(1.0);
        (self.alphabet, self.first) = (alphabet, first);
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

    /// The memory of the numbers.
    pub fn memory(&self) -> MemoryRange {
        MemoryRange::of(&self.bytes)
    }

    #[inline]
    fn numbers(&self) -> &[[u8; 8]] {
        self.bytes.as_chunks().0
    }

    /// The number of numbers.
    #[inline]
    pub fn len(&self) -> usize {
        self.numbers().len()
    }

    /// The number at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        self.numbers().get(index).map(number)
    }

    /// Number of those that are smaller. `near` is called with the guess before any number is read.
    #[inline]
    fn smaller_than(&self, wanted: u64, near: impl FnOnce(usize)) -> usize {
        let numbers = self.numbers();
        let Some(last) = numbers.len().checked_sub(1) else { return 0 };
        let is_smaller = |other: &[u8; 8]| number(other) < wanted;
        let value = self.alphabet.value(wanted);
        // A cast to an integer saturates.
        let guess = (((value - self.first) * self.slope) as usize).min(last);
        near(guess);
        let correction = (value - self.alphabet.value(number(&numbers[guess]))) * self.slope;
        let guess = guess.saturating_add_signed(correction as isize).min(last);
        if is_smaller(&numbers[guess]) {
            let near = numbers.len().min(guess + 1 + NEAR);
            match numbers[guess + 1..near].iter().position(|other| !is_smaller(other)) {
                Some(steps) => guess + 1 + steps,
                None => self.first_after(near - 1, is_smaller),
            }
        } else {
            let near = guess.saturating_sub(NEAR);
            match numbers[near..guess].iter().rposition(is_smaller) {
                Some(steps) => near + steps + 1,
                None => self.first_before(near, is_smaller),
            }
        }
    }

    /// The first position after `low` that is not smaller, or the end. The number at `low` is smaller.
    #[inline]
    fn first_after(&self, mut low: usize, is_smaller: impl Fn(&[u8; 8]) -> bool) -> usize {
        let (numbers, mut step) = (self.numbers(), NEAR);
        loop {
            let high = (low + step).min(numbers.len());
            if high == numbers.len() || !is_smaller(&numbers[high]) {
                return low + numbers[low..high].partition_point(is_smaller);
            }
            low = high;
            step *= 2;
        }
    }

    /// The first position up to `high` that is not smaller. The number at `high` is not.
    #[inline]
    fn first_before(&self, mut high: usize, is_smaller: impl Fn(&[u8; 8]) -> bool) -> usize {
        let (numbers, mut step) = (self.numbers(), NEAR);
        loop {
            let low = high.saturating_sub(step);
            if low == 0 || is_smaller(&numbers[low]) {
                return low + numbers[low..high].partition_point(is_smaller);
            }
            high = low;
            step *= 2;
        }
    }

    /// The positions of the numbers that begin with the bits of `high`, which are followed by `low_bits` others; an empty
    /// range where they would be if there are none. `near` is called with a guess before any number is read.
    #[inline]
    pub fn beginning_with(&self, high: u64, low_bits: u32, near: impl FnOnce(usize)) -> Range<usize> {
        let start = self.smaller_than(high << low_bits, near);
        let rest = &self.numbers()[start..];
        let begins = |other: &[u8; 8]| number(other) >> low_bits == high;
        // Most often there is one, or none.
        let mut step = 1;
        while rest.get(step - 1).is_some_and(begins) {
            step *= 2;
        }
        // The last one with a smaller step does, and this one does not.
        let half = step / 2;
        start..start + half + rest[half..rest.len().min(step - 1)].partition_point(begins)
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
            let sorted = Sorted::new(numbers.iter().copied());
            let near = numbers.iter().flat_map(|&number| [number, number.wrapping_add(1), number.wrapping_sub(1)]);
            for high in near.chain(others).map(|number| number >> low_bits) {
                let start = numbers.partition_point(|&number| number >> low_bits < high);
                let end = numbers.partition_point(|&number| number >> low_bits <= high);
                let found = sorted.beginning_with(high, low_bits, |_| ());
                prop_assert_eq!(found, start..end, "{} before {} bits in {:?}", high, low_bits, &numbers);
            }
        }
    }
}
