//! One connection: calls are read one after the other and answered as they are done.

use super::call::{Answer, Call, Outcome};
use super::exception::Exception;
use super::frames::{overloaded, read_frame, Frame, NoFrame};
use super::handshake::{greet, CONNECTION_CALL};
use super::here::Here;
use super::listener::Limits;
use super::session::Session;
use super::state::State;
use super::tls::Way;
use crate::wire::{encode_answer, encode_exception, RequestHead};
use std::net::SocketAddr;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// Bytes read ahead of small frames: thousands of idle connections each have such a buffer.
const BUFFER_BYTES: usize = 8 << 10;

/// The writing side, shared by all calls of the connection.
struct Answers<W> {
    socket: Mutex<W>,
    patience: Duration,
    /// Ends the reading side.
    reading: OnceLock<AbortHandle>,
}

impl<W: AsyncWrite + Unpin> Answers<W> {
    /// Sends the outcome of a call. A client that does not read, or is gone, is let go.
    async fn send(&self, call_id: u32, outcome: Outcome, session: Option<&Session>) {
        let sent = match outcome {
            Err(exception) => self.write(&encode_exception(call_id, &exception.to_wire()), &[]).await,
            Ok(Answer { message, cells }) => match packed(cells, session) {
                Err(exception) => self.write(&encode_exception(call_id, &exception.to_wire()), &[]).await,
                Ok(cells) => {
                    let (frame, has_cells) = encode_answer(call_id, &message, &cells);
                    self.write(&frame, if has_cells { &[] } else { &cells }).await
                }
            },
        };
        if !sent {
            if let Some(reading) = self.reading.get() {
                reading.abort();
            }
        }
    }

    async fn write(&self, frame: &[u8], cells: &[u8]) -> bool {
        let mut socket = self.socket.lock().await;
        let write = async {
            socket.write_all(frame).await?;
            socket.write_all(cells).await?;
            // What is encrypted may wait for more; a plain socket has nothing to do here.
            socket.flush().await
        };
        matches!(timeout(self.patience, write).await, Ok(Ok(())))
    }
}

/// The cells as the client wants them.
fn packed(cells: Vec<u8>, session: Option<&Session>) -> Result<Vec<u8>, Exception> {
    match session.and_then(|session| session.codec.compressor) {
        Some(compressor) if !cells.is_empty() => compressor
            .compress(&cells)
            .map_err(|error| Exception::last("DoNotRetryIOException", format!("cannot compress cells: {error}"))),
        _ => Ok(cells),
    }
}

/// Serves a client until it goes, or is let go.
pub(super) async fn serve(socket: TcpStream, state: Arc<State>, limits: Arc<Limits>) {
    let _ = socket.set_nodelay(true);
    let Ok(local) = socket.local_addr() else { return };
    let peer = socket.peer_addr().ok();
    let here = state.here(local);
    let way = match &state.tls {
        None => Some(Way::Plain(socket)),
        Some(tls) => tls.greet(socket, state.options.patience).await,
    };
    match way {
        None => {}
        Some(Way::Plain(mut socket)) => {
            if let Some(session) = begin(&mut socket, &state, here, peer).await {
                let (reader, writer) = socket.into_split();
                converse(reader, writer, session, limits).await;
            }
        }
        Some(Way::Secure(mut stream)) => {
            if let Some(session) = begin(&mut stream, &state, here, peer).await {
                let (reader, writer) = tokio::io::split(stream);
                converse(reader, writer, session, limits).await;
            }
        }
    }
}

/// Greets a client; `None` where that was all.
async fn begin<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut S,
    state: &Arc<State>,
    here: Here,
    peer: Option<SocketAddr>,
) -> Option<Session> {
    let patience = state.options.patience;
    match timeout(patience, greet(socket, state, here, peer)).await {
        Ok(Ok(Some(session))) => Some(session),
        _ => {
            let _ = timeout(patience, socket.shutdown()).await;
            None
        }
    }
}

async fn converse<R, W>(reader: R, writer: W, session: Session, limits: Arc<Limits>)
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let patience = session.state.options.patience;
    let answers = Arc::new(Answers { socket: Mutex::new(writer), patience, reading: OnceLock::new() });
    let reading = tokio::spawn(read_all(reader, Arc::new(session), Arc::clone(&answers), limits));
    let _ = answers.reading.set(reading.abort_handle());
    let _ = reading.await;
}

async fn read_all<R, W>(reader: R, session: Arc<Session>, answers: Arc<Answers<W>>, limits: Arc<Limits>)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let state = Arc::clone(&session.state);
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, reader);
    let own = Arc::new(Semaphore::new(state.options.max_calls_per_connection));
    loop {
        match read_frame(&mut reader, &state, &limits.memory).await {
            Ok(frame) => {
                state.requests.fetch_add(1, Ordering::Relaxed);
                let is_alone = reader.buffer().is_empty();
                if !take(frame, &session, &answers, &limits, &own, is_alone).await {
                    return;
                }
            }
            Err(NoFrame::Gone) => return,
            Err(NoFrame::Refused(call_id, exception)) => {
                answers.send(call_id.unwrap_or(CONNECTION_CALL), Err(exception), None).await;
                return;
            }
        }
    }
}

/// Answers the call in `frame`, or lets it be answered; whether the connection goes on. `is_alone` says that no other call
/// has come yet.
async fn take<W: AsyncWrite + Unpin + Send + 'static>(
    frame: Frame,
    session: &Arc<Session>,
    answers: &Arc<Answers<W>>,
    limits: &Arc<Limits>,
    own: &Arc<Semaphore>,
    is_alone: bool,
) -> bool {
    let Frame { bytes, share } = frame;
    let head = match RequestHead::read(&bytes) {
        Ok(head) => head,
        Err((call_id, malformed)) => {
            // Nobody knows where the next frame would begin to make sense.
            answers.send(call_id.unwrap_or(CONNECTION_CALL), Err(malformed.into()), None).await;
            return call_id.is_some();
        }
    };
    let call_id = head.call_id;
    let limit = session.state.options.max_request_bytes;
    let call = match (session.codec.compressor, head.cells.is_empty()) {
        (Some(compressor), false) => match compressor.decompress_within(&bytes[head.cells.clone()], limit) {
            Ok(cells) => Call::new(head, bytes, Some(cells)),
            Err(malformed) => {
                answers.send(call_id, Err(malformed.into()), None).await;
                return true;
            }
        },
        _ => Call::new(head, bytes, None),
    };
    if let Some(outcome) = session.answer_at_once(&call) {
        answers.send(call_id, outcome, Some(session)).await;
        return true;
    }
    let is_alone = is_alone && own.available_permits() == session.state.options.max_calls_per_connection;
    let Ok(turn) = Arc::clone(own).acquire_owned().await else { return false };
    let Ok(place) = Arc::clone(&limits.calls).try_acquire_owned() else {
        answers.send(call_id, Err(overloaded("Call queue is full; too many items queued")), None).await;
        return true;
    };
    // Nobody waits behind it: on this thread it needs no other to wake up, twice, which costs more than a put or a get.
    if is_alone && session.is_short(&call) {
        let outcome = tokio::task::block_in_place(|| catch_unwind(AssertUnwindSafe(|| session.answer(&call))));
        answers.send(call_id, outcome.unwrap_or_else(|_| Err(broken())), Some(session)).await;
        return true;
    }
    let (session, answers) = (Arc::clone(session), Arc::clone(answers));
    tokio::spawn(async move {
        let for_work = Arc::clone(&session);
        let done = tokio::task::spawn_blocking(move || for_work.answer(&call)).await;
        answers.send(call_id, done.unwrap_or_else(|_| Err(broken())), Some(&session)).await;
        drop((turn, place, share));
    });
    true
}

/// What is said where a call panicked.
fn broken() -> Exception {
    Exception::last("DoNotRetryIOException", "the server broke down in this call: a bug in Rowstone")
}
