//! Text for users: keys as HBase's `Bytes.toStringBinary` formats them, and lists of names.

use std::fmt::Display;

/// Most names that [`listed`] shows.
const MOST_NAMES: usize = 10;

/// Names with commas between them: the first ten, and how many more there are. "none" if there is none.
///
/// ```
/// assert_eq!(rowstone_model::codec::listed(["a", "b"]), "a, b");
/// assert_eq!(rowstone_model::codec::listed(1..=12), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more");
/// ```
pub fn listed<N: Display>(names: impl IntoIterator<Item = N>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(MOST_NAMES).map(|name| name.to_string()).collect();
    match (shown.is_empty(), names.count()) {
        (true, _) => "none".to_string(),
        (false, 0) => shown.join(", "),
        (false, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A URL as errors show it: without credentials, query and fragment, which may have keys of a store. Other text stays.
///
/// Every error that shows a URL uses it; `rowstone._base.targets.without_secrets` in Python writes the same.
///
/// ```
/// use rowstone_model::codec::without_secrets;
/// assert_eq!(without_secrets("ftp://user:secret@host/x?sig=secret#secret"), "ftp://host/x");
/// assert_eq!(without_secrets("./crawl?"), "./crawl?");
/// ```
pub fn without_secrets(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_string() };
    let rest = rest.split(['?', '#']).next().unwrap_or("");
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or(host);
    format!("{scheme}://{host}{path}")
}

/// Formats bytes as text: printable ASCII as it is, a backslash and every other byte as `\xNN` (upper-case hex).
///
/// Everything that displays stored bytes uses it; `rowstone._base.printable` in Python writes the same.
///
/// ```
/// assert_eq!(rowstone_model::codec::printable(b"a\x00\xff\\"), "a\\x00\\xFF\\x5C");
/// ```
pub fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if matches!(byte, b' '..=b'~') && byte != b'\\' {
            text.push(byte as char);
        } else {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

/// Parses the output of [`printable`]: `\xNN` is one byte, all other text stands for its UTF-8 bytes.
///
/// ```
/// assert_eq!(rowstone_model::codec::from_printable("a\\xfF\\x+5"), b"a\xFF\\x+5");
/// ```
pub fn from_printable(text: &str) -> Vec<u8> {
    let input = text.as_bytes();
    let mut bytes = Vec::with_capacity(input.len());
    let mut index = 0;
    while index < input.len() {
        match escaped_byte(&input[index..]) {
            Some(byte) => {
                bytes.push(byte);
                index += 4;
            }
            None => {
                bytes.push(input[index]);
                index += 1;
            }
        }
    }
    bytes
}

fn escaped_byte(input: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low, ..] = input else { return None };
    let digit = |letter: u8| (letter as char).to_digit(16);
    Some((digit(*high)? * 16 + digit(*low)?) as u8)
}
