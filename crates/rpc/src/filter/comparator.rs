//! Conversion of comparators to and from HBase's messages.

use super::{full_name, PACKAGE};
use crate::proto;
use prost::Message;
use rowstone_model::filter::{BitwiseOperator, Comparator, Decimal, RegexEngine};
use rowstone_model::{Error, ErrorKind, Result};

fn bytes(value: &[u8]) -> proto::ByteArrayComparable {
    proto::ByteArrayComparable { value: Some(value.to_vec()) }
}

/// Builds the message for a comparator.
pub fn to_wire(comparator: &Comparator) -> proto::Comparator {
    let message = match comparator {
        Comparator::BigDecimalComparator { value } => {
            proto::BigDecimalComparator { comparable: bytes(value.as_bytes()) }.encode_to_vec()
        }
        Comparator::BinaryComparator { value } => proto::BinaryComparator { comparable: bytes(value) }.encode_to_vec(),
        Comparator::BinaryComponentComparator { value, offset } => {
            proto::BinaryComponentComparator { value: value.clone(), offset: *offset as u32 }.encode_to_vec()
        }
        Comparator::BinaryPrefixComparator { value } => {
            proto::BinaryPrefixComparator { comparable: bytes(value) }.encode_to_vec()
        }
        Comparator::BitComparator { value, bit_operator } => {
            use proto::bit_comparator::BitwiseOp;
            let operator = match bit_operator {
                BitwiseOperator::And => BitwiseOp::And,
                BitwiseOperator::Or => BitwiseOp::Or,
                BitwiseOperator::Xor => BitwiseOp::Xor,
            };
            proto::BitComparator { comparable: bytes(value), bitwise_op: operator as i32 }.encode_to_vec()
        }
        Comparator::LongComparator { value } => {
            proto::LongComparator { comparable: bytes(&value.to_be_bytes()) }.encode_to_vec()
        }
        Comparator::NullComparator {} => Vec::new(),
        Comparator::RegexStringComparator { pattern, flags, charset, engine } => proto::RegexStringComparator {
            pattern: pattern.clone(),
            pattern_flags: *flags,
            charset: charset.clone(),
            engine: Some(engine.name().to_string()),
        }
        .encode_to_vec(),
        Comparator::SubstringComparator { substring } => {
            proto::SubstringComparator { substr: substring.clone() }.encode_to_vec()
        }
    };
    proto::Comparator { name: full_name(comparator.name()), serialized_comparator: Some(message) }
}

fn damaged(name: &str) -> Error {
    Error::invalid(format!("the message of comparator {name} cannot be read"))
}

fn read<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    M::decode(bytes).map_err(|_| damaged(name))
}

/// Decodes the comparator in a message.
pub fn from_wire(message: &proto::Comparator) -> Result<Comparator> {
    let name = message.name.strip_prefix(PACKAGE).unwrap_or(&message.name);
    let bytes = message.serialized_comparator.as_deref().unwrap_or_default();
    let value = |comparable: proto::ByteArrayComparable| comparable.value.unwrap_or_default();
    match name {
        "BigDecimalComparator" => {
            let value = Decimal::from_bytes(value(read::<proto::BigDecimalComparator>(name, bytes)?.comparable))?;
            Comparator::BigDecimalComparator { value }
        }
        "BinaryComparator" => {
            Comparator::BinaryComparator { value: value(read::<proto::BinaryComparator>(name, bytes)?.comparable) }
        }
        "BinaryComponentComparator" => {
            let proto::BinaryComponentComparator { value, offset } = read(name, bytes)?;
            Comparator::BinaryComponentComparator { value, offset: offset as i32 }
        }
        "BinaryPrefixComparator" => {
            let value = value(read::<proto::BinaryPrefixComparator>(name, bytes)?.comparable);
            Comparator::BinaryPrefixComparator { value }
        }
        "BitComparator" => {
            use proto::bit_comparator::BitwiseOp;
            let message: proto::BitComparator = read(name, bytes)?;
            let bit_operator = match BitwiseOp::try_from(message.bitwise_op).map_err(|_| damaged(name))? {
                BitwiseOp::And => BitwiseOperator::And,
                BitwiseOp::Or => BitwiseOperator::Or,
                BitwiseOp::Xor => BitwiseOperator::Xor,
            };
            Comparator::BitComparator { value: value(message.comparable), bit_operator }
        }
        "LongComparator" => {
            let number = value(read::<proto::LongComparator>(name, bytes)?.comparable);
            let number = <[u8; 8]>::try_from(number.as_slice()).map_err(|_| damaged(name))?;
            Comparator::LongComparator { value: i64::from_be_bytes(number) }
        }
        "NullComparator" => Comparator::NullComparator {},
        "RegexStringComparator" => {
            let proto::RegexStringComparator { pattern, pattern_flags, charset, engine } = read(name, bytes)?;
            let engine = engine.as_deref().map_or(Ok(RegexEngine::Java), RegexEngine::from_name)?;
            let charset = if charset.is_empty() { "UTF-8".to_string() } else { charset };
            Comparator::RegexStringComparator { pattern, flags: pattern_flags, charset, engine }
        }
        "SubstringComparator" => {
            Comparator::SubstringComparator { substring: read::<proto::SubstringComparator>(name, bytes)?.substr }
        }
        _ => {
            return Err(Error::new(ErrorKind::Unsupported, format!("there is no comparator class '{}'", message.name)));
        }
    }
    .check()
}
