//! Keys for people: HBase's `Bytes.toStringBinary` and its inverse.

/// `bytes` with everything but letters, digits and HBase's punctuation written as `\xNN` (upper-case hex).
///
/// ```
/// assert_eq!(rowstone_model::codec::printable(b"a\x00\xff\\"), "a\\x00\\xFF\\x5C");
/// ```
pub fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b" `~!@#$%^&*()-_=+[]{}|;:'\",.<>/?".contains(&byte) {
            text.push(byte as char);
        } else {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

/// The bytes that [`printable`] wrote: `\xNN` is one byte, all else stands for itself (in UTF-8).
pub fn from_printable(text: &str) -> Vec<u8> {
    let input = text.as_bytes();
    let mut bytes = Vec::with_capacity(input.len());
    let mut index = 0;
    while index < input.len() {
        let hex = input.get(index..index + 4).filter(|escape| escape.starts_with(b"\\x"));
        let value = hex
            .and_then(|escape| std::str::from_utf8(&escape[2..]).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match value {
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
