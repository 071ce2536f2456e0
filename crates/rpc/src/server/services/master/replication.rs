//! Replication calls, answered as by a cluster without a peer: lists are empty, and every named peer is unknown.

use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use rowstone_model::access::Intent;
use rowstone_model::switches::Switch;

/// Answers a replication call; `None` for any other call.
pub(super) fn answer(session: &Session, call: &Call) -> Option<Outcome> {
    Some(match call.method() {
        "ListReplicationPeers" | "GetReplicationPeerModificationProcedures" => {
            for_operators(session, Answer::of(&proto::Empty {}))
        }
        "AddReplicationPeer" => check_modifiable(session).and_then(|()| Err(Exception::unsupported(call.method()))),
        "RemoveReplicationPeer"
        | "EnableReplicationPeer"
        | "DisableReplicationPeer"
        | "UpdateReplicationPeerConfig" => check_modifiable(session).and_then(|()| unknown_peer(session, call)),
        "GetReplicationPeerConfig" | "IsReplicationPeerEnabled" => unknown_peer(session, call),
        _ => return None,
    })
}

fn for_operators(session: &Session, answer: Answer) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    Ok(answer)
}

/// Checks the switch for changes of peers. Source: `HMaster.executePeerProcedure`.
fn check_modifiable(session: &Session) -> Result<(), Exception> {
    let admin = session.backend.admin();
    admin.check(Intent::Operate)?;
    if admin.switch(Switch::PeerModification)? {
        return Ok(());
    }
    Err(Exception::java("Replication peer modification disabled", false))
}

fn unknown_peer(session: &Session, call: &Call) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    let peer = call.message::<proto::ReplicationPeerRequest>()?.peer_id;
    let message = format!("{peer} (this server replicates to no other)");
    Err(Exception::last("ReplicationPeerNotFoundException", message))
}
