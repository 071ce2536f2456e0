//! Locating the cluster: its id, its active master, and the server of `hbase:meta`.

mod jute;
mod rpc;
mod zookeeper;

pub use rpc::RpcRegistry;
pub use zookeeper::ZooKeeperRegistry;

use crate::connection::Server;
use crate::failure::{Deadline, Failure};
use std::sync::Arc;

/// A source for the cluster's location. Callers ask again when an answer turns out to be stale.
pub trait Registry: Send + Sync {
    /// The cluster's id.
    fn cluster_id(&self, deadline: Deadline) -> Result<String, Failure>;
    /// The active master.
    fn active_master(&self, deadline: Deadline) -> Result<Arc<Server>, Failure>;
    /// The server of `hbase:meta`, and its full name: `host,port,startcode`.
    fn meta_server(&self, deadline: Deadline) -> Result<(Arc<Server>, String), Failure>;
}
