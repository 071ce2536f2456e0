//! What a server is told, and its limits.

use super::authentication::Authentication;
use super::slow_calls::SlowLogOptions;
use super::staging::Staging;
use super::tls::ServerTls;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Milliseconds since some moment: the time by which leases and nonces run out.
#[derive(Clone)]
pub struct LeaseClock(Arc<dyn Fn() -> u64 + Send + Sync>);

impl LeaseClock {
    /// A clock that says what `now_ms` gives.
    pub fn new(now_ms: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        LeaseClock(Arc::new(now_ms))
    }

    /// The time.
    pub fn now_ms(&self) -> u64 {
        (self.0)()
    }
}

impl Default for LeaseClock {
    fn default() -> Self {
        let start = Instant::now();
        LeaseClock::new(move || start.elapsed().as_millis() as u64)
    }
}

/// Where to listen, and how much to take.
#[derive(Clone)]
pub struct ServerOptions {
    /// Address to listen on.
    pub host: IpAddr,
    /// Port of the RPC; 0 is any that is free.
    pub port: u16,
    /// Port of ZooKeeper's protocol; 0 is any that is free, `None` is none.
    pub zk_port: Option<u16>,
    /// Name under which clients are told to connect; by default the address at which they came in.
    pub advertised: Option<String>,
    /// Encryption of the RPC; ZooKeeper's port stays in plain text, as only addresses are read there.
    pub tls: Option<ServerTls>,
    /// How clients are known; by default they say so themselves.
    pub authentication: Authentication,
    /// Longest request, in bytes.
    pub max_request_bytes: usize,
    /// Bytes of requests that wait or are being served, of all connections; and as many of answers that are made or wait for their
    /// clients.
    pub max_in_flight_bytes: usize,
    /// Requests that wait or are being served, of all connections.
    pub max_calls: usize,
    /// The same of one connection.
    pub max_calls_per_connection: usize,
    /// Connections.
    pub max_connections: usize,
    /// Of these, how many have a thread of their own, the first that come; the others share the server's threads.
    pub max_own_threads: usize,
    /// Most bytes of cells in one answer to a scan.
    pub max_result_bytes: usize,
    /// Scanners open at once.
    pub max_scanners: usize,
    /// How long a scanner lives that nobody asks.
    pub lease: Duration,
    /// How long a client has to greet, and to go on with a frame that it began, or that it is being sent.
    pub patience: Duration,
    /// What leases run by.
    pub clock: LeaseClock,
    /// Which calls are remembered as slow or large.
    pub slow_log: SlowLogOptions,
    /// Where files of bulk loads are taken from; by default there are no bulk loads.
    pub staging: Option<Staging>,
    /// Whether calls are noted for spans: see [`super::Server::traced_calls`].
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
