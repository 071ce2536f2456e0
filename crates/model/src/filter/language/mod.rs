//! HBase's filter language: filters as text, in its shell, in Thrift and in REST.
//!
//! ```text
//! filter   = Name ( argument , ... ) | SKIP filter | WHILE filter | filter AND filter | filter OR filter | ( filter )
//! argument = 'bytes' with '' for a quote | number | true | false | < | <= | = | != | >= | >
//!            comparators are bytes: 'binary:...' 'binaryprefix:...' 'regexstring:...' 'regexstringnocase:...' 'substring:...'
//! ```
//!
//! SKIP and WHILE bind tighter than AND, AND tighter than OR. Keywords stand between blanks or parentheses. The
//! language has 19 of the 26 filters by name; lists, SKIP and WHILE are operators. It works on bytes.
//!
//! The parser accepts exactly what HBase's accepts, oddities included: an unclosed parenthesis, or garbage between a
//! name and its arguments. It also rejects what HBase's rejects: two kinds of operators inside one pair of
//! parentheses. (A test compares both parsers.) [`print()`] only writes text that parses back to the same filter.
//!
//! Source: `org.apache.hadoop.hbase.filter.ParseFilter`. Two differences: nesting has a limit ([`super::MAX_DEPTH`]),
//! and regular expressions that Rowstone cannot run are rejected.

mod arguments;
mod build;
mod operators;
mod parse;
mod print;

pub use build::NAMES;
pub use parse::parse;
pub use print::print;

#[cfg(test)]
mod tests;
