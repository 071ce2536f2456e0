//! A cluster as its master knows it, and calls of its services.

use super::unsupported;
use crate::error::{Error, ErrorKind, Result};

/// A region server as the master knows it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ServerStatus {
    /// `host,port,startcode`.
    pub name: String,
    /// Number of regions it serves.
    pub region_count: u64,
    /// Requests per second in its last report.
    pub requests_per_second: u64,
    /// Heap used and maximum heap, in bytes.
    pub heap_bytes: (u64, u64),
    /// Number of store files of its regions.
    pub store_files: u64,
    /// Their size in bytes, rounded to mebibytes.
    pub store_file_bytes: u64,
    /// Memstore size in bytes, rounded to mebibytes.
    pub memstore_bytes: u64,
}

/// A cluster as its master knows it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClusterStatus {
    /// Version of HBase.
    pub hbase_version: String,
    /// The cluster's id.
    pub cluster_id: String,
    /// The active master, `host,port,startcode`.
    pub master: String,
    /// Standby masters.
    pub backup_masters: Vec<String>,
    /// Live servers.
    pub servers: Vec<ServerStatus>,
    /// Dead servers.
    pub dead_servers: Vec<String>,
    /// Encoded names of regions in transition.
    pub regions_in_transition: Vec<String>,
    /// Whether the balancer is enabled.
    pub is_balancer_on: bool,
}

/// A cluster as its master knows it, and calls of its services.
pub trait ClusterAdmin: Send + Sync {
    /// Servers and regions as the master knows them.
    fn cluster_status(&self) -> Result<ClusterStatus> {
        unsupported("report the state of a cluster")
    }
    /// Enables or disables the balancer; returns its previous state.
    fn set_balancer(&self, _on: bool) -> Result<bool> {
        unsupported("enable or disable the balancer")
    }
    /// Runs the balancer; returns whether it ran.
    fn balance(&self) -> Result<bool> {
        unsupported("balance")
    }
    /// Calls `method` of a cluster's service: of the region server `host,port,startcode`, or of the server that is
    /// responsible. Request and response are JSON. If the call starts a procedure, it returns when that has finished.
    fn call_service(&self, service: &str, method: &str, _server: Option<&str>, _request: &str) -> Result<String> {
        Err(Error::new(
            ErrorKind::Unsupported,
            format!(
                "cannot call {method} of HBase's {service}: only a cluster has servers, and this database is a \
                 directory or in memory"
            ),
        ))
    }
    /// Encodes the JSON text of message `kind` as bytes, for embedding in another message.
    fn encoded_message(&self, kind: &str, _text: &str) -> Result<Vec<u8>> {
        unsupported(&format!("encode a {kind}"))
    }
    /// Decodes message `kind`, which a cluster stored in a cell, to JSON.
    fn stored_message(&self, kind: &str, _bytes: &[u8]) -> Result<String> {
        unsupported(&format!("read a stored {kind}"))
    }
}
