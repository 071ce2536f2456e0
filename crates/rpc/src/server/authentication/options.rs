//! Authentication options.

use super::audit::Authority;
use super::Peer;
use crate::sasl::{auth_byte, Acceptor, Protection};
use crate::server::messages::exception::Exception;
use std::sync::Arc;

/// Enabled authentication methods. All others are refused.
#[derive(Clone)]
pub struct Authentication {
    /// SIMPLE: the user in the header is trusted. For a port that only this machine can reach.
    pub simple: bool,
    /// The attribute of a client certificate's subject that is the user's name, such as `CN`.
    pub certificate: Option<String>,
    /// PLAIN over TLS: the authority checks passwords.
    pub password: bool,
    /// GSSAPI: accepts Kerberos contexts.
    pub kerberos: Option<Arc<dyn Acceptor>>,
    /// Allowed SASL protection levels after a Kerberos login.
    pub protections: Vec<Protection>,
    /// Checks passwords and impersonation, and logs logins.
    pub authority: Option<Arc<dyn Authority>>,
}

impl Default for Authentication {
    fn default() -> Self {
        Authentication {
            simple: true,
            certificate: None,
            password: false,
            kerberos: None,
            protections: vec![Protection::Authentication],
            authority: None,
        }
    }
}

/// The way in which a client is authenticated.
pub(in crate::server) enum Way {
    /// By the user in the header.
    Simple,
    /// The client wants SASL, but the server does not require it: the server's answer makes it fall back to SIMPLE.
    Fallback,
    /// By the name in its certificate.
    Certificate(String),
    /// By PLAIN; the authority checks the password.
    Plain(Arc<dyn Authority>),
    /// By GSSAPI.
    Kerberos(Arc<dyn Acceptor>),
}

impl Authentication {
    /// Whether a client may connect without a certificate even though one is requested.
    pub(in crate::server) fn has_others_than_certificates(&self) -> bool {
        self.certificate.is_some() && (self.simple || self.password || self.kerberos.is_some())
    }

    /// Selects the way in which a client is authenticated that sent `byte` in its preamble.
    pub(in crate::server) fn way(&self, byte: u8, peer: &Peer) -> Result<Way, Exception> {
        let has_login = self.certificate.is_some() || self.password || self.kerberos.is_some();
        match (byte, &peer.certificate, &self.kerberos) {
            (auth_byte::SIMPLE, Some(name), _) => Ok(Way::Certificate(name.clone())),
            (auth_byte::SIMPLE, None, _) if self.simple => Ok(Way::Simple),
            (auth_byte::SIMPLE, None, _) => {
                Err(Exception::last("security.AccessDeniedException", "Authentication is required"))
            }
            (auth_byte::KERBEROS, _, Some(acceptor)) => Ok(Way::Kerberos(Arc::clone(acceptor))),
            (auth_byte::KERBEROS | auth_byte::DIGEST, ..) if self.simple && !has_login => Ok(Way::Fallback),
            (auth_byte::PLAIN, ..) if self.password && !peer.is_encrypted => {
                Err(bad(byte, "; passwords are taken over TLS only"))
            }
            (auth_byte::PLAIN, ..) if self.password => match &self.authority {
                Some(authority) => Ok(Way::Plain(Arc::clone(authority))),
                None => Err(bad(byte, "; no password store is configured")),
            },
            _ => Err(bad(byte, "")),
        }
    }
}

fn bad(byte: u8, why: &str) -> Exception {
    Exception::last("ipc.BadAuthException", format!("serverVersion=0, clientVersion=0, authMethod={byte}{why}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn peer(is_encrypted: bool, certificate: Option<&str>) -> Peer {
        Peer {
            address: IpAddr::from([127, 0, 0, 1]),
            port: 1,
            is_encrypted,
            certificate: certificate.map(str::to_string),
        }
    }

    struct Nobody;

    impl Authority for Nobody {
        fn check_password(&self, _: &str, _: &str) -> rowstone_model::Result<Option<String>> {
            Ok(None)
        }

        fn recall_password(&self, _: &str, _: &str) -> rowstone_model::Result<Option<String>> {
            Ok(None)
        }

        fn may_impersonate(&self, _: &str, _: &str, _: IpAddr) -> rowstone_model::Result<bool> {
            Ok(false)
        }

        fn groups_of(&self, _: &str) -> rowstone_model::Result<Vec<String>> {
            Ok(Vec::new())
        }

        fn audit(&self, _: &crate::server::AuditEvent) {}
    }

    fn class(way: Result<Way, Exception>) -> String {
        way.err().unwrap().class
    }

    #[test]
    fn clients_must_authenticate_unless_simple_is_allowed() {
        let authority: Option<Arc<dyn Authority>> = Some(Arc::new(Nobody));
        let password = Authentication { simple: false, password: true, authority, ..Authentication::default() };
        assert!(class(password.way(80, &peer(true, None))).ends_with("security.AccessDeniedException"));
        assert!(class(password.way(15, &peer(false, None))).ends_with("ipc.BadAuthException"));
        assert!(matches!(password.way(15, &peer(true, None)), Ok(Way::Plain(_))));
        for byte in [0, 14, 79, 81, 82, 83, 255] {
            assert!(class(password.way(byte, &peer(true, None))).ends_with("ipc.BadAuthException"), "{byte}");
        }
    }

    #[test]
    fn logins_without_a_method_fall_back_or_are_refused() {
        let simple = Authentication::default();
        assert!(matches!(simple.way(81, &peer(false, None)), Ok(Way::Fallback)));
        assert!(matches!(simple.way(82, &peer(false, None)), Ok(Way::Fallback)));
        assert!(class(simple.way(15, &peer(true, None))).ends_with("ipc.BadAuthException"));
        let also = Authentication { certificate: Some("CN".into()), ..Authentication::default() };
        assert!(class(also.way(81, &peer(true, None))).ends_with("ipc.BadAuthException"));
    }

    #[test]
    fn a_certificate_is_enough() {
        let certificate = Authentication { simple: false, certificate: Some("CN".into()), ..Authentication::default() };
        assert!(matches!(certificate.way(80, &peer(true, Some("ada"))), Ok(Way::Certificate(name)) if name == "ada"));
        assert!(certificate.way(80, &peer(true, None)).is_err());
        assert!(!certificate.has_others_than_certificates());
    }
}
