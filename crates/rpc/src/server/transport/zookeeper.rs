//! The part of ZooKeeper that HBase clients need: a session, three readable nodes, and watches that never fire
//! because nothing changes.

use crate::proto;
use crate::server::advertised_name::AdvertisedName;
use crate::server::identifiers::random_number;
use crate::server::services::meta;
use crate::server::state::State;
use prost::Message;
use rowstone_model::codec::{Reader, Short};
use std::io::Result;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Maximum size of a request. Requests name a few paths at most.
const MAX_REQUEST_BYTES: usize = 64 << 10;
const PARENT: &str = "/hbase";
const NODES: [&str; 3] = ["hbaseid", "master", "meta-region-server"];
const SESSION_MS: (i32, i32) = (1_000, 120_000);

const CLOSE: i32 = -11;
const EXISTS: i32 = 3;
const GET_DATA: i32 = 4;
const GET_CHILDREN: i32 = 8;
const PING: i32 = 11;
const GET_CHILDREN_2: i32 = 12;
const AUTH: i32 = 100;
const SET_WATCHES: i32 = 101;
const SET_WATCHES_2: i32 = 105;

const NO_NODE: i32 = -101;
const UNIMPLEMENTED: i32 = -6;

/// Serves a client until it closes its session or disconnects.
pub(in crate::server) async fn serve(socket: TcpStream, state: Arc<State>) {
    let _ = talk(socket, &state).await;
}

async fn talk(mut socket: TcpStream, state: &State) -> Result<()> {
    let advertised = state.advertised_name(socket.local_addr()?);
    let patience = state.options.patience;
    let strange = |_: Short| std::io::Error::from(std::io::ErrorKind::InvalidData);
    let Ok(first) = timeout(patience, read(&mut socket)).await else { return Ok(()) };
    let hello = match first? {
        Incoming::Word(word) => return socket.write_all(answer_word(&word)).await,
        Incoming::Body(body) => body,
    };
    let (timeout_ms, has_flag) = read_hello(&hello).map_err(strange)?;
    let id = random_number().unwrap_or(1) as i64;
    write(&mut socket, &hello_back(id, timeout_ms, has_flag)).await?;
    // A session lives as long as its client sends pings.
    let life = std::time::Duration::from_millis(timeout_ms.unsigned_abs().into());
    loop {
        let Ok(request) = timeout(life, read(&mut socket)).await else { return Ok(()) };
        let Incoming::Body(request) = request? else { return Ok(()) };
        let mut reader = Reader::new(&request);
        let xid = reader.i32().map_err(strange)?;
        let operation = reader.i32().map_err(strange)?;
        let reply = answer(operation, &mut reader, &advertised, state).map_err(strange)?;
        let mut body = xid.to_be_bytes().to_vec();
        body.extend_from_slice(&1i64.to_be_bytes());
        match reply {
            Ok(content) => {
                body.extend_from_slice(&0i32.to_be_bytes());
                body.extend_from_slice(&content);
            }
            Err(code) => body.extend_from_slice(&code.to_be_bytes()),
        }
        write(&mut socket, &body).await?;
        if operation == CLOSE {
            return Ok(());
        }
    }
}

/// A message, or one of ZooKeeper's four-letter words.
enum Incoming {
    Word([u8; 4]),
    Body(Vec<u8>),
}

async fn read(socket: &mut TcpStream) -> Result<Incoming> {
    let mut length = [0; 4];
    socket.read_exact(&mut length).await?;
    if length.iter().all(u8::is_ascii_lowercase) {
        return Ok(Incoming::Word(length));
    }
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX_REQUEST_BYTES {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await?;
    Ok(Incoming::Body(body))
}

async fn write(socket: &mut TcpStream, body: &[u8]) -> Result<()> {
    let mut message = (body.len() as u32).to_be_bytes().to_vec();
    message.extend_from_slice(body);
    socket.write_all(&message).await
}

fn answer_word(word: &[u8; 4]) -> &'static [u8] {
    match word {
        b"ruok" => b"imok",
        b"srvr" => b"Zookeeper version: 3.8.4\nMode: standalone\n",
        _ => b"",
    }
}

/// Decodes the connect request: the session timeout in milliseconds, and whether the client supports read-only
/// sessions.
fn read_hello(bytes: &[u8]) -> std::result::Result<(i32, bool), Short> {
    let mut reader = Reader::new(bytes);
    // Skip the protocol version and the last seen zxid.
    reader.take(4 + 8)?;
    let timeout_ms = reader.i32()?.clamp(SESSION_MS.0, SESSION_MS.1);
    reader.take(8)?;
    let length = usize::try_from(reader.i32()?).unwrap_or(0);
    reader.take(length)?;
    Ok((timeout_ms, !reader.is_empty()))
}

fn hello_back(session: i64, timeout_ms: i32, has_flag: bool) -> Vec<u8> {
    let mut body = 0i32.to_be_bytes().to_vec();
    body.extend_from_slice(&timeout_ms.to_be_bytes());
    body.extend_from_slice(&session.to_be_bytes());
    put_bytes(&mut body, &[0; 16]);
    if has_flag {
        body.push(0);
    }
    body
}

type Reply = std::result::Result<Vec<u8>, i32>;

fn answer(
    operation: i32,
    request: &mut Reader<'_>,
    advertised: &AdvertisedName,
    state: &State,
) -> std::result::Result<Reply, Short> {
    Ok(match operation {
        PING | AUTH | CLOSE | SET_WATCHES | SET_WATCHES_2 => Ok(Vec::new()),
        EXISTS | GET_DATA | GET_CHILDREN | GET_CHILDREN_2 => {
            let length = usize::try_from(request.i32()?).unwrap_or(0);
            let path = String::from_utf8_lossy(request.take(length)?).into_owned();
            read_node(operation, &path, advertised, state)
        }
        _ => Err(UNIMPLEMENTED),
    })
}

fn read_node(operation: i32, path: &str, advertised: &AdvertisedName, state: &State) -> Reply {
    let data = match path {
        PARENT => Vec::new(),
        _ => path
            .strip_prefix(PARENT)
            .and_then(|rest| rest.strip_prefix('/'))
            .and_then(|name| node(name, advertised, state))
            .ok_or(NO_NODE)?,
    };
    let children: &[&str] = if path == PARENT { &NODES } else { &[] };
    let mut reply = Vec::new();
    match operation {
        GET_DATA => put_bytes(&mut reply, &data),
        GET_CHILDREN | GET_CHILDREN_2 => {
            reply.extend_from_slice(&(children.len() as u32).to_be_bytes());
            children.iter().for_each(|child| put_bytes(&mut reply, child.as_bytes()));
        }
        _ => {}
    }
    if operation != GET_CHILDREN {
        put_stat(&mut reply, data.len(), children.len());
    }
    Ok(reply)
}

/// Returns the content of the node `name`.
fn node(name: &str, advertised: &AdvertisedName, state: &State) -> Option<Vec<u8>> {
    let message = match name {
        "hbaseid" => proto::ClusterId { cluster_id: state.cluster_id.clone() }.encode_to_vec(),
        "master" => {
            let info_port = Some(state.info_port.load(Ordering::Relaxed).into());
            proto::Master { master: advertised.to_message(), rpc_version: Some(0), info_port }.encode_to_vec()
        }
        "meta-region-server" => meta::region_server(advertised),
        _ => return None,
    };
    // Clients require an origin of at least one byte.
    let origin = advertised.to_string();
    let mut data = vec![0xff];
    put_bytes(&mut data, origin.as_bytes());
    data.extend_from_slice(b"PBUF");
    data.extend(message);
    Some(data)
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
    out.extend_from_slice(bytes);
}

/// Writes a node's stat: zxids, times, versions, owner and sizes, 68 bytes.
fn put_stat(out: &mut Vec<u8>, data: usize, children: usize) {
    out.extend_from_slice(&[0; 8 * 4 + 4 * 3 + 8]);
    out.extend_from_slice(&(data as u32).to_be_bytes());
    out.extend_from_slice(&(children as u32).to_be_bytes());
    out.extend_from_slice(&[0; 8]);
}
