//! A finished call, as the slow log and the traces record it.

use crate::server::messages::call::{Call, Outcome};
use crate::server::messages::service::Service;
use std::net::SocketAddr;
use std::time::Duration;

/// Times that a call waited and ran.
#[derive(Debug, Clone, Copy)]
pub(in crate::server) struct CallTimes {
    pub queued: Duration,
    pub processed: Duration,
}

/// A call with its client, times and outcome.
pub(in crate::server) struct Finished<'a> {
    pub service: Service,
    /// The client's end of the connection.
    pub client: SocketAddr,
    /// The user that the call ran as.
    pub user: &'a str,
    pub call: &'a Call,
    pub times: CallTimes,
    pub outcome: &'a Outcome,
}
