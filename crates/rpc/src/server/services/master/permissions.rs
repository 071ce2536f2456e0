//! Grant, revoke and permission queries, which clients since 2.2 send to the master.

use crate::convert::{from_permission, from_user_permission, query_of, to_user_permission};
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::session::Session;

pub(super) fn grant(session: &Session, call: &Call) -> Outcome {
    let request: proto::GrantRequest = call.message()?;
    let merge = request.merge_existing_permissions.unwrap_or(false);
    session.backend.admin().grant(&from_user_permission(&request.user_permission)?, merge)?;
    Ok(Answer::of(&proto::Empty {}))
}

pub(super) fn revoke(session: &Session, call: &Call) -> Outcome {
    let request: proto::RevokeRequest = call.message()?;
    session.backend.admin().revoke(&from_user_permission(&request.user_permission)?)?;
    Ok(Answer::of(&proto::Empty {}))
}

pub(super) fn permissions(session: &Session, call: &Call) -> Outcome {
    let request: proto::UserPermissionsRequest = call.message()?;
    let found = session.backend.admin().grants(&query_of(&request)?)?;
    let user_permission = found.iter().map(to_user_permission).collect();
    Ok(Answer::of(&proto::UserPermissions { user_permission }))
}

pub(super) fn has_permissions(session: &Session, call: &Call) -> Outcome {
    let request: proto::HasUserPermissionsRequest = call.message()?;
    let user = String::from_utf8_lossy(&request.user_name);
    let mut has_user_permission = Vec::with_capacity(request.permission.len());
    for permission in &request.permission {
        let (scope, permissions) = from_permission(permission)?;
        has_user_permission.push(session.backend.admin().has_permissions(Some(&user), &scope, permissions)?);
    }
    Ok(Answer::of(&proto::HasUserPermissionsResponse { has_user_permission }))
}
