//! Check-and-mutate: a condition on a column and what to do where it holds.

use super::mutation::RowMutations;
use super::read::TimeRange;
use std::cmp::Ordering;

/// How the expected value is compared with the stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOperator {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
    /// Never holds.
    NoOp,
}

impl CompareOperator {
    /// Whether `left OP right` holds, given how they compare.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Self::Less => ordering.is_lt(),
            Self::LessOrEqual => ordering.is_le(),
            Self::Equal => ordering.is_eq(),
            Self::NotEqual => ordering.is_ne(),
            Self::GreaterOrEqual => ordering.is_ge(),
            Self::Greater => ordering.is_gt(),
            Self::NoOp => false,
        }
    }
}

/// A condition on the newest version of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Family.
    pub family: Vec<u8>,
    /// Qualifier.
    pub qualifier: Vec<u8>,
    /// Read as in HBase: `value OP stored`.
    pub operator: CompareOperator,
    /// The expected value; `None` or empty asks whether there is a value at all.
    pub value: Option<Vec<u8>>,
    /// Which versions count.
    pub time_range: TimeRange,
}

impl Condition {
    /// Whether the condition holds for the newest `stored` value, with HBase's rules for absent and empty ones.
    pub fn holds(&self, stored: Option<&[u8]>) -> bool {
        let stored_is_empty = stored.is_none_or(<[u8]>::is_empty);
        match (self.value.as_deref().filter(|value| !value.is_empty()), stored) {
            (None, _) => (self.operator == CompareOperator::NotEqual) != stored_is_empty,
            (Some(_), None) => false,
            (Some(expected), Some(stored)) => self.operator.holds(expected.cmp(stored)),
        }
    }
}

/// Do `mutations` where `condition` holds, with nothing in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckAndMutate {
    /// What must hold.
    pub condition: Condition,
    /// What is done then; its row is the checked row.
    pub mutations: RowMutations,
}
