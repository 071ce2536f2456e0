//! Authentication, before the connection's header. Sources: `NettyRpcConnection`, `SaslChallengeDecoder`.

use super::dial::Link;
use crate::failure::{failure_of, Deadline, Failure};
use crate::sasl::{
    auth_byte, GssClient, Initiator, PlainMessage, Protection, SealedReader, SealedWriter, Step, MAX_ROUNDS,
    MAX_TOKEN_BYTES, SWITCH_TO_SIMPLE,
};
use crate::wire::{preamble, FrameHead, RemoteException, MAX_FRAME_BYTES};
use rowstone_model::{Error, ErrorKind};
use std::fmt;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

/// The way in which a client authenticates.
#[derive(Clone, Default)]
pub enum Credentials {
    /// By the name in the header, which servers without security trust; or by the client certificate.
    #[default]
    Simple,
    /// By name and password, over TLS only.
    Password(PlainMessage),
    /// By a Kerberos ticket: its holder, and the acceptable levels of protection, in order of preference.
    Kerberos(Arc<dyn Initiator>, Vec<Protection>),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credentials::Simple => "Simple",
            Credentials::Password(_) => "Password",
            Credentials::Kerberos(..) => "Kerberos",
        })
    }
}

/// Maximum length of a Java class name or exception message; longer ones are rejected.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Authenticates over `link`. Returns the link, sealed if that was negotiated, and bytes to send before the header:
/// the last message of a login that has no reply.
pub(super) fn log_in(
    mut link: Link,
    credentials: &Credentials,
    (host, server): (&str, &str),
    deadline: Deadline,
) -> Result<(Link, Vec<u8>), Failure> {
    match credentials {
        Credentials::Simple => Ok((link, preamble(auth_byte::SIMPLE).to_vec())),
        Credentials::Password(message) => {
            let mut hello = preamble(auth_byte::PLAIN).to_vec();
            hello.extend(framed(&message.encode()));
            Ok((link, hello))
        }
        Credentials::Kerberos(initiator, wanted) => {
            let context = initiator.initiate(host).map_err(|error| fail_login(error, server))?;
            let mut client = GssClient::new(context, wanted.clone());
            let failed = |error: std::io::Error| Failure::connection(format!("no login to {server}: {error}"));
            let left = deadline.remaining().max(Duration::from_millis(1));
            link.socket.set_read_timeout(Some(left)).map_err(failed)?;
            converse(&mut link, &mut client, server)?;
            link.socket.set_read_timeout(None).map_err(failed)?;
            let Some(sealed) = client.finish().map_err(|error| fail_login(error, server))?.map(Arc::new) else {
                return Ok((link, Vec::new()));
            };
            let reader = Box::new(SealedReader::new(Arc::clone(&sealed), link.reader, MAX_FRAME_BYTES));
            let writer = Box::new(SealedWriter::new(sealed, link.writer));
            Ok((Link { socket: link.socket, reader, writer }, Vec::new()))
        }
    }
}

/// Makes a failed login permanent: retrying does not help.
fn fail_login(error: Error, server: &str) -> Failure {
    Failure::stop(error.context(format!("no login to {server}")))
}

fn framed(token: &[u8]) -> Vec<u8> {
    [&(token.len() as u32).to_be_bytes()[..], token].concat()
}

fn converse(link: &mut Link, client: &mut GssClient, server: &str) -> Result<(), Failure> {
    let gone = |error: std::io::Error| Failure::connection(format!("no login to {server}: {error}"));
    let mut hello = preamble(auth_byte::KERBEROS).to_vec();
    hello.extend(framed(&client.begin().map_err(|error| fail_login(error, server))?));
    let mut send = |bytes: &[u8]| link.writer.write_all(bytes).and_then(|()| link.writer.flush());
    send(&hello).map_err(gone)?;
    for _ in 0..MAX_ROUNDS {
        let token = read_token(&mut link.reader, server)?;
        match client.answer(&token).map_err(|error| fail_login(error, server))? {
            Step::Send(next) => send(&framed(&next)).map_err(gone)?,
            Step::Done(last) => return last.map_or(Ok(()), |last| send(&framed(&last)).map_err(gone)),
        }
    }
    Err(Failure::connection(format!("no login to {server}: more than {MAX_ROUNDS} rounds")))
}

/// Reads the server's next token.
fn read_token(reader: &mut impl Read, server: &str) -> Result<Vec<u8>, Failure> {
    let gone = |error: std::io::Error| Failure::connection(format!("no login to {server}: {error}"));
    let mut number = || -> std::io::Result<u32> {
        let mut bytes = [0; 4];
        reader.read_exact(&mut bytes).map(|()| u32::from_be_bytes(bytes))
    };
    match number().map_err(gone)? {
        0 => {}
        1 => return Err(read_refusal(reader).map_or_else(gone, |exception| refusal(&exception, server))),
        length => return Err(read_exception(reader, length as usize, server)),
    }
    let length = number().map_err(gone)?;
    if length as i32 == SWITCH_TO_SIMPLE {
        let message =
            format!("{server} does not authenticate clients (simple authentication): connect without kerberos");
        return Err(Failure::stop(Error::new(ErrorKind::AccessDenied, message)));
    }
    if length as usize > MAX_TOKEN_BYTES {
        return Err(Failure::connection(format!("no login to {server}: a token of {length} bytes was announced")));
    }
    let mut token = vec![0; length as usize];
    reader.read_exact(&mut token).map_err(gone)?;
    Ok(token)
}

/// Reads the reason for a failed login, after the failure code: a Java class and its message.
pub(super) fn read_refusal(reader: &mut impl Read) -> std::io::Result<RemoteException> {
    let mut text = || -> std::io::Result<String> {
        let mut length = [0; 4];
        reader.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length) as usize;
        if length > MAX_TEXT_BYTES {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (class, message) = (text()?, text()?);
    Ok(RemoteException { text: format!("{class}: {message}"), class, do_not_retry: true, is_overloaded: false })
}

/// Converts a refused login to a failure.
pub(super) fn refusal(exception: &RemoteException, server: &str) -> Failure {
    let message = format!("{server} refused the login: {}", exception.message());
    Failure::stop(Error::new(ErrorKind::AccessDenied, message).from_remote(exception.class.clone()))
}

/// A server without SASL answers with an exception in the format of calls: a frame of `length` bytes.
fn read_exception(reader: &mut impl Read, length: usize, server: &str) -> Failure {
    let mut frame = vec![0; length.min(MAX_TOKEN_BYTES)];
    let head = reader.read_exact(&mut frame).ok().and_then(|()| FrameHead::read(&frame).ok());
    match head.and_then(|head| head.exception) {
        Some(exception) => {
            let mut failure = failure_of(&exception);
            failure.error = failure.error.context(format!("{server} refused the login"));
            Failure::stop(failure.error)
        }
        None => Failure::connection(format!("{server} does not respond to a login like HBase")),
    }
}
