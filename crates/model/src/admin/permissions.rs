//! Access control.

use crate::access::{Grant, GrantQuery, Intent, Permissions, Scope};
use crate::error::{Error, ErrorKind, Result};

fn no_access_control(doing: &str) -> Error {
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
        Err(no_access_control("grant"))
    }
    /// Revokes permissions: the named ones, or all of the user's in that scope if none are named.
    fn revoke(&self, _grant: &Grant) -> Result<()> {
        Err(no_access_control("revoke"))
    }
    /// Lists the grants of a scope.
    fn grants(&self, _query: &GrantQuery) -> Result<Vec<Grant>> {
        Err(no_access_control("list"))
    }
    /// Whether a user has all of these permissions in a scope; `None` means the caller.
    fn has_permissions(&self, _user: Option<&str>, _scope: &Scope, _permissions: Permissions) -> Result<bool> {
        Err(no_access_control("check"))
    }
}
