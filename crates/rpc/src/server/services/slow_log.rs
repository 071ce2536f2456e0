//! Administrators' requests to the slow log. Sources: HBase's `RSRpcServices`, `LogHandlerUtils`.

use crate::proto::slow_call::Kind;
use crate::proto::slow_log_request::{Kind as RequestedKind, Operator};
use crate::proto::{ClearedSlowLog, LogMessage, SlowCall, SlowCalls as SlowCallList, SlowLogRequest};
use crate::server::ledgers::slow_calls::SlowCalls;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use crate::wire::Malformed;
use prost::Message;
use rowstone_model::access::Intent;

const QUESTION: &str = "AdminProtos$SlowLogResponseRequest";
const ANSWER: &str = "org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos$SlowLogResponses";

/// Answers a request to the slow log, which needs the permission to administer the server. HBase requires it only for
/// clearing, although slow calls contain other users' rows and filters.
pub(in crate::server) fn answer(session: &Session, call: &Call) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    match call.method() {
        "GetLogEntries" => entries(session, call),
        "GetSlowLogResponses" => of_kind(session, call, RequestedKind::SlowLog),
        "GetLargeLogResponses" => of_kind(session, call, RequestedKind::LargeLog),
        "ClearSlowLogsResponses" => clear(session),
        method => Err(Exception::unsupported(method)),
    }
}

/// Returns recent events of the requested kind. Of HBase's kinds, slow and large calls exist here.
fn entries(session: &Session, call: &Call) -> Outcome {
    let request: LogMessage = call.message()?;
    if !request.log_class_name.ends_with(QUESTION) {
        let message = format!("Invalid request params: there are no log entries of {}", request.log_class_name);
        return Err(Exception::last("DoNotRetryIOException", message));
    }
    let wanted = SlowLogRequest::decode(request.log_message.as_slice()).map_err(Malformed::from)?;
    let found = SlowCallList { calls: find(&session.state.slow_calls, &wanted) };
    Ok(Answer::of(&LogMessage { log_class_name: ANSWER.to_string(), log_message: found.encode_to_vec() }))
}

/// Returns an empty list for one of the master's `kinds`.
pub(in crate::server) fn no_entries(call: &Call, kinds: &[&str]) -> Outcome {
    let request: LogMessage = call.message()?;
    let Some(kind) = kinds.iter().find(|kind| request.log_class_name.ends_with(&format!("MasterProtos${kind}Request")))
    else {
        let message = format!("Invalid request params: there are no log entries of {}", request.log_class_name);
        return Err(Exception::last("DoNotRetryIOException", message));
    };
    let log_class_name = format!("org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos${kind}Response");
    Ok(Answer::of(&LogMessage { log_class_name, log_message: Vec::new() }))
}

/// Returns slow or large calls for clients before 2.4, which have a method for each kind.
fn of_kind(session: &Session, call: &Call, kind: RequestedKind) -> Outcome {
    let request: SlowLogRequest = call.message()?;
    let wanted = SlowLogRequest { log_type: Some(kind as i32), ..request };
    Ok(Answer::of(&SlowCallList { calls: find(&session.state.slow_calls, &wanted) }))
}

/// Clears the slow log. Returns whether it is on.
fn clear(session: &Session) -> Outcome {
    Ok(Answer::of(&ClearedSlowLog { is_cleaned: session.state.slow_calls.clear() }))
}

/// Returns the newest matching calls.
fn find(slow_calls: &SlowCalls, wanted: &SlowLogRequest) -> Vec<SlowCall> {
    let kind = match wanted.log_type() {
        RequestedKind::SlowLog => Kind::SlowLog,
        RequestedKind::LargeLog => Kind::LargeLog,
    };
    let fits = |one: &SlowCall| (one.r#type() == kind || one.r#type() == Kind::All) && fits(one, wanted);
    slow_calls.all().into_iter().filter(fits).take(wanted.limit() as usize).collect()
}

/// Whether a call matches all filters, or, with the default `OR`, at least one.
fn fits(call: &SlowCall, wanted: &SlowLogRequest) -> bool {
    let region = call.region_name();
    let filters = [
        (wanted.region_name(), region == wanted.region_name()),
        // As in HBase, this matches the start of the region's name.
        (wanted.table_name(), region.starts_with(wanted.table_name())),
        (wanted.client_address(), call.client_address == wanted.client_address()),
        (wanted.user_name(), call.user_name == wanted.user_name()),
    ];
    let mut given = filters.into_iter().filter(|(filter, _)| !filter.is_empty()).map(|(_, fits)| fits).peekable();
    match (given.peek(), wanted.filter_by_operator()) {
        (None, _) => true,
        (_, Operator::And) => given.all(|fits| fits),
        (_, Operator::Or) => given.any(|fits| fits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_joined_by_or_unless_and_is_asked_for() {
        let call = SlowCall {
            region_name: Some("t,,1.abc.".into()),
            user_name: "ann".into(),
            client_address: "127.0.0.1:5".into(),
            ..SlowCall::default()
        };
        let wanted = |table: &str, user: &str, operator: Option<Operator>| SlowLogRequest {
            table_name: Some(table.into()),
            user_name: Some(user.into()),
            filter_by_operator: operator.map(|operator| operator as i32),
            ..SlowLogRequest::default()
        };
        assert!(fits(&call, &SlowLogRequest::default()));
        assert!(fits(&call, &wanted("t", "bob", None)));
        assert!(fits(&call, &wanted("", "ann", None)));
        assert!(!fits(&call, &wanted("u", "bob", None)));
        assert!(!fits(&call, &wanted("t", "bob", Some(Operator::And))));
        assert!(fits(&call, &wanted("t", "ann", Some(Operator::And))));
    }
}
