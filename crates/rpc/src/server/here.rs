//! The names under which this server is known. A client is told the address at which it came in, unless the server was told
//! otherwise: that address works, also through tunnels and out of containers.

use crate::proto;
use std::net::SocketAddr;

/// This server as one client sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Here {
    /// Host.
    pub host: String,
    /// Port of the RPC.
    pub port: u16,
    /// When it started: a server that was started again is another one.
    pub start_code: u64,
}

impl Here {
    /// The server at `local`, the server's end of a connection.
    pub fn new(advertised: Option<&str>, local: SocketAddr, port: u16, start_code: u64) -> Self {
        let host = advertised.map_or_else(|| local.ip().to_canonical().to_string(), str::to_string);
        Here { host, port, start_code }
    }

    /// The message.
    pub fn server_name(&self) -> proto::ServerName {
        proto::ServerName {
            host_name: self.host.clone(),
            port: Some(u32::from(self.port)),
            start_code: Some(self.start_code),
        }
    }

    /// `host:port`.
    pub fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

impl std::fmt::Display for Here {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{},{}", self.host, self.port, self.start_code)
    }
}
