//! Decimal numbers of any size, in the format of `Bytes.toBytes(BigDecimal)`.
//!
//! ```text
//! i32 scale | unscaled number, two's complement, big-endian, at least 1 byte          value = unscaled * 10^-scale
//! ```

use crate::error::{Error, Result};
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
    let (scale, unscaled) = bytes.split_at_checked(4)?;
    let scale = i32::from_be_bytes(scale.try_into().ok()?);
    let is_negative = *unscaled.first()? >= 0x80;
    let mut magnitude = unscaled.to_vec();
    if is_negative {
        negate(&mut magnitude);
    }
    let digits = to_decimal(magnitude);
    let point = digits.len() as i64 - i64::from(scale);
    Some(Digits { is_negative: is_negative && !digits.is_empty(), digits, point })
}

/// Negates a big-endian two's complement number. The most negative number is its own complement: read as unsigned,
/// that is its magnitude.
fn negate(number: &mut [u8]) {
    let mut carry = true;
    for byte in number.iter_mut().rev() {
        let (sum, overflow) = (!*byte).overflowing_add(u8::from(carry));
        (*byte, carry) = (sum, overflow);
    }
}

/// The decimal digits of a big-endian number, most significant first, without leading zeros.
fn to_decimal(mut number: Vec<u8>) -> Vec<u8> {
    let mut digits = Vec::new();
    let mut start = 0;
    while start < number.len() {
        let mut remainder = 0u32;
        for byte in &mut number[start..] {
            let value = remainder << 8 | u32::from(*byte);
            (*byte, remainder) = ((value / 10) as u8, value % 10);
        }
        digits.push(remainder as u8);
        start += number[start..].iter().take_while(|&&byte| byte == 0).count();
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    digits.reverse();
    digits
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
    use proptest::prelude::*;
    use std::cmp::Ordering;

    fn bytes(unscaled: i128, scale: i32) -> Vec<u8> {
        let whole = unscaled.to_be_bytes();
        // The fewest bytes that two's complement needs.
        let keep = (1..=16).find(|&count| {
            let shift = 128 - 8 * count;
            (unscaled << shift) >> shift == unscaled
        });
        [&scale.to_be_bytes(), &whole[16 - keep.unwrap_or(16) as usize..]].concat()
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
    fn what_is_no_number_has_no_order() {
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
