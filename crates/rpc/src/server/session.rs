//! A client after its handshake: its user, service and codec.

use crate::server::advertised_name::AdvertisedName;
use crate::server::authentication::User;
use crate::server::messages::answer_memory::AnswerMemory;
use crate::server::messages::cells::{Codec, Sink};
use crate::server::messages::service::Service;
use crate::server::state::State;
use rowstone_model::access::Caller;
use rowstone_model::backend::Backend;
use rowstone_model::Result;
use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// A client after its handshake.
pub(super) struct Session {
    pub state: Arc<State>,
    pub advertised: AdvertisedName,
    /// The client's end of the connection.
    pub client: SocketAddr,
    /// The user that its calls run as.
    pub user: User,
    /// Memory of its unsent answers.
    pub answer_memory: Arc<AnswerMemory>,
    pub service: Service,
    pub codec: Codec,
    /// The database, with the permissions of the client's user.
    pub backend: Arc<dyn Backend>,
    /// Owner of its scanners, if access control is on.
    pub owner: Option<String>,
    /// Whether the connection has ended, so that long work for it can end too.
    pub has_ended: AtomicBool,
}

impl Session {
    /// Creates the session of a user, a member of `groups`, at `client`.
    pub fn new(
        state: Arc<State>,
        advertised: AdvertisedName,
        client: SocketAddr,
        (user, groups): (User, Vec<String>),
        (service, codec): (Service, Codec),
    ) -> Result<Self> {
        let address = Some(client.ip().to_canonical().to_string());
        let view = state.backend.as_user(&Caller { groups, address, ..Caller::new(user.name.clone()) })?;
        let owner = view.as_ref().map(|_| user.name.clone());
        let backend = view.unwrap_or_else(|| Arc::clone(&state.backend));
        let answer_memory = state.answer_memory.of_connection();
        Ok(Session {
            state,
            advertised,
            client,
            user,
            answer_memory,
            service,
            codec,
            backend,
            owner,
            has_ended: AtomicBool::default(),
        })
    }

    /// Whether access control is on.
    pub fn has_access_control(&self) -> bool {
        self.owner.is_some()
    }

    /// Creates a sink for the answer to a mutation.
    pub fn sink(&self) -> Sink {
        Sink::sharing(self.codec, self.answer_memory.share())
    }

    /// Creates a sink for an answer that may become large; such an answer is written to a pooled buffer.
    pub fn large_sink(&self) -> Sink {
        self.sink().with_pool(Arc::clone(&self.state.buffers))
    }

    /// Creates a sink for the answer to a single get.
    pub fn get_sink(&self) -> Sink {
        let codec = Codec { has_blocks: self.codec.has_blocks_for_gets, ..self.codec };
        Sink::sharing(codec, self.answer_memory.share())
    }
}
