//! Conversion of filters and comparators to and from HBase's messages: a class name and a message specific to that
//! class. Used by both ends of the wire: a client sends filters, a server reads them. Source:
//! `ProtobufUtil.toFilter`, and `toByteArray` and `parseFrom` of each class.

mod comparator;
mod from_wire;
mod to_wire;

pub use comparator::{from_wire as comparator_from_wire, to_wire as comparator_to_wire};
pub use from_wire::{from_bytes, from_wire};
pub use to_wire::to_wire;

use crate::proto::CompareType;
use rowstone_model::filter::CompareOperator;

/// The package of HBase's filters and comparators.
const PACKAGE: &str = "org.apache.hadoop.hbase.filter.";

fn full_name(name: &str) -> String {
    format!("{PACKAGE}{name}")
}

/// The message's value for an operator.
pub(crate) fn compare_type(operator: CompareOperator) -> CompareType {
    match operator {
        CompareOperator::Less => CompareType::Less,
        CompareOperator::LessOrEqual => CompareType::LessOrEqual,
        CompareOperator::Equal => CompareType::Equal,
        CompareOperator::NotEqual => CompareType::NotEqual,
        CompareOperator::GreaterOrEqual => CompareType::GreaterOrEqual,
        CompareOperator::Greater => CompareType::Greater,
        CompareOperator::NoOp => CompareType::NoOp,
    }
}

/// The operator for a message's value.
pub(crate) fn operator(compare_type: CompareType) -> CompareOperator {
    match compare_type {
        CompareType::Less => CompareOperator::Less,
        CompareType::LessOrEqual => CompareOperator::LessOrEqual,
        CompareType::Equal => CompareOperator::Equal,
        CompareType::NotEqual => CompareOperator::NotEqual,
        CompareType::GreaterOrEqual => CompareOperator::GreaterOrEqual,
        CompareType::Greater => CompareOperator::Greater,
        CompareType::NoOp => CompareOperator::NoOp,
    }
}

#[cfg(test)]
mod tests;
