//! Frames from a socket: no length is believed before its bytes are there, and what all connections hold is limited.

use super::buffers::{Buffer, LEAST_BYTES};
use super::exception::Exception;
use super::state::State;
use crate::wire::RequestHead;
use prost::bytes::BufMut;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// What the semaphore of bytes counts in.
const UNIT_BYTES: usize = 1 << 10;
/// Memory is asked for in steps of this, as bytes come.
const STEP_BYTES: usize = 1 << 20;
/// Of a frame that is too long so much is looked at, for the number of its call.
const BEGINNING_BYTES: usize = 4 << 10;

/// A frame and the share of the server's memory that it takes until its answer is sent.
pub(super) struct Frame {
    pub bytes: Buffer,
    pub share: Option<OwnedSemaphorePermit>,
}

/// Why no frame came.
pub(super) enum NoFrame {
    /// The client is gone, or does not go on with what it began.
    Gone,
    /// The client is told, and the connection ends.
    Refused(Option<u32>, Exception),
}

/// How many units the in-flight limit has.
pub(super) fn units(bytes: usize) -> usize {
    bytes.div_ceil(UNIT_BYTES).min(Semaphore::MAX_PERMITS)
}

/// Bytes of which that many units are left.
pub(super) fn bytes(all: usize, left: usize) -> usize {
    all.saturating_sub(left) * UNIT_BYTES
}

async fn within<T>(
    patience: Duration,
    work: impl std::future::Future<Output = std::io::Result<T>>,
) -> Result<T, NoFrame> {
    match timeout(patience, work).await {
        Ok(Ok(value)) => Ok(value),
        _ => Err(NoFrame::Gone),
    }
}

/// The next frame, without its length. Waits for its beginning as long as the client likes, but not for its rest.
pub(super) async fn read_frame(
    socket: &mut (impl AsyncRead + Unpin),
    state: &State,
    memory: &Arc<Semaphore>,
) -> Result<Frame, NoFrame> {
    let mut first = [0u8; 1];
    socket.read_exact(&mut first).await.map_err(|_| NoFrame::Gone)?;
    let patience = state.options.patience;
    let mut rest = [0u8; 3];
    within(patience, socket.read_exact(&mut rest)).await?;
    let length = u32::from_be_bytes([first[0], rest[0], rest[1], rest[2]]) as usize;
    if length > state.options.max_request_bytes {
        return Err(refuse(socket, length, state).await);
    }
    let mut bytes = Buffer::own(Vec::with_capacity(length.min(LEAST_BYTES)));
    let mut share: Option<OwnedSemaphorePermit> = None;
    while bytes.len() < length {
        let start = bytes.len();
        let end = length.min(if start == 0 { LEAST_BYTES } else { start + STEP_BYTES });
        if start == LEAST_BYTES {
            // Whoever gets one of the server's large buffers has sent something.
            let mut large = state.buffers.take();
            large.extend_from_slice(&bytes);
            bytes = large;
        }
        bytes.reserve(end - start);
        within(patience, read_more(socket, &mut bytes, end)).await?;
        let wanted = u32::try_from(units(end - start)).unwrap_or(u32::MAX);
        let more = timeout(patience, Arc::clone(memory).acquire_many_owned(wanted)).await;
        let Ok(Ok(more)) = more else {
            let message = "the memory for requests is full";
            return Err(NoFrame::Refused(RequestHead::call_id_of(&bytes), overloaded(message)));
        };
        match &mut share {
            None => share = Some(more),
            Some(share) => share.merge(more),
        }
    }
    Ok(Frame { bytes, share })
}

/// Reads until `bytes` has `end` of them.
async fn read_more(socket: &mut (impl AsyncRead + Unpin), bytes: &mut Vec<u8>, end: usize) -> std::io::Result<()> {
    while bytes.len() < end {
        let left = end - bytes.len();
        if socket.read_buf(&mut (&mut *bytes).limit(left)).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}

/// What a server answers that has too much to do.
pub(super) fn overloaded(message: &str) -> Exception {
    Exception { is_overloaded: true, ..Exception::new("CallQueueTooBigException", message) }
}

async fn refuse(socket: &mut (impl AsyncRead + Unpin), length: usize, state: &State) -> NoFrame {
    let mut beginning = Vec::new();
    // Whatever came so far; the number may be in it.
    let mut part = [0; BEGINNING_BYTES];
    if let Ok(count) = within(Duration::from_millis(200), socket.read(&mut part)).await {
        beginning.extend_from_slice(&part[..count]);
    }
    let limit = state.options.max_request_bytes;
    let message = format!("RPC data length of {length} received is greater than max allowed {limit}");
    let exception = Exception::last("exceptions.RequestTooBigException", message);
    NoFrame::Refused(RequestHead::call_id_of(&beginning), exception)
}
