//! Reads frames from a socket. Memory grows with the bytes that arrive, never with the announced length, and the
//! memory of all connections together is limited.

use crate::server::messages::buffers::{Buffer, LEAST_BYTES};
use crate::server::messages::exception::Exception;
use crate::server::state::State;
use crate::server::transport::limits::units;
use crate::wire::RequestHead;
use prost::bytes::BufMut;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Frame buffers grow in steps of this size.
const STEP_BYTES: usize = 1 << 20;
/// Number of bytes of an oversized frame that are read to find its call ID.
const BEGINNING_BYTES: usize = 4 << 10;

/// A frame, and its share of the memory limit until its answer is sent.
pub(in crate::server) struct Frame {
    pub bytes: Buffer,
    pub share: Option<OwnedSemaphorePermit>,
}

/// Reason for a missing frame.
pub(in crate::server) enum NoFrame {
    /// The client disconnected or stopped in the middle of a frame.
    Gone,
    /// The client receives the exception, and the connection ends.
    Refused(Option<u32>, Exception),
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

/// Reads the next frame, without its length. Waits without a limit for its first byte, but not for the rest.
pub(in crate::server) async fn read_frame(
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
            // A large buffer of the pool is only lent after the client has sent some bytes.
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
            return Err(NoFrame::Refused(RequestHead::call_id_of(&bytes), Exception::overloaded(message)));
        };
        match &mut share {
            None => share = Some(more),
            Some(share) => share.merge(more),
        }
    }
    Ok(Frame { bytes, share })
}

/// Reads until `bytes` has `end` bytes.
async fn read_more(socket: &mut (impl AsyncRead + Unpin), bytes: &mut Vec<u8>, end: usize) -> std::io::Result<()> {
    while bytes.len() < end {
        let left = end - bytes.len();
        if socket.read_buf(&mut (&mut *bytes).limit(left)).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}

async fn refuse(socket: &mut (impl AsyncRead + Unpin), length: usize, state: &State) -> NoFrame {
    let mut beginning = Vec::new();
    // Decodes the bytes received so far, which may contain the call ID.
    let mut part = [0; BEGINNING_BYTES];
    if let Ok(count) = within(Duration::from_millis(200), socket.read(&mut part)).await {
        beginning.extend_from_slice(&part[..count]);
    }
    let limit = state.options.max_request_bytes;
    let message = format!("RPC data length of {length} received is greater than max allowed {limit}");
    let exception = Exception::last("exceptions.RequestTooBigException", message);
    NoFrame::Refused(RequestHead::call_id_of(&beginning), exception)
}
