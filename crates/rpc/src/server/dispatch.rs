//! Dispatch of calls to the services, and the record of finished calls.

use crate::server::ledgers::finished::{CallTimes, Finished};
use crate::server::messages::call::{Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::messages::service::Service;
use crate::server::services::{client, master, region_admin, registry};
use crate::server::session::Session;
use std::time::Instant;

/// Answers a call that needs no blocking.
pub(super) fn answer_at_once(session: &Session, call: &Call) -> Option<Outcome> {
    match (session.service, call.method()) {
        (Service::ClientMeta, _) => Some(answer(session, call)),
        (Service::Client, "Get") => client::get_at_once(session, call).transpose(),
        _ => None,
    }
}

/// Counts a finished call, and records it if it was slow or large.
pub(super) fn record(session: &Session, call: &Call, came: Instant, started: Instant, outcome: &Outcome) {
    let times = CallTimes { queued: started.saturating_duration_since(came), processed: started.elapsed() };
    let state = &session.state;
    state.measures.called(call, times);
    let finished =
        Finished { service: session.service, client: session.client, user: &session.user.name, call, times, outcome };
    state.slow_calls.record(&finished);
    state.traced_calls.record(&finished);
}

/// Whether a call reads or writes so few rows that its time is negligible. If no other call waits behind it
/// (`is_alone`), a batch of puts of a millisecond or two is short as well.
pub(super) fn is_short(session: &Session, call: &Call, is_alone: bool) -> bool {
    const SHORT_BYTES: usize = 16 << 10;
    const SHORT_CELL_BYTES: usize = 256 << 10;
    match (session.service, call.method()) {
        (Service::ClientMeta, _) | (Service::Client, "Get" | "Mutate") => true,
        (Service::Client, "Multi") if is_alone => {
            let cells = call.cells().len();
            cells <= SHORT_CELL_BYTES && call.bytes() - cells <= SHORT_BYTES
        }
        (Service::Client, "Multi") => call.bytes() <= SHORT_BYTES,
        (Service::Client, "Scan") => client::is_short_scan(session, call),
        _ => false,
    }
}

/// Answers a call.
pub(super) fn answer(session: &Session, call: &Call) -> Outcome {
    match session.service {
        Service::ClientMeta => registry::answer(session, call),
        Service::Client => client::answer(session, call),
        Service::Master => master::answer(session, call),
        Service::Admin => region_admin::answer(session, call),
        Service::Other("HbckService") if call.method() == "RunHbckChore" => master::run_hbck_chore(session),
        Service::Other(_) => Err(Exception::unsupported(call.method())),
    }
}
