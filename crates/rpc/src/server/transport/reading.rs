//! The reading side of a connection: reads calls in sequence and answers each as soon as it is done.

use crate::server::dispatch;
use crate::server::messages::buffers::Buffer;
use crate::server::messages::call::{Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::own_thread::{is_own, wait_for};
use crate::server::session::Session;
use crate::server::transport::answers::Answers;
use crate::server::transport::decoded;
use crate::server::transport::frames::{read_frame, Frame, NoFrame};
use crate::server::transport::handshake::CONNECTION_CALL;
use crate::server::transport::limits::Limits;
use crate::wire::RequestHead;
use std::future::poll_fn;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufRead, AsyncRead, AsyncWrite, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Read-ahead for small frames. Each of thousands of idle connections has such a buffer.
const BUFFER_BYTES: usize = 8 << 10;

/// Maximum number of short calls that a connection's own thread answers in sequence while more are waiting: they take
/// less time here than other threads need to wake up. Beyond that, other threads help.
const MOST_IN_A_ROW: usize = 8;

/// A call that took longer than this on the reading thread delayed the ones behind it. For a while, calls are then
/// answered elsewhere.
const LONG_HERE: Duration = Duration::from_millis(20);
const CAUTIOUS_FOR: Duration = Duration::from_secs(1);

/// A client's calls and the limits on them.
pub(in crate::server) struct Reading<W> {
    session: Arc<Session>,
    answers: Arc<Answers<W>>,
    limits: Arc<Limits>,
    /// Permits of this connection for running calls.
    own: Arc<Semaphore>,
    is_own_thread: bool,
    /// Calls answered on this thread since no further call was waiting.
    in_a_row: usize,
    /// Until this time, calls that may block are answered elsewhere.
    cautious_until: Option<Instant>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Reading<W> {
    /// Creates the reading side of a client after its handshake.
    pub fn new(session: Session, answers: Arc<Answers<W>>, limits: Arc<Limits>) -> Self {
        let own = Arc::new(Semaphore::new(session.state.options.max_calls_per_connection));
        Reading {
            session: Arc::new(session),
            answers,
            limits,
            own,
            is_own_thread: is_own(),
            in_a_row: 0,
            cautious_until: None,
        }
    }

    /// Reads until the client disconnects or sends malformed bytes.
    pub async fn read_all(mut self, reader: impl AsyncRead + Unpin) {
        let state = Arc::clone(&self.session.state);
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, reader);
        loop {
            match read_frame(&mut reader, &state, &self.limits.memory).await {
                Ok(frame) => {
                    state.requests.fetch_add(1, Ordering::Relaxed);
                    // More input may still be in the kernel's buffer after a large frame.
                    let is_large = frame.bytes.len() > BUFFER_BYTES;
                    let is_last = reader.buffer().is_empty() && !(is_large && has_more(&mut reader).await);
                    if !self.take(frame, is_last).await {
                        return;
                    }
                }
                Err(NoFrame::Gone) => return,
                Err(NoFrame::Refused(call_id, exception)) => {
                    return self.answers.send(call_id.unwrap_or(CONNECTION_CALL), Err(exception), None).await;
                }
            }
        }
    }

    /// Answers the call in `frame`, here or on another thread. Returns whether the connection continues. `is_last`
    /// says that no further call has arrived yet.
    async fn take(&mut self, frame: Frame, is_last: bool) -> bool {
        let came = Instant::now();
        let Frame { bytes, mut share } = frame;
        let head = match RequestHead::read(&bytes) {
            Ok(head) => head,
            Err((call_id, malformed)) => {
                // The start of the next frame is unknown now.
                self.answers.send(call_id.unwrap_or(CONNECTION_CALL), Err(malformed.into()), None).await;
                return call_id.is_some();
            }
        };
        let call_id = head.call_id;
        let charged = self.charge_decoding(&head, &bytes, &mut share);
        let call = match charged.and_then(|()| self.inflated(head, bytes, &mut share)) {
            Ok(call) => call,
            Err(exception) => {
                self.answers.send(call_id, Err(exception), None).await;
                return true;
            }
        };
        // A shared thread first tries to answer without blocking. A connection's own thread decodes the call only
        // once.
        if let Some(outcome) = (!self.is_own_thread).then(|| dispatch::answer_at_once(&self.session, &call)).flatten() {
            dispatch::record(&self.session, &call, came, came, &outcome);
            self.answers.send(call_id, outcome, Some(&self.session)).await;
            return true;
        }
        let is_idle = self.own.available_permits() == self.session.state.options.max_calls_per_connection;
        let Ok(turn) = Arc::clone(&self.own).acquire_owned().await else { return false };
        let Ok(place) = Arc::clone(&self.limits.calls).try_acquire_owned() else {
            let full = Exception::overloaded("Call queue is full; too many items queued");
            self.answers.send(call_id, Err(full), None).await;
            return true;
        };
        match self.answer_here(&call, came, is_last, is_idle) {
            Some(outcome) => {
                drop(call);
                self.answers.send(call_id, outcome, Some(&self.session)).await;
            }
            None => self.answer_elsewhere(call_id, call, came, (turn, place, share)),
        }
        true
    }

    /// Adds the memory of the decoded message to the request's share.
    fn charge_decoding(
        &self,
        head: &RequestHead,
        bytes: &Buffer,
        share: &mut Option<OwnedSemaphorePermit>,
    ) -> Result<(), Exception> {
        let limit = self.session.state.options.max_in_flight_bytes;
        let estimate = decoded::estimate(&head.method, &bytes[head.parameter.clone()], limit);
        if estimate > limit {
            let message = format!(
                "a {} of {} bytes takes more than {limit} bytes of memory once it is decoded; send fewer actions or columns per call",
                head.method,
                bytes.len()
            );
            return Err(Exception::last("exceptions.RequestTooBigException", message));
        }
        // The share already has the bytes of the frame.
        match estimate.saturating_sub(bytes.len()) {
            0 => Ok(()),
            more => self.limits.charge(share, more),
        }
    }

    /// Creates the call with its cells decompressed, and adds them to the request's share of the memory.
    fn inflated(
        &self,
        head: RequestHead,
        bytes: Buffer,
        share: &mut Option<OwnedSemaphorePermit>,
    ) -> Result<Call, Exception> {
        let limit = self.session.state.options.max_request_bytes;
        let mut charged = 0;
        let grow = |size: usize| {
            let more = size.saturating_sub(charged);
            charged += more;
            self.limits.charge(share, more)
        };
        let cells = match (self.session.codec.compressor, head.cells.is_empty()) {
            (Some(compressor), false) => Some(compressor.decompress_within(&bytes[head.cells.clone()], limit, grow)?),
            _ => None,
        };
        Ok(Call::new(head, bytes, cells))
    }

    /// Answers a short call on this thread, if no other call has to wait long for it. That saves waking another
    /// thread twice, which costs more than a put or a get. While another call is running, this thread must stay free
    /// for the ones behind it.
    fn answer_here(&mut self, call: &Call, came: Instant, is_last: bool, is_idle: bool) -> Option<Outcome> {
        self.in_a_row = if is_last { 0 } else { self.in_a_row + 1 };
        let most = if self.is_own_thread { MOST_IN_A_ROW } else { 1 };
        let is_cautious = self.cautious_until.is_some_and(|until| came < until);
        if !is_idle || is_cautious || self.in_a_row >= most || !dispatch::is_short(&self.session, call, is_last) {
            return None;
        }
        let outcome = wait_for(|| answered(&self.session, call, came));
        self.cautious_until = (came.elapsed() > LONG_HERE).then(|| Instant::now() + CAUTIOUS_FOR);
        Some(outcome)
    }

    /// Answers the call on the threads for blocking work.
    fn answer_elsewhere(
        &self,
        call_id: u32,
        call: Call,
        came: Instant,
        taken: (OwnedSemaphorePermit, OwnedSemaphorePermit, Option<OwnedSemaphorePermit>),
    ) {
        let (session, answers) = (Arc::clone(&self.session), Arc::clone(&self.answers));
        session.state.measures.waiting.fetch_add(1, Ordering::Relaxed);
        self.session.state.pool.spawn(async move {
            let for_work = Arc::clone(&session);
            let work = move || {
                for_work.state.measures.waiting.fetch_sub(1, Ordering::Relaxed);
                answered(&for_work, &call, came)
            };
            let done = tokio::task::spawn_blocking(work).await;
            answers.send(call_id, done.unwrap_or_else(|_| Err(broken())), Some(&session)).await;
            drop(taken);
        });
    }
}

impl<W> Drop for Reading<W> {
    fn drop(&mut self) {
        self.session.has_ended.store(true, Ordering::Relaxed);
    }
}

/// Whether more input is buffered. Does not wait for it.
async fn has_more(reader: &mut (impl AsyncBufRead + Unpin)) -> bool {
    poll_fn(|context| match Pin::new(&mut *reader).poll_fill_buf(context) {
        Poll::Ready(Ok(bytes)) => Poll::Ready(!bytes.is_empty()),
        _ => Poll::Ready(false),
    })
    .await
}

/// Runs a call. A panic becomes an exception.
fn answered(session: &Session, call: &Call, came: Instant) -> Outcome {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| dispatch::answer(session, call))).unwrap_or_else(|_| Err(broken()));
    dispatch::record(session, call, came, started, &outcome);
    outcome
}

/// The exception for a call that panicked.
fn broken() -> Exception {
    Exception::last("DoNotRetryIOException", "the server broke down in this call: a bug in Rowstone")
}
