//! What a filter is: HBase's 26 filters and 9 comparators as values, and the language in which people write them.
//!
//! One description each, from which the rest derives: [`Filter`] and [`Comparator`] name their fields once (by the macro in
//! `describe.rs`). Python objects go through [`Filter::parts`] and [`Filter::from_parts`], the wire and the evaluators match
//! on the enum, so that a filter that one of them forgets does not compile.
//!
//! | file | its one sentence |
//! |---|---|
//! | `filters`, `comparators` | the descriptions |
//! | `rules` | what HBase's constructors refuse |
//! | `operators`, `ranges`, `fuzzy`, `decimal`, `values` | the kinds of fields that are more than bytes and numbers |
//! | `single_column` | what the two filters on one column's value share |
//! | `part` | fields without their types: how they cross to Python |
//! | `pattern` | Java's regular expressions, run by ours |
//! | `language` | the text form: parser and printer |
//!
//! Sources: `org.apache.hadoop.hbase.filter.*` of HBase 2.6.

mod comparators;
mod decimal;
mod describe;
mod filters;
mod fuzzy;
pub mod language;
mod operators;
mod part;
mod pattern;
mod ranges;
mod rules;
mod single_column;
mod values;

pub use comparators::Comparator;
pub use decimal::Decimal;
pub use filters::Filter;
pub use fuzzy::FuzzyKey;
pub use operators::{BitwiseOperator, CompareOperator, ListOperator, RegexEngine};
pub use part::{Field, Part};
pub use pattern::{flags, Charset, Pattern};
pub use ranges::{merge_ranges, RowKeyRange};
pub use rules::MAX_DEPTH;
pub use single_column::SingleColumn;
pub use values::{Chance, ColumnOffset};
