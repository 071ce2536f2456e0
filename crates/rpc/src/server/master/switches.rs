//! Switches of work that a single server does not have, or does by itself: answered, so that clients go on.

use crate::proto;
use crate::server::call::{Answer, Outcome};

/// The answer to `method`; `None` where it is none of these.
pub(super) fn answer(method: &str) -> Option<Outcome> {
    let flag = |value| Answer::of(&proto::Flag { value: Some(value) });
    Some(Ok(match method {
        "IsMasterRunning" => flag(true),
        // There is nothing to balance or to clean, and tables are normalized by who has the directory: these are off, before
        // and after.
        "SetBalancerRunning" | "IsBalancerEnabled" | "Balance" => flag(false),
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
