//! Rows of digits or letters as evenly spread numbers.
//!
//! Random decimal numbers are evenly spread, but their bytes, read as one number, are not. The bytes between `9` and the
//! next `0` never occur, so from `3999` to `4000` is a much larger step than from `3998` to `3999`. So each byte is replaced
//! by its rank in an alphabet. A place has as many digits as there are ranks from the smallest to the largest that occurs
//! there. This only serves to guess positions. A byte that does not occur makes the guess worse, not wrong.

/// Bytes of a number that count, from the first one on. In a block of up to 64 KiB, all of them are bytes of the row.
const BYTES: usize = 6;
/// Those by which the alphabet is chosen: bytes of the row in a block of up to 16 MiB.
const SAMPLED_BYTES: usize = 5;
/// Most rows by which the alphabet is chosen.
const SAMPLES: usize = 8;

/// The bytes that occur in rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alphabet {
    ranks: &'static Ranks,
    /// The number of ranks from the smallest to the largest at each place.
    sizes: [u16; BYTES],
}

/// Ranks of all bytes. A byte that the alphabet lacks has the rank of the one before it.
type Ranks = [u8; 256];
/// The first and the last byte of each range.
type Ranges = &'static [(u8, u8)];

const fn ranks(ranges: Ranges) -> Ranks {
    let mut ranks = [0; 256];
    let (mut byte, mut number, mut rank) = (ranges[0].0 as usize + 1, 0, 0);
    while byte < 256 {
        if number + 1 < ranges.len() && byte >= ranges[number + 1].0 as usize {
            number += 1;
        }
        if byte <= ranges[number].1 as usize {
            rank += 1;
        }
        ranks[byte] = rank;
        byte += 1;
    }
    ranks
}

const DECIMAL: Ranges = &[(b'0', b'9')];
const LOWER_HEXADECIMAL: Ranges = &[(b'0', b'9'), (b'a', b'f')];
const UPPER_HEXADECIMAL: Ranges = &[(b'0', b'9'), (b'A', b'F')];
const LOWER_LETTERS: Ranges = &[(b'-', b'9'), (b'_', b'_'), (b'a', b'z')];
const LETTERS: Ranges = &[(b'-', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')];
const ALL: Ranges = &[(0, u8::MAX)];

static NARROW: [(Ranges, Ranks); 5] = [
    (DECIMAL, ranks(DECIMAL)),
    (LOWER_HEXADECIMAL, ranks(LOWER_HEXADECIMAL)),
    (UPPER_HEXADECIMAL, ranks(UPPER_HEXADECIMAL)),
    (LOWER_LETTERS, ranks(LOWER_LETTERS)),
    (LETTERS, ranks(LETTERS)),
];
static ANY: Ranks = ranks(ALL);

impl Default for Alphabet {
    fn default() -> Self {
        Alphabet { ranks: &ANY, sizes: [256; BYTES] }
    }
}

impl Alphabet {
    /// The smallest alphabet that has the first bytes of some of the numbers, of which there is one at least, and the ranks
    /// that occur in all of them.
    pub fn of(numbers: &[[u8; 8]]) -> Self {
        let samples = || numbers.iter().step_by(numbers.len() / SAMPLES + 1).map(|bytes| u64::from_ne_bytes(*bytes));
        let samples = || samples().flat_map(|number| number.to_be_bytes().into_iter().take(SAMPLED_BYTES));
        // A short row ends with zeros.
        let has = |ranges: Ranges, byte| byte == 0 || ranges.iter().any(|&(first, last)| first <= byte && byte <= last);
        let narrow = NARROW.iter().find(|(ranges, _)| samples().all(|byte| has(ranges, byte)));
        let ranks = narrow.map_or(&ANY, |(_, ranks)| ranks);
        let (mut least, mut most) = ([u8::MAX; 8], [0; 8]);
        for bytes in numbers {
            for place in 0..8 {
                least[place] = least[place].min(bytes[place]);
                most[place] = most[place].max(bytes[place]);
            }
        }
        let [least, most] = [least, most].map(|bytes| u64::from_ne_bytes(bytes).to_be_bytes());
        let rank = |byte: u8| u16::from(ranks[usize::from(byte)]);
        Alphabet { ranks, sizes: std::array::from_fn(|place| rank(most[place]).abs_diff(rank(least[place])) + 1) }
    }

    /// The number whose digits are the ranks of the first bytes of this one.
    #[inline]
    pub fn value(&self, number: u64) -> f64 {
        let digits = number.to_be_bytes().into_iter().map(|byte| u64::from(self.ranks[usize::from(byte)]));
        digits.zip(&self.sizes).fold(0, |value, (digit, &size)| value * u64::from(size) + digit) as f64
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
        let last_rank = |row: &[u8; 8]| Alphabet::of(&[number(row).to_ne_bytes(); 20]).ranks[255];
        assert_eq!([b"01234567", b"12\0\0\0\0\0\0"].map(last_rank), [9, 9]);
        assert_eq!([b"09af1234", b"DEADBEEF"].map(last_rank), [15, 15]);
        assert_eq!([b"com.exam", b"user_z-9"].map(last_rank), [39, 39]);
        assert_eq!([b"09afAF00", b"z-9A_/.a"].map(last_rank), [65, 65]);
        assert_eq!([b"\x01\x02\x03\x04\x05\x06\x07\x08", b"two word"].map(last_rank), [255, 255]);
    }

    #[test]
    fn ranks_ascend_without_gaps() {
        for ranks in NARROW.iter().map(|(_, ranks)| ranks).chain([&ANY]) {
            assert_eq!(ranks[0], 0);
            assert!(ranks.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1));
        }
    }

    fn step(alphabet: &Alphabet, low: &[u8; 8], high: &[u8; 8]) -> f64 {
        alphabet.value(number(high)) - alphabet.value(number(low))
    }

    #[test]
    fn steps_between_decimal_numbers_are_equal() {
        let decimal = Alphabet::of(&[*b"00000000", *b"99999999"].map(|row| number(&row).to_ne_bytes()));
        assert_eq!(step(&decimal, b"39990000", b"40000000"), 100.0);
        assert_eq!(step(&decimal, b"39980000", b"39990000"), 100.0);
    }

    #[test]
    fn each_place_has_as_many_digits_as_ranks_occur_there() {
        let readings =
            Alphabet::of(&[*b"1000\x07\x10\0\0", *b"3000\x08\x4f\0\0"].map(|row| number(&row).to_ne_bytes()));
        assert_eq!(step(&readings, b"1000\x08\x4f\0\0", b"2000\x07\x10\0\0"), 1.0);
        assert_eq!(step(&readings, b"1000\x07\x4f\0\0", b"1000\x08\x10\0\0"), 1.0);
    }
}
