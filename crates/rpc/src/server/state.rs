//! State that all connections of a server share.

use crate::server::advertised_name::AdvertisedName;
use crate::server::authentication::{check_attribute, name_of, AuditEvent};
use crate::server::identifiers::random_uuid;
use crate::server::ledgers::compactions::Compactions;
use crate::server::ledgers::measures::Measures;
use crate::server::ledgers::nonces::Nonces;
use crate::server::ledgers::procedures::Procedures;
use crate::server::ledgers::scanners::Scanners;
use crate::server::ledgers::slow_calls::SlowCalls;
use crate::server::ledgers::traced_calls::TracedCalls;
use crate::server::messages::answer_memory::AnswerMemory;
use crate::server::messages::buffers::Buffers;
use crate::server::options::ServerOptions;
use crate::server::tls::Tls;
use rowstone_model::backend::Backend;
use rowstone_model::Result;
use rowstone_quotas::Throttles;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, AtomicU64};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::runtime::Handle;
use tokio_rustls::server::TlsStream;

/// The database, and the server's state between calls.
pub(super) struct State {
    pub backend: Arc<dyn Backend>,
    pub options: ServerOptions,
    /// Port of the RPC.
    pub port: u16,
    /// Port of the web UI; 0 without one.
    pub info_port: AtomicU16,
    pub start_code: u64,
    pub cluster_id: String,
    pub tls: Option<Tls>,
    pub scanners: Scanners,
    pub nonces: Nonces,
    pub procedures: Procedures,
    pub compactions: Compactions,
    pub requests: AtomicU64,
    pub measures: Measures,
    pub slow_calls: SlowCalls,
    pub traced_calls: Arc<TracedCalls>,
    /// Request quotas, if the database has them.
    pub throttles: Option<Throttles>,
    /// Pool for large requests and answers.
    pub buffers: Arc<Buffers>,
    /// Memory of answers.
    pub answer_memory: Arc<AnswerMemory>,
    /// Threads for blocking work. They outlive connections.
    pub pool: Handle,
}

impl State {
    pub fn new(backend: Arc<dyn Backend>, options: ServerOptions, port: u16, pool: Handle) -> Result<Self> {
        let start_code = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_millis() as u64);
        let cluster_id = match backend.id() {
            Some(id) => id,
            None => random_uuid()?,
        };
        options.authentication.certificate.as_deref().map_or(Ok(()), check_attribute)?;
        let is_optional = options.authentication.has_others_than_certificates();
        let tls = options.tls.as_ref().map(|tls| Tls::new(tls, is_optional)).transpose()?;
        let scanners = Scanners::new(options.lease, options.max_scanners, options.clock.clone());
        let nonces = Nonces::with(options.clock.clone(), backend.written_nonces()?);
        let slow_calls = SlowCalls::new(options.slow_log.clone());
        let throttles = backend.quota_board().map(Throttles::new);
        Ok(State {
            answer_memory: AnswerMemory::new(options.max_in_flight_bytes),
            traced_calls: Arc::new(TracedCalls::new(options.traces_calls)),
            backend,
            options,
            port,
            info_port: AtomicU16::new(0),
            start_code,
            cluster_id,
            tls,
            scanners,
            nonces,
            procedures: Procedures::default(),
            compactions: Compactions::default(),
            requests: AtomicU64::new(0),
            measures: Measures::default(),
            slow_calls,
            throttles,
            buffers: Arc::default(),
            pool,
        })
    }

    /// Returns the name in the client's certificate, if certificates are requested.
    pub fn certified_name<S>(&self, stream: &TlsStream<S>) -> Option<String> {
        let attribute = self.options.authentication.certificate.as_deref()?;
        let certificate = stream.get_ref().1.peer_certificates()?.first()?;
        name_of(certificate, attribute)
    }

    /// Logs a login on a thread that may block.
    pub fn audit(&self, event: AuditEvent) {
        if let Some(authority) = self.options.authentication.authority.clone() {
            drop(self.pool.spawn_blocking(move || authority.audit(&event)));
        }
    }

    /// Returns the server's name as the client of a connection sees it.
    pub fn advertised_name(&self, local: SocketAddr) -> AdvertisedName {
        AdvertisedName::new(self.options.advertised.as_deref(), local, self.port, self.start_code)
    }
}
