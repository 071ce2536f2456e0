//! Check-and-mutate: a condition on a column and what to do where it holds.

use super::guard::{Guard, RowGuard};
use super::mutation::{Mutation, MutationRow, RowMutations};
use super::read::TimeRange;
use crate::filter::{Comparator, CompareOperator, Filter};
use std::sync::Arc;

/// A condition on the newest version of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueCondition {
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

impl ValueCondition {
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

/// A condition on the newest version of a column, by a comparator that need not compare bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedCondition {
    /// Family.
    pub family: Vec<u8>,
    /// Qualifier.
    pub qualifier: Vec<u8>,
    /// Read as in HBase: `comparator OP stored`.
    pub operator: CompareOperator,
    /// What the stored value is compared with; it does not hold for a column without a value.
    pub comparator: Comparator,
    /// Which versions count.
    pub time_range: TimeRange,
}

/// What must hold of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// A column's newest value compares with an expected one.
    Value(ValueCondition),
    /// A column's newest value passes a comparator.
    Compared(ComparedCondition),
    /// A get with the filter finds a cell. Source: `CheckAndMutate.ifMatches`.
    Matches {
        /// The filter.
        filter: Arc<Filter>,
        /// Which versions count.
        time_range: TimeRange,
    },
}

/// Do `mutations` where `condition` holds, with nothing in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckAndMutate {
    /// What must hold.
    pub condition: Condition,
    /// What is done then; its row is the checked row.
    pub mutations: RowMutations,
    /// Asked, with the row locked, whether the condition may look at its column.
    pub guard: Option<Guard<dyn RowGuard>>,
}

/// Changes of several rows of one region, which happen together where all conditions hold, or not at all. Source:
/// `MultiRowMutationEndpoint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiRowMutation {
    /// What must hold, each with its row.
    pub conditions: Vec<(MutationRow, Condition)>,
    /// What is done then.
    pub mutations: Vec<Mutation>,
}
