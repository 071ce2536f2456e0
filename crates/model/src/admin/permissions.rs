//! Access control.

use crate::access::{Grant, GrantQuery, Intent, Rights, Scope};
use crate::error::{Error, ErrorKind, Result};

fn without_rights(doing: &str) -> Error {
    let message = format!("cannot {doing} permissions: open the database with hbase.security.authorization = true");
    Error::new(ErrorKind::Unsupported, message)
}

/// Access control.
pub trait PermissionAdmin: Send + Sync {
    /// Whether access control is enabled.
    fn has_authorization(&self) -> bool {
        false
    }
    /// Fails unless the caller may do what the server is about to do.
    fn check(&self, _intent: Intent<'_>) -> Result<()> {
        Ok(())
    }
    /// Grants permissions: `merge` adds them to the user's existing ones in that scope, otherwise they replace them.
    fn grant(&self, _grant: &Grant, _merge: bool) -> Result<()> {
        Err(without_rights("grant"))
    }
    /// Revokes permissions: the named ones, or all of the user's in that scope if none are named.
    fn revoke(&self, _grant: &Grant) -> Result<()> {
        Err(without_rights("revoke"))
    }
    /// Lists the grants of a scope.
    fn grants(&self, _query: &GrantQuery) -> Result<Vec<Grant>> {
        Err(without_rights("list"))
    }
    /// Whether a user has all of these permissions in a scope; `None` means the caller.
    fn has_rights(&self, _user: Option<&str>, _scope: &Scope, _rights: Rights) -> Result<bool> {
        Err(without_rights("check"))
    }
}
