//! Switches of work that a single server does not have, or does by itself: answered, so that clients go on.

use crate::proto;
use crate::server::call::{Answer, Call, Outcome};
use crate::server::session::Session;
use rowstone_model::access::Intent;
use std::sync::atomic::Ordering;

/// `SecurityCapability` of the same names.
const SIMPLE_AUTHENTICATION: i32 = 0;
const AUTHORIZATION: i32 = 2;

/// Turns the balancer on or off, which says what it was before. As in HBase it is on at first; one server has nothing to
/// balance.
pub(super) fn set_balancer(session: &Session, call: &Call) -> Outcome {
    let request: proto::SetBalancerRunningRequest = call.message()?;
    session.backend.admin().check(Intent::Operate)?;
    let before = session.state.balancer.swap(request.on, Ordering::AcqRel);
    Ok(Answer::of(&proto::SetBalancerRunningResponse { prev_balance_value: Some(before) }))
}

pub(super) fn has_balancer(session: &Session) -> Outcome {
    Ok(Answer::of(&proto::Flag { value: Some(session.state.balancer.load(Ordering::Acquire)) }))
}

/// What anybody may ask.
fn is_question(method: &str) -> bool {
    method.starts_with("Is") || method == "getSecurityCapabilities"
}

/// The answer to `method`; `None` where it is none of these.
pub(super) fn answer(session: &Session, method: &str) -> Option<Outcome> {
    let answer = known(session, method)?;
    if !is_question(method) {
        if let Err(error) = session.backend.admin().check(Intent::Operate) {
            return Some(Err(error.into()));
        }
    }
    Some(Ok(answer))
}

fn known(session: &Session, method: &str) -> Option<Answer> {
    let flag = |value| Answer::of(&proto::Flag { value: Some(value) });
    Some(match method {
        "IsMasterRunning" => flag(true),
        // There is nothing to clean, and tables are normalized by who has the directory: these are off, before and after.
        "Balance" => flag(false),
        "SetNormalizerRunning" | "IsNormalizerEnabled" | "Normalize" => flag(false),
        "SetSplitOrMergeEnabled" | "IsSplitOrMergeEnabled" => flag(false),
        "EnableCatalogJanitor" | "IsCatalogJanitorEnabled" => flag(false),
        "RunCleanerChore" | "SetCleanerChoreRunning" | "IsCleanerChoreEnabled" => flag(false),
        "SwitchSnapshotCleanup" | "IsSnapshotCleanupEnabled" => flag(false),
        "SwitchRpcThrottle" | "IsRpcThrottleEnabled" => flag(false),
        "IsMasterInMaintenanceMode" => flag(false),
        "getSecurityCapabilities" => {
            let authorization = session.backend.admin().has_authorization().then_some(AUTHORIZATION);
            let capabilities = [SIMPLE_AUTHENTICATION].into_iter().chain(authorization).collect();
            Answer::of(&proto::SecurityCapabilitiesResponse { capabilities })
        }
        // Lists that are empty.
        "ListDecommissionedRegionServers" | "ClearDeadServers" => Answer::of(&proto::Empty {}),
        _ => return None,
    })
}
