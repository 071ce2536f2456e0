//! Parser of the filter language: parentheses, operators, and filters with their arguments.

use super::arguments::{read_call, Call};
use super::build::build;
use super::operators::{Operator, Stacks};
use crate::codec::printable;
use crate::error::{Error, Result};
use crate::filter::Filter;

/// Parses `text` to a filter.
///
/// # Errors
/// `InvalidArgument` for everything that HBase's parser rejects.
///
/// ```
/// use rowstone_model::filter::language::{parse, print};
/// let filter = parse(b"PrefixFilter('it''s') AND PageFilter(5)")?;
/// assert_eq!(print(&filter)?, b"PrefixFilter('it''s') AND PageFilter(5)");
/// # Ok::<(), rowstone_model::Error>(())
/// ```
pub fn parse(text: &[u8]) -> Result<Filter> {
    read(text).map_err(|error| error.context(format!("filter string \"{}\"", printable(text))))
}

fn read(text: &[u8]) -> Result<Filter> {
    let mut stacks = Stacks::default();
    let mut index = 0;
    while index < text.len() {
        match text[index] {
            b'(' => stacks.open(),
            b')' => stacks.close()?,
            b' ' | b'\t' => {}
            _ => {
                if let Some((word, operator)) = keyword(text, index) {
                    stacks.push_operator(operator)?;
                    index += word.len();
                } else {
                    let expression = expression(&text[index..])?;
                    let Call { name, arguments } = read_call(expression)?;
                    stacks.push_filter(build(&name, &arguments)?);
                    index += expression.len();
                }
                continue;
            }
        }
        index += 1;
    }
    stacks.finish()
}

/// The keyword at `index`. AND and OR must follow a blank or a closing parenthesis; SKIP and WHILE may also start the
/// text or follow an opening parenthesis. All must precede a blank or an opening parenthesis.
fn keyword(text: &[u8], index: usize) -> Option<(&'static [u8], Operator)> {
    const WORDS: [(&[u8], Operator, bool); 4] = [
        (b"OR", Operator::Or, false),
        (b"AND", Operator::And, false),
        (b"SKIP", Operator::Skip, true),
        (b"WHILE", Operator::While, true),
    ];
    let before = index.checked_sub(1).map(|before| text[before]);
    WORDS.into_iter().find_map(|(word, operator, may_begin)| {
        let is_word = text[index..].starts_with(word);
        let begins = match before {
            Some(b' ' | b')') => true,
            Some(b'(') | None => may_begin,
            Some(_) => false,
        };
        let ends = matches!(text.get(index + word.len()), Some(b' ' | b'('));
        (is_word && begins && ends).then_some((word, operator))
    })
}

/// The text up to and including the first closing parenthesis outside quotes.
fn expression(text: &[u8]) -> Result<&[u8]> {
    let mut is_quoted = false;
    let mut index = 0;
    while index < text.len() {
        match text[index] {
            // Two quotes are an escaped quote.
            b'\'' if text.get(index + 1) == Some(&b'\'') => index += 1,
            b'\'' => is_quoted = !is_quoted,
            _ => {}
        }
        if text.get(index) == Some(&b')') && !is_quoted {
            return Ok(&text[..=index]);
        }
        index += 1;
    }
    Err(Error::invalid("a filter does not end with a closing parenthesis"))
}
