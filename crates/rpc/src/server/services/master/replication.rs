//! Replication calls, answered as by a cluster without a peer: lists are empty, and every named peer is unknown.

use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use rowstone_model::access::Intent;

/// Answers a replication call; `None` for any other call.
pub(super) fn answer(session: &Session, call: &Call) -> Option<Outcome> {
    Some(match call.method() {
        "ListReplicationPeers" | "GetReplicationPeerModificationProcedures" => {
            for_operators(session, Answer::of(&proto::Empty {}))
        }
        "IsReplicationPeerModificationEnabled" => {
            for_operators(session, Answer::of(&proto::Flag { value: Some(true) }))
        }
        "RemoveReplicationPeer"
        | "EnableReplicationPeer"
        | "DisableReplicationPeer"
        | "GetReplicationPeerConfig"
        | "UpdateReplicationPeerConfig"
        | "IsReplicationPeerEnabled" => unknown_peer(session, call),
        _ => return None,
    })
}

fn for_operators(session: &Session, answer: Answer) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    Ok(answer)
}

fn unknown_peer(session: &Session, call: &Call) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    let peer = call.message::<proto::ReplicationPeerRequest>()?.peer_id;
    let message = format!("{peer} (this server replicates to no other)");
    Err(Exception::last("ReplicationPeerNotFoundException", message))
}
