//! Conversion of quotas between the model and HBase's messages. Source: `QuotaSettings.buildFromProto`.

use super::schema::{from_table_name, table_name};
use crate::proto;
use rowstone_model::quota::{QuotaChange, QuotaOwner, ThrottleKind};
use rowstone_model::{Error, Result};
use rowstone_quotas::messages::{from_space, from_timed, to_timed, Space};

/// Builds the request for a change.
pub fn to_set_quota(owner: &QuotaOwner, change: &QuotaChange) -> proto::SetQuotaRequest {
    let (user, table, namespace, server) = owner.names();
    let mut request = proto::SetQuotaRequest {
        user_name: user.map(str::to_string),
        table_name: table.map(table_name),
        namespace: namespace.map(str::to_string),
        region_server: server.map(str::to_string),
        ..proto::SetQuotaRequest::default()
    };
    match change {
        QuotaChange::RemoveAll => request.remove_all = Some(true),
        QuotaChange::Unthrottle => request.throttle = Some(proto::ThrottleRequest::default()),
        QuotaChange::Throttle(kind, limit) => {
            let timed_quota = limit.as_ref().map(to_timed);
            request.throttle = Some(proto::ThrottleRequest { r#type: Some(kind.number()), timed_quota });
        }
        QuotaChange::Bypass(bypass) => request.bypass_globals = Some(*bypass),
        QuotaChange::Space(space) => {
            let quota = match space {
                Some(space) => {
                    let (limit, policy) = (Some(space.limit_bytes), Some(space.policy.number()));
                    Space { limit, policy, remove: None }
                }
                None => Space { remove: Some(true), ..Space::default() },
            };
            request.space_limit = Some(proto::SpaceLimit { quota: Some(quota) });
        }
    }
    request
}

/// Extracts the owner and the change from a request.
///
/// # Errors
/// `InvalidArgument` if it contains several changes, or none.
pub fn from_set_quota(request: &proto::SetQuotaRequest) -> Result<(QuotaOwner, QuotaChange)> {
    let table = request.table_name.as_ref().map(from_table_name).transpose()?;
    let (user, namespace) = (request.user_name.clone(), request.namespace.clone());
    let owner = QuotaOwner::of(user, table, namespace, request.region_server.clone())?;
    if request.remove_all == Some(true) {
        return Ok((owner, QuotaChange::RemoveAll));
    }
    let change = match (request.bypass_globals, &request.space_limit, &request.throttle) {
        (Some(bypass), None, None) => QuotaChange::Bypass(bypass),
        (None, Some(space), None) => space_change(space)?,
        (None, None, Some(throttle)) => throttle_change(throttle)?,
        (None, None, None) => return Err(Error::invalid("the request changes no quota")),
        _ => return Err(Error::invalid("SetQuotaRequest has multiple limits")),
    };
    Ok((owner, change))
}

fn space_change(request: &proto::SpaceLimit) -> Result<QuotaChange> {
    let quota = request.quota.as_ref();
    let quota = quota.ok_or_else(|| Error::invalid("SpaceLimitRequest is missing the expected SpaceQuota."))?;
    if quota.remove == Some(true) {
        return Ok(QuotaChange::Space(None));
    }
    let limit = from_space(quota).ok_or_else(|| Error::invalid("a limit on space needs a size and a policy"))?;
    Ok(QuotaChange::Space(Some(limit)))
}

fn throttle_change(request: &proto::ThrottleRequest) -> Result<QuotaChange> {
    let Some(number) = request.r#type else { return Ok(QuotaChange::Unthrottle) };
    let kind = ThrottleKind::from_number(number);
    let kind = kind.ok_or_else(|| Error::invalid(format!("there is no kind of limit {number}")))?;
    let limit = match &request.timed_quota {
        None => None,
        Some(timed) => {
            let wrong = || Error::invalid(format!("a limit {kind} without an amount, or with an unknown unit of time"));
            Some(from_timed(timed).ok_or_else(wrong)?)
        }
    };
    Ok(QuotaChange::Throttle(kind, limit))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::quota::{QuotaScope, SpaceLimit, SpacePolicy, TimeUnit, TimedLimit};
    use rowstone_model::schema::TableName;

    #[test]
    fn every_change_of_every_owner_is_read_as_it_was_written() {
        let table = TableName::parse("ns:t").unwrap();
        let owners = [
            QuotaOwner::User("u".into()),
            QuotaOwner::UserInTable("u".into(), table.clone()),
            QuotaOwner::UserInNamespace("u".into(), "ns".into()),
            QuotaOwner::Table(table),
            QuotaOwner::Namespace("ns".into()),
            QuotaOwner::Server("all".into()),
        ];
        let limit = TimedLimit { unit: TimeUnit::Hours, limit: 7, scope: Some(QuotaScope::Cluster) };
        let changes = [
            QuotaChange::RemoveAll,
            QuotaChange::Unthrottle,
            QuotaChange::Throttle(ThrottleKind::ReadSize, None),
            QuotaChange::Throttle(ThrottleKind::ReadSize, Some(limit)),
            QuotaChange::Bypass(false),
            QuotaChange::Space(None),
            QuotaChange::Space(Some(SpaceLimit { limit_bytes: 9, policy: SpacePolicy::Disable })),
        ];
        for owner in &owners {
            for change in &changes {
                assert_eq!(from_set_quota(&to_set_quota(owner, change)).unwrap(), (owner.clone(), *change));
            }
        }
    }

    #[test]
    fn invalid_changes_are_refused() {
        let user = || proto::SetQuotaRequest { user_name: Some("u".into()), ..Default::default() };
        let throttle = Some(proto::ThrottleRequest { r#type: Some(99), timed_quota: None });
        for request in [
            proto::SetQuotaRequest::default(),
            user(),
            proto::SetQuotaRequest { throttle, ..user() },
            proto::SetQuotaRequest { space_limit: Some(proto::SpaceLimit { quota: None }), ..user() },
            proto::SetQuotaRequest {
                throttle: Some(proto::ThrottleRequest::default()),
                bypass_globals: Some(true),
                ..user()
            },
        ] {
            assert!(from_set_quota(&request).is_err(), "{request:?}");
        }
    }
}
