//! Check-and-mutate: a condition on a row and the mutations to apply if it holds.

use super::guard::{Guard, RowGuard};
use super::mutation::{Mutation, RowKey, RowMutations};
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
    /// The expected value; `None` or empty tests only whether a value exists.
    pub value: Option<Vec<u8>>,
    /// Timestamps of the versions considered.
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

/// A condition on the newest version of a column, with a comparator that need not compare bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedCondition {
    /// Family.
    pub family: Vec<u8>,
    /// Qualifier.
    pub qualifier: Vec<u8>,
    /// Read as in HBase: `comparator OP stored`.
    pub operator: CompareOperator,
    /// The comparator for the stored value; the condition does not hold for a column without a value.
    pub comparator: Comparator,
    /// Timestamps of the versions considered.
    pub time_range: TimeRange,
}

/// A condition on a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// A column's newest value compares with an expected one.
    Value(ValueCondition),
    /// A column's newest value passes a comparator.
    Compared(ComparedCondition),
    /// A get with the filter returns a cell. Source: `CheckAndMutate.ifMatches`.
    Matches {
        /// The filter.
        filter: Arc<Filter>,
        /// Timestamps of the versions considered.
        time_range: TimeRange,
    },
}

/// Atomically applies `mutations` if `condition` holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckAndMutate {
    /// The condition.
    pub condition: Condition,
    /// The mutations to apply; their row is also the one that is checked.
    pub mutations: RowMutations,
    /// Called with the row locked; decides whether the caller may read the condition's column.
    pub guard: Option<Guard<dyn RowGuard>>,
}

/// Changes of several rows of one region, applied together if all conditions hold, otherwise not at all. Source:
/// `MultiRowMutationEndpoint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiRowMutation {
    /// The conditions, each with its row.
    pub conditions: Vec<(RowKey, Condition)>,
    /// The mutations to apply.
    pub mutations: Vec<Mutation>,
}
