//! Rows of digits or letters as evenly spread numbers.
//!
//! Random decimal numbers are evenly spread, but their bytes, read as one number, are not: from `3999` to `4000` is a much
//! larger step than from `3998` to `3999`, because the bytes between `9` and the next `0` never occur. So each byte is
//! replaced by its rank in an alphabet. This only serves to guess positions: a byte that does not belong to the alphabet
//! makes the guess worse, not wrong.

/// Bytes of a number that count, from the first one on. In a block of up to 64 KiB, all of them are bytes of the row.
const BYTES: usize = 6;
/// Those by which the alphabet is chosen: bytes of the row in a block of up to 16 MiB.
const SAMPLED_BYTES: usize = 5;
/// Most rows by which the alphabet is chosen.
const SAMPLES: usize = 8;

/// The bytes that occur in rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alphabet {
    /// Rank of each byte, or [`OTHER`].
    ranks: &'static [u8; 256],
    size: u64,
}

const OTHER: u8 = u8::MAX;

const fn ranks(ranges: &[(u8, u8, u8)]) -> [u8; 256] {
    let mut ranks = [OTHER; 256];
    // The end of a short row.
    ranks[0] = 0;
    let mut number = 0;
    while number < ranges.len() {
        let (first, last, rank) = ranges[number];
        let mut byte = first;
        while byte <= last {
            ranks[byte as usize] = rank + (byte - first);
            byte += 1;
        }
        number += 1;
    }
    ranks
}

const fn identity() -> [u8; 256] {
    let mut ranks = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        ranks[byte] = byte as u8;
        byte += 1;
    }
    ranks
}

static DECIMAL: [u8; 256] = ranks(&[(b'0', b'9', 0)]);
static HEXADECIMAL: [u8; 256] = ranks(&[(b'0', b'9', 0), (b'A', b'F', 10), (b'a', b'f', 10)]);
static LETTERS: [u8; 256] = ranks(&[(b'-', b'9', 0), (b'A', b'Z', 13), (b'_', b'_', 39), (b'a', b'z', 40)]);
static ALL: [u8; 256] = identity();

const ANY: Alphabet = Alphabet { ranks: &ALL, size: 256 };
const NARROW: [Alphabet; 3] = [
    Alphabet { ranks: &DECIMAL, size: 10 },
    Alphabet { ranks: &HEXADECIMAL, size: 16 },
    Alphabet { ranks: &LETTERS, size: 66 },
];

impl Default for Alphabet {
    fn default() -> Self {
        ANY
    }
}

impl Alphabet {
    /// The smallest alphabet that has the first bytes of some of the numbers.
    pub fn of(numbers: &[[u8; 8]]) -> Self {
        let samples = || numbers.iter().step_by(numbers.len() / SAMPLES + 1).map(|bytes| u64::from_ne_bytes(*bytes));
        let samples = || samples().flat_map(|number| number.to_be_bytes().into_iter().take(SAMPLED_BYTES));
        let has_all = |known: &Alphabet| samples().all(|byte| known.ranks[usize::from(byte)] != OTHER);
        NARROW.into_iter().find(has_all).unwrap_or(ANY)
    }

    /// The number whose digits are the first bytes of this one.
    #[inline]
    pub fn value(&self, number: u64) -> f64 {
        let digit = |byte: u8| u64::from(self.ranks[usize::from(byte)]);
        number.to_be_bytes().into_iter().take(BYTES).fold(0, |sum, byte| sum * self.size + digit(byte)) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(row: &[u8; 8]) -> u64 {
        u64::from_be_bytes(*row)
    }

    #[test]
    fn the_smallest_alphabet_is_chosen() {
        let size = |row: &[u8; 8]| Alphabet::of(&[number(row).to_ne_bytes(); 20]).size;
        assert_eq!([b"01234567", b"12\0\0\0\0\0\0"].map(size), [10, 10]);
        assert_eq!([b"09afAF00", b"deadbeef"].map(size), [16, 16]);
        assert_eq!([b"com.exam", b"user_Z-9", b"z-9A_/.a"].map(size), [66, 66, 66]);
        assert_eq!([b"\x01\x02\x03\x04\x05\x06\x07\x08", b"two word"].map(size), [256, 256]);
        assert_eq!(Alphabet::of(&[]).size, 10);
    }

    #[test]
    fn ranks_ascend_without_gaps() {
        for Alphabet { ranks, size } in NARROW.into_iter().chain([ANY]) {
            let mut known: Vec<_> = ranks.iter().filter(|rank| size == 256 || **rank != OTHER).copied().collect();
            known.sort_unstable();
            known.dedup();
            assert_eq!(known, (0..=(size - 1) as u8).collect::<Vec<_>>());
        }
    }

    #[test]
    fn steps_between_decimal_numbers_are_equal() {
        let decimal = Alphabet::of(&[number(b"00000000").to_ne_bytes()]);
        let step = |low, high| decimal.value(number(high)) - decimal.value(number(low));
        assert_eq!([step(b"39990000", b"40000000"), step(b"39980000", b"39990000")], [100.0, 100.0]);
    }
}
