//! One connection: calls are read one after the other and answered as they are done.

use super::authentication::Peer;
use super::call::{Answer, Call, Outcome};
use super::exception::Exception;
use super::frames::{overloaded, read_frame, Frame, NoFrame};
use super::handshake::{greet, meet, Met, CONNECTION_CALL};
use super::here::Here;
use super::listener::Limits;
use super::sealed::{unsealed, MORE_BYTES};
use super::session::Session;
use super::state::State;
use super::tls::Way;
use crate::wire::{encode_answer, encode_exception, RequestHead};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// Bytes read ahead of small frames: thousands of idle connections each have such a buffer.
const BUFFER_BYTES: usize = 8 << 10;

/// How long a client that was refused has to read why, and how often it is listened to meanwhile.
const LAST_WORDS: Duration = Duration::from_secs(1);
const LAST_READS: usize = 64;

/// The writing side, shared by all calls of the connection.
struct Answers<W> {
    socket: Mutex<W>,
    state: Arc<State>,
    /// Ends the reading side.
    reading: OnceLock<AbortHandle>,
}

impl<W: AsyncWrite + Unpin> Answers<W> {
    /// Sends the outcome of a call. A client that does not read, or is gone, is let go.
    async fn send(&self, call_id: u32, outcome: Outcome, session: Option<&Session>) {
        let sent = match outcome {
            Err(exception) => self.refuse(call_id, &exception).await,
            Ok(Answer { message, cells }) => match packed(cells, session) {
                Err(exception) => self.refuse(call_id, &exception).await,
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

    async fn refuse(&self, call_id: u32, exception: &Exception) -> bool {
        self.state.measures.failed(&exception.class);
        self.write(&encode_exception(call_id, &exception.to_wire()), &[]).await
    }

    async fn write(&self, frame: &[u8], cells: &[u8]) -> bool {
        self.state.measures.sent(frame.len() + cells.len());
        let mut socket = self.socket.lock().await;
        let write = async {
            socket.write_all(frame).await?;
            socket.write_all(cells).await?;
            // What is encrypted may wait for more; a plain socket has nothing to do here.
            socket.flush().await
        };
        matches!(timeout(self.state.options.patience, write).await, Ok(Ok(())))
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
    let (Ok(local), Ok(remote)) = (socket.local_addr(), socket.peer_addr()) else { return };
    let mut client = Client {
        here: state.here(local),
        peer: Peer { address: remote.ip().to_canonical(), port: remote.port(), is_encrypted: false, certificate: None },
        state,
        limits,
    };
    let way = match &client.state.tls {
        None => Some(Way::Plain(socket)),
        Some(tls) => tls.greet(socket, client.state.options.patience).await,
    };
    match way {
        None => {}
        Some(Way::Plain(mut socket)) => {
            if let Some(met) = client.meet(&mut socket).await {
                let (reader, writer) = socket.into_split();
                client.go_on(reader, writer, met).await;
            }
        }
        Some(Way::Secure(mut stream)) => {
            client.peer.is_encrypted = true;
            client.peer.certificate = client.state.certified_name(&stream);
            if let Some(met) = client.meet(&mut stream).await {
                let (reader, writer) = tokio::io::split(stream);
                client.go_on(reader, writer, met).await;
            }
        }
    }
}

/// A client that is being greeted.
struct Client {
    state: Arc<State>,
    limits: Arc<Limits>,
    here: Here,
    peer: Peer,
}

impl Client {
    /// Finds out who it is; `None` where that was all.
    async fn meet<S: AsyncRead + AsyncWrite + Unpin>(&self, socket: &mut S) -> Option<Met> {
        let patience = self.state.options.patience;
        match timeout(patience, meet(socket, &self.state, &self.peer)).await {
            Ok(Ok(Some(met))) => Some(met),
            _ => {
                let _ = timeout(patience, socket.shutdown()).await;
                pass_over(socket).await;
                None
            }
        }
    }

    /// Goes on with a client that is known, whose bytes may be sealed.
    async fn go_on<R, W>(self, reader: R, writer: W, met: Met)
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let Some(sealed) = met.sealed.clone() else { return self.greet_and_serve(reader, writer, met).await };
        let options = &self.state.options;
        let most_bytes = options.max_request_bytes.saturating_add(MORE_BYTES);
        let (plain, carriers) = unsealed(reader, writer, sealed, most_bytes, options.patience);
        let (reader, writer) = tokio::io::split(plain);
        self.greet_and_serve(reader, writer, met).await;
        carriers.finish().await;
    }

    async fn greet_and_serve<R, W>(self, mut reader: R, mut writer: W, met: Met)
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let patience = self.state.options.patience;
        let place = (&self.state, self.here.clone(), &self.peer);
        match timeout(patience, greet(&mut reader, &mut writer, place, met)).await {
            Ok(Ok(Some(session))) => converse(reader, writer, session, self.limits).await,
            _ => {
                let _ = timeout(patience, writer.shutdown()).await;
                pass_over(&mut reader).await;
            }
        }
    }
}

/// Reads what a client that was refused sent besides: with bytes left over, the system would tell it that the connection broke, and
/// throw away what says why.
async fn pass_over(reader: &mut (impl AsyncRead + Unpin)) {
    let mut rest = [0; 4 << 10];
    let _ = timeout(LAST_WORDS, async {
        for _ in 0..LAST_READS {
            if !matches!(reader.read(&mut rest).await, Ok(1..)) {
                return;
            }
        }
    })
    .await;
}

async fn converse<R, W>(reader: R, writer: W, session: Session, limits: Arc<Limits>)
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let state = Arc::clone(&session.state);
    let answers = Arc::new(Answers { socket: Mutex::new(writer), state, reading: OnceLock::new() });
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
    let came = Instant::now();
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
        session.done(&call, came, came, &outcome);
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
        let outcome = tokio::task::block_in_place(|| answered(session, &call, came));
        answers.send(call_id, outcome, Some(session)).await;
        return true;
    }
    let (session, answers) = (Arc::clone(session), Arc::clone(answers));
    session.state.measures.waiting.fetch_add(1, Ordering::Relaxed);
    tokio::spawn(async move {
        let for_work = Arc::clone(&session);
        let work = move || {
            for_work.state.measures.waiting.fetch_sub(1, Ordering::Relaxed);
            answered(&for_work, &call, came)
        };
        let done = tokio::task::spawn_blocking(work).await;
        answers.send(call_id, done.unwrap_or_else(|_| Err(broken())), Some(&session)).await;
        drop((turn, place, share));
    });
    true
}

/// The outcome of a call; that it panicked is one too.
fn answered(session: &Session, call: &Call, came: Instant) -> Outcome {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| session.answer(call))).unwrap_or_else(|_| Err(broken()));
    session.done(call, came, started, &outcome);
    outcome
}

/// What is said where a call panicked.
fn broken() -> Exception {
    Exception::last("DoNotRetryIOException", "the server broke down in this call: a bug in Rowstone")
}
