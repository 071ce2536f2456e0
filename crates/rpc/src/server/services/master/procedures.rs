//! Requests that HBase runs as procedures. Here they are complete when they are answered.

use crate::proto;
use crate::proto::get_procedure_result_response::State as Progress;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use rowstone_model::access::Intent;

/// Signature of the procedure that flushes a table. Source: `MasterFlushTableProcedureManager`.
pub(super) const FLUSH: &str = "flush-table-proc";
/// Signature of the procedure that takes a snapshot. Source: `SnapshotManager`.
pub(super) const SNAPSHOT: &str = "online-snapshot";

/// Time that clients wait for a procedure: HBase's default of `hbase.snapshot.master.timeout.millis`.
pub(super) const PATIENCE_MS: i64 = 300_000;

/// HBase's error for a signature that no procedure manager has.
pub(super) fn not_registered(signature: &str) -> Exception {
    Exception::last("DoNotRetryIOException", format!("The procedure is not registered: {signature}"))
}

/// Answers whether a procedure of [`FLUSH`] or [`SNAPSHOT`] is done. Both are complete when they are answered.
pub(super) fn is_done(call: &Call) -> Outcome {
    let request: proto::IsProcedureDoneRequest = call.message()?;
    let signature = request.procedure.map(|procedure| procedure.signature).unwrap_or_default();
    if ![FLUSH, SNAPSHOT].contains(&signature.as_str()) {
        return Err(not_registered(&signature));
    }
    Ok(Answer::of(&proto::IsProcedureDoneResponse { done: Some(true) }))
}

/// Answers a request by executing `work`.
pub(super) fn run<E: Into<Exception>>(
    session: &Session,
    nonce: (Option<u64>, Option<u64>),
    work: impl FnOnce() -> Result<(), E>,
) -> Outcome {
    let id = session.state.procedures.run(nonce, work)?;
    Ok(Answer::of(&proto::ProcedureId { proc_id: Some(id) }))
}

pub(super) fn result(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetProcedureResultRequest = call.message()?;
    let state =
        if session.state.procedures.is_known(request.proc_id) { Progress::Finished } else { Progress::NotFound };
    let exception = session.state.procedures.failure(request.proc_id).map(|failure| proto::ForeignExceptionMessage {
        source: None,
        generic_exception: Some(proto::GenericExceptionMessage {
            class_name: Some(failure.class),
            message: Some(failure.message),
        }),
    });
    Ok(Answer::of(&proto::GetProcedureResultResponse { state: state as i32, result: None, exception }))
}

pub(super) fn other(session: &Session, method: &str) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    Ok(match method {
        "AbortProcedure" => Answer::of(&proto::Flag { value: Some(false) }),
        // No procedure is running, and none waits for a lock.
        _ => Answer::of(&proto::Empty {}),
    })
}
