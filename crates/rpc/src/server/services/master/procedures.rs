//! Requests that HBase runs as procedures. Here they are complete when they are answered.

use crate::proto;
use crate::proto::get_procedure_result_response::State as Progress;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::session::Session;
use rowstone_model::access::Intent;

/// Answers a request by executing `work`.
pub(super) fn run(
    session: &Session,
    nonce: (Option<u64>, Option<u64>),
    work: impl FnOnce() -> rowstone_model::Result<()>,
) -> Outcome {
    let id = session.state.procedures.run(nonce, work)?;
    Ok(Answer::of(&proto::ProcedureId { proc_id: Some(id) }))
}

pub(super) fn result(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetProcedureResultRequest = call.message()?;
    let state =
        if session.state.procedures.is_known(request.proc_id) { Progress::Finished } else { Progress::NotFound };
    Ok(Answer::of(&proto::GetProcedureResultResponse { state: state as i32, result: None, exception: None }))
}

pub(super) fn other(session: &Session, method: &str) -> Outcome {
    if method != "IsProcedureDone" {
        session.backend.admin().check(Intent::Operate)?;
    }
    Ok(match method {
        "IsProcedureDone" => Answer::of(&proto::IsProcedureDoneResponse { done: Some(true) }),
        "AbortProcedure" => Answer::of(&proto::Flag { value: Some(false) }),
        // No procedure is running, and none waits for a lock.
        _ => Answer::of(&proto::Empty {}),
    })
}
