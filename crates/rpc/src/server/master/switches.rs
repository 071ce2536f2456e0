//! Switches of work that a single server does not have, or does by itself: answered, so that clients go on.

use crate::proto;
use crate::server::call::{Answer, Call, Outcome};
use crate::server::session::Session;
use std::sync::atomic::Ordering;

/// Turns the balancer on or off, which says what it was before. As in HBase it is on at first; one server has nothing to
/// balance.
pub(super) fn set_balancer(session: &Session, call: &Call) -> Outcome {
    let request: proto::SetBalancerRunningRequest = call.message()?;
    let before = session.state.balancer.swap(request.on, Ordering::AcqRel);
    Ok(Answer::of(&proto::SetBalancerRunningResponse { prev_balance_value: Some(before) }))
}

pub(super) fn has_balancer(session: &Session) -> Outcome {
    Ok(Answer::of(&proto::Flag { value: Some(session.state.balancer.load(Ordering::Acquire)) }))
}

/// The answer to `method`; `None` where it is none of these.
pub(super) fn answer(method: &str) -> Option<Outcome> {
    let flag = |value| Answer::of(&proto::Flag { value: Some(value) });
    Some(Ok(match method {
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
        "getSecurityCapabilities" => Answer::of(&proto::SecurityCapabilitiesResponse { capabilities: vec![0] }),
        // Lists that are empty.
        "ListDecommissionedRegionServers" | "ClearDeadServers" => Answer::of(&proto::Empty {}),
        _ => return None,
    }))
}
