//! The authority that knows users, and the audit events of logins.

use super::user::Method;
use rowstone_model::Result;
use std::net::IpAddr;

/// One login, as it is logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// Whether the login succeeded.
    pub is_success: bool,
    /// The authentication method that the client used or tried to use.
    pub method: Method,
    /// The user that the client authenticated as or claimed to be; empty if unknown.
    pub user: String,
    /// The real user who acts for `user`, if they differ.
    pub real_user: Option<String>,
    /// The client's address.
    pub address: IpAddr,
    /// Reason for a failed login.
    pub reason: String,
}

/// Source of passwords, impersonation rules and groups; receiver of audit events.
pub trait Authority: Send + Sync {
    /// Returns the name of the user if `password` is theirs, otherwise `None`.
    ///
    /// # Errors
    ///
    /// If the check cannot be made at the moment.
    fn check_password(&self, user: &str, password: &str) -> Result<Option<String>>;

    /// Returns the name of the user if `password` was checked recently, or if checking it takes little time; otherwise
    /// `None`, also for passwords that may be right.
    ///
    /// # Errors
    ///
    /// If the users cannot be read at the moment.
    fn recall_password(&self, user: &str, password: &str) -> Result<Option<String>>;

    /// Whether `real` may impersonate `effective` from `address`.
    ///
    /// # Errors
    ///
    /// If the check cannot be made at the moment.
    fn may_impersonate(&self, real: &str, effective: &str, address: IpAddr) -> Result<bool>;

    /// Returns the groups of `user` that the authority knows.
    ///
    /// # Errors
    ///
    /// If the groups cannot be found at the moment.
    fn groups_of(&self, user: &str) -> Result<Vec<String>>;

    /// Logs a login.
    fn audit(&self, event: &AuditEvent);
}
