//! Settings and limits of a server.

use crate::server::authentication::Authentication;
use crate::server::ledgers::clock::LeaseClock;
use crate::server::ledgers::slow_calls::SlowLogOptions;
use crate::server::staging::Staging;
use crate::server::tls::ServerTls;
use std::net::IpAddr;
use std::time::Duration;

/// Settings of a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// Address to listen on.
    pub host: IpAddr,
    /// Port of the RPC; 0 selects a free port.
    pub port: u16,
    /// Port of the ZooKeeper protocol; 0 selects a free port, `None` disables it.
    pub zk_port: Option<u16>,
    /// Host name that the registries advertise; by default the address that the client connected to.
    pub advertised: Option<String>,
    /// TLS for the RPC port. The ZooKeeper port stays unencrypted because it only serves addresses.
    pub tls: Option<ServerTls>,
    /// Authentication methods; by default clients name their user without proof.
    pub authentication: Authentication,
    /// Maximum size of a request, in bytes.
    pub max_request_bytes: usize,
    /// Limit on the bytes of all requests that are queued or running. The same limit applies separately to answers
    /// that are being built or sent.
    pub max_in_flight_bytes: usize,
    /// Maximum number of queued and running requests of all connections.
    pub max_calls: usize,
    /// Maximum number of queued and running requests of one connection.
    pub max_calls_per_connection: usize,
    /// Maximum number of connections.
    pub max_connections: usize,
    /// Maximum number of connections with a thread of their own, in the order they arrive. The others share the
    /// server's threads.
    pub max_own_threads: usize,
    /// Maximum bytes of cells in one answer to a scan.
    pub max_result_bytes: usize,
    /// Maximum number of open scanners.
    pub max_scanners: usize,
    /// Time after which an idle scanner is closed.
    pub lease: Duration,
    /// Time that a client has to complete the handshake, to finish sending a frame, and to receive one.
    pub patience: Duration,
    /// Clock for leases.
    pub clock: LeaseClock,
    /// Settings of the slow log.
    pub slow_log: SlowLogOptions,
    /// Staging directory of bulk loads; by default there are no bulk loads.
    pub staging: Option<Staging>,
    /// Whether calls are recorded for tracing: see [`crate::server::Server::traced_calls`].
    pub traces_calls: bool,
}

impl Default for ServerOptions {
    fn default() -> Self {
        ServerOptions {
            host: IpAddr::from([127, 0, 0, 1]),
            port: 0,
            zk_port: Some(0),
            advertised: None,
            tls: None,
            authentication: Authentication::default(),
            max_request_bytes: 256 << 20,
            max_in_flight_bytes: 1 << 30,
            max_calls: 2_000,
            max_calls_per_connection: 64,
            max_connections: 10_000,
            max_own_threads: 64,
            max_result_bytes: 32 << 20,
            max_scanners: 10_000,
            lease: Duration::from_secs(60),
            patience: Duration::from_secs(30),
            clock: LeaseClock::default(),
            slow_log: SlowLogOptions::default(),
            staging: None,
            traces_calls: false,
        }
    }
}
