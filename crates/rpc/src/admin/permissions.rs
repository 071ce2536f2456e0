//! Permissions of users, if the cluster has access control. Source: `AccessControlClient`.

use super::Admin;
use crate::convert::{from_user_permission, to_user_permission};
use crate::proto;
use rowstone_model::access::{Grant, GrantQuery, Permissions, Scope};
use rowstone_model::Result;

impl Admin {
    pub(super) fn give(&self, grant: &Grant, merge: bool) -> Result<()> {
        let user_permission = to_user_permission(grant);
        let request = proto::GrantRequest { user_permission, merge_existing_permissions: Some(merge) };
        self.call::<proto::Empty>("Grant", &request).map(drop)
    }

    pub(super) fn take_back(&self, grant: &Grant) -> Result<()> {
        let request = proto::RevokeRequest { user_permission: to_user_permission(grant) };
        self.call::<proto::Empty>("Revoke", &request).map(drop)
    }

    pub(super) fn list_grants(&self, query: &GrantQuery) -> Result<Vec<Grant>> {
        let asked = to_user_permission(&Grant {
            user: String::new(),
            scope: query.scope.clone(),
            permissions: Permissions::NONE,
        });
        let (table, namespace) = (asked.permission.table, asked.permission.namespace);
        let table = table.unwrap_or_default();
        let request = proto::UserPermissionsRequest {
            r#type: Some(asked.permission.r#type),
            table_name: table.table_name,
            namespace: namespace.and_then(|namespace| namespace.namespace),
            family: table.family,
            qualifier: table.qualifier,
            user_name: query.user.clone().map(String::into_bytes),
        };
        let answer: proto::UserPermissions = self.call("GetUserPermissions", &request)?;
        answer.user_permission.iter().map(from_user_permission).collect()
    }

    pub(super) fn has(&self, user: Option<&str>, scope: &Scope, permissions: Permissions) -> Result<bool> {
        let name = user.unwrap_or(&self.user);
        let permission =
            to_user_permission(&Grant { user: String::new(), scope: scope.clone(), permissions }).permission;
        let request =
            proto::HasUserPermissionsRequest { user_name: name.as_bytes().to_vec(), permission: vec![permission] };
        let answer: proto::HasUserPermissionsResponse = self.call("HasUserPermissions", &request)?;
        Ok(answer.has_user_permission == [true])
    }
}
