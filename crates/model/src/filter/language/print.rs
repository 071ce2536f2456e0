//! Printer of the filter language: the output parses back to the same filter.

use super::build::knows_equality_only;
use crate::error::{Error, ErrorKind, Result};
use crate::filter::{flags, ColumnOffset, Comparator, CompareOperator, Filter, ListOperator, RegexEngine};
use std::fmt;

/// Formats `filter` as text. The text is bytes because the values in it are.
///
/// # Errors
/// `Unsupported` for filters, comparators and options that the language cannot express.
pub fn print(filter: &Filter) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_filter(&mut out, filter)?;
    Ok(out)
}

/// Formats in the filter language if possible, otherwise as the class name.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match print(self) {
            Ok(text) => f.write_str(&String::from_utf8_lossy(&text)),
            Err(_) => f.write_str(self.name()),
        }
    }
}

fn impossible<T>(what: impl fmt::Display) -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported, format!("the filter language cannot express {what}")))
}

/// Writes a filter that has no operator next to it: at the top level, or alone in parentheses.
fn write_filter(out: &mut Vec<u8>, filter: &Filter) -> Result<()> {
    match filter {
        Filter::FilterList { operator, filters } => {
            let word: &[u8] = match operator {
                ListOperator::MustPassAll => b" AND ",
                ListOperator::MustPassOne => b" OR ",
            };
            if filters.len() < 2 {
                return impossible(format_args!("a FilterList of {} filters", filters.len()));
            }
            for (index, filter) in filters.iter().enumerate() {
                if index > 0 {
                    out.extend_from_slice(word);
                }
                write_operand(out, filter)?;
            }
            Ok(())
        }
        Filter::SkipFilter { filter } => {
            out.extend_from_slice(b"SKIP ");
            write_operand(out, filter)
        }
        Filter::WhileMatchFilter { filter } => {
            out.extend_from_slice(b"WHILE ");
            write_operand(out, filter)
        }
        simple => write_call(out, simple),
    }
}

/// Writes a filter next to an operator. A filter with operators of its own goes in parentheses, because HBase parses
/// only one kind of operator within a pair of parentheses.
fn write_operand(out: &mut Vec<u8>, filter: &Filter) -> Result<()> {
    if filter.children().is_empty() && !matches!(filter, Filter::FilterList { .. }) {
        return write_call(out, filter);
    }
    out.push(b'(');
    write_filter(out, filter)?;
    out.push(b')');
    Ok(())
}

fn write_call(out: &mut Vec<u8>, filter: &Filter) -> Result<()> {
    let mut call = Call { out, is_first: true };
    call.out.extend_from_slice(filter.name().as_bytes());
    call.out.push(b'(');
    write_arguments(&mut call, filter)?;
    out.push(b')');
    Ok(())
}

fn write_arguments(call: &mut Call<'_>, filter: &Filter) -> Result<()> {
    match filter {
        Filter::KeyOnlyFilter { length_as_value: false } | Filter::FirstKeyOnlyFilter {} => {}
        Filter::KeyOnlyFilter { length_as_value: true } => call.word("true"),
        Filter::PrefixFilter { prefix } | Filter::ColumnPrefixFilter { prefix } => call.bytes(&[prefix]),
        Filter::InclusiveStopFilter { stop_row } => call.bytes(&[stop_row]),
        Filter::MultipleColumnPrefixFilter { prefixes } => prefixes.iter().for_each(|prefix| call.bytes(&[prefix])),
        Filter::ColumnCountGetFilter { limit } => call.word(limit),
        Filter::PageFilter { page_size } => call.word(page_size),
        Filter::ColumnPaginationFilter { limit, offset: ColumnOffset::Count(offset) } => {
            call.word(limit);
            call.word(offset);
        }
        Filter::TimestampsFilter { timestamps, can_hint: false } => timestamps.iter().for_each(|time| call.word(time)),
        Filter::RowFilter { operator, comparator }
        | Filter::FamilyFilter { operator, comparator }
        | Filter::QualifierFilter { operator, comparator }
        | Filter::ValueFilter { operator, comparator } => call.test(*operator, comparator)?,
        Filter::ColumnRangeFilter { min_column, min_column_inclusive, max_column, max_column_inclusive } => {
            call.bound(min_column.as_deref())?;
            call.word(min_column_inclusive);
            call.bound(max_column.as_deref())?;
            call.word(max_column_inclusive);
        }
        Filter::ColumnValueFilter { family, qualifier, operator, comparator } => {
            call.columns(family, qualifier);
            call.test(*operator, comparator)?;
        }
        Filter::DependentColumnFilter { family, qualifier, drop_dependent_column, operator, comparator } => {
            call.columns(family, qualifier);
            match comparator {
                Some(comparator) => {
                    call.word(drop_dependent_column);
                    call.operator(*operator)?;
                    call.comparator(comparator)?;
                }
                None if *operator != CompareOperator::NoOp => return impossible("an operator without a comparator"),
                None if *drop_dependent_column => call.word("true"),
                None => {}
            }
        }
        other => {
            let Some(test) = other.single_column() else {
                return impossible(other.name());
            };
            call.columns(test.family, test.qualifier);
            call.test(test.operator, test.comparator)?;
            if (test.filter_if_missing, test.latest_version_only) != (false, true) {
                call.word(test.filter_if_missing);
                call.word(test.latest_version_only);
            }
        }
    }
    Ok(())
}

/// Writer of a filter's arguments.
struct Call<'a> {
    out: &'a mut Vec<u8>,
    is_first: bool,
}

impl Call<'_> {
    fn separate(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(b',');
        }
    }

    fn word(&mut self, word: impl fmt::Display) {
        self.separate();
        self.out.extend_from_slice(word.to_string().as_bytes());
    }

    fn bytes(&mut self, pieces: &[&[u8]]) {
        self.separate();
        self.out.push(b'\'');
        for &byte in pieces.iter().copied().flatten() {
            if byte == b'\'' {
                self.out.push(b'\'');
            }
            self.out.push(byte);
        }
        self.out.push(b'\'');
    }

    fn columns(&mut self, family: &[u8], qualifier: &[u8]) {
        self.bytes(&[family]);
        self.bytes(&[qualifier]);
    }

    fn bound(&mut self, bound: Option<&[u8]>) -> Result<()> {
        if bound.is_some_and(<[u8]>::is_empty) {
            return impossible("a range that begins or ends at the empty qualifier");
        }
        self.bytes(&[bound.unwrap_or_default()]);
        Ok(())
    }

    fn test(&mut self, operator: CompareOperator, comparator: &Comparator) -> Result<()> {
        let is_equality = matches!(operator, CompareOperator::Equal | CompareOperator::NotEqual);
        if knows_equality_only(comparator) && !is_equality {
            return impossible(format_args!("{} with {}", comparator.name(), operator.name()));
        }
        self.operator(operator)?;
        self.comparator(comparator)
    }

    fn operator(&mut self, operator: CompareOperator) -> Result<()> {
        match operator.sign() {
            Some(sign) => self.word(sign),
            None => return impossible("the operator NO_OP"),
        }
        Ok(())
    }

    fn comparator(&mut self, comparator: &Comparator) -> Result<()> {
        const NO_CASE: i32 = flags::DOTALL | flags::CASE_INSENSITIVE;
        match comparator {
            Comparator::BinaryComparator { value } => self.bytes(&[b"binary:", value]),
            Comparator::BinaryPrefixComparator { value } => self.bytes(&[b"binaryprefix:", value]),
            Comparator::SubstringComparator { substring } => self.bytes(&[b"substring:", substring.as_bytes()]),
            Comparator::RegexStringComparator { pattern, flags: flags::DOTALL, charset, engine: RegexEngine::Java }
                if charset == "UTF-8" =>
            {
                self.bytes(&[b"regexstring:", pattern.as_bytes()]);
            }
            Comparator::RegexStringComparator { pattern, flags: NO_CASE, charset, engine: RegexEngine::Java }
                if charset == "UTF-8" =>
            {
                self.bytes(&[b"regexstringnocase:", pattern.as_bytes()]);
            }
            Comparator::RegexStringComparator { .. } => {
                return impossible("a regular expression with non-default flags, charset or engine");
            }
            other => return impossible(other.name()),
        }
        Ok(())
    }
}
