//! The user that calls are made for.

use super::audit::Authority;
use super::Peer;
use crate::proto::UserInformation;
use crate::sasl::auth_byte;
use crate::server::messages::exception::Exception;

/// Authentication method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The client named the user itself, without proof.
    Simple,
    /// TLS client certificate.
    Certificate,
    /// Password.
    Password,
    /// Kerberos ticket.
    Kerberos,
}

impl Method {
    /// Returns the method that `byte` of the preamble asks for.
    pub(in crate::server) fn of_byte(byte: u8) -> Self {
        match byte {
            auth_byte::KERBEROS => Method::Kerberos,
            auth_byte::PLAIN => Method::Password,
            _ => Method::Simple,
        }
    }

    /// The method's name in logs and options.
    pub fn name(self) -> &'static str {
        match self {
            Method::Simple => "simple",
            Method::Certificate => "certificate",
            Method::Password => "password",
            Method::Kerberos => "kerberos",
        }
    }
}

/// The authenticated client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::server) struct Identity {
    /// The name that permissions are granted to.
    pub name: String,
    /// The full principal, such as `ada@EXAMPLE.COM`. The same as `name` for methods other than Kerberos.
    pub principal: String,
    pub method: Method,
}

impl Identity {
    pub fn new(name: String, method: Method) -> Self {
        Identity { principal: name.clone(), name, method }
    }

    /// Maps `principal` to an identity on a server of `realm`: the first part of the principal, as in Hadoop's
    /// default rule. A principal of another realm is rejected, whatever its first part.
    pub fn of_principal(principal: String, realm: &str) -> Option<Self> {
        let (whole, its_realm) = principal.rsplit_once('@')?;
        let name = whole.split('/').next().filter(|name| is_name(name))?;
        (its_realm == realm).then(|| Identity {
            name: name.to_string(),
            principal: principal.clone(),
            method: Method::Kerberos,
        })
    }
}

/// The user that a connection's calls run as, and whose permissions are checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name that permissions are granted to.
    pub name: String,
    /// The real user who impersonates this one, if they differ. The impersonation has been authorized.
    pub real_user: Option<String>,
    /// The method by which the client was authenticated.
    pub method: Method,
}

/// User of a client that names none.
const ANONYMOUS: &str = "anonymous";
const MAX_NAME_BYTES: usize = 256;

/// Whether `name` is a valid user name. It appears in logs and in access control lists, where `@` before a name marks
/// a group.
pub(super) fn is_name(name: &str) -> bool {
    let breaks_lines = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.starts_with('@') && !name.chars().any(breaks_lines)
}

/// Rejects an invalid user name.
fn check_name(name: &str) -> Result<(), Exception> {
    if is_name(name) {
        return Ok(());
    }
    let message = format!(
        "'{}' is no user name: names have 1 to {MAX_NAME_BYTES} bytes, no control characters, and no leading @, which marks a group",
        make_printable(name)
    );
    Err(Exception::last("security.AccessDeniedException", message))
}

/// Makes a name safe to print in a message.
fn make_printable(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(MAX_NAME_BYTES).collect()
}

/// Returns the user whom an authenticated client wants to impersonate.
///
/// Every client without a login sends the account of its own machine, so a client with a certificate does too. That
/// is a request to impersonate only if it also sends a real user.
fn find_impersonated(identity: &Identity, given: Option<UserInformation>) -> Option<String> {
    let given = given?;
    match identity.method {
        Method::Certificate if given.real_user.is_none() => None,
        _ => Some(given.effective_user).filter(|name| *name != identity.principal && *name != identity.name),
    }
}

/// Determines the user of a connection from its identity `came` and the user information `given` in the header. May
/// call the authority, so it must not run on a thread that must not block.
pub(in crate::server) fn user_of(
    came: Option<&Identity>,
    given: Option<UserInformation>,
    authority: Option<&dyn Authority>,
    peer: &Peer,
) -> Result<User, Exception> {
    let Some(came) = came else {
        let nameless = UserInformation { effective_user: ANONYMOUS.into(), real_user: None };
        let given = given.filter(|given| !given.effective_user.is_empty()).unwrap_or(nameless);
        [Some(&given.effective_user), given.real_user.as_ref()]
            .into_iter()
            .flatten()
            .try_for_each(|name| check_name(name))?;
        return Ok(User { name: given.effective_user, real_user: given.real_user, method: Method::Simple });
    };
    let Some(effective) = find_impersonated(came, given) else {
        return Ok(User { name: came.name.clone(), real_user: None, method: came.method });
    };
    let may = is_name(&effective)
        && authority
            .is_some_and(|authority| authority.may_impersonate(&came.name, &effective, peer.address).unwrap_or(false));
    if may {
        return Ok(User { name: effective, real_user: Some(came.name.clone()), method: came.method });
    }
    let message = format!(
        "org.apache.hadoop.security.authorize.AuthorizationException: User: {} is not allowed to impersonate {}",
        came.principal,
        make_printable(&effective)
    );
    Err(Exception::last("security.AccessDeniedException", message))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::server::authentication::AuditEvent;
    use rowstone_model::Result as ModelResult;
    use std::net::IpAddr;

    struct Rules;

    impl Authority for Rules {
        fn check_password(&self, _: &str, _: &str) -> ModelResult<Option<String>> {
            Ok(None)
        }

        fn recall_password(&self, _: &str, _: &str) -> ModelResult<Option<String>> {
            Ok(None)
        }

        fn may_impersonate(&self, real: &str, effective: &str, address: IpAddr) -> ModelResult<bool> {
            Ok(real == "gate" && effective == "bob" && address.is_loopback())
        }

        fn groups_of(&self, _: &str) -> ModelResult<Vec<String>> {
            Ok(Vec::new())
        }

        fn audit(&self, _: &AuditEvent) {}
    }

    fn authorize(came: &Identity, effective: &str, real: Option<&str>) -> Result<User, Exception> {
        let peer = Peer { address: IpAddr::from([127, 0, 0, 1]), port: 1, is_encrypted: false, certificate: None };
        let given = UserInformation { effective_user: effective.into(), real_user: real.map(str::to_string) };
        user_of(Some(came), Some(given), Some(&Rules), &peer)
    }

    #[test]
    fn principals_have_short_names_in_their_own_realm_only() {
        let name = |principal: &str| Identity::of_principal(principal.into(), "A.COM").map(|identity| identity.name);
        assert_eq!(name("ada@A.COM").unwrap(), "ada");
        assert_eq!(name("hbase/host.a.com@A.COM").unwrap(), "hbase");
        for nobody in ["ada@B.COM", "ada", "@A.COM", "/x@A.COM", "ada@A.COM@B.COM", "a\nb@A.COM", ""] {
            assert_eq!(name(nobody), None, "{nobody}");
        }
    }

    #[test]
    fn no_user_has_the_name_of_a_group_nor_one_that_breaks_lines() {
        let peer = Peer { address: IpAddr::from([127, 0, 0, 1]), port: 1, is_encrypted: false, certificate: None };
        let simple = |name: &str, real: Option<&str>| {
            let given = UserInformation { effective_user: name.into(), real_user: real.map(str::to_string) };
            user_of(None, Some(given), None, &peer)
        };
        assert_eq!(simple("ada@A.COM", None).unwrap().name, "ada@A.COM");
        assert_eq!(simple("", None).unwrap().name, ANONYMOUS);
        for wrong in ["@admins", "@", "a\nb", "a\u{1b}[2J", "a\u{2028}b", &"x".repeat(257)] {
            assert!(simple(wrong, None).unwrap_err().class.ends_with("AccessDeniedException"), "{wrong:?}");
            assert!(simple("ada", Some(wrong)).is_err(), "{wrong:?}");
        }
        assert_eq!(Identity::of_principal("@admins@A.COM".into(), "A.COM"), None);
    }

    #[test]
    fn ones_own_names_are_no_impersonation() {
        let ada = Identity::of_principal("ada@A.COM".into(), "A.COM").unwrap();
        for own in ["ada", "ada@A.COM"] {
            let user = authorize(&ada, own, None).unwrap();
            assert_eq!((user.name.as_str(), user.real_user), ("ada", None));
        }
    }

    #[test]
    fn only_listed_proxies_act_for_others() {
        let refused = authorize(&Identity::new("ada".into(), Method::Password), "bob", None).unwrap_err();
        assert!(refused.class.ends_with("AccessDeniedException") && refused.do_not_retry);
        assert!(refused.message.ends_with("AuthorizationException: User: ada is not allowed to impersonate bob"));
        let gate = Identity::new("gate".into(), Method::Password);
        let user = authorize(&gate, "bob", None).unwrap();
        assert_eq!((user.name.as_str(), user.real_user.as_deref()), ("bob", Some("gate")));
        assert!(authorize(&gate, "root", None).is_err() && authorize(&gate, "", None).is_err());
    }

    #[test]
    fn a_certificate_overrides_the_account_of_the_client() {
        let gate = Identity::new("gate".into(), Method::Certificate);
        assert_eq!(authorize(&gate, "root", None).unwrap().name, "gate");
        assert_eq!(authorize(&gate, "bob", Some("gate")).unwrap().name, "bob");
        assert!(authorize(&gate, "root", Some("gate")).is_err());
    }
}
