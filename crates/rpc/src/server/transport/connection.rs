//! One connection: handshake, then reading and answering of calls.

use crate::server::advertised_name::AdvertisedName;
use crate::server::authentication::Peer;
use crate::server::session::Session;
use crate::server::state::State;
use crate::server::tls::Way;
use crate::server::transport::answers::Answers;
use crate::server::transport::handshake::{greet, meet, Met};
use crate::server::transport::limits::Limits;
use crate::server::transport::reading::Reading;
use crate::server::transport::sealed::{unsealed, MORE_BYTES};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Time for a rejected client to read the reason, and the interval at which its input is drained meanwhile.
const LAST_WORDS: Duration = Duration::from_secs(1);
const LAST_READS: usize = 64;

/// Serves a client until it disconnects or is dropped.
pub(in crate::server) async fn serve(socket: TcpStream, state: Arc<State>, limits: Arc<Limits>) {
    let _ = socket.set_nodelay(true);
    let (Ok(local), Ok(remote)) = (socket.local_addr(), socket.peer_addr()) else { return };
    let mut client = Client {
        advertised: state.advertised_name(local),
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

/// A client during the handshake.
struct Client {
    state: Arc<State>,
    limits: Arc<Limits>,
    advertised: AdvertisedName,
    peer: Peer,
}

impl Client {
    /// Authenticates the client; `None` if the connection ends there.
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

    /// Serves an authenticated client, whose bytes may be wrapped by SASL.
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
        let place = (&self.state, self.advertised.clone(), &self.peer);
        match timeout(patience, greet(&mut reader, &mut writer, place, met)).await {
            Ok(Ok(Some(session))) => converse(reader, writer, session, self.limits).await,
            _ => {
                let _ = timeout(patience, writer.shutdown()).await;
                pass_over(&mut reader).await;
            }
        }
    }
}

/// Drains the remaining input of a rejected client. With unread input, the operating system would reset the
/// connection and discard the answer with the reason.
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
    let answers = Arc::new(Answers::new(writer, Arc::clone(&session.state)));
    let reading = tokio::spawn(Reading::new(session, Arc::clone(&answers), limits).read_all(reader));
    answers.ends_with(reading.abort_handle());
    let _ = reading.await;
}
