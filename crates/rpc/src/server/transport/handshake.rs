//! The start of a connection: authentication, then the connection header with the service, the user and the codec.
//! Source: `ServerRpcConnection`.

use crate::proto;
use crate::sasl::{Sealed, SWITCH_TO_SIMPLE};
use crate::server::advertised_name::AdvertisedName;
use crate::server::authentication::{
    log_in, read_token, user_of, AuditEvent, Authority, Identity, LoggedIn, Mechanism, Method, Peer, Refused, Way,
};
use crate::server::ledgers::measures::count;
use crate::server::messages::cells::Codec;
use crate::server::messages::exception::Exception;
use crate::server::messages::service::Service;
use crate::server::own_thread::wait_for;
use crate::server::session::Session;
use crate::server::state::State;
use crate::wire::{encode_answer, encode_exception, Compressor};
use prost::Message;
use rowstone_model::codec::printable;
use std::io::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Call ID of answers about the connection itself.
pub(in crate::server) const CONNECTION_CALL: u32 = u32::MAX;
/// Maximum length of a connection header.
const MAX_HEADER_BYTES: u32 = 64 << 10;
const CODECS: [(&str, bool); 2] = [
    ("org.apache.hadoop.hbase.codec.KeyValueCodec", false),
    ("org.apache.hadoop.hbase.codec.KeyValueCodecWithTags", true),
];

/// An authenticated client whose connection header is not yet read.
pub(in crate::server) struct Met {
    /// The proven identity; `None` if only the header names the user.
    identity: Option<Identity>,
    /// SASL protection of the bytes from here on.
    pub sealed: Option<Arc<Sealed>>,
}

async fn refuse(socket: &mut (impl AsyncWrite + Unpin), exception: Exception) -> Result<()> {
    socket.write_all(&encode_exception(CONNECTION_CALL, &exception.to_wire())).await?;
    socket.flush().await
}

/// Authenticates a client. `None` if it only wanted an answer, or if the connection ended with a refusal.
pub(in crate::server) async fn meet<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut S,
    state: &State,
    peer: &Peer,
) -> Result<Option<Met>> {
    let Some(way) = read_preamble(socket, state, peer).await? else { return Ok(None) };
    let options = &state.options.authentication;
    let (method, mechanism) = match way {
        Way::Simple => return Ok(Some(Met { identity: None, sealed: None })),
        Way::Certificate(name) => {
            return Ok(Some(Met { identity: Some(Identity::new(name, Method::Certificate)), sealed: None }))
        }
        Way::Fallback => {
            fall_back(socket).await?;
            count(&state.measures.authentication_fallbacks);
            return Ok(Some(Met { identity: None, sealed: None }));
        }
        Way::Plain(authority) => (Method::Password, Mechanism::Plain(authority)),
        Way::Kerberos(acceptor) => (Method::Kerberos, Mechanism::Kerberos(acceptor, options.protections.clone())),
    };
    match log_in(socket, mechanism, peer.address).await? {
        Ok(LoggedIn { identity, sealed }) => Ok(Some(Met { identity: Some(identity), sealed: sealed.map(Arc::new) })),
        Err(Refused { attempted, reason }) => {
            note_failure(state, peer, method, attempted, reason);
            Ok(None)
        }
    }
}

fn note_failure(state: &State, peer: &Peer, method: Method, user: String, reason: String) {
    count(&state.measures.authentication_failures);
    state.audit(AuditEvent { is_success: false, method, user, real_user: None, address: peer.address, reason });
}

/// Tells a client that wants SASL to fall back to SIMPLE, and skips the token that it has already sent.
async fn fall_back<S: AsyncRead + AsyncWrite + Unpin>(socket: &mut S) -> Result<()> {
    let mut answer = 0u32.to_be_bytes().to_vec();
    answer.extend_from_slice(&SWITCH_TO_SIMPLE.to_be_bytes());
    socket.write_all(&answer).await?;
    socket.flush().await?;
    read_token(socket).await.map(drop)
}

/// Reads the six bytes of the preamble, twice if the first ask for the server's principal. Returns the authentication
/// method.
async fn read_preamble<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut S,
    state: &State,
    peer: &Peer,
) -> Result<Option<Way>> {
    let mut preamble = [0; 6];
    socket.read_exact(&mut preamble).await?;
    if &preamble == b"Regist" {
        let message = proto::GetConnectionRegistryResponse { cluster_id: state.cluster_id.clone() };
        let (frame, _) = encode_answer(CONNECTION_CALL, &message.encode_to_vec(), &[]);
        socket.write_all(&frame).await?;
        socket.flush().await?;
        return Ok(None);
    }
    if &preamble == b"Securi" {
        name_ourselves(socket, state).await?;
        socket.read_exact(&mut preamble).await?;
    }
    let exception = match preamble {
        [b'H', b'B', b'a', b's', 0, byte] => match state.options.authentication.way(byte, peer) {
            Ok(way) => return Ok(Some(way)),
            Err(exception) => {
                let method = Method::of_byte(byte);
                note_failure(state, peer, method, String::new(), exception.message.clone());
                exception
            }
        },
        [b'H', b'B', b'a', b's', version, _] => {
            Exception::last("ipc.WrongVersionException", format!("serverVersion=0, clientVersion={version}"))
        }
        other => {
            let message = format!("Expected HEADER=HBas but received HEADER={}", printable(&other[..4]));
            Exception::last("ipc.FatalConnectionException", message)
        }
    };
    refuse(socket, exception).await?;
    Ok(None)
}

/// Sends the server's principal, for clients that know several of them.
async fn name_ourselves(socket: &mut (impl AsyncWrite + Unpin), state: &State) -> Result<()> {
    let Some(acceptor) = &state.options.authentication.kerberos else {
        return refuse(socket, Exception::last("ipc.SecurityNotEnabledException", "security is not enabled")).await;
    };
    let message = proto::SecurityPreambleResponse { server_principal: acceptor.principal().to_string() };
    let (frame, _) = encode_answer(CONNECTION_CALL, &message.encode_to_vec(), &[]);
    socket.write_all(&frame).await?;
    socket.flush().await
}

/// Reads the connection header. `None` if it was refused; the client already has the error.
pub(in crate::server) async fn greet(
    reader: &mut (impl AsyncRead + Unpin),
    writer: &mut (impl AsyncWrite + Unpin),
    (state, advertised, peer): (&Arc<State>, AdvertisedName, &Peer),
    met: Met,
) -> Result<Option<Session>> {
    let length = reader.read_u32().await?;
    if length > MAX_HEADER_BYTES {
        let message = format!("a connection header of {length} bytes");
        refuse(writer, Exception::last("ipc.FatalConnectionException", message)).await?;
        return Ok(None);
    }
    let mut bytes = vec![0; length as usize];
    reader.read_exact(&mut bytes).await?;
    match begin(&bytes, (state, advertised, peer), met.identity.as_ref()) {
        Ok(session) => Ok(Some(session)),
        Err(exception) => {
            refuse(writer, exception).await?;
            Ok(None)
        }
    }
}

fn begin(
    header: &[u8],
    (state, advertised, peer): (&Arc<State>, AdvertisedName, &Peer),
    identity: Option<&Identity>,
) -> std::result::Result<Session, Exception> {
    let header = proto::ConnectionHeader::decode(header)
        .map_err(|_| Exception::last("ipc.FatalConnectionException", "a connection header that cannot be read"))?;
    let (service, codec) = read_header(&header)?;
    let authority = state.options.authentication.authority.as_deref();
    let find = || user_of(identity, header.user_info.clone(), authority, peer);
    let found = match identity {
        None => find(),
        // This may call the authority.
        Some(_) => wait_for(find),
    };
    let user = found.inspect_err(|exception| {
        count(&state.measures.authorization_failures);
        let said = || header.user_info.as_ref().map(|info| info.effective_user.clone()).unwrap_or_default();
        let user = identity.map_or_else(said, |identity| identity.principal.clone());
        let method = identity.map_or(Method::Simple, |identity| identity.method);
        let (reason, address) = (exception.message.clone(), peer.address);
        state.audit(AuditEvent { is_success: false, method, user, real_user: None, address, reason });
    })?;
    if let Some(identity) = identity {
        count(&state.measures.authentication_successes);
        let (real_user, address, method) = (user.real_user.clone(), peer.address, identity.method);
        let reason = String::new();
        state.audit(AuditEvent { is_success: true, method, user: user.name.clone(), real_user, address, reason });
    }
    let known = |authority: &dyn Authority| authority.groups_of(&user.name);
    let groups = authority.map_or(Ok(Vec::new()), |authority| wait_for(|| known(authority)))?;
    let client = SocketAddr::new(peer.address, peer.port);
    let session = Session::new(Arc::clone(state), advertised, client, (user, groups), (service, codec))?;
    count(&state.measures.authorization_successes);
    Ok(session)
}

fn read_header(header: &proto::ConnectionHeader) -> std::result::Result<(Service, Codec), Exception> {
    let name = header.service_name.clone().unwrap_or_default();
    let service = Service::parse(&name).ok_or_else(|| Exception::last("ipc.UnknownServiceException", name.clone()))?;
    let mut codec = Codec::default();
    if let Some(class) = header.cell_block_codec_class.as_deref().filter(|class| !class.is_empty()) {
        let known = CODECS.iter().find(|known| known.0 == class);
        let (_, has_tags) = known.ok_or_else(|| Exception::last("ipc.UnsupportedCellCodecException", class))?;
        let has_version = header.version_info.is_some();
        codec = Codec { has_blocks: true, has_blocks_for_gets: has_version, has_tags: *has_tags, compressor: None };
    }
    if let Some(class) = header.cell_block_compressor_class.as_deref().filter(|class| !class.is_empty()) {
        let known = Compressor::from_class(class);
        let refused = || Exception::last("ipc.UnsupportedCompressionCodecException", class);
        codec.compressor = Some(known.ok_or_else(refused)?);
    }
    Ok((service, codec))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn header(service: &str, codec: Option<&str>) -> proto::ConnectionHeader {
        proto::ConnectionHeader {
            service_name: Some(service.into()),
            cell_block_codec_class: codec.map(str::to_string),
            ..proto::ConnectionHeader::default()
        }
    }

    #[test]
    fn a_client_without_version_gets_the_cells_of_gets_in_the_message() {
        let (service, codec) = read_header(&header("ClientService", Some(CODECS[0].0))).unwrap();
        assert_eq!(service, Service::Client);
        assert!(codec.has_blocks && !codec.has_blocks_for_gets && !codec.has_tags);
    }

    #[test]
    fn unknown_services_and_codecs_are_refused() {
        let class = |header: &proto::ConnectionHeader| read_header(header).unwrap_err().class;
        assert!(class(&header("Nobody", None)).ends_with("UnknownServiceException"));
        assert!(class(&header("ClientService", Some("Own"))).ends_with("UnsupportedCellCodecException"));
    }
}
