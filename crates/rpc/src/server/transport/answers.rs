//! The writing side of a connection.

use crate::server::messages::buffers::Buffer;
use crate::server::messages::call::{Answer, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use crate::server::state::State;
use crate::wire::{encode_answer, encode_exception};
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// The writing side, shared by all calls of the connection.
pub(in crate::server) struct Answers<W> {
    /// `None` after a partly written frame: the client would read whatever follows as the rest of that frame.
    socket: Mutex<Option<W>>,
    state: Arc<State>,
    /// Stops the reading side.
    reading: OnceLock<AbortHandle>,
}

impl<W> Answers<W> {
    /// Creates the writing side, which sends answers to `socket`.
    pub fn new(socket: W, state: Arc<State>) -> Self {
        Answers { socket: Mutex::new(Some(socket)), state, reading: OnceLock::new() }
    }

    /// Sets the reading side, which is aborted when an answer cannot be written.
    pub fn ends_with(&self, reading: AbortHandle) {
        let _ = self.reading.set(reading);
    }
}

impl<W: AsyncWrite + Unpin> Answers<W> {
    /// Sends the outcome of a call. A client that does not read, or that has disconnected, is dropped.
    pub async fn send(&self, call_id: u32, outcome: Outcome, session: Option<&Session>) {
        let sent = match outcome {
            Err(exception) => self.refuse(call_id, &exception).await,
            Ok(Answer { message, cells, share }) => {
                // The share is charged until the whole answer is sent. The message counts twice because it is copied
                // into its frame.
                let mut share = share.or_else(|| session.map(|session| session.answer_memory.share()));
                share.iter_mut().for_each(|share| share.note(2 * message.len() + cells.len()));
                match packed(cells, session) {
                    Err(exception) => self.refuse(call_id, &exception).await,
                    Ok(cells) => {
                        let (frame, has_cells) = encode_answer(call_id, &message, &cells);
                        self.write(&frame, if has_cells { &[] } else { &cells }).await
                    }
                }
            }
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
        let mut place = self.socket.lock().await;
        // The socket is put back only after a complete write, so an error, a timeout or a dropped future leaves it
        // closed.
        let Some(mut socket) = place.take() else { return false };
        let write = async {
            socket.write_all(frame).await?;
            socket.write_all(cells).await?;
            // An encrypting writer may buffer. For a plain socket this does nothing.
            socket.flush().await
        };
        let sent = matches!(timeout(self.state.options.patience, write).await, Ok(Ok(())));
        *place = sent.then_some(socket);
        sent
    }
}

/// Compresses the cells if the client asked for it.
fn packed(cells: Buffer, session: Option<&Session>) -> Result<Buffer, Exception> {
    match session.and_then(|session| session.codec.compressor) {
        Some(compressor) if !cells.is_empty() => compressor
            .compress(&cells)
            .map(Buffer::own)
            .map_err(|error| Exception::last("DoNotRetryIOException", format!("cannot compress cells: {error}"))),
        _ => Ok(cells),
    }
}
