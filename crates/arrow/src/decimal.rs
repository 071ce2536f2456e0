//! Decimal numbers as text, and back.

use num_bigint::{BigInt, Sign};
use rowstone_model::codec::{read_decimal, write_decimal};

/// Maximum number of digits, as in Python: converting more takes too long.
const MOST_DIGITS: usize = 4300;
/// Bytes that are enough for that many digits.
const MOST_BYTES: usize = MOST_DIGITS * 1000 / 2408 + 1;

/// Formats the number as Java's `BigDecimal` and Python's `Decimal` do; `None` if the bytes are not a number.
///
/// ```
/// use rowstone_arrow::decimal::to_text;
/// assert_eq!(to_text(&[0, 0, 0, 2, 0xff]).as_deref(), Some("-0.01"));
/// assert_eq!(to_text(&[0xff, 0xff, 0xff, 0xfe, 7]).as_deref(), Some("7E+2"));
/// assert_eq!(to_text(&[0, 0, 0, 2]), None);
/// ```
pub fn to_text(bytes: &[u8]) -> Option<String> {
    if bytes.len() > MOST_BYTES + size_of::<i32>() {
        return None;
    }
    let (scale, unscaled) = read_decimal(bytes)?;
    let exponent = -i64::from(scale);
    let sign = if unscaled.sign() == Sign::Minus { "-" } else { "" };
    let digits = unscaled.magnitude().to_string();
    let count = digits.len() as i64;
    let point = count + exponent;
    if exponent <= 0 && point > -6 {
        return Some(match usize::try_from(point) {
            Ok(point) if exponent == 0 => format!("{sign}{}", &digits[..point]),
            Ok(point) if point > 0 => format!("{sign}{}.{}", &digits[..point], &digits[point..]),
            _ => format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
        });
    }
    let (first, rest) = digits.split_at(1);
    let dot = if rest.is_empty() { "" } else { "." };
    Some(format!("{sign}{first}{dot}{rest}E{:+}", point - 1))
}

/// Encodes a number given as text: digits with optional sign, decimal point and exponent. `None` if it is not a
/// number, or if its exponent does not fit.
///
/// ```
/// use rowstone_arrow::decimal::from_text;
/// assert_eq!(from_text("-0.01"), Some(vec![0, 0, 0, 2, 0xff]));
/// assert_eq!(from_text("7E+2"), Some(vec![0xff, 0xff, 0xff, 0xfe, 7]));
/// assert_eq!(from_text("1,5"), None);
/// ```
pub fn from_text(text: &str) -> Option<Vec<u8>> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || digits.len() > MOST_DIGITS || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let scale = i32::try_from((fraction.len() as i64).checked_sub(exponent)?).ok()?;
    let number: BigInt = digits.parse().ok()?;
    Some(write_decimal(scale, &if is_negative { -number } else { number }))
}

#[cfg(test)]
mod tests {
    use super::{from_text, to_text};
    use proptest::prelude::*;

    #[test]
    fn prints_as_python_and_java_do() {
        for text in
            ["0", "1", "-1", "0.000001", "1E-7", "1.23E-8", "12.50", "-0.5", "1E+3", "1.5E+10", "0.00", "255", "-256"]
        {
            let bytes = from_text(text).unwrap_or_default();
            assert_eq!(to_text(&bytes).as_deref(), Some(text));
        }
    }

    proptest! {
        #[test]
        fn goes_there_and_back(unscaled in any::<i128>(), scale in -40..40i32) {
            let text = format!("{unscaled}E{}", -scale);
            let bytes = from_text(&text).unwrap_or_default();
            prop_assert_eq!(bytes[..4].to_vec(), scale.to_be_bytes().to_vec());
            let shown = to_text(&bytes).unwrap_or_default();
            prop_assert_eq!(from_text(&shown), Some(bytes));
        }

        #[test]
        fn bytes_that_are_none_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            prop_assert_eq!(to_text(&bytes).is_some(), bytes.len() >= 5);
        }
    }
}
