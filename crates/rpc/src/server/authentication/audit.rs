//! Who is asked about users, and told of logins.

use super::user::Method;
use rowstone_model::Result;
use std::net::IpAddr;

/// One login, as a log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// Whether the client was let in.
    pub is_success: bool,
    /// By which way it came, or wanted to.
    pub method: Method,
    /// Who it is, or says to be; where nobody knows, empty.
    pub user: String,
    /// Who acts for that user, if it is another.
    pub real_user: Option<String>,
    /// Where it comes from.
    pub address: IpAddr,
    /// Why it was not let in.
    pub reason: String,
}

/// Who knows the users.
pub trait Authority: Send + Sync {
    /// The name of the user whom `user` and `password` belong to; `None` where they do not belong together.
    ///
    /// # Errors
    /// Where it cannot be told at the moment.
    fn check_password(&self, user: &str, password: &str) -> Result<Option<String>>;

    /// Whether `real` may act for `effective`, coming from `address`.
    ///
    /// # Errors
    /// Where it cannot be told at the moment.
    fn may_impersonate(&self, real: &str, effective: &str, address: IpAddr) -> Result<bool>;

    /// The groups that `user` is in, as far as the authority knows.
    ///
    /// # Errors
    /// Where it cannot be told at the moment.
    fn groups_of(&self, user: &str) -> Result<Vec<String>>;

    /// Writes down a login.
    fn audit(&self, event: &AuditEvent);
}
