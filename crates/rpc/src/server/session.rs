//! One client: who it is, the service it asked for, how it reads cells; and which part of the server answers which call.

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

/// The services that a connection can be for, by their short names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    ClientMeta,
    Client,
    Master,
    Admin,
    /// Known to HBase, and without any method here.
    Other(&'static str),
}

const OTHERS: [&str; 4] = ["HbckService", "RegionServerStatusService", "LockService", "BootstrapNodeService"];

impl Service {
    /// The service of that name.
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

/// How a client reads cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Codec {
    /// Cells of scans, multis and mutations go in a block behind the message; else they are in the message.
    pub has_blocks: bool,
    /// Those of a single get too. As HBase does for clients that name a version of theirs.
    pub has_blocks_for_gets: bool,
    /// Whether the codec carries tags.
    pub has_tags: bool,
    /// How blocks are compressed.
    pub compressor: Option<Compressor>,
}

/// A client that was greeted.
pub(super) struct Session {
    pub state: Arc<State>,
    pub here: Here,
    /// The client's end of the connection.
    pub client: SocketAddr,
    /// For whom its calls are made.
    pub user: User,
    /// What answers take that it has not taken yet.
    pub held: Arc<Held>,
    pub service: Service,
    pub codec: Codec,
    /// The database as the client's user may use it.
    pub backend: Arc<dyn Backend>,
    /// Whose its scanners are, where that matters.
    pub owner: Option<String>,
}

impl Session {
    /// The session of a user, a member of some groups, at `client`.
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

    /// The answer to a call, where it is to be had without waiting for anything.
    pub fn answer_at_once(&self, call: &Call) -> Option<Outcome> {
        match (self.service, call.method()) {
            (Service::ClientMeta, _) => Some(self.answer(call)),
            (Service::Client, "Get") => client::get_at_once(self, call).transpose(),
            _ => None,
        }
    }

    /// Counts a call that is done, and remembers it where it was slow or its answer large.
    pub fn done(&self, call: &Call, came: Instant, started: Instant, outcome: &Outcome) {
        let times = CallTimes { queued: started.saturating_duration_since(came), processed: started.elapsed() };
        self.state.measures.called(call, times);
        self.state.slow_calls.look_at(self, call, times, outcome);
        self.state.traced_calls.note(self, call, times, outcome);
    }

    /// Whether a call is about so few rows that its answer takes no time worth speaking of; where nobody waits behind it
    /// (`is_alone`), a batch of puts that takes a millisecond or two is short as well.
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

    /// The answer to a call.
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
