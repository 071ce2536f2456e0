//! Comparison of decimal numbers of any size.

use crate::codec::read_decimal;
use crate::error::{Error, Result};
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// A decimal number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal {
    bytes: Vec<u8>,
}

/// Sign, decimal digits without leading zeros, and the number of digits before the decimal point.
struct Digits {
    is_negative: bool,
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// The number encoded in `bytes`.
    ///
    /// # Errors
    /// `InvalidArgument` for fewer than five bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        if bytes.len() < 5 {
            return Err(Error::invalid(format!("a decimal number takes at least 5 bytes, not {}", bytes.len())));
        }
        Ok(Decimal { bytes })
    }

    /// The encoded number.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Compares this number with the one encoded in `other`; `None` if `other` is too short to be a number.
    pub fn compare_with(&self, other: &[u8]) -> Option<Ordering> {
        Some(compare(&digits(&self.bytes)?, &digits(other)?))
    }
}

fn digits(bytes: &[u8]) -> Option<Digits> {
    let (scale, unscaled) = read_decimal(bytes)?;
    let is_zero = unscaled == BigInt::ZERO;
    let digits = if is_zero { Vec::new() } else { unscaled.magnitude().to_radix_be(10) };
    let point = digits.len() as i64 - i64::from(scale);
    Some(Digits { is_negative: unscaled.sign() == Sign::Minus, digits, point })
}

fn compare(left: &Digits, right: &Digits) -> Ordering {
    match (left.is_negative, right.is_negative) {
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
        (false, false) => compare_magnitudes(left, right),
        (true, true) => compare_magnitudes(right, left),
    }
}

fn compare_magnitudes(left: &Digits, right: &Digits) -> Ordering {
    match (left.digits.is_empty(), right.digits.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        (false, false) => {}
    }
    // With the decimal points aligned, digits compare from the left; trailing zeros change nothing.
    left.point.cmp(&right.point).then_with(|| {
        let length = left.digits.len().max(right.digits.len());
        let digit = |digits: &[u8], index: usize| digits.get(index).copied().unwrap_or(0);
        (0..length)
            .map(|index| digit(&left.digits, index).cmp(&digit(&right.digits, index)))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}

#[cfg(test)]
mod tests {
    use super::Decimal;
    use crate::codec::write_decimal;
    use num_bigint::BigInt;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    fn bytes(unscaled: i128, scale: i32) -> Vec<u8> {
        write_decimal(scale, &BigInt::from(unscaled))
    }

    fn compared(left: (i128, i32), right: (i128, i32)) -> Option<Ordering> {
        Decimal::from_bytes(bytes(left.0, left.1)).ok()?.compare_with(&bytes(right.0, right.1))
    }

    #[test]
    fn scale_is_no_part_of_the_value() {
        assert_eq!(compared((150, 2), (15, 1)), Some(Ordering::Equal));
        assert_eq!(compared((0, 5), (0, -5)), Some(Ordering::Equal));
        assert_eq!(compared((1, -2), (99, 0)), Some(Ordering::Greater));
        assert_eq!(compared((-1, i32::MAX), (-1, i32::MIN)), Some(Ordering::Greater));
    }

    #[test]
    fn invalid_numbers_have_no_order() {
        assert!(Decimal::from_bytes(vec![0, 0, 0, 1]).is_err());
        assert_eq!(Decimal::from_bytes(bytes(1, 0)).ok().and_then(|one| one.compare_with(b"abc")), None);
    }

    proptest! {
        #[test]
        fn compares_as_numbers_do(left in any::<i64>(), right in any::<i64>(), l in 0..6i32, r in 0..6i32) {
            let scaled = |value: i64, scale: i32| i128::from(value) * 10i128.pow((6 - scale) as u32);
            let wanted = scaled(left, l).cmp(&scaled(right, r));
            prop_assert_eq!(compared((left.into(), l), (right.into(), r)), Some(wanted));
        }
    }
}
