//! Parser of one filter expression: its name, its arguments, and the types of arguments.

use crate::codec::printable;
use crate::error::{Error, Result};
use crate::filter::{flags, Charset, Comparator, CompareOperator, Pattern, RegexEngine};

/// A name with its arguments; byte strings are still quoted.
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<Vec<u8>>,
}

/// Splits `Name(argument, ...)`. Any text is allowed between the name and the parenthesis, as in HBase.
pub(super) fn read_call(text: &[u8]) -> Result<Call> {
    let name_end = text.iter().position(|byte| matches!(byte, b'(' | b' ')).filter(|&end| end > 0);
    let name_end = name_end.ok_or_else(|| Error::invalid("a filter has no name"))?;
    let name = String::from_utf8_lossy(&text[..name_end]).into_owned();
    let open = text.iter().position(|&byte| byte == b'(');
    let open = open.ok_or_else(|| Error::invalid(format!("{name} has no list of arguments")))?;
    Ok(Call { arguments: read_arguments(text, open + 1)?, name })
}

fn read_arguments(text: &[u8], start: usize) -> Result<Vec<Vec<u8>>> {
    let endless = || Error::invalid("an argument is not terminated");
    let mut arguments = Vec::new();
    let mut index = start;
    while index < text.len() {
        match text[index] {
            b' ' | b',' | b')' => index += 1,
            b'\'' => match closing_quote(text, index).ok_or_else(endless)? {
                // The byte after the closing quote is a separator; any byte is accepted and skipped.
                Some(close) => {
                    arguments.push(unescape(text, index, close));
                    index = close + 2;
                }
                None => index += 1,
            },
            _ => {
                let end = text[index..].iter().position(|byte| matches!(byte, b' ' | b',' | b')'));
                let end = index + end.ok_or_else(endless)?;
                arguments.push(text[index..end].to_vec());
                index = end + 1;
            }
        }
    }
    Ok(arguments)
}

/// Finds the quote that closes the argument opened at `open`. `None` if the text ends before any; `Some(None)` if its
/// last byte is part of an escaped quote.
#[expect(clippy::option_option, reason = "three outcomes, as in the original")]
fn closing_quote(text: &[u8], open: usize) -> Option<Option<usize>> {
    let mut index = open + 1;
    while index < text.len() {
        if text[index] == b'\'' {
            if text.get(index + 1) != Some(&b'\'') {
                return Some(Some(index));
            }
            index += 1;
        } else if index == text.len() - 1 {
            return None;
        }
        index += 1;
    }
    Some(None)
}

/// The argument between two quotes, including them, with each doubled quote inside reduced to one.
fn unescape(text: &[u8], open: usize, close: usize) -> Vec<u8> {
    let mut argument = vec![b'\''];
    let mut index = open + 1;
    while index < close {
        argument.push(text[index]);
        let is_pair = text[index] == b'\'' && index + 1 < close && text[index + 1] == b'\'';
        index += if is_pair { 2 } else { 1 };
    }
    argument.push(b'\'');
    argument
}

/// A quoted byte string.
pub(super) fn bytes(argument: &[u8]) -> Result<Vec<u8>> {
    match argument {
        [b'\'', inner @ .., b'\''] => Ok(inner.to_vec()),
        _ => Err(Error::invalid(format!("{} must be in single quotes", printable(argument)))),
    }
}

/// A 64-bit number. It wraps around where HBase's does.
pub(super) fn long(argument: &[u8]) -> Result<i64> {
    let (digits, is_negative) = match argument {
        [b'-', digits @ ..] => (digits, true),
        digits => (digits, false),
    };
    let mut number = 0i64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return Err(Error::invalid(format!("{} is not a number", printable(argument))));
        }
        number = number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
        if number < 0 {
            return Err(Error::invalid(format!("{} does not fit 64 bits", printable(argument))));
        }
    }
    Ok(if is_negative { -number } else { number })
}

/// A 32-bit number.
pub(super) fn int(argument: &[u8]) -> Result<i32> {
    let number = long(argument)?;
    i32::try_from(number).map_err(|_| Error::invalid(format!("{number} does not fit 32 bits")))
}

/// `true` or `false`, in any case.
pub(super) fn boolean(argument: &[u8]) -> Result<bool> {
    match argument.to_ascii_lowercase().as_slice() {
        b"true" => Ok(true),
        b"false" => Ok(false),
        _ => Err(Error::invalid(format!("{} is neither true nor false", printable(argument)))),
    }
}

/// A comparison operator.
pub(super) fn operator(argument: &[u8]) -> Result<CompareOperator> {
    Ok(match argument {
        b"<" => CompareOperator::Less,
        b"<=" => CompareOperator::LessOrEqual,
        b"=" => CompareOperator::Equal,
        b"!=" => CompareOperator::NotEqual,
        b">=" => CompareOperator::GreaterOrEqual,
        b">" => CompareOperator::Greater,
        _ => return Err(Error::invalid(format!("{} is not one of < <= = != >= >", printable(argument)))),
    })
}

/// A comparator, `'type:value'`.
pub(super) fn comparator(argument: &[u8]) -> Result<Comparator> {
    let argument = bytes(argument)?;
    let Some(colon) = argument.iter().position(|&byte| byte == b':') else {
        return Err(Error::invalid(format!("'{}' is not a comparator: it has no colon", printable(&argument))));
    };
    let (kind, value) = (&argument[..colon], &argument[colon + 1..]);
    match kind {
        b"binary" => Comparator::BinaryComparator { value: value.to_vec() },
        b"binaryprefix" => Comparator::BinaryPrefixComparator { value: value.to_vec() },
        b"regexstring" => return regex(value, flags::DOTALL),
        b"regexstringnocase" => return regex(value, flags::DOTALL | flags::CASE_INSENSITIVE),
        b"substring" => Comparator::SubstringComparator { substring: String::from_utf8_lossy(value).into_owned() },
        _ => {
            let known = "binary, binaryprefix, regexstring, regexstringnocase, substring";
            return Err(Error::invalid(format!("comparator '{}' is unknown; there are {known}", printable(kind))));
        }
    }
    .check()
}

fn regex(value: &[u8], flags: i32) -> Result<Comparator> {
    let pattern = String::from_utf8_lossy(value).into_owned();
    Pattern::new(&pattern, flags, Charset::Utf8)?;
    let (charset, engine) = (Charset::Utf8.name().to_string(), RegexEngine::Java);
    Comparator::RegexStringComparator { pattern, flags, charset, engine }.check()
}
