//! SASL login over a socket. Source: `NettyHBaseSaslRpcServerHandler`.
//!
//! ```text
//! client:  length (4 bytes, big-endian) | token
//! server:  0 (4 bytes) | length | token            or nothing after PLAIN's one message
//!          1 (4 bytes) | length | Java class | length | what went wrong          and the end
//! ```

use super::audit::Authority;
use super::turns::Turns;
use super::user::{is_name, Identity, Method};
use crate::sasl::{Acceptor, GssServer, PlainMessage, Protection, Sealed, Step, MAX_ROUNDS, MAX_TOKEN_BYTES};
use crate::server::own_thread::wait_for;
use rowstone_model::{Error, ErrorKind};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Exception class of failed logins, known to Java clients.
const SASL_EXCEPTION: &str = "javax.security.sasl.SaslException";
/// Password checks, of which two run at once. Each takes about 30 MiB and a tenth of a second.
static PASSWORD_CHECKS: Turns = Turns::new(2);

/// SASL mechanism.
pub(in crate::server) enum Mechanism {
    Plain(Arc<dyn Authority>),
    Kerberos(Arc<dyn Acceptor>, Vec<Protection>),
}

/// A successful login: the client's identity, and the protection of the bytes that follow.
pub(in crate::server) struct LoggedIn {
    pub identity: Identity,
    pub sealed: Option<Sealed>,
}

/// A refused login.
pub(in crate::server) struct Refused {
    /// The user that the client claimed to be, as far as it was read.
    pub attempted: String,
    pub reason: String,
}

fn refused(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::AccessDenied, what)
}

/// Reads the next token. Lengths above a limit are rejected.
pub(in crate::server) async fn read_token(socket: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Vec<u8>> {
    let length = socket.read_u32().await? as usize;
    if length > MAX_TOKEN_BYTES {
        let message = format!("a token of {length} bytes exceeds the limit of {MAX_TOKEN_BYTES}");
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, message));
    }
    let mut token = vec![0; length];
    socket.read_exact(&mut token).await?;
    Ok(token)
}

async fn send_token(socket: &mut (impl AsyncWrite + Unpin), token: &[u8]) -> std::io::Result<()> {
    let mut frame = 0u32.to_be_bytes().to_vec();
    frame.extend_from_slice(&(token.len() as u32).to_be_bytes());
    frame.extend_from_slice(token);
    socket.write_all(&frame).await?;
    socket.flush().await
}

/// Sends a refusal. Java's reader requires a message of at least one byte.
async fn send_refusal(socket: &mut (impl AsyncWrite + Unpin), reason: &str) -> std::io::Result<()> {
    let mut frame = 1u32.to_be_bytes().to_vec();
    for text in [SASL_EXCEPTION, if reason.is_empty() { "refused" } else { reason }] {
        frame.extend_from_slice(&(text.len() as u32).to_be_bytes());
        frame.extend_from_slice(text.as_bytes());
    }
    socket.write_all(&frame).await?;
    socket.flush().await
}

/// Authenticates the client at `address` by `mechanism`. The client receives a short reason for a failure; the full reason goes to
/// the server's log.
pub(in crate::server) async fn log_in<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut S,
    mechanism: Mechanism,
    address: IpAddr,
) -> std::io::Result<std::result::Result<LoggedIn, Refused>> {
    let (told, outcome) = match mechanism {
        Mechanism::Plain(authority) => {
            ("PLAIN auth failed: wrong name or password", plain(socket, authority, address).await)
        }
        Mechanism::Kerberos(acceptor, protections) => {
            ("GSS initiate failed", kerberos(socket, acceptor, protections).await)
        }
    };
    match outcome {
        Ok(logged_in) => Ok(Ok(logged_in)),
        Err(Failed::Gone(error)) if error.kind() != std::io::ErrorKind::InvalidData => Err(error),
        Err(Failed::Gone(error)) => {
            send_refusal(socket, &error.to_string()).await?;
            Ok(Err(Refused { attempted: String::new(), reason: error.to_string() }))
        }
        Err(Failed::Refused(attempted, error)) => {
            send_refusal(socket, told).await?;
            Ok(Err(Refused { attempted, reason: error.message().to_string() }))
        }
    }
}

/// Cause of a failed login: an I/O error, or the client's tokens.
enum Failed {
    Gone(std::io::Error),
    Refused(String, Error),
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Self {
        Failed::Gone(error)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Failed::Refused(String::new(), error)
    }
}

/// Returns the user whose password is in `message`. A password that was checked recently waits for no other check.
async fn found_user(
    authority: &Arc<dyn Authority>,
    message: &Arc<PlainMessage>,
    address: IpAddr,
) -> rowstone_model::Result<Option<String>> {
    let recalled =
        ask(authority, message, |authority, PlainMessage { user, password }| authority.recall_password(user, password));
    if let Some(user) = recalled.await? {
        return Ok(Some(user));
    }
    let turn = PASSWORD_CHECKS.wait(address).await;
    let checked =
        ask(authority, message, |authority, PlainMessage { user, password }| authority.check_password(user, password));
    let found = checked.await;
    drop(turn);
    found
}

type Question = fn(&dyn Authority, &PlainMessage) -> rowstone_model::Result<Option<String>>;

/// Asks the authority on a thread that may block.
async fn ask(
    authority: &Arc<dyn Authority>,
    message: &Arc<PlainMessage>,
    question: Question,
) -> rowstone_model::Result<Option<String>> {
    let (authority, message) = (Arc::clone(authority), Arc::clone(message));
    let answered = tokio::task::spawn_blocking(move || question(&*authority, &message)).await;
    answered.unwrap_or_else(|_| Err(Error::internal("the password check failed unexpectedly")))
}

async fn plain<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut S,
    authority: Arc<dyn Authority>,
    address: IpAddr,
) -> std::result::Result<LoggedIn, Failed> {
    let message = Arc::new(PlainMessage::decode(&read_token(socket).await?)?);
    let attempted: String = message.user.chars().filter(|letter| !letter.is_control()).take(64).collect();
    match found_user(&authority, &message, address).await {
        Ok(Some(name)) if is_name(&name) => {
            Ok(LoggedIn { identity: Identity::new(name, Method::Password), sealed: None })
        }
        Ok(_) => Err(Failed::Refused(attempted, refused("wrong name or password"))),
        Err(error) => Err(Failed::Refused(attempted, error)),
    }
}

async fn kerberos<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut S,
    acceptor: Arc<dyn Acceptor>,
    protections: Vec<Protection>,
) -> std::result::Result<LoggedIn, Failed> {
    let context = wait_for(|| acceptor.accept())?;
    let mut server = GssServer::new(context, protections);
    for _ in 0..MAX_ROUNDS {
        let token = read_token(socket).await?;
        // The library only reads files: the keytab and the replay cache.
        match wait_for(|| server.answer(&token))? {
            Step::Send(next) => send_token(socket, &next).await?,
            Step::Done(last) => {
                if let Some(last) = last {
                    send_token(socket, &last).await?;
                }
                let (principal, sealed) = wait_for(|| server.finish())?;
                let realm = acceptor.principal().rsplit_once('@').map_or("", |parts| parts.1);
                let foreign = refused(format!("{principal} is not of our realm {realm}"));
                return match Identity::of_principal(principal.clone(), realm) {
                    Some(identity) => Ok(LoggedIn { identity, sealed }),
                    None => Err(Failed::Refused(principal, foreign)),
                };
            }
        }
    }
    Err(Failed::Refused(String::new(), refused(format!("a login of more than {MAX_ROUNDS} rounds"))))
}
