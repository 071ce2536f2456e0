//! The beginning of a connection: what it wants, for whom, how it writes cells. Source: `ServerRpcConnection`.

use super::exception::Exception;
use super::here::Here;
use super::measures::count;
use super::session::{Codec, Service, Session};
use super::state::State;
use crate::proto;
use crate::wire::{encode_answer, encode_exception, Compressor};
use prost::Message;
use std::io::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Number of the connection itself, where an answer needs one.
pub(super) const CONNECTION_CALL: u32 = u32::MAX;
/// Longer headers are not believed.
const MAX_HEADER_BYTES: u32 = 64 << 10;
const SIMPLE: u8 = 80;
const CODECS: [(&str, bool); 2] = [
    ("org.apache.hadoop.hbase.codec.KeyValueCodec", false),
    ("org.apache.hadoop.hbase.codec.KeyValueCodecWithTags", true),
];

async fn refuse(socket: &mut (impl AsyncWrite + Unpin), exception: Exception) -> Result<()> {
    socket.write_all(&encode_exception(CONNECTION_CALL, &exception.to_wire())).await
}

/// Greets a client; `None` where it wanted no more than an answer, or got one that ends the connection.
pub(super) async fn greet<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut S,
    state: &Arc<State>,
    here: Here,
    client: SocketAddr,
) -> Result<Option<Session>> {
    if !read_preamble(socket, state).await? {
        return Ok(None);
    }
    let length = socket.read_u32().await?;
    if length > MAX_HEADER_BYTES {
        let message = format!("a connection header of {length} bytes");
        refuse(socket, Exception::last("ipc.FatalConnectionException", message)).await?;
        return Ok(None);
    }
    let mut bytes = vec![0; length as usize];
    socket.read_exact(&mut bytes).await?;
    match read_header(&bytes) {
        Ok(Greeting { user, service, codec }) => {
            // As HBase's simple authentication: who says who he is, is believed.
            match Session::new(Arc::clone(state), here, client, user, service, codec) {
                Ok(session) => {
                    count(&state.measures.authorization_successes);
                    Ok(Some(session))
                }
                Err(error) => {
                    refuse(socket, error.into()).await?;
                    Ok(None)
                }
            }
        }
        Err(exception) => {
            refuse(socket, exception).await?;
            Ok(None)
        }
    }
}

/// Reads six bytes, twice where the first ask who we are; whether a header follows.
async fn read_preamble<S: AsyncRead + AsyncWrite + Unpin>(socket: &mut S, state: &State) -> Result<bool> {
    let mut preamble = [0; 6];
    socket.read_exact(&mut preamble).await?;
    if &preamble == b"Regist" {
        let message = proto::GetConnectionRegistryResponse { cluster_id: state.cluster_id.clone() };
        let (frame, _) = encode_answer(CONNECTION_CALL, &message.encode_to_vec(), &[]);
        socket.write_all(&frame).await?;
        return Ok(false);
    }
    if &preamble == b"Securi" {
        refuse(socket, Exception::last("ipc.SecurityNotEnabledException", "security is not enabled")).await?;
        socket.read_exact(&mut preamble).await?;
    }
    let exception = match &preamble {
        [b'H', b'B', b'a', b's', 0, SIMPLE] => return Ok(true),
        [b'H', b'B', b'a', b's', 0, code] => {
            count(&state.measures.authentication_failures);
            Exception::last("ipc.BadAuthException", format!("serverVersion=0, clientVersion=0, authMethod={code}"))
        }
        [b'H', b'B', b'a', b's', version, _] => {
            Exception::last("ipc.WrongVersionException", format!("serverVersion=0, clientVersion={version}"))
        }
        other => {
            let message = format!("Expected HEADER=HBas but received HEADER={}", String::from_utf8_lossy(&other[..4]));
            Exception::last("ipc.FatalConnectionException", message)
        }
    };
    refuse(socket, exception).await?;
    Ok(false)
}

/// What a client says of itself.
struct Greeting {
    user: String,
    service: Service,
    codec: Codec,
}

fn read_header(bytes: &[u8]) -> std::result::Result<Greeting, Exception> {
    let header = proto::ConnectionHeader::decode(bytes)
        .map_err(|_| Exception::last("ipc.FatalConnectionException", "a connection header that cannot be read"))?;
    let name = header.service_name.unwrap_or_default();
    let service = Service::parse(&name).ok_or_else(|| Exception::last("ipc.UnknownServiceException", name.clone()))?;
    let mut codec = Codec::default();
    if let Some(class) = header.cell_block_codec_class.filter(|class| !class.is_empty()) {
        let known = CODECS.iter().find(|known| known.0 == class);
        let (_, has_tags) = known.ok_or_else(|| Exception::last("ipc.UnsupportedCellCodecException", class.clone()))?;
        let has_version = header.version_info.is_some();
        codec = Codec { has_blocks: true, has_blocks_for_gets: has_version, has_tags: *has_tags, compressor: None };
    }
    if let Some(class) = header.cell_block_compressor_class.filter(|class| !class.is_empty()) {
        let known = Compressor::from_class(&class);
        let refused = || Exception::last("ipc.UnsupportedCompressionCodecException", class.clone());
        codec.compressor = Some(known.ok_or_else(refused)?);
    }
    let user = header.user_info.map(|user| user.effective_user).unwrap_or_default();
    Ok(Greeting { user, service, codec })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn header(service: &str, codec: Option<&str>) -> Vec<u8> {
        proto::ConnectionHeader {
            service_name: Some(service.into()),
            cell_block_codec_class: codec.map(str::to_string),
            ..proto::ConnectionHeader::default()
        }
        .encode_to_vec()
    }

    #[test]
    fn a_client_without_version_gets_the_cells_of_gets_in_the_message() {
        let Greeting { service, codec, .. } = read_header(&header("ClientService", Some(CODECS[0].0))).unwrap();
        assert_eq!(service, Service::Client);
        assert!(codec.has_blocks && !codec.has_blocks_for_gets && !codec.has_tags);
    }

    #[test]
    fn what_is_unknown_is_refused_by_its_name() {
        let class = |bytes: &[u8]| read_header(bytes).err().unwrap().class;
        assert!(class(&header("Nobody", None)).ends_with("UnknownServiceException"));
        assert!(class(&header("ClientService", Some("Own"))).ends_with("UnsupportedCellCodecException"));
        assert!(class(b"\xff\xff").ends_with("FatalConnectionException"));
    }
}
