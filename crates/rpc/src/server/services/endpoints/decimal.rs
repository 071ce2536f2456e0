//! Decimal numbers with two places, as used by aggregations. Source: `BigDecimalColumnInterpreter`.

use num_bigint::BigInt;
use rowstone_model::codec::{read_decimal, write_decimal};
use std::cmp::Ordering;

/// Decimal places of every number that is read.
const PLACES: i32 = 2;
/// Maximum number of digits. The scale has four bytes and could ask for two billion.
const MOST_DIGITS: u32 = 100_000;
/// Bytes of an encoded number with that many digits: its scale, and 3.33 bits per digit.
const MOST_BYTES: usize = 4 + MOST_DIGITS as usize * 10 / (3 * 8);

/// A decimal number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    unscaled: BigInt,
    scale: i32,
}

impl Decimal {
    /// Decodes a number and rounds it half-even to two places. The error says why `bytes` is not a number.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > MOST_BYTES {
            return Err(format!("a decimal number of {} bytes has more than {MOST_DIGITS} digits", bytes.len()));
        }
        let (scale, unscaled) = read_decimal(bytes)
            .ok_or_else(|| format!("a decimal number takes at least 5 bytes, not {}", bytes.len()))?;
        if unscaled == BigInt::ZERO {
            return Ok(Decimal { unscaled, scale: PLACES });
        }
        let too_large = || format!("a decimal number with scale {scale} has more than {MOST_DIGITS} digits");
        let places = i64::from(scale) - i64::from(PLACES);
        let unscaled = if places <= 0 {
            let zeros = u32::try_from(-places).ok().filter(|zeros| *zeros <= MOST_DIGITS).ok_or_else(too_large)?;
            unscaled * BigInt::from(10).pow(zeros)
        } else {
            rounded(&unscaled, places)
        };
        Ok(Decimal { unscaled, scale: PLACES })
    }

    /// Zero.
    pub fn zero() -> Self {
        Decimal { unscaled: BigInt::ZERO, scale: PLACES }
    }

    /// The value for a missing number: Java's `Double.MIN_VALUE`, 4.9E-324, in its printed form.
    pub fn least() -> Self {
        Decimal { unscaled: BigInt::from(49), scale: 325 }
    }

    /// The sum of two numbers with two places each.
    pub fn plus(&self, other: &Decimal) -> Decimal {
        Decimal { unscaled: &self.unscaled + &other.unscaled, scale: self.scale }
    }

    /// The square, rounded to two places.
    pub fn squared(&self) -> Decimal {
        Decimal { unscaled: rounded(&(&self.unscaled * &self.unscaled), i64::from(self.scale)), scale: self.scale }
    }

    /// Compares two numbers with two places each.
    pub fn compare(&self, other: &Decimal) -> Ordering {
        self.unscaled.cmp(&other.unscaled)
    }

    /// Encodes the number for Java's client.
    pub fn to_bytes(&self) -> Vec<u8> {
        write_decimal(self.scale, &self.unscaled)
    }
}

/// Removes the last `places` digits and rounds half-even.
fn rounded(number: &BigInt, places: i64) -> BigInt {
    // A digit takes more than three bits. With more places than the number has digits, the result is below one half.
    let Some(places) = u32::try_from(places).ok().filter(|places| u64::from(*places) <= number.bits() / 3 + 1) else {
        return BigInt::ZERO;
    };
    let unit = BigInt::from(10).pow(places);
    let (whole, rest): (BigInt, BigInt) = (number / &unit, number % &unit);
    let twice = rest.magnitude() * 2u8;
    let is_up = match twice.cmp(unit.magnitude()) {
        Ordering::Less => false,
        Ordering::Equal => whole.bit(0),
        Ordering::Greater => true,
    };
    match (is_up, number.sign()) {
        (false, _) => whole,
        (true, num_bigint::Sign::Minus) => whole - 1,
        (true, _) => whole + 1,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn read(unscaled: i64, scale: i32) -> Decimal {
        Decimal::from_bytes(&write_decimal(scale, &BigInt::from(unscaled))).unwrap()
    }

    fn hundredths(number: i64) -> Decimal {
        Decimal { unscaled: BigInt::from(number), scale: 2 }
    }

    #[test]
    fn numbers_have_two_places_and_halves_go_to_the_even_side() {
        for (unscaled, scale, expected) in [
            (125, 3, 12),
            (135, 3, 14),
            (-125, 3, -12),
            (-135, 3, -14),
            (1251, 4, 13),
            (126, 3, 13),
            (7, 0, 700),
            (7, -3, 700_000),
            (i64::MAX, 40, 0),
            (5, 3, 0),
            (6, 3, 1),
            (999, 5, 1),
            (0, i32::MIN, 0),
            (9, i32::MAX, 0),
        ] {
            assert_eq!(read(unscaled, scale), hundredths(expected), "{unscaled} with scale {scale}");
        }
    }

    #[test]
    fn sums_squares_and_order_are_those_of_the_numbers() {
        assert_eq!(read(150, 2).plus(&read(-5, 1)), hundredths(100));
        assert_eq!(read(15, 1).squared(), hundredths(225));
        assert_eq!(read(-5, 2).squared(), hundredths(0));
        assert_eq!(read(15, 2).squared(), hundredths(2));
        assert_eq!(read(-1, 0).compare(&read(1, 2)), Ordering::Less);
        assert_eq!(read(-300, 2).to_bytes(), [0, 0, 0, 2, 0xfe, 0xd4]);
        assert_eq!(Decimal::least().to_bytes(), [0, 0, 1, 69, 49]);
    }

    #[test]
    fn invalid_and_huge_numbers_are_refused() {
        assert!(Decimal::from_bytes(&[0, 0, 0, 2]).unwrap_err().contains("at least 5 bytes, not 4"));
        assert!(Decimal::from_bytes(&[0x80, 0, 0, 0, 1]).unwrap_err().contains("more than 100000 digits"));
        for scale in [0, 2, 50_000, i32::MAX] {
            let longest = [&scale.to_be_bytes()[..], &vec![0x5a; MOST_BYTES - 4]].concat();
            assert!(Decimal::from_bytes(&longest).is_ok());
            let longer = [&longest[..], &[0x5a]].concat();
            assert!(Decimal::from_bytes(&longer).unwrap_err().contains("more than 100000 digits"));
        }
    }
}
