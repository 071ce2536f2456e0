//! Expressions with Java's results (`Pattern.compile(p, flags).matcher(text).find()`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::{flags, Charset, Pattern};

fn is_in(pattern: &str, flags: i32, text: &str) -> bool {
    Pattern::new(pattern, flags, Charset::Utf8).unwrap().is_in(text.as_bytes()).unwrap()
}

#[test]
fn finds_what_java_finds() {
    let dotall = flags::DOTALL;
    for (pattern, text, wanted) in [
        ("b.d", "abcd", true),
        ("^b", "abc", false),
        ("c$", "abc\n", true),
        ("c$", "abc\r\n", true),
        ("c$|x", "abc\n", true),
        ("c$", "abc\nd", false),
        (r"\d", "\u{664}", false),
        (r"\w\s", "a\u{a0}", false),
        (r"\h", "a\u{a0}", true),
        (r"[\d-]x", "-x", true),
        (r"[^\d]", "12", false),
        (r"[\D]", "1a", true),
        (r"\Qa.b\E+", "a.bb", true),
        (r"\Qa.b\E", "axb", false),
        (r"\u0041\x42\0103", "ABC", true),
        (r"\p{Alpha}\p{Punct}", "a!", true),
        (r"\p{Lower}", "\u{e9}", false),
        (r"\p{IsLatin}", "\u{e9}", true),
        (r"(a)\1", "aa", true),
        (r"(?<x>a)\k<x>", "ab", false),
        (r"a(?=b)", "ab", true),
        (r"a(?!b)", "ab", false),
        (r"(?<=a)b", "ab", true),
        (r"a*+a", "aaa", false),
        (r"[a-z&&[^b]]", "b", false),
        (r"(?u:\w)", "a", true),
        (r"(?i)ABC", "abc", true),
        (r"\R", "a\r\nb", true),
        (r"b\Z", "ab\n", true),
        (r"[~~]", "~", true),
    ] {
        assert_eq!(is_in(pattern, dotall, text), wanted, "{pattern} in {text:?}");
    }
}

#[test]
fn flags_change_what_is_found() {
    assert!(!is_in("a.b", 0, "a\rb"));
    assert!(is_in("a.b", flags::UNIX_LINES, "a\rb"));
    assert!(is_in("a.b", flags::DOTALL, "a\nb"));
    assert!(is_in("^b", flags::MULTILINE, "a\nb"));
    assert!(is_in("a.b", flags::LITERAL, "xa.bx"));
    assert!(!is_in("a.b", flags::LITERAL, "acb"));
    assert!(is_in("a b # c", flags::COMMENTS, "ab"));
    assert!(is_in(r"\d", flags::UNICODE_CHARACTER_CLASS, "\u{664}"));
}

#[test]
fn bytes_are_read_in_a_charset() {
    let latin = Pattern::new(r"^\xff\x00$", flags::DOTALL, Charset::Latin1).unwrap();
    assert!(latin.is_in(b"\xff\x00").unwrap());
    let utf8 = Pattern::new("\u{fffd}", flags::DOTALL, Charset::Utf8).unwrap();
    assert!(utf8.is_in(b"\xff").unwrap());
    assert_eq!(Charset::from_name("iso-8859-1").unwrap(), Charset::Latin1);
    assert!(Charset::from_name("EBCDIC").is_err());
}

#[test]
fn unsupported_patterns_are_refused() {
    for (pattern, flags) in
        [("(", 0), ("[a", 0), ("*a", 0), (r"\", 0), (r"\X", 0), (r"\p{InGreek}", 0), (r"\0", 0), ("a", flags::CANON_EQ)]
    {
        let error = Pattern::new(pattern, flags, Charset::Utf8).unwrap_err();
        assert!(error.message().contains("cannot be run"), "{pattern}: {error}");
    }
}

#[test]
fn a_whole_match_leaves_nothing_over() {
    for (pattern, text, wanted) in [
        ("a|ab", "ab", true),
        ("a|b", "ab", false),
        ("(?i)T.*", "table", true),
        ("(?x) a b # a comment", "ab", true),
        ("a$", "a\n", false),
        ("", "", true),
        ("", "a", false),
    ] {
        let pattern = Pattern::whole(pattern, 0, Charset::Utf8).unwrap();
        assert_eq!(pattern.is_in(text.as_bytes()).unwrap(), wanted, "{pattern:?} of {text:?}");
    }
    assert!(Pattern::whole("a)|(b", 0, Charset::Utf8).is_err());
}

#[test]
fn no_expression_backtracks_for_ever() {
    let text = format!("{}!", "a".repeat(60));
    for pattern in ["(a+)+$", "(?=(a+)+$)b", r"(a*)*\1b", "(?:.*?(?=x)){3}", "(a|aa)+$", "(?:a?){60}(?=b)"] {
        // A result or an error, within a million steps.
        let _ = Pattern::whole(pattern, 0, Charset::Utf8).unwrap().is_in(text.as_bytes());
    }
    let error = Pattern::new(&"(".repeat(100_000), 0, Charset::Utf8).unwrap_err();
    assert!(error.message().len() < 1000);
}
