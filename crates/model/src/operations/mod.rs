//! A caller's operations (reads, mutations, conditions) and their results.

mod condition;
mod guard;
mod mutation;
mod read;
mod result;

pub use crate::filter::CompareOperator;
pub use condition::{CheckAndMutate, ComparedCondition, Condition, MultiRowMutation, ValueCondition};
pub use guard::{CellGuard, Guard, ReadRow, RowGuard};
pub use mutation::{Action, Durability, Mutation, MutationKind, Nonce, RowKey, RowMutations};
pub use read::{ColumnSelection, Get, MobValues, Qualifiers, ReadOptions, Scan, TimeRange};
pub use result::{ActionResult, CellBatch, CheckResult, RowRange, Rows};
