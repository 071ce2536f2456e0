//! The mechanism PLAIN (RFC 4616): `authorization identity NUL user NUL password`.

use rowstone_model::{Error, ErrorKind, Result};
use std::fmt;

/// The only message of a PLAIN login.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainMessage {
    /// The user.
    pub user: String,
    /// The password; never part of an error or a log.
    pub password: String,
}

impl fmt::Debug for PlainMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainMessage({:?})", self.user)
    }
}

impl PlainMessage {
    /// Encodes the message.
    pub fn encode(&self) -> Vec<u8> {
        [b"\0", self.user.as_bytes(), b"\0", self.password.as_bytes()].concat()
    }

    /// Decodes the message. The authorization identity must be empty or the user: impersonation is requested in the
    /// connection header.
    ///
    /// # Errors
    /// `AccessDenied` for anything else.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let wrong = |what: &str| Error::new(ErrorKind::AccessDenied, format!("PLAIN auth failed: {what}"));
        let text = std::str::from_utf8(bytes).map_err(|_| wrong("a message that is not UTF-8"))?;
        let mut parts = text.splitn(3, '\0');
        let (Some(for_whom), Some(user), Some(password)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("a message without name and password"));
        };
        if user.is_empty() || password.contains('\0') {
            return Err(wrong("a message without name and password"));
        }
        if !for_whom.is_empty() && for_whom != user {
            return Err(wrong("the authorization identity differs from the authenticated user"));
        }
        Ok(PlainMessage { user: user.to_string(), password: password.to_string() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip() {
        let message = PlainMessage { user: "ada".into(), password: "geheim".into() };
        assert_eq!(PlainMessage::decode(&message.encode()).unwrap(), message);
        assert_eq!(PlainMessage::decode(b"ada\0ada\0geheim").unwrap(), message);
    }

    proptest::proptest! {
        #[test]
        fn arbitrary_messages_round_trip(bytes: Vec<u8>) {
            if let Ok(message) = PlainMessage::decode(&bytes) {
                proptest::prop_assert_eq!(PlainMessage::decode(&message.encode()).unwrap(), message);
            }
        }
    }

    #[test]
    fn errors_do_not_contain_the_password() {
        for bytes in [
            &b""[..],
            b"\0",
            b"ada",
            b"\0ada",
            b"\0\0geheim",
            b"bob\0ada\0geheim",
            b"\0ada\0ge\0heim",
            b"\0\xff\0geheim",
        ] {
            let error = PlainMessage::decode(bytes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::AccessDenied);
            assert!(!error.message().contains("geheim"));
        }
        let message = PlainMessage { user: "ada".into(), password: "geheim".into() };
        assert!(!format!("{message:?}").contains("geheim"));
    }
}
