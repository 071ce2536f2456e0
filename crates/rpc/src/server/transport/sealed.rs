//! Connections whose bytes are wrapped by SASL. Bytes are unwrapped and wrapped between the socket and a pipe. The
//! rest of the server uses the other end of the pipe and needs no knowledge of SASL.

use crate::sasl::Sealed;
use crate::server::own_thread::wait_for;
use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{split, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Capacity of the pipe in each direction.
const PIPE_BYTES: usize = 256 << 10;
/// Buffers grow in steps of this size, as bytes arrive.
const STEP_BYTES: usize = 1 << 20;
/// A wrapped frame may be this much longer than the longest call.
pub(in crate::server) const MORE_BYTES: usize = 64 << 10;

/// The two tasks that move bytes.
pub(in crate::server) struct Carriers {
    inward: JoinHandle<Result<()>>,
    outward: JoinHandle<Result<()>>,
    patience: Duration,
}

/// Puts a pipe in front of a wrapped connection. A frame longer than `most_bytes` ends it.
pub(in crate::server) fn unsealed<R, W>(
    reader: R,
    writer: W,
    sealed: Arc<Sealed>,
    most_bytes: usize,
    patience: Duration,
) -> (DuplexStream, Carriers)
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (plain, ours) = tokio::io::duplex(PIPE_BYTES);
    let (from_plain, to_plain) = split(ours);
    let inward = tokio::spawn(open_all(reader, to_plain, Arc::clone(&sealed), most_bytes, patience));
    let outward = tokio::spawn(seal_all(from_plain, writer, sealed, patience));
    (plain, Carriers { inward, outward, patience })
}

impl Carriers {
    /// Sends what is still in the pipe, whose other end is closed at this point, and ends.
    pub async fn finish(mut self) {
        let _ = timeout(self.patience, &mut self.outward).await;
    }
}

impl Drop for Carriers {
    fn drop(&mut self) {
        self.inward.abort();
        self.outward.abort();
    }
}

async fn open_all(
    mut reader: impl AsyncRead + Unpin,
    mut plain: WriteHalf<DuplexStream>,
    sealed: Arc<Sealed>,
    most_bytes: usize,
    patience: Duration,
) -> Result<()> {
    let outcome = async {
        loop {
            // A client may be silent for any time between frames, but not within one.
            let mut length = [0; 4];
            reader.read_exact(&mut length[..1]).await?;
            timeout(patience, reader.read_exact(&mut length[1..])).await??;
            let length = u32::from_be_bytes(length) as usize;
            if length > most_bytes {
                return Err(Error::from(ErrorKind::InvalidData));
            }
            let mut frame = Vec::with_capacity(length.min(STEP_BYTES));
            while frame.len() < length {
                let start = frame.len();
                frame.resize(length.min(start + STEP_BYTES), 0);
                timeout(patience, reader.read_exact(&mut frame[start..])).await??;
            }
            let bytes = wait_for(|| sealed.open(&frame)).map_err(|_| Error::from(ErrorKind::InvalidData))?;
            plain.write_all(&bytes).await?;
        }
    }
    .await;
    let _ = plain.shutdown().await;
    outcome
}

async fn seal_all(
    mut plain: ReadHalf<DuplexStream>,
    mut writer: impl AsyncWrite + Unpin,
    sealed: Arc<Sealed>,
    patience: Duration,
) -> Result<()> {
    let mut bytes = vec![0; PIPE_BYTES];
    loop {
        let count = plain.read(&mut bytes).await?;
        if count == 0 {
            return timeout(patience, writer.shutdown()).await?;
        }
        let frames = wait_for(|| sealed.seal(&bytes[..count])).map_err(|_| Error::from(ErrorKind::InvalidData))?;
        timeout(patience, async {
            writer.write_all(&frames).await?;
            writer.flush().await
        })
        .await??;
    }
}
