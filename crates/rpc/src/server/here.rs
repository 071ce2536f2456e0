//! The server's name. A client receives the address that it connected to, unless another name is configured. That
//! address also works through tunnels and from outside a container.

use crate::proto;
use std::net::SocketAddr;

/// The server's name as one client sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Here {
    /// Host.
    pub host: String,
    /// Port of the RPC.
    pub port: u16,
    /// Start time; it differs after a restart, as in HBase.
    pub start_code: u64,
}

impl Here {
    /// Creates the name from `local`, the server's end of a connection.
    pub fn new(advertised: Option<&str>, local: SocketAddr, port: u16, start_code: u64) -> Self {
        let host = advertised.map_or_else(|| local.ip().to_canonical().to_string(), str::to_string);
        Here { host, port, start_code }
    }

    /// Converts the name to a message.
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
