//! Extracts a user's name from a certificate: one attribute of its subject, such as the common name.
//!
//! The certificate and its chain are already verified at this point. This module only finds the subject (RFC 5280, in
//! DER): `Certificate { TBSCertificate { [0] version?, serial, algorithm, issuer, validity, subject, …`.

use super::user::is_name;
use rowstone_model::{Error, Result};

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT_ID: u8 = 0x06;
const VERSION: u8 = 0xa0;
/// String types that are ASCII or UTF-8: UTF8String, PrintableString, IA5String. The older types are not supported.
const TEXTS: [u8; 3] = [0x0c, 0x13, 0x16];

/// Supported attributes: short name and object identifier.
const ATTRIBUTES: [(&str, &[u8]); 7] = [
    ("CN", &[0x55, 4, 3]),
    ("O", &[0x55, 4, 10]),
    ("OU", &[0x55, 4, 11]),
    ("SERIALNUMBER", &[0x55, 4, 5]),
    ("UID", &[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 1]),
    ("DC", &[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 25]),
    ("EMAILADDRESS", &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1]),
];

/// Rejects an unknown attribute.
///
/// # Errors
///
/// `InvalidArgument`.
pub(in crate::server) fn check_attribute(attribute: &str) -> Result<()> {
    if ATTRIBUTES.iter().any(|known| known.0 == attribute) {
        Ok(())
    } else {
        let known = ATTRIBUTES.map(|known| known.0).join(", ");
        Err(Error::invalid(format!("a certificate's attribute '{attribute}' is unknown; choose from: {known}")))
    }
}

/// The part of a DER encoding that is not yet read.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// Reads the next element: its tag and its content.
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&[tag, first], rest) = self.0.split_first_chunk::<2>()?;
        let (length, rest) = match first {
            0..=0x7f => (usize::from(first), rest),
            0x81 => rest.split_first().map(|(byte, rest)| (usize::from(*byte), rest))?,
            0x82 => {
                rest.split_first_chunk::<2>().map(|(bytes, rest)| (usize::from(u16::from_be_bytes(*bytes)), rest))?
            }
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, content))
    }

    /// Reads the next element, which must have `tag`, and returns its content.
    fn take(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.next().filter(|next| next.0 == tag).map(|next| next.1)
    }
}

fn subject(certificate: &[u8]) -> Option<&[u8]> {
    let whole = Der(certificate).take(SEQUENCE)?;
    let mut fields = Der(Der(whole).take(SEQUENCE)?);
    let (first, _) = fields.next()?;
    // Skip the serial number if the first element was the version, then algorithm, issuer and validity.
    for _ in 0..if first == VERSION { 4 } else { 3 } {
        fields.next()?;
    }
    fields.take(SEQUENCE)
}

/// Returns the value of `attribute` in the subject of `certificate`. `None` if it is missing, or if it occurs more
/// than once and is therefore ambiguous.
pub(in crate::server) fn name_of(certificate: &[u8], attribute: &str) -> Option<String> {
    let id = ATTRIBUTES.iter().find(|known| known.0 == attribute)?.1;
    let mut parts = Der(subject(certificate)?);
    let mut found = None;
    while let Some((SET, part)) = parts.next() {
        let mut pairs = Der(part);
        while let Some((SEQUENCE, pair)) = pairs.next() {
            let mut pair = Der(pair);
            if pair.take(OBJECT_ID)? != id {
                continue;
            }
            let (kind, text) = pair.next()?;
            let text = std::str::from_utf8(text).ok().filter(|text| TEXTS.contains(&kind) && is_name(text))?;
            if found.replace(text).is_some() {
                return None;
            }
        }
    }
    found.map(str::to_string)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn element(tag: u8, content: &[u8]) -> Vec<u8> {
        match content.len() {
            length @ 0..=0x7f => [&[tag, length as u8], content].concat(),
            length => [&[tag, 0x82, (length >> 8) as u8, length as u8], content].concat(),
        }
    }

    fn certificate(names: &[(&[u8], u8, &[u8])], has_version: bool) -> Vec<u8> {
        let parts: Vec<u8> = names
            .iter()
            .flat_map(|(id, kind, text)| {
                let pair = [element(OBJECT_ID, id), element(*kind, text)].concat();
                element(SET, &element(SEQUENCE, &pair))
            })
            .collect();
        let version = if has_version { element(VERSION, &element(2, &[2])) } else { Vec::new() };
        let issuer = element(SEQUENCE, &element(SET, &[]));
        let filler = element(SEQUENCE, &[5, 0]);
        let subject = element(SEQUENCE, &parts);
        let fields = [version, element(2, &[7]), filler.clone(), issuer, filler, subject].concat();
        element(SEQUENCE, &element(SEQUENCE, &fields))
    }

    const CN: &[u8] = &[0x55, 4, 3];

    #[test]
    fn the_named_attribute_is_the_name() {
        for has_version in [true, false] {
            let made =
                certificate(&[(&[0x55, 4, 10], 0x13, b"Analytical"), (CN, 0x0c, "Ada λ".as_bytes())], has_version);
            assert_eq!(name_of(&made, "CN").unwrap(), "Ada λ");
            assert_eq!(name_of(&made, "O").unwrap(), "Analytical");
            assert_eq!(name_of(&made, "UID"), None);
        }
        let long = "a".repeat(200);
        assert_eq!(name_of(&certificate(&[(CN, 0x0c, long.as_bytes())], true), "CN").unwrap(), long);
    }

    #[test]
    fn ambiguous_and_invalid_names_are_rejected() {
        assert_eq!(name_of(&certificate(&[(CN, 0x0c, b"ada"), (CN, 0x0c, b"root")], true), "CN"), None);
        assert_eq!(name_of(&certificate(&[(CN, 0x0c, b"root\0.evil")], true), "CN"), None);
        assert_eq!(name_of(&certificate(&[(CN, 0x1e, b"\0a\0d\0a")], true), "CN"), None);
        assert_eq!(name_of(&certificate(&[(CN, 0x0c, b"\xff")], true), "CN"), None);
        assert_eq!(name_of(&certificate(&[(CN, 0x0c, b"")], true), "CN"), None);
        assert!(check_attribute("CN").is_ok() && check_attribute("XX").is_err());
    }

    proptest::proptest! {
        #[test]
        fn arbitrary_bytes_do_not_panic(bytes: Vec<u8>, at in 0..100usize, byte: u8) {
            let _ = name_of(&bytes, "CN");
            let mut made = certificate(&[(CN, 0x0c, b"ada")], true);
            let at = at % made.len();
            made[at] = byte;
            let _ = name_of(&made, "CN");
        }
    }

    #[test]
    fn a_truncated_certificate_has_no_name() {
        let made = certificate(&[(CN, 0x0c, b"ada")], true);
        for end in 0..made.len() {
            assert_eq!(name_of(&made[..end], "CN"), None, "{end}");
        }
    }
}
