//! Conversion of permissions to and from messages. Source: `AccessControlUtil`.

use super::{from_table_name, table_name};
use crate::proto;
use rowstone_model::access::{Grant, GrantQuery, Permission, Permissions, Scope};
use rowstone_model::schema::TableName;
use rowstone_model::Result;

fn permissions_of(actions: &[i32]) -> Permissions {
    actions.iter().filter_map(|action| Permission::ALL.get(usize::try_from(*action).ok()?)).copied().collect()
}

fn actions_of(permissions: Permissions) -> Vec<i32> {
    permissions.iter().map(|permission| permission as i32).collect()
}

fn text(bytes: Option<&[u8]>) -> String {
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

/// Extracts scope and actions from a permission.
///
/// # Errors
/// `InvalidName` for the table's name.
pub fn from_permission(permission: &proto::Permission) -> Result<(Scope, Permissions)> {
    if let Some(table) = &permission.table {
        let scope = scope_of(table.table_name.as_ref(), &table.family, &table.qualifier)?;
        return Ok((scope, permissions_of(&table.action)));
    }
    if let Some(namespace) = &permission.namespace {
        return Ok((Scope::Namespace(text(namespace.namespace.as_deref())), permissions_of(&namespace.action)));
    }
    let actions = permission.global.as_ref().map(|global| global.action.as_slice());
    Ok((Scope::Global, permissions_of(actions.unwrap_or_default())))
}

/// The scope of a table, family or column.
fn scope_of(table: Option<&proto::TableName>, family: &Option<Vec<u8>>, qualifier: &Option<Vec<u8>>) -> Result<Scope> {
    let part = |part: &Option<Vec<u8>>| part.clone().filter(|part| !part.is_empty());
    // As in HBase, a missing table means the grant table.
    let name = table.map_or_else(|| TableName::parse("hbase:acl"), from_table_name)?;
    Ok(Scope::Table { name, family: part(family), qualifier: part(qualifier) })
}

/// Extracts a grant from a message.
pub fn from_user_permission(message: &proto::UserPermission) -> Result<Grant> {
    let (scope, permissions) = from_permission(&message.permission)?;
    Ok(Grant { user: text(Some(&message.user)), scope, permissions })
}

/// Builds the message for a grant.
pub fn to_user_permission(grant: &Grant) -> proto::UserPermission {
    let action = actions_of(grant.permissions);
    let mut permission = proto::Permission::default();
    match &grant.scope {
        Scope::Global => {
            permission.r#type = proto::PermissionScope::Global as i32;
            permission.global = Some(proto::GlobalPermission { action });
        }
        Scope::Namespace(name) => {
            permission.r#type = proto::PermissionScope::Namespace as i32;
            let namespace = Some(name.clone().into_bytes());
            permission.namespace = Some(proto::NamespacePermission { namespace, action });
        }
        Scope::Table { name, family, qualifier } => {
            permission.r#type = proto::PermissionScope::Table as i32;
            let (family, qualifier) = (family.clone(), qualifier.clone());
            permission.table =
                Some(proto::TablePermission { table_name: Some(table_name(name)), family, qualifier, action });
        }
    }
    proto::UserPermission { user: grant.user.clone().into_bytes(), permission }
}

/// Extracts the query for grants from a request.
pub fn query_of(message: &proto::UserPermissionsRequest) -> Result<GrantQuery> {
    let scope = match message.r#type() {
        proto::PermissionScope::Table => scope_of(message.table_name.as_ref(), &message.family, &message.qualifier)?,
        proto::PermissionScope::Namespace => Scope::Namespace(text(message.namespace.as_deref())),
        proto::PermissionScope::Global => Scope::Global,
    };
    let user = message.user_name.as_ref().map(|user| text(Some(user))).filter(|user| !user.is_empty());
    Ok(GrantQuery { scope, user })
}
