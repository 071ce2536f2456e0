//! AccessControlService: grant, revoke and permission queries of clients before 2.2, which call the region of
//! `hbase:acl`. Source: `AccessController`.

use crate::convert::{from_permission, from_user_permission, query_of, to_user_permission};
use crate::proto;
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use crate::wire::Malformed;
use prost::Message;
use rowstone_model::access::{Permission, Permissions, Scope};

/// Class name of the answer, and the answer; `None` for an unknown method.
type Answered = Result<Option<(&'static str, Vec<u8>)>, Exception>;

fn read<M: Message + Default>(bytes: &[u8]) -> Result<M, Exception> {
    M::decode(bytes).map_err(|error| Malformed::from(error).into())
}

pub(super) fn call(session: &Session, method: &str, request: &[u8]) -> Answered {
    let admin = session.backend.admin();
    Ok(Some(match method {
        "Grant" => {
            let request: proto::GrantRequest = read(request)?;
            let merge = request.merge_existing_permissions.unwrap_or(false);
            admin.grant(&from_user_permission(&request.user_permission)?, merge)?;
            ("GrantResponse", Vec::new())
        }
        "Revoke" => {
            let request: proto::RevokeRequest = read(request)?;
            admin.revoke(&from_user_permission(&request.user_permission)?)?;
            ("RevokeResponse", Vec::new())
        }
        "GetUserPermissions" => {
            let request: proto::UserPermissionsRequest = read(request)?;
            let found = admin.grants(&query_of(&request)?)?;
            let user_permission = found.iter().map(to_user_permission).collect();
            ("GetUserPermissionsResponse", proto::UserPermissions { user_permission }.encode_to_vec())
        }
        "CheckPermissions" => {
            check(session, &read(request)?)?;
            ("CheckPermissionsResponse", Vec::new())
        }
        "HasPermission" => {
            let request: proto::HasPermissionRequest = read(request)?;
            let user = String::from_utf8_lossy(&request.user_name);
            let permission = proto::Permission { table: Some(request.table_permission), ..Default::default() };
            let (scope, permissions) = from_permission(&permission)?;
            // As in HBase, an empty request is answered with false.
            let has = admin.has_permissions(Some(&user), &scope, permissions)? && !permissions.is_empty();
            ("HasPermissionResponse", proto::HasPermissionResponse { has_permission: Some(has) }.encode_to_vec())
        }
        _ => return Ok(None),
    }))
}

/// Rejects the first permission that the user does not have.
fn check(session: &Session, request: &proto::CheckPermissionsRequest) -> Result<(), Exception> {
    for permission in &request.permission {
        let (scope, permissions) = from_permission(permission)?;
        for permission in permissions.iter() {
            if !session.backend.admin().has_permissions(None, &scope, Permissions::NONE.and(permission))? {
                return Err(Exception::last("security.AccessDeniedException", refusal(&scope, permission)));
            }
        }
    }
    Ok(())
}

fn refusal(scope: &Scope, permission: Permission) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let Scope::Table { name, family, qualifier } = scope else {
        return format!("Insufficient permissions (action={})", permission.name());
    };
    let column = match (family, qualifier) {
        (Some(family), Some(qualifier)) => format!(", family: {}:{}", text(family), text(qualifier)),
        (Some(family), None) => format!(", family: {}", text(family)),
        (None, _) => String::new(),
    };
    format!("Insufficient permissions (table={name}{column}, action={})", permission.name())
}
