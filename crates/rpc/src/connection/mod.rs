//! A connection to one service of one server. It carries many calls concurrently; responses arrive in any order.

mod dial;
mod login;
mod pending;
mod reader;
mod server;
mod tls;

pub use dial::{ConnectOptions, Dialer};
pub use login::Credentials;
pub use pending::Pending;
pub use server::{Server, Servers, Service};
pub use tls::TlsOptions;
pub(crate) use tls::{certificates, private_key, unreadable};

use crate::failure::{Deadline, Failure};
use crate::sync::lock;
use crate::wire::{header, Call, Compressor, Response};
use pending::Calls;
use rowstone_model::Error;
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A connection that was idle for longer is not reused: a device in between may have dropped it. HBase's own client
/// closes its connections after the same time.
const LONGEST_IDLE: Duration = Duration::from_secs(120);

/// The part of a connection that its writers and its reader share.
struct Channel {
    /// `host:port`, for messages.
    server: String,
    socket: TcpStream,
    writer: Mutex<Writer>,
    calls: Calls,
    compressor: Option<Compressor>,
    next_call: AtomicU32,
    /// Number of responses received so far.
    answers: AtomicU64,
}

/// The sending side, and the buffer for the next frame.
struct Writer {
    stream: Box<dyn Write + Send>,
    frame: Vec<u8>,
    last_use: Instant,
}

/// An open connection; it closes when the last handle is dropped.
pub struct Connection {
    shared: Arc<Channel>,
}

impl Connection {
    /// Connects to `server` and sends the header for `service`.
    pub fn open(dialer: &Dialer, host: &str, port: u16, service: Service, deadline: Deadline) -> Result<Self, Failure> {
        let (link, mut hello) = dialer.dial(host, port, deadline)?;
        let server = format!("{host}:{port}");
        let compressor = dialer.compressor();
        hello.extend(header(service.name(), dialer.users(), compressor.map(Compressor::class)));
        let writer = Writer { stream: link.writer, frame: hello, last_use: Instant::now() };
        let calls = Calls::default();
        let (next_call, answers) = (AtomicU32::new(0), AtomicU64::new(0));
        let (socket, writer) = (link.socket, Mutex::new(writer));
        let shared = Arc::new(Channel { server, socket, writer, calls, compressor, next_call, answers });
        reader::start(Arc::clone(&shared), link.reader)?;
        let connection = Connection { shared };
        connection.write(&[]).map_err(|error| connection.shared.broken("greet", &error))?;
        Ok(connection)
    }

    /// Whether the connection is intact, and was used recently or is waiting for a response.
    pub fn is_usable(&self) -> bool {
        match self.shared.calls.count() {
            None => false,
            Some(0) => lock(&self.shared.writer).last_use.elapsed() < LONGEST_IDLE,
            Some(_) => true,
        }
    }

    /// Sends `call` with the time left until `deadline`, after which the client stops waiting. Returns a handle for the
    /// response.
    pub fn send(&self, call: &Call, deadline: Deadline) -> Result<Pending, Failure> {
        let left_ms = u32::try_from(deadline.remaining().as_millis()).unwrap_or(u32::MAX);
        if left_ms == 0 {
            return Err(Failure::timeout(format!("no time is left for {} to {}", call.method(), self.shared.server)));
        }
        // The id that stands for the connection itself is never used.
        let call_id = self.shared.next_call.fetch_add(1, Ordering::Relaxed) & (u32::MAX >> 1);
        let packed = self.shared.pack(call.cells())?;
        let cells = packed.as_deref().unwrap_or(call.cells());
        let pending = self.shared.calls.begin(call_id)?;
        let mut writer = lock(&self.shared.writer);
        let sent = call.encode(call_id, left_ms, cells, &mut writer.frame);
        let written = writer.flush_with(&cells[sent..]);
        drop(writer);
        match written {
            Ok(()) => Ok(Pending::new(Arc::clone(&self.shared), call_id, pending, call.method())),
            Err(error) => Err(self.shared.broken("send to", &error)),
        }
    }

    fn write(&self, rest: &[u8]) -> std::io::Result<()> {
        lock(&self.shared.writer).flush_with(rest)
    }
}

impl Writer {
    /// Writes the assembled frame, and `rest` after it.
    fn flush_with(&mut self, rest: &[u8]) -> std::io::Result<()> {
        self.last_use = Instant::now();
        let frame = std::mem::take(&mut self.frame);
        let result = self.stream.write_all(&frame).and_then(|()| self.stream.write_all(rest));
        self.frame = frame;
        self.frame.clear();
        result.and_then(|()| self.stream.flush())
    }
}

impl Channel {
    /// Compresses cells if the connection uses compression.
    fn pack(&self, cells: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        let Some(compressor) = self.compressor.filter(|_| !cells.is_empty()) else { return Ok(None) };
        let packed = compressor.compress(cells);
        packed.map(Some).map_err(|error| Failure::stop(Error::internal(format!("cannot compress cells: {error}"))))
    }

    /// Decompresses the cells of a response.
    fn unpack(&self, response: Response) -> Result<Response, Failure> {
        let Some(compressor) = self.compressor.filter(|_| !response.cell_block().is_empty()) else {
            return Ok(response);
        };
        let cells = compressor.decompress(response.cell_block());
        cells
            .map(|cells| response.with_cell_block(cells))
            .map_err(|malformed| Failure::malformed(&self.server, malformed))
    }

    /// Fails every running call, because `doing` something failed.
    fn broken(&self, doing: &str, error: &std::io::Error) -> Failure {
        let failure = Failure::connection(format!("cannot {doing} {}: {error}", self.server));
        self.end(failure.clone());
        failure
    }

    fn end(&self, failure: Failure) {
        self.calls.end(failure);
        // That wakes the reader, which then ends; the socket may already be closed.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.shared.end(Failure::connection(format!("the connection to {} was closed", self.shared.server)));
    }
}
