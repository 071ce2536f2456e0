//! Procedures: numbers of work that is done. A request that comes twice, because its answer was lost, is done once.

use crate::proto;
use crate::proto::get_procedure_result_response::State as Progress;
use crate::server::call::{Answer, Call, Outcome};
use crate::server::exception::Exception;
use crate::server::session::Session;
use crate::sync::lock;
use rowstone_model::schema::TableName;
use std::collections::HashMap;
use std::sync::Mutex;

/// Requests remembered at most.
const REMEMBERED: usize = 10_000;

#[derive(Default)]
struct Book {
    last: u64,
    by_nonce: HashMap<(u64, u64), u64>,
}

/// What was done, by number.
#[derive(Default)]
pub(in crate::server) struct Procedures {
    book: Mutex<Book>,
}

impl Procedures {
    /// Does `work` unless the request was here before; gives the procedure's number. One change of the schema at a time.
    pub fn run(
        &self,
        nonce: (Option<u64>, Option<u64>),
        work: impl FnOnce() -> rowstone_model::Result<()>,
    ) -> Result<u64, Exception> {
        let nonce = nonce.1.filter(|nonce| *nonce != 0).map(|number| (nonce.0.unwrap_or(0), number));
        let mut book = lock(&self.book);
        if let Some(known) = nonce.and_then(|nonce| book.by_nonce.get(&nonce)) {
            return Ok(*known);
        }
        work()?;
        book.last += 1;
        let id = book.last;
        if let Some(nonce) = nonce {
            if book.by_nonce.len() >= REMEMBERED {
                book.by_nonce.clear();
            }
            book.by_nonce.insert(nonce, id);
        }
        Ok(id)
    }

    fn is_known(&self, id: u64) -> bool {
        (1..=lock(&self.book).last).contains(&id)
    }
}

/// The answer of a request whose work is `work`.
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

/// The way to flush a table before 2.6.
pub(super) fn execute(session: &Session, call: &Call) -> Outcome {
    let procedure = call.message::<proto::ExecProcedureRequest>()?.procedure;
    if procedure.signature != "flush-table-proc" {
        return Err(Exception::unsupported(&format!("procedure {}", procedure.signature)));
    }
    let table = TableName::parse(procedure.instance.as_deref().unwrap_or_default())?;
    session.state.backend.admin().flush(Some(&table))?;
    Ok(Answer::of(&proto::ExecProcedureResponse { expected_timeout: Some(0) }))
}

pub(super) fn other(method: &str) -> Outcome {
    Ok(match method {
        "IsProcedureDone" => Answer::of(&proto::IsProcedureDoneResponse { done: Some(true) }),
        "AbortProcedure" => Answer::of(&proto::Flag { value: Some(false) }),
        // No procedure is under way, and none waits for a lock.
        _ => Answer::of(&proto::Empty {}),
    })
}
