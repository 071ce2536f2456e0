//! Java's regular expressions, run by a Rust engine: searched for anywhere in bytes, which are decoded with a
//! charset.
//!
//! Expressions are rewritten (`java`) where the two dialects differ, and rejected if the engine has no counterpart:
//! `\X`, `\N`, blocks (`\p{InGreek}`), Java's own properties (`\p{javaLowerCase}`) and the flag CANON_EQ. Without
//! UNICODE_CASE, Java only folds ASCII letters; here letters always fold by Unicode rules. An expression that needs
//! more than a million backtracking steps on one value fails with an error, where Java would continue.

mod java;

use crate::error::{Error, Result};
use fancy_regex::Regex;
use std::borrow::Cow;

/// Flags of `java.util.regex.Pattern`.
pub mod flags {
    /// Only `\n` ends a line.
    pub const UNIX_LINES: i32 = 1;
    /// Letters match in both cases.
    pub const CASE_INSENSITIVE: i32 = 2;
    /// Blanks and comments in the expression are ignored.
    pub const COMMENTS: i32 = 4;
    /// `^` and `$` match at every line start and end.
    pub const MULTILINE: i32 = 8;
    /// The expression is plain text.
    pub const LITERAL: i32 = 16;
    /// A dot also matches line terminators: HBase's default.
    pub const DOTALL: i32 = 32;
    /// Case folding follows Unicode.
    pub const UNICODE_CASE: i32 = 64;
    /// Canonically equivalent characters match; unsupported here.
    pub const CANON_EQ: i32 = 128;
    /// `\d`, `\w` and `\s` match all of Unicode.
    pub const UNICODE_CHARACTER_CLASS: i32 = 256;
}

/// The charset that decodes bytes to text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// Malformed bytes become replacement characters.
    Utf8,
    /// Every byte is a character, which suits binary data.
    Latin1,
    /// Bytes from 0x80 on become replacement characters.
    Ascii,
}

impl Charset {
    /// The charset of that Java name or alias.
    ///
    /// # Errors
    /// `InvalidArgument` for charsets that Rowstone does not know.
    pub fn from_name(name: &str) -> Result<Self> {
        match name.to_ascii_uppercase().as_str() {
            "UTF-8" | "UTF8" => Ok(Self::Utf8),
            "ISO-8859-1" | "ISO8859_1" | "ISO-8859_1" | "LATIN1" | "LATIN-1" | "L1" => Ok(Self::Latin1),
            "US-ASCII" | "ASCII" => Ok(Self::Ascii),
            _ => {
                let known = "UTF-8, ISO-8859-1, US-ASCII";
                Err(Error::invalid(format!("charset '{name}' is unknown; regular expressions know {known}")))
            }
        }
    }

    /// Java's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Latin1 => "ISO-8859-1",
            Self::Ascii => "US-ASCII",
        }
    }

    /// Decodes `bytes`.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Utf8 => String::from_utf8_lossy(bytes),
            Self::Latin1 => bytes.iter().map(|&byte| char::from(byte)).collect(),
            Self::Ascii => bytes.iter().map(|&byte| if byte < 0x80 { char::from(byte) } else { '\u{fffd}' }).collect(),
        }
    }
}

/// The number of characters of an expression that an error message shows.
const MOST_SHOWN: usize = 200;

/// A compiled expression.
#[derive(Debug, Clone)]
pub struct Pattern {
    regex: Regex,
    charset: Charset,
}

impl Pattern {
    /// Compiles the Java expression `pattern` with `flags`, for bytes in `charset`.
    ///
    /// # Errors
    /// `InvalidArgument` if the expression is malformed or cannot be run.
    ///
    /// ```
    /// use rowstone_model::filter::{flags, Charset, Pattern};
    /// let pattern = Pattern::new(r"\d+$", flags::DOTALL, Charset::Utf8)?;
    /// assert!(pattern.is_in(b"flight 12")?);
    /// # Ok::<(), rowstone_model::Error>(())
    /// ```
    pub fn new(pattern: &str, flags: i32, charset: Charset) -> Result<Self> {
        let translated = java::translate(pattern, flags, false).map_err(|reason| refused(pattern, &reason))?;
        Ok(Pattern { regex: compile(pattern, &translated)?, charset })
    }

    /// Like `new`, but matches a whole text, as Java's `Matcher.matches` does.
    ///
    /// # Errors
    /// As `new`.
    ///
    /// ```
    /// use rowstone_model::filter::{Charset, Pattern};
    /// let pattern = Pattern::whole("web|mail.*", 0, Charset::Utf8)?;
    /// assert!(pattern.is_in(b"mailbox")? && !pattern.is_in(b"web2")?);
    /// # Ok::<(), rowstone_model::Error>(())
    /// ```
    pub fn whole(pattern: &str, flags: i32, charset: Charset) -> Result<Self> {
        let translated = java::translate(pattern, flags, true).map_err(|reason| refused(pattern, &reason))?;
        // Compile it on its own first: `a)|(b` must stay an error. The line end closes a comment of the flag
        // COMMENTS.
        compile(pattern, &translated)?;
        let has_comments = java::leading_flags(pattern, flags).0 & flags::COMMENTS != 0;
        let end = if has_comments { "\n" } else { "" };
        Ok(Pattern { regex: compile(pattern, &format!(r"\A(?:{translated}{end})\z"))?, charset })
    }

    /// Whether the expression is found anywhere in `bytes`.
    ///
    /// # Errors
    /// `InvalidArgument` if it exceeds the limit on backtracking.
    pub fn is_in(&self, bytes: &[u8]) -> Result<bool> {
        self.regex
            .is_match(&*self.charset.decode(bytes))
            .map_err(|error| Error::invalid(format!("regular expression '{}' failed: {error}", self.regex.as_str())))
    }
}

fn compile(pattern: &str, translated: &str) -> Result<Regex> {
    Regex::new(translated).map_err(|error| refused(pattern, &error.to_string()))
}

fn refused(pattern: &str, reason: &str) -> Error {
    let shown: String = pattern.chars().take(MOST_SHOWN).collect();
    let rest = if shown.len() < pattern.len() { "…" } else { "" };
    Error::invalid(format!("regular expression '{shown}{rest}' cannot be run: {reason}"))
}

#[cfg(test)]
mod tests;
