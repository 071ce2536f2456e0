//! Switches of background work, and calls for work that a single server does not have, which are answered so that
//! clients continue.

use super::names;
use crate::convert::from_table_name;
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use rowstone_model::access::Intent;
use rowstone_model::schema::TableName;
use rowstone_model::switches::Switch;

/// Values of the enum `SecurityCapability`.
const SIMPLE_AUTHENTICATION: i32 = 0;
const AUTHORIZATION: i32 = 2;
const CELL_AUTHORIZATION: i32 = 3;

/// An answer with a single boolean; the messages differ only in the name of the field.
fn flag(value: bool) -> Answer {
    Answer::of(&proto::Flag { value: Some(value) })
}

/// Sets a switch; returns its previous value.
pub(in crate::server) fn set_switch(session: &Session, call: &Call, switch: Switch) -> Outcome {
    let request: proto::Flag = call.message()?;
    Ok(flag(session.backend.admin().set_switch(switch, request.value.unwrap_or(false))?))
}

fn switch(session: &Session, switch: Switch) -> Outcome {
    Ok(flag(session.backend.admin().switch(switch)?))
}

fn of_kind(kind: i32) -> Result<Switch, Exception> {
    match proto::SplitOrMerge::try_from(kind) {
        Ok(proto::SplitOrMerge::Split) => Ok(Switch::Split),
        Ok(proto::SplitOrMerge::Merge) => Ok(Switch::Merge),
        Err(_) => Err(Exception::last("DoNotRetryIOException", format!("there is no switch {kind}"))),
    }
}

fn set_split_or_merge(session: &Session, call: &Call) -> Outcome {
    let request: proto::SetSplitOrMergeRequest = call.message()?;
    let admin = session.backend.admin();
    let turn = |kind: &i32| Ok(admin.set_switch(of_kind(*kind)?, request.on)?);
    let before = request.kinds.iter().map(turn).collect::<Result<Vec<bool>, Exception>>()?;
    Ok(Answer::of(&proto::SetSplitOrMergeResponse { before }))
}

fn split_or_merge(session: &Session, call: &Call) -> Outcome {
    let request: proto::SplitOrMergeRequest = call.message()?;
    switch(session, of_kind(request.kind)?)
}

/// Normalizes tables; returns whether it ran. Source: `HMaster.normalizeRegions`.
fn normalize(session: &Session, call: &Call) -> Outcome {
    let request: proto::NormalizeRequest = call.message()?;
    let admin = session.backend.admin();
    if !admin.switch(Switch::Normalizer)? {
        return Ok(flag(false));
    }
    let named = request.table_names.iter().map(from_table_name).collect::<rowstone_model::Result<Vec<TableName>>>()?;
    for name in names::matching(session, request.regex.as_deref(), request.namespace.as_deref(), false)? {
        if named.is_empty() || named.contains(&name) {
            admin.normalize(&name)?;
        }
    }
    Ok(flag(true))
}

/// Returns whether the balancer ran; it never has anything to move. A user without permission gets an error here,
/// while HBase answers that the balancer did not run.
fn balance(session: &Session) -> Outcome {
    let admin = session.backend.admin();
    admin.check(Intent::Balance)?;
    switch(session, Switch::Balancer)
}

fn for_operators(session: &Session, answer: Answer) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    Ok(answer)
}

fn capabilities(session: &Session) -> Answer {
    let mut capabilities = vec![SIMPLE_AUTHENTICATION];
    if session.backend.admin().has_authorization() {
        capabilities.extend([AUTHORIZATION, CELL_AUTHORIZATION]);
    }
    Answer::of(&proto::SecurityCapabilitiesResponse { capabilities })
}

/// Answers a check for misplaced regions, which one server cannot have. Returns whether the check ran.
pub(in crate::server) fn run_hbck_chore(session: &Session) -> Outcome {
    for_operators(session, flag(true))
}

/// Answers the call; `None` if it is not one of this module.
pub(super) fn answer(session: &Session, call: &Call) -> Option<Outcome> {
    Some(match call.method() {
        "SetBalancerRunning" => set_switch(session, call, Switch::Balancer),
        "IsBalancerEnabled" => switch(session, Switch::Balancer),
        "SetNormalizerRunning" => set_switch(session, call, Switch::Normalizer),
        "IsNormalizerEnabled" => switch(session, Switch::Normalizer),
        "Normalize" => normalize(session, call),
        "SetSplitOrMergeEnabled" => set_split_or_merge(session, call),
        "IsSplitOrMergeEnabled" => split_or_merge(session, call),
        "EnableCatalogJanitor" => set_switch(session, call, Switch::CatalogJanitor),
        "IsCatalogJanitorEnabled" => switch(session, Switch::CatalogJanitor),
        "SetCleanerChoreRunning" => set_switch(session, call, Switch::CleanerChore),
        "IsCleanerChoreEnabled" => switch(session, Switch::CleanerChore),
        "SwitchSnapshotCleanup" => set_switch(session, call, Switch::SnapshotCleanup),
        "IsSnapshotCleanupEnabled" => switch(session, Switch::SnapshotCleanup),
        "ReplicationPeerModificationSwitch" => set_switch(session, call, Switch::PeerModification),
        "IsReplicationPeerModificationEnabled" => switch(session, Switch::PeerModification),
        "SwitchRpcThrottle" => set_switch(session, call, Switch::RpcThrottle),
        "IsRpcThrottleEnabled" => switch(session, Switch::RpcThrottle),
        "SwitchExceedThrottleQuota" => set_switch(session, call, Switch::ExceedThrottleQuota),
        "IsMasterRunning" => Ok(flag(true)),
        "Balance" => balance(session),
        // Splits and merges clean up after themselves.
        "RunCatalogScan" => for_operators(session, Answer::of(&proto::RunCatalogScanResponse { scan_result: Some(0) })),
        // Obsolete files are deleted as soon as they are released.
        "RunCleanerChore" => for_operators(session, flag(false)),
        "IsMasterInMaintenanceMode" => Ok(flag(false)),
        "getSecurityCapabilities" => Ok(capabilities(session)),
        // Answers with empty lists.
        "ListDecommissionedRegionServers" | "ClearDeadServers" => for_operators(session, Answer::of(&proto::Empty {})),
        _ => return None,
    })
}
