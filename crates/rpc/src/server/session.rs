//! One client: its user, service and codec; and the dispatch of its calls.

use super::authentication::User;
use super::call::{Call, Outcome};
use super::exception::Exception;
use super::held::Held;
use super::here::Here;
use super::measures::CallTimes;
use super::state::State;
use super::{client, master, region_admin, registry};
use crate::wire::Compressor;
use rowstone_model::access::Caller;
use rowstone_model::backend::Backend;
use rowstone_model::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// Services of a connection, by their short names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    ClientMeta,
    Client,
    Master,
    Admin,
    /// A service of HBase that has no methods here.
    Other(&'static str),
}

const OTHERS: [&str; 4] = ["HbckService", "RegionServerStatusService", "LockService", "BootstrapNodeService"];

impl Service {
    /// Returns the service of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "ClientMetaService" => Service::ClientMeta,
            "ClientService" => Service::Client,
            "MasterService" => Service::Master,
            "AdminService" => Service::Admin,
            _ => Service::Other(OTHERS.into_iter().find(|known| *known == name)?),
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Service::ClientMeta => "ClientMetaService",
            Service::Client => "ClientService",
            Service::Master => "MasterService",
            Service::Admin => "AdminService",
            Service::Other(name) => name,
        }
    }
}

/// Codec of a client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Codec {
    /// Whether cells of scans, multis and mutations go into a block after the message; otherwise they are in the
    /// message.
    pub has_blocks: bool,
    /// Whether the cells of a single get go into a block too. As in HBase, that depends on the version that the
    /// client sends.
    pub has_blocks_for_gets: bool,
    /// Whether the codec transmits tags.
    pub has_tags: bool,
    /// Compression of cell blocks.
    pub compressor: Option<Compressor>,
}

/// A client after its handshake.
pub(super) struct Session {
    pub state: Arc<State>,
    pub here: Here,
    /// The client's end of the connection.
    pub client: SocketAddr,
    /// The user that its calls run as.
    pub user: User,
    /// Memory of its unsent answers.
    pub held: Arc<Held>,
    pub service: Service,
    pub codec: Codec,
    /// The database, with the permissions of the client's user.
    pub backend: Arc<dyn Backend>,
    /// Owner of its scanners, if access control is on.
    pub owner: Option<String>,
}

impl Session {
    /// Creates the session of a user, a member of `groups`, at `client`.
    pub fn new(
        state: Arc<State>,
        here: Here,
        client: SocketAddr,
        (user, groups): (User, Vec<String>),
        (service, codec): (Service, Codec),
    ) -> Result<Self> {
        let address = Some(client.ip().to_canonical().to_string());
        let view = state.backend.as_user(&Caller { groups, address, ..Caller::new(user.name.clone()) })?;
        let owner = view.as_ref().map(|_| user.name.clone());
        let backend = view.unwrap_or_else(|| Arc::clone(&state.backend));
        let held = state.held.of_connection();
        Ok(Session { state, here, client, user, held, service, codec, backend, owner })
    }

    /// Answers a call that needs no blocking.
    pub fn answer_at_once(&self, call: &Call) -> Option<Outcome> {
        match (self.service, call.method()) {
            (Service::ClientMeta, _) => Some(self.answer(call)),
            (Service::Client, "Get") => client::get_at_once(self, call).transpose(),
            _ => None,
        }
    }

    /// Counts a finished call, and records it if it was slow or large.
    pub fn done(&self, call: &Call, came: Instant, started: Instant, outcome: &Outcome) {
        let times = CallTimes { queued: started.saturating_duration_since(came), processed: started.elapsed() };
        self.state.measures.called(call, times);
        self.state.slow_calls.look_at(self, call, times, outcome);
        self.state.traced_calls.note(self, call, times, outcome);
    }

    /// Whether a call reads or writes so few rows that its time is negligible. If no other call waits behind it
    /// (`is_alone`), a batch of puts of a millisecond or two is short as well.
    pub fn is_short(&self, call: &Call, is_alone: bool) -> bool {
        const SHORT_BYTES: usize = 16 << 10;
        const SHORT_CELL_BYTES: usize = 256 << 10;
        match (self.service, call.method()) {
            (Service::ClientMeta, _) | (Service::Client, "Get" | "Mutate") => true,
            (Service::Client, "Multi") if is_alone => {
                let cells = call.cells().len();
                cells <= SHORT_CELL_BYTES && call.bytes() - cells <= SHORT_BYTES
            }
            (Service::Client, "Multi") => call.bytes() <= SHORT_BYTES,
            (Service::Client, "Scan") => client::is_short_scan(self, call),
            _ => false,
        }
    }

    /// Answers a call.
    pub fn answer(&self, call: &Call) -> Outcome {
        match self.service {
            Service::ClientMeta => registry::answer(self, call),
            Service::Client => client::answer(self, call),
            Service::Master => master::answer(self, call),
            Service::Admin => region_admin::answer(self, call),
            Service::Other("HbckService") if call.method() == "RunHbckChore" => master::run_hbck_chore(self),
            Service::Other(_) => Err(Exception::unsupported(call.method())),
        }
    }
}
