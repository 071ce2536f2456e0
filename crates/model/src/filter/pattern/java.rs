//! Translates Java's regular expression dialect to that of the Rust engine: copies the expression and replaces what
//! the dialects spell differently.

use super::flags;
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

/// Line terminators, as members of a class.
const LINE_ENDS: &str = r"\n\r\x{85}\x{2028}\x{2029}";
const BLANKS: &str = r" \t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}";
const VERTICAL: &str = r"\n\x0B\f\r\x{85}\x{2028}\x{2029}";
const LINE_BREAK: &str = r"(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])";

/// Translates `pattern`. The result is searched for anywhere or, with `is_whole`, matches a whole text.
///
/// # Errors
/// A description of the construct that has no counterpart.
pub(super) fn translate(pattern: &str, flags: i32, is_whole: bool) -> Result<String, String> {
    if flags & flags::CANON_EQ != 0 {
        return Err("the flag CANON_EQ is not supported".to_string());
    }
    let (flags, pattern) = leading_flags(pattern, flags);
    let mut out = String::with_capacity(pattern.len() + 16);
    write_flags(&mut out, flags);
    if flags & flags::LITERAL != 0 {
        out.push_str(&fancy_regex::escape(pattern));
        return Ok(out);
    }
    let mut translator = Translator { rest: pattern.chars().peekable(), out, flags, is_whole, class_depth: 0 };
    translator.run()?;
    Ok(translator.out)
}

/// Adds the flags that the expression itself starts with.
pub(super) fn leading_flags(pattern: &str, mut flags: i32) -> (i32, &str) {
    let Some((letters, rest)) = pattern.strip_prefix("(?").and_then(|rest| rest.split_once(')')) else {
        return (flags, pattern);
    };
    let mut added = 0;
    for letter in letters.chars() {
        added |= match letter {
            'i' => flags::CASE_INSENSITIVE,
            'd' => flags::UNIX_LINES,
            'm' => flags::MULTILINE,
            's' => flags::DOTALL,
            'u' => flags::UNICODE_CASE,
            'x' => flags::COMMENTS,
            'U' => flags::UNICODE_CHARACTER_CLASS,
            _ => return (flags, pattern),
        };
    }
    flags |= added;
    (flags, rest)
}

fn write_flags(out: &mut String, flags: i32) {
    let known = [(flags::CASE_INSENSITIVE, 'i'), (flags::MULTILINE, 'm'), (flags::DOTALL, 's'), (flags::COMMENTS, 'x')];
    let letters: String = known.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, letter)| letter).collect();
    if !letters.is_empty() {
        out.push_str("(?");
        out.push_str(&letters);
        out.push(')');
    }
}

struct Translator<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    flags: i32,
    is_whole: bool,
    class_depth: usize,
}

impl Translator<'_> {
    fn has(&self, flag: i32) -> bool {
        self.flags & flag != 0
    }

    fn run(&mut self) -> Result<(), String> {
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => self.escape()?,
                '[' => {
                    self.class_depth += 1;
                    self.out.push('[');
                    if self.rest.next_if_eq(&'^').is_some() {
                        self.out.push('^');
                    }
                }
                ']' if self.class_depth > 0 => {
                    self.class_depth -= 1;
                    self.out.push(']');
                }
                _ if self.class_depth > 0 => self.class_member(letter),
                '.' if !self.has(flags::DOTALL) && !self.has(flags::UNIX_LINES) => {
                    self.out.push_str("[^");
                    self.out.push_str(LINE_ENDS);
                    self.out.push(']');
                }
                '$' if !self.has(flags::MULTILINE) => self.end_of_input(),
                '(' => self.group(),
                other => self.out.push(other),
            }
        }
        if self.class_depth > 0 {
            return Err("a character class is not closed".to_string());
        }
        Ok(())
    }

    /// `--` and `~~` are operators in classes of the Rust engine, but plain characters in Java's. A blank only counts
    /// when escaped.
    fn class_member(&mut self, letter: char) {
        match letter {
            '~' => self.out.push_str(r"\~"),
            '-' if self.rest.peek() == Some(&'-') => self.out.push_str(r"\-"),
            other => self.out.push(other),
        }
    }

    /// `$` also matches before a line terminator that ends the input. At the end of a whole match it adds nothing.
    fn end_of_input(&mut self) {
        if self.is_whole && self.rest.peek().is_none() {
            return;
        }
        let ends =
            if self.has(flags::UNIX_LINES) { r"\n?\z".to_string() } else { format!(r"(?:\r\n|[{LINE_ENDS}])?\z") };
        if self.rest.peek().is_none() {
            self.out.push_str(&ends);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(self.out, "(?={ends})");
        }
    }

    /// Flags inside a group. Those with another meaning here, or none, are omitted.
    fn group(&mut self) {
        self.out.push('(');
        if self.rest.next_if_eq(&'?').is_none() {
            return;
        }
        self.out.push('?');
        while let Some(letter) = self.rest.next_if(|letter| letter.is_ascii_alphabetic() || *letter == '-') {
            if !matches!(letter, 'd' | 'u' | 'U') {
                self.out.push(letter);
            }
        }
    }

    /// A set of characters, as part of a class or as a class of its own.
    fn set(&mut self, members: &str, is_negated: bool) {
        match (self.class_depth > 0, is_negated) {
            (true, false) => self.out.push_str(members),
            (_, negated) => {
                self.out.push_str(if negated { "[^" } else { "[" });
                self.out.push_str(members);
                self.out.push(']');
            }
        }
    }

    fn escape(&mut self) -> Result<(), String> {
        let Some(letter) = self.rest.next() else { return Err("it ends with a backslash".to_string()) };
        let unicode = self.has(flags::UNICODE_CHARACTER_CLASS);
        match letter {
            'd' | 'D' if !unicode => self.set("0-9", letter == 'D'),
            'w' | 'W' if !unicode => self.set("0-9A-Za-z_", letter == 'W'),
            's' | 'S' if !unicode => self.set(r" \t\n\x0B\f\r", letter == 'S'),
            'h' | 'H' => self.set(BLANKS, letter == 'H'),
            'v' | 'V' => self.set(VERTICAL, letter == 'V'),
            'R' if self.class_depth == 0 => self.out.push_str(LINE_BREAK),
            'Z' if self.class_depth == 0 => {
                let ends = format!(r"(?=(?:\r\n|[{LINE_ENDS}])?\z)");
                self.out.push_str(&ends);
            }
            'Q' => self.quoted(),
            'E' => {}
            'e' => self.out.push_str(r"\x1B"),
            'u' => self.hexadecimal(4)?,
            'x' => match self.rest.peek() {
                Some('{') => self.out.push_str(r"\x"),
                _ => self.hexadecimal(2)?,
            },
            '0' => self.octal()?,
            'c' => {
                let control = self.rest.next().filter(char::is_ascii).ok_or(r"\c needs a character")?;
                self.character(u32::from(control) ^ 0x40);
            }
            'p' | 'P' => self.property(letter == 'P')?,
            'X' | 'N' => return Err(format!(r"\{letter} is not supported")),
            other => {
                self.out.push('\\');
                self.out.push(other);
            }
        }
        Ok(())
    }

    fn character(&mut self, code: u32) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, r"\x{{{code:X}}}");
    }

    fn quoted(&mut self) {
        let mut text = String::new();
        while let Some(letter) = self.rest.next() {
            if letter == '\\' && self.rest.next_if_eq(&'E').is_some() {
                break;
            }
            text.push(letter);
        }
        self.out.push_str(&fancy_regex::escape(&text));
    }

    fn hexadecimal(&mut self, count: usize) -> Result<(), String> {
        let mut code = 0;
        for _ in 0..count {
            let digit = self.rest.next().and_then(|letter| letter.to_digit(16));
            code = code * 16 + digit.ok_or_else(|| format!("{count} hexadecimal digits are required"))?;
        }
        self.character(code);
        Ok(())
    }

    fn octal(&mut self) -> Result<(), String> {
        let mut code = 0;
        let mut count = 0;
        while count < 3 && code < 32 {
            let Some(digit) = self.rest.next_if(|letter| letter.is_digit(8)).and_then(|letter| letter.to_digit(8))
            else {
                break;
            };
            (code, count) = (code * 8 + digit, count + 1);
        }
        if count == 0 {
            return Err(r"\0 needs an octal number".to_string());
        }
        self.character(code);
        Ok(())
    }

    /// `\p{...}`: in Java, POSIX names mean ASCII, like `[:...:]` here.
    fn property(&mut self, is_negated: bool) -> Result<(), String> {
        let name: String = if self.rest.next_if_eq(&'{').is_some() {
            self.rest.by_ref().take_while(|letter| *letter != '}').collect()
        } else {
            self.rest.next().into_iter().collect()
        };
        let posix = ["Lower", "Upper", "ASCII", "Alpha", "Digit", "Alnum", "Punct", "Graph", "Print", "Blank", "Cntrl"];
        if self.has(flags::UNICODE_CHARACTER_CLASS)
            || !(posix.contains(&name.as_str()) || matches!(&*name, "XDigit" | "Space"))
        {
            if name.starts_with("In") || name.starts_with("java") || name.starts_with("block=") {
                return Err(format!(r"\p{{{name}}} is not supported"));
            }
            let plain = name.strip_prefix("Is").unwrap_or(&name);
            let _ = write!(self.out, r"\{}{{{plain}}}", if is_negated { 'P' } else { 'p' });
            return Ok(());
        }
        let member = format!("[:{}{}:]", if is_negated { "^" } else { "" }, name.to_ascii_lowercase());
        self.set(&member, false);
        Ok(())
    }
}
