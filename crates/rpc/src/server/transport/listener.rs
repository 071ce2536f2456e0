//! The server: its threads, its ports and its shutdown.

use crate::proto::SlowCall;
use crate::server::ledgers::measures::Measured;
use crate::server::ledgers::traced_calls::TracedCalls;
use crate::server::options::ServerOptions;
use crate::server::own_thread::OwnThreads;
use crate::server::state::State;
use crate::server::transport::connection;
use crate::server::transport::limits::{bytes, units, Limits};
use crate::server::transport::zookeeper;
use crate::sync::lock;
use rowstone_model::backend::Backend;
use rowstone_model::{Error, Result};
use std::future::Future;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Pause after a failed accept, which usually means that the process has no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Interval between two checks for expired scanner leases.
const TICK: Duration = Duration::from_secs(1);
/// Time that running calls have to end when the server stops.
const LAST_CALLS: Duration = Duration::from_secs(5);
/// Threads for calls that block: on the log, on a file or on each other.
const BLOCKING_THREADS: usize = 128;

/// A running server. Dropping it stops the server; the database stays open.
pub struct Server {
    runtime: Mutex<Option<Runtime>>,
    state: Arc<State>,
    limits: Arc<Limits>,
    own_threads: Arc<OwnThreads>,
    address: SocketAddr,
    zk_address: Option<SocketAddr>,
}

fn bind(address: SocketAddr) -> Result<StdListener> {
    let bound = StdListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    bound.map_err(|error| Error::io("listen on", address, &error))
}

fn io(doing: &'static str) -> impl Fn(std::io::Error) -> Error {
    move |error| Error::io(doing, "the server's sockets", &error)
}

impl Server {
    /// Serves `backend` until [`Server::stop`].
    ///
    /// # Errors
    ///
    /// `Io` if a port is in use or cannot be bound.
    pub fn start(backend: Arc<dyn Backend>, options: ServerOptions) -> Result<Self> {
        let listener = bind(SocketAddr::new(options.host, options.port))?;
        let zk_listener = options.zk_port.map(|port| bind(SocketAddr::new(options.host, port))).transpose()?;
        let address = listener.local_addr().map_err(io("ask for"))?;
        let zk_address = zk_listener.as_ref().map(StdListener::local_addr).transpose().map_err(io("ask for"))?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 8))
            .max_blocking_threads(BLOCKING_THREADS)
            .thread_name("rowstone-serve")
            .enable_all()
            .build()
            .map_err(io("start threads for"))?;
        let state = Arc::new(State::new(backend, options, address.port(), runtime.handle().clone())?);
        let limits = Arc::new(Limits {
            memory: Arc::new(Semaphore::new(units(state.options.max_in_flight_bytes))),
            calls: Arc::new(Semaphore::new(state.options.max_calls)),
            connections: Arc::new(Semaphore::new(state.options.max_connections)),
        });
        let own_threads = Arc::new(OwnThreads::new(state.options.max_own_threads));
        let enter = runtime.enter();
        let listener = TcpListener::from_std(listener).map_err(io("register"))?;
        let clients =
            Clients { state: Arc::clone(&state), limits: Arc::clone(&limits), threads: Arc::clone(&own_threads) };
        runtime.spawn(accept_all(listener, Arc::clone(&limits.connections), move |socket, place| {
            clients.take(socket, place)
        }));
        if let Some(zk_listener) = zk_listener {
            let zk_listener = TcpListener::from_std(zk_listener).map_err(io("register"))?;
            let for_zk = Arc::clone(&state);
            let take = move |socket, place| spawn(zookeeper::serve(socket, Arc::clone(&for_zk)), place);
            runtime.spawn(accept_all(zk_listener, Arc::clone(&limits.connections), take));
        }
        runtime.spawn(expire_leases_periodically(Arc::clone(&state)));
        drop(enter);
        Ok(Server { runtime: Mutex::new(Some(runtime)), state, limits, own_threads, address, zk_address })
    }

    /// Address of the RPC port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Address of the ZooKeeper port.
    pub fn zk_address(&self) -> Option<SocketAddr> {
        self.zk_address
    }

    /// Sets the port of the web UI, which clients can ask for. The web UI starts after the server.
    pub fn set_info_port(&self, port: u16) {
        self.state.info_port.store(port, Ordering::Relaxed);
    }

    /// Logins since the start: successes, failures, fallbacks to SIMPLE, refused impersonations.
    pub fn logins(&self) -> [u64; 4] {
        let measures = &self.state.measures;
        [
            &measures.authentication_successes,
            &measures.authentication_failures,
            &measures.authentication_fallbacks,
            &measures.authorization_failures,
        ]
        .map(|count| count.load(Ordering::Relaxed))
    }

    /// Returns the counters since the start, and the current gauges.
    pub fn measured(&self) -> Measured {
        let (state, limits) = (&self.state, &self.limits);
        let options = &state.options;
        let mut measured = state.measures.report();
        let mut tell = |name: &str, number: usize| measured.numbers.insert(name.to_string(), number as u64);
        tell("open_connections", options.max_connections.saturating_sub(limits.connections.available_permits()));
        tell("own_threads", self.own_threads.count());
        tell("calls_in_flight", options.max_calls.saturating_sub(limits.calls.available_permits()));
        tell("answer_bytes", state.answer_memory.bytes());
        tell("bytes_in_flight", bytes(units(options.max_in_flight_bytes), limits.memory.available_permits()));
        tell("open_scanners", state.scanners.count());
        tell("expired_scanners", state.scanners.expired_count());
        tell("untraced_calls", state.traced_calls.lost() as usize);
        tell("start_ms", state.start_code as usize);
        tell("requests", state.requests.load(Ordering::Relaxed) as usize);
        measured
    }

    /// Returns the recorded slow and large calls, newest first.
    pub fn slow_calls(&self) -> Vec<SlowCall> {
        self.state.slow_calls.all()
    }

    /// Clears the recorded slow and large calls.
    pub fn clear_slow_calls(&self) {
        self.state.slow_calls.clear();
    }

    /// Returns the queue of finished calls for tracing (see [`ServerOptions::traces_calls`]). It may outlive the
    /// server.
    pub fn traced_calls(&self) -> Arc<TracedCalls> {
        Arc::clone(&self.state.traced_calls)
    }

    /// Closes scanners whose lease has expired. This also runs every second.
    pub fn expire_leases(&self) {
        self.state.scanners.expire();
    }

    /// Closes all connections, after running calls have had a moment to end. A second call does nothing.
    pub fn stop(&self) {
        let Some(runtime) = lock(&self.runtime).take() else { return };
        // New calls get no permit, and running calls return theirs.
        let all = self.state.options.max_calls;
        let wanted = u32::try_from(all).unwrap_or(u32::MAX);
        let calls = Arc::clone(&self.limits.calls);
        runtime.block_on(async {
            let all = tokio::time::timeout(LAST_CALLS, calls.acquire_many(wanted)).await;
            calls.close();
            drop(all);
            self.own_threads.stop(LAST_CALLS).await;
        });
        runtime.shutdown_timeout(LAST_CALLS);
        self.state.scanners.clear();
        self.state.traced_calls.end();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Accepts new RPC connections.
struct Clients {
    state: Arc<State>,
    limits: Arc<Limits>,
    threads: Arc<OwnThreads>,
}

impl Clients {
    fn take(&self, socket: TcpStream, connection: OwnedSemaphorePermit) {
        let (state, limits) = (Arc::clone(&self.state), Arc::clone(&self.limits));
        let Some(room) = self.threads.room() else {
            return spawn(connection::serve(socket, state, limits), connection);
        };
        let serve = |socket| async move {
            connection::serve(socket, state, limits).await;
            drop(connection);
        };
        if let Some((socket, serve)) = room.start(socket, serve) {
            tokio::spawn(serve(socket));
        }
    }
}

/// Serves a connection on the server's threads and releases its permit at the end.
fn spawn(served: impl Future<Output = ()> + Send + 'static, place: OwnedSemaphorePermit) {
    tokio::spawn(async move {
        served.await;
        drop(place);
    });
}

/// Passes each new connection to `take`; closes connections above the limit.
async fn accept_all(
    listener: TcpListener,
    connections: Arc<Semaphore>,
    take: impl Fn(TcpStream, OwnedSemaphorePermit),
) {
    loop {
        let Ok((socket, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let Ok(place) = Arc::clone(&connections).try_acquire_owned() else { continue };
        take(socket, place);
    }
}

/// Closes scanners whose lease has expired (`hbase.client.scanner.timeout.period` in HBase), and frees idle buffers.
async fn expire_leases_periodically(state: Arc<State>) {
    loop {
        tokio::time::sleep(TICK).await;
        state.scanners.expire();
        state.buffers.forget_unused();
    }
}
