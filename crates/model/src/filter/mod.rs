//! HBase's 26 filters and 9 comparators as values, and the filter language that expresses them as text.
//!
//! Everything derives from one description each: [`Filter`] and [`Comparator`] name their fields once (with the macro
//! in `describe.rs`). Python objects are converted through [`Filter::parts`] and [`Filter::from_parts`]. The wire and
//! the evaluators match on the enum, so a filter that one of them forgets does not compile.
//!
//! | file | contents |
//! |---|---|
//! | `filters`, `comparators` | the descriptions |
//! | `rules` | checks of HBase's constructors |
//! | `operators`, `ranges`, `fuzzy`, `decimal`, `values` | types of fields other than bytes and numbers |
//! | `single_column` | the common test of the two single-column value filters |
//! | `part`, `fields` | untyped field values, for the conversion to and from Python; the field types as such values |
//! | `pattern` | Java's regular expressions, run by a Rust engine |
//! | `language` | the text form: parser and printer |
//!
//! Sources: `org.apache.hadoop.hbase.filter.*` of HBase 2.6.

mod comparators;
mod decimal;
mod describe;
mod fields;
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
