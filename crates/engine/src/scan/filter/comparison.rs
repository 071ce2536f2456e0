//! A prepared comparator with its operator.

use rowstone_model::cell::Cell;
use rowstone_model::filter::{BitwiseOperator, Charset, Comparator, CompareOperator, Decimal, Pattern};
use rowstone_model::{Error, Result};
use std::cmp::Ordering;

/// Read as: part of a cell, operator, comparator.
pub(super) struct Comparison {
    operator: CompareOperator,
    operand: Operand,
}

enum Operand {
    Bytes(Vec<u8>),
    Prefix(Vec<u8>),
    Component(Vec<u8>, usize),
    Bits(Vec<u8>, BitwiseOperator),
    Long(i64),
    Decimal(Decimal),
    Nothing,
    Matching(Pattern),
    Substring(String),
}

impl Comparison {
    /// Prepares the comparison with `comparator`.
    ///
    /// # Errors
    /// `InvalidArgument` for an invalid regular expression.
    pub(super) fn new(operator: CompareOperator, comparator: &Comparator) -> Result<Self> {
        let operand = match comparator {
            Comparator::BigDecimalComparator { value } => Operand::Decimal(value.clone()),
            Comparator::BinaryComparator { value } => Operand::Bytes(value.clone()),
            Comparator::BinaryComponentComparator { value, offset } => {
                Operand::Component(value.clone(), usize::try_from(*offset).unwrap_or(0))
            }
            Comparator::BinaryPrefixComparator { value } => Operand::Prefix(value.clone()),
            Comparator::BitComparator { value, bit_operator } => Operand::Bits(value.clone(), *bit_operator),
            Comparator::LongComparator { value } => Operand::Long(*value),
            Comparator::NullComparator {} => Operand::Nothing,
            Comparator::RegexStringComparator { pattern, flags, charset, .. } => {
                Operand::Matching(Pattern::new(pattern, *flags, Charset::from_name(charset)?)?)
            }
            Comparator::SubstringComparator { substring } => Operand::Substring(substring.clone()),
        };
        Ok(Comparison { operator, operand })
    }

    /// Whether the part passes.
    pub(super) fn passes(&self, part: &[u8]) -> Result<bool> {
        if self.operator == CompareOperator::NoOp {
            return Ok(false);
        }
        Ok(self.operator.holds(self.operand.compare(part)?.reverse()))
    }
}

/// Evaluates `comparator OP part`: the reverse of the order in filters, as in `checkAndMutate`.
///
/// # Errors
/// `InvalidArgument` for an invalid regular expression, and for a part that the comparator cannot parse.
pub fn holds(comparator: &Comparator, operator: CompareOperator, part: &[u8]) -> Result<bool> {
    Ok(operator.holds(Comparison::new(operator, comparator)?.operand.compare(part)?))
}

/// Whether the comparator has no bytes to compare with. A condition with it checks whether there is a value.
pub fn is_empty(comparator: &Comparator) -> bool {
    match comparator {
        Comparator::NullComparator {} => true,
        Comparator::BinaryComparator { value }
        | Comparator::BinaryPrefixComparator { value }
        | Comparator::BinaryComponentComparator { value, .. }
        | Comparator::BitComparator { value, .. } => value.is_empty(),
        Comparator::RegexStringComparator { pattern, .. } => pattern.is_empty(),
        Comparator::SubstringComparator { substring } => substring.is_empty(),
        Comparator::LongComparator { .. } | Comparator::BigDecimalComparator { .. } => false,
    }
}

impl Operand {
    /// Compares the comparator's value with the part. A comparator that can only match or not returns greater for a
    /// mismatch.
    fn compare(&self, part: &[u8]) -> Result<Ordering> {
        let fits = |fits| if fits { Ordering::Equal } else { Ordering::Greater };
        Ok(match self {
            Self::Bytes(value) => value.as_slice().cmp(part),
            Self::Prefix(value) => value.as_slice().cmp(&part[..part.len().min(value.len())]),
            Self::Component(value, offset) => {
                let there = part.get(*offset..).unwrap_or_default();
                value.as_slice().cmp(&there[..there.len().min(value.len())])
            }
            Self::Bits(value, operator) => fits(value.len() == part.len() && leaves_bits(value, *operator, part)),
            Self::Long(value) => match <[u8; 8]>::try_from(part) {
                Ok(bytes) => value.cmp(&i64::from_be_bytes(bytes)),
                Err(_) => return not_comparable("LongComparator", "8 bytes", part),
            },
            Self::Decimal(value) => match value.compare_with(part) {
                Some(ordering) => ordering,
                None => return not_comparable("BigDecimalComparator", "at least 5 bytes", part),
            },
            Self::Nothing => Ordering::Greater,
            Self::Matching(pattern) => fits(pattern.is_in(part)?),
            Self::Substring(text) => fits(String::from_utf8_lossy(part).to_lowercase().contains(text.as_str())),
        })
    }
}

fn leaves_bits(value: &[u8], operator: BitwiseOperator, part: &[u8]) -> bool {
    value.iter().zip(part).any(|(left, right)| {
        0 != match operator {
            BitwiseOperator::And => left & right,
            BitwiseOperator::Or => left | right,
            BitwiseOperator::Xor => left ^ right,
        }
    })
}

fn not_comparable<T>(name: &str, wanted: &str, part: &[u8]) -> Result<T> {
    Err(Error::invalid(format!("{name} met {} bytes; a number takes {wanted}", part.len())))
}

/// Whether the cell belongs to that column.
pub(super) fn is_of(cell: &Cell<'_>, (family, qualifier): &(Vec<u8>, Vec<u8>)) -> bool {
    cell.qualifier() == qualifier && cell.family() == family
}
