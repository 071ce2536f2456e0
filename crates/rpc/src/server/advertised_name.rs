//! The host name and port that the server announces to a client: in the regions' locations, on the ZooKeeper port
//! and as the master's address.
//!
//! A client receives the address that it connected to, unless `--advertised` names another host. That address also
//! works through tunnels and from outside a container.

use crate::proto;
use std::net::SocketAddr;

/// The server's name as one client sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AdvertisedName {
    /// Host.
    pub host: String,
    /// Port of the RPC.
    pub port: u16,
    /// Start time; it differs after a restart, as in HBase.
    pub start_code: u64,
}

impl AdvertisedName {
    /// Creates the name from `local`, the server's end of a connection.
    pub fn new(advertised: Option<&str>, local: SocketAddr, port: u16, start_code: u64) -> Self {
        let host = advertised.map_or_else(|| local.ip().to_canonical().to_string(), str::to_string);
        AdvertisedName { host, port, start_code }
    }

    /// Converts the name to a message.
    pub fn to_message(&self) -> proto::ServerName {
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

impl std::fmt::Display for AdvertisedName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{},{}", self.host, self.port, self.start_code)
    }
}
