//! The registry in ZooKeeper: a session per query, in which nodes are read. Source: `ZKConnectionRegistry`.

use super::jute::{ConnectResponse, Reply, Request};
use super::Registry;
use crate::connection::{Dialer, Server, Servers};
use crate::failure::{Deadline, Failure, Remedy};
use crate::proto;
use prost::Message;
use rowstone_model::ErrorKind;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

/// Maximum size of a reply. Replies are small: nodes contain a server's name.
const MAX_REPLY_BYTES: usize = 1 << 20;
/// ZooKeeper's error code for a node that does not exist.
const NO_NODE: i32 = -101;

/// Asks a ZooKeeper quorum.
pub struct ZooKeeperRegistry {
    servers: Arc<Servers>,
    quorum: Vec<(String, u16)>,
    parent: String,
}

impl ZooKeeperRegistry {
    /// Creates a registry for the cluster below the node `parent`.
    pub fn new(servers: Arc<Servers>, quorum: Vec<(String, u16)>, parent: String) -> Self {
        ZooKeeperRegistry { servers, quorum, parent }
    }

    /// The message in the node `name`, from the first member of the quorum that answers.
    fn read<M: Message + Default>(&self, name: &str, deadline: Deadline) -> Result<M, Failure> {
        let path = format!("{}/{name}", self.parent.trim_end_matches('/'));
        let mut last = Failure::connection("no ZooKeeper server was named");
        let count = self.quorum.len();
        for (index, (host, port)) in self.quorum.iter().enumerate() {
            let share = deadline.at_most(deadline.remaining() / u32::try_from(count - index).unwrap_or(1));
            match read_node(self.servers.dialer(), (host, *port), &path, share) {
                Ok(Some(bytes)) => return self.message(&bytes, &path),
                Ok(None) => last = self.no_node(&path),
                Err(failure) => last = failure,
            }
        }
        Err(last)
    }

    fn message<M: Message + Default>(&self, bytes: &[u8], path: &str) -> Result<M, Failure> {
        unwrapped(bytes)
            .ok_or_else(|| Failure::connection(format!("ZooKeeper's node {path} does not contain HBase's data")))
    }

    fn no_node(&self, path: &str) -> Failure {
        Failure::connection(format!(
            "ZooKeeper has no node {path}: is the parent '{}' right, and the cluster up?",
            self.parent
        ))
    }

    fn server(&self, name: proto::ServerName) -> Arc<Server> {
        let port = name.port.and_then(|port| u16::try_from(port).ok()).unwrap_or(0);
        self.servers.get(&name.host_name, port)
    }
}

/// Decodes the message after `0xFF | u32 length | origin | PBUF`.
fn unwrapped<M: Message + Default>(bytes: &[u8]) -> Option<M> {
    let rest = bytes.strip_prefix(&[0xff])?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    proto::stored(rest.get(u32::from_be_bytes(*length) as usize..)?)
}

impl Registry for ZooKeeperRegistry {
    fn cluster_id(&self, deadline: Deadline) -> Result<String, Failure> {
        self.read::<proto::ClusterId>("hbaseid", deadline).map(|id| id.cluster_id)
    }

    fn active_master(&self, deadline: Deadline) -> Result<Arc<Server>, Failure> {
        self.read::<proto::Master>("master", deadline).map(|node| self.server(node.master))
    }

    fn meta_server(&self, deadline: Deadline) -> Result<(Arc<Server>, String), Failure> {
        let node: proto::MetaRegionServer = self.read("meta-region-server", deadline)?;
        let name = node.server.full_name();
        Ok((self.server(node.server), name))
    }
}

/// Reads the node at `path`; `None` if it does not exist.
fn read_node(
    dialer: &Dialer,
    (host, port): (&str, u16),
    path: &str,
    deadline: Deadline,
) -> Result<Option<Vec<u8>>, Failure> {
    let mut socket = dialer.socket(host, port, deadline)?;
    let broken = |error: std::io::Error| Failure {
        remedy: Remedy::Again,
        ..Failure::connection(format!("the connection to ZooKeeper at {host}:{port} broke: {error}"))
    };
    let mut ask = |request: Request<'_>| -> std::io::Result<Vec<u8>> {
        let left = deadline.remaining().max(std::time::Duration::from_millis(1));
        socket.set_read_timeout(Some(left))?;
        socket.set_write_timeout(Some(left))?;
        socket.write_all(&request.encode())?;
        read_reply(&mut socket)
    };
    let strange = |_| Failure::connection(format!("{host}:{port} does not respond like ZooKeeper"));
    let hello = ask(Request::Connect).map_err(broken)?;
    ConnectResponse::read(&hello).map_err(strange)?;
    let reply = ask(Request::GetData(path)).map_err(broken)?;
    let reply = Reply::read(&reply).map_err(strange)?;
    // The response is not needed.
    let _ = socket.write_all(&Request::Close.encode());
    match reply.error {
        0 => Ok(Some(reply.data.to_vec())),
        NO_NODE => Ok(None),
        other => {
            let message = format!("ZooKeeper at {host}:{port} refused to read {path}: error {other}");
            let error = rowstone_model::Error::new(ErrorKind::ConnectionFailed, message);
            Err(Failure { error, remedy: Remedy::Again })
        }
    }
}

fn read_reply(socket: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX_REPLY_BYTES {
        let message = format!("a reply of {length} bytes was announced");
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, message));
    }
    let mut reply = vec![0; length];
    socket.read_exact(&mut reply)?;
    Ok(reply)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_its_origin_in_front() {
        let id = proto::ClusterId { cluster_id: "17".into() };
        let mut bytes = vec![0xff, 0, 0, 0, 3, b'a', b'b', b'c'];
        bytes.extend_from_slice(b"PBUF");
        bytes.extend(id.encode_to_vec());
        assert_eq!(unwrapped::<proto::ClusterId>(&bytes), Some(id));
        for end in 0..12 {
            assert_eq!(unwrapped::<proto::ClusterId>(&bytes[..end]), None, "{end}");
        }
        bytes[1] = 0xff;
        assert_eq!(unwrapped::<proto::ClusterId>(&bytes), None);
    }
}
