//! The thread of a connection that reads responses and delivers them to the callers.

use super::login::{read_refusal, refusal};
use super::Channel;
use crate::failure::{failure_of, Failure};
use crate::wire::{FrameHead, RemoteException, Response, MAX_FRAME_BYTES};
use rowstone_model::Error;
use std::io::{BufReader, ErrorKind, Read};
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// Size of the socket's read buffer, for small responses.
const BUFFER_BYTES: usize = 64 << 10;
/// Memory allocated for an announced length in advance; more is allocated as bytes arrive.
const TRUSTED_BYTES: usize = 4 << 20;

/// HBase's message to clients that skip required authentication.
const LOGIN_WANTED: &str = "Authentication is required";

/// Incoming data.
enum Incoming {
    Frame(Vec<u8>),
    /// The refusal of a PLAIN login, which has no reply if it succeeds.
    Refusal(RemoteException),
    End,
}

/// Starts the thread.
pub(super) fn start(shared: Arc<Channel>, stream: Box<dyn Read + Send>) -> Result<(), Failure> {
    let name = format!("rowstone-{}", shared.server);
    let started = std::thread::Builder::new().name(name).spawn(move || {
        let failure = read_all(&shared, stream);
        shared.end(failure);
    });
    match started {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::stop(Error::io("start a thread for", "a connection", &error))),
    }
}

/// Reads frames until the connection ends; returns the reason.
fn read_all(shared: &Channel, stream: Box<dyn Read + Send>) -> Failure {
    let mut stream = BufReader::with_capacity(BUFFER_BYTES, stream);
    loop {
        let frame = match read_frame(&mut stream) {
            Ok(Incoming::Frame(frame)) => frame,
            Ok(Incoming::Refusal(exception)) => return refusal(&exception, &shared.server),
            Ok(Incoming::End) => return Failure::connection(format!("{} closed the connection", shared.server)),
            Err(error) => return Failure::connection(format!("the connection to {} broke: {error}", shared.server)),
        };
        shared.answers.fetch_add(1, Ordering::Relaxed);
        let head = match FrameHead::read(&frame) {
            Ok(head) => head,
            Err(malformed) => return Failure::malformed(&shared.server, malformed),
        };
        let (call_id, exception) = (head.call_id, head.exception.clone());
        match exception {
            // The server refused the connection itself, and closes it.
            Some(exception) if call_id == u32::MAX => {
                let mut failure = failure_of(&exception);
                failure.error = failure.error.context(format!("{} refused the connection", shared.server));
                if exception.text.contains(LOGIN_WANTED) {
                    let hint =
                        "authenticate with kerberos=True, with user= and password=, or with a certificate in tls=";
                    failure.error = Error::new(failure.error.kind(), format!("{}; {hint}", failure.error.message()))
                        .from_remote(exception.class.clone());
                }
                return failure;
            }
            Some(exception) => shared.calls.finish(call_id, Err(failure_of(&exception))),
            None => shared.calls.finish(call_id, Ok(Response::new(frame, head))),
        }
    }
}

/// Reads the next frame without its length. No frame has length 1, which is how the refusal of a login begins.
fn read_frame(stream: &mut impl Read) -> std::io::Result<Incoming> {
    let mut length = [0; 4];
    loop {
        match stream.read(&mut length[..1]) {
            Ok(0) => return Ok(Incoming::End),
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    stream.read_exact(&mut length[1..])?;
    let length = u32::from_be_bytes(length) as usize;
    if length == 1 {
        return read_refusal(stream).map(Incoming::Refusal);
    }
    if length > MAX_FRAME_BYTES {
        let message = format!("a frame of {length} bytes was announced, which is not HBase's protocol");
        return Err(std::io::Error::new(ErrorKind::InvalidData, message));
    }
    let mut frame = Vec::with_capacity(length.min(TRUSTED_BYTES));
    stream.take(length as u64).read_to_end(&mut frame)?;
    if frame.len() < length {
        let message = format!("it ended {} bytes into an answer of {length}", frame.len());
        return Err(std::io::Error::new(ErrorKind::UnexpectedEof, message));
    }
    Ok(Incoming::Frame(frame))
}
