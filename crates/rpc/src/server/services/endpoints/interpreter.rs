//! Column interpreters: decoding and adding numbers. Sources: `LongColumnInterpreter`, `DoubleColumnInterpreter`,
//! `BigDecimalColumnInterpreter`.

use super::decimal::Decimal;
use crate::proto;
use crate::server::messages::exception::Exception;
use prost::Message;

const PACKAGE: &str = "org.apache.hadoop.hbase.client.coprocessor.";

/// A number in a column, or a sum of numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Number {
    Long(i64),
    Double(f64),
    Decimal(Decimal),
}

/// Type of the numbers in a column. Longs and doubles have 8 big-endian bytes, and values of another length count as
/// missing. A value that is not a decimal number fails the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpreter {
    Long,
    Double,
    Decimal,
}

impl Interpreter {
    /// Returns the interpreter for a Java class.
    pub fn of_class(class: &str) -> Result<Self, Exception> {
        match class.strip_prefix(PACKAGE) {
            Some("LongColumnInterpreter") => Ok(Interpreter::Long),
            Some("DoubleColumnInterpreter") => Ok(Interpreter::Double),
            Some("BigDecimalColumnInterpreter") => Ok(Interpreter::Decimal),
            _ => {
                let message = format!("java.lang.ClassNotFoundException: {class}");
                Err(Exception::last("DoNotRetryIOException", message))
            }
        }
    }

    /// Decodes a value; `None` if it is not a number.
    pub fn value(self, bytes: &[u8]) -> Result<Option<Number>, Exception> {
        let eight = <[u8; 8]>::try_from(bytes).ok();
        Ok(match self {
            Interpreter::Long => eight.map(|bytes| Number::Long(i64::from_be_bytes(bytes))),
            Interpreter::Double => eight.map(|bytes| Number::Double(f64::from_be_bytes(bytes))),
            Interpreter::Decimal => {
                let number = Decimal::from_bytes(bytes);
                Some(Number::Decimal(number.map_err(|wrong| Exception::last("DoNotRetryIOException", wrong))?))
            }
        })
    }

    /// Zero, as the start of a sum.
    pub fn zero(self) -> Number {
        match self {
            Interpreter::Long => Number::Long(0),
            Interpreter::Double => Number::Double(0.0),
            Interpreter::Decimal => Number::Decimal(Decimal::zero()),
        }
    }

    /// The sum of weights if there are none: Java's `MIN_VALUE` of the type.
    pub fn least(self) -> Number {
        match self {
            Interpreter::Long => Number::Long(i64::MIN),
            Interpreter::Double => Number::Double(f64::from_bits(1)),
            Interpreter::Decimal => Number::Decimal(Decimal::least()),
        }
    }
}

impl Number {
    /// The sum; longs wrap around as in Java.
    pub fn plus(&self, other: &Number) -> Number {
        match (self, other) {
            (Number::Long(left), Number::Long(right)) => Number::Long(left.wrapping_add(*right)),
            (Number::Decimal(left), Number::Decimal(right)) => Number::Decimal(left.plus(right)),
            (left, right) => Number::Double(left.as_double() + right.as_double()),
        }
    }

    pub fn squared(&self) -> Number {
        match self {
            Number::Long(number) => Number::Long(number.wrapping_mul(*number)),
            Number::Double(number) => Number::Double(number * number),
            Number::Decimal(number) => Number::Decimal(number.squared()),
        }
    }

    /// Compares in Java's order: NaN is the greatest, and 0.0 is greater than -0.0.
    pub fn is_above(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Long(left), Number::Long(right)) => left > right,
            (Number::Decimal(left), Number::Decimal(right)) => left.compare(right).is_gt(),
            (left, right) => {
                let (left, right) = (left.as_double(), right.as_double());
                if left.is_nan() {
                    return !right.is_nan();
                }
                !right.is_nan() && left.total_cmp(&right).is_gt()
            }
        }
    }

    /// Numbers of one column have one type, so a decimal never gets here.
    fn as_double(&self) -> f64 {
        match self {
            Number::Long(number) => *number as f64,
            Number::Double(number) => *number,
            Number::Decimal(_) => f64::NAN,
        }
    }

    /// Encodes the number as the interpreter's message.
    pub fn to_message(&self) -> Vec<u8> {
        match self {
            Number::Long(long_msg) => proto::LongMsg { long_msg: *long_msg }.encode_to_vec(),
            Number::Double(double_msg) => proto::DoubleMsg { double_msg: *double_msg }.encode_to_vec(),
            Number::Decimal(number) => proto::BigDecimalMsg { bigdecimal_msg: number.to_bytes() }.encode_to_vec(),
        }
    }
}

/// The sum of two numbers, either of which may be missing.
pub(super) fn sum(left: Option<Number>, right: Option<Number>) -> Option<Number> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.plus(&right)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn values_of_another_length_are_missing() {
        assert_eq!(Interpreter::Long.value(&[0; 7]).unwrap(), None);
        assert_eq!(Interpreter::Long.value(&(-3i64).to_be_bytes()).unwrap(), Some(Number::Long(-3)));
        assert_eq!(Interpreter::Double.value(&1.5f64.to_be_bytes()).unwrap(), Some(Number::Double(1.5)));
    }

    #[test]
    fn a_value_that_is_no_decimal_ends_the_call() {
        assert!(Interpreter::Decimal.value(&[0; 4]).unwrap_err().do_not_retry);
    }

    #[test]
    fn numbers_are_ordered_and_added_as_in_java() {
        assert_eq!(Number::Long(i64::MAX).plus(&Number::Long(1)), Number::Long(i64::MIN));
        assert!(Number::Double(f64::NAN).is_above(&Number::Double(f64::INFINITY)));
        assert!(!Number::Double(f64::INFINITY).is_above(&Number::Double(f64::NAN)));
        assert!(Number::Double(0.0).is_above(&Number::Double(-0.0)));
        assert_eq!(sum(None, Some(Number::Long(2))), Some(Number::Long(2)));
    }

    #[test]
    fn only_known_classes_are_known() {
        let class = format!("{PACKAGE}DoubleColumnInterpreter");
        assert_eq!(Interpreter::of_class(&class).unwrap(), Interpreter::Double);
        assert!(Interpreter::of_class("java.lang.Runtime").unwrap_err().do_not_retry);
    }
}
