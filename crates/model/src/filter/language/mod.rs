//! HBase's filter language: how people write filters in its shell, in Thrift and in REST.
//!
//! ```text
//! filter   = Name ( argument , ... ) | SKIP filter | WHILE filter | filter AND filter | filter OR filter | ( filter )
//! argument = 'bytes' with '' for a quote | number | true | false | < | <= | = | != | >= | >
//!            comparators are bytes: 'binary:...' 'binaryprefix:...' 'regexstring:...' 'regexstringnocase:...' 'substring:...'
//! ```
//!
//! SKIP and WHILE bind closer than AND, AND closer than OR. Keywords stand between blanks or parentheses. The language has 19
//! of the 26 filters by name, and lists, SKIP and WHILE by operators; it works on bytes.
//!
//! The parser accepts exactly what HBase's accepts, oddities included: a parenthesis that is never closed, rubbish between a
//! name and its arguments; and it refuses what HBase's refuses: two kinds of operators inside one pair of parentheses. (A test
//! holds both parsers against each other.) [`print`] writes only what is read back as the same filter.
//!
//! Source: `org.apache.hadoop.hbase.filter.ParseFilter`. Two differences: nesting has a limit ([`super::MAX_DEPTH`]), and a
//! regular expression that cannot be run here is refused.

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
