//! Conversion of the field types of filters and comparators to [`Part`]s and back.

use super::part::{mismatch, Field, Item, Part};
use super::{
    BitwiseOperator, Chance, ColumnOffset, Comparator, CompareOperator, Decimal, Filter, FuzzyKey, ListOperator,
    RegexEngine, RowKeyRange,
};
use crate::error::Result;

impl Field for Comparator {
    fn part(&self) -> Part {
        Part::Comparator(self.clone())
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Comparator(comparator) => Ok(comparator),
            // A plain value becomes a BinaryComparator, as in HBase's constructors.
            Part::Bytes(value) => Ok(Comparator::BinaryComparator { value }),
            Part::Text(text) => Ok(Comparator::BinaryComparator { value: text.into_bytes() }),
            other => mismatch("a comparator, bytes or str", &other),
        }
    }
}

impl Field for Box<Filter> {
    fn part(&self) -> Part {
        Part::Filter((**self).clone())
    }

    fn from_part(part: Part) -> Result<Self> {
        Filter::from_part(part).map(Box::new)
    }
}

impl Field for Filter {
    fn part(&self) -> Part {
        Part::Filter(self.clone())
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Filter(filter) => Ok(filter),
            other => mismatch("a filter", &other),
        }
    }
}

impl Item for Filter {}

/// Converts enums whose variants have names.
macro_rules! names {
    ($($enum:ident),+) => {$(
        impl Field for $enum {
            fn part(&self) -> Part {
                Part::Text(self.name().to_string())
            }

            fn from_part(part: Part) -> Result<Self> {
                String::from_part(part).and_then(|name| Self::from_name(&name))
            }
        }
    )+};
}

names!(BitwiseOperator, CompareOperator, ListOperator, RegexEngine);

impl Field for Decimal {
    fn part(&self) -> Part {
        Part::Decimal(self.clone())
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Decimal(value) => Ok(value),
            other => mismatch("Decimal", &other),
        }
    }
}

impl Item for FuzzyKey {}

impl Field for FuzzyKey {
    fn part(&self) -> Part {
        Part::List(vec![self.key().to_vec().part(), self.mask().to_vec().part()])
    }

    fn from_part(part: Part) -> Result<Self> {
        const WANTED: &str = "a pair (key, mask)";
        let Part::List(parts) = part else { return mismatch(WANTED, &part) };
        match <[Part; 2]>::try_from(parts) {
            Ok([key, mask]) => Self::new(Vec::from_part(key)?, Vec::from_part(mask)?),
            Err(parts) => mismatch(WANTED, &Part::List(parts)),
        }
    }
}

impl Item for RowKeyRange {}

impl Field for RowKeyRange {
    fn part(&self) -> Part {
        Part::List(vec![self.start.part(), self.include_start.part(), self.stop.part(), self.include_stop.part()])
    }

    fn from_part(part: Part) -> Result<Self> {
        const WANTED: &str = "a range (start, include_start, stop, include_stop) or (start, stop)";
        let Part::List(parts) = part else { return mismatch(WANTED, &part) };
        match <[Part; 4]>::try_from(parts) {
            Ok([start, include_start, stop, include_stop]) => Ok(RowKeyRange {
                start: row(start)?,
                include_start: bool::from_part(include_start)?,
                stop: row(stop)?,
                include_stop: bool::from_part(include_stop)?,
            }),
            Err(parts) => match <[Part; 2]>::try_from(parts) {
                Ok([start, stop]) => {
                    Ok(RowKeyRange { start: row(start)?, include_start: true, stop: row(stop)?, include_stop: false })
                }
                Err(parts) => mismatch(WANTED, &Part::List(parts)),
            },
        }
    }
}

fn row(part: Part) -> Result<Vec<u8>> {
    Option::<Vec<u8>>::from_part(part).map(Option::unwrap_or_default)
}

impl Field for ColumnOffset {
    fn part(&self) -> Part {
        match self {
            Self::Count(count) => count.part(),
            Self::Column(qualifier) => qualifier.part(),
        }
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Int(_) => i32::from_part(part).map(Self::Count),
            Part::Bytes(_) | Part::Text(_) => Vec::from_part(part).map(Self::Column),
            other => mismatch("int, bytes or str", &other),
        }
    }
}

impl Field for Chance {
    fn part(&self) -> Part {
        Part::Float(f64::from(self.value()))
    }

    fn from_part(part: Part) -> Result<Self> {
        match part {
            Part::Float(value) => Self::new(value as f32),
            Part::Int(value) => Self::new(value as f32),
            other => mismatch("float", &other),
        }
    }
}
