//! The registry service of every master and region server. Source: `RpcConnectionRegistry`.

use super::Registry;
use crate::connection::{Server, Servers, Service};
use crate::failure::{Deadline, Failure};
use crate::proto;
use crate::sync::lock;
use crate::wire::Call;
use prost::Message;
use std::sync::{Arc, Mutex};

/// Calls the servers that the caller named, and then servers that those announced.
pub struct RpcRegistry {
    servers: Arc<Servers>,
    named: Vec<(String, u16)>,
    /// Servers announced by the cluster. They are called if those of the caller do not answer.
    met: Mutex<Vec<(String, u16)>>,
    /// The server that answered last. It is called first.
    last: Mutex<Option<(String, u16)>>,
}

impl RpcRegistry {
    /// A registry that starts with the servers `named`.
    pub fn new(servers: Arc<Servers>, named: Vec<(String, u16)>) -> Self {
        RpcRegistry { servers, named, met: Mutex::default(), last: Mutex::default() }
    }

    /// The first answer of any server.
    fn call_any<M: Message + Default>(&self, method: &'static str, deadline: Deadline) -> Result<M, Failure> {
        let mut candidates = self.named.clone();
        if let Some(last) = lock(&self.last).clone() {
            candidates.retain(|server| *server != last);
            candidates.insert(0, last);
        }
        for server in lock(&self.met).iter() {
            if !candidates.contains(server) {
                candidates.push(server.clone());
            }
        }
        let mut last = Failure::connection("no server was named");
        let count = candidates.len();
        for (index, (host, port)) in candidates.into_iter().enumerate() {
            // A server that does not answer must not use up the time of the next ones.
            let share = deadline.at_most(deadline.remaining() / u32::try_from(count - index).unwrap_or(1));
            let server = self.servers.get(&host, port);
            let answer = server.call(Service::ClientMeta, &Call::new(method, &proto::Empty {}), share);
            let message = answer.and_then(|response| {
                response.message().map_err(|malformed| Failure::malformed(&server.to_string(), malformed))
            });
            match message {
                Ok(message) => {
                    *lock(&self.last) = Some((host, port));
                    return Ok(message);
                }
                Err(failure) => last = failure,
            }
        }
        Err(last)
    }

    fn server(&self, name: Option<proto::ServerName>, what: &str) -> Result<Arc<Server>, Failure> {
        let Some(name) = name else {
            return Err(Failure::connection(format!("the cluster has no {what} at the moment")));
        };
        let port = name.port.and_then(|port| u16::try_from(port).ok()).unwrap_or(0);
        let address = (name.host_name, port);
        let mut met = lock(&self.met);
        if !met.contains(&address) {
            met.push(address.clone());
        }
        Ok(self.servers.get(&address.0, address.1))
    }
}

impl Registry for RpcRegistry {
    fn cluster_id(&self, deadline: Deadline) -> Result<String, Failure> {
        let answer: proto::GetClusterIdResponse = self.call_any("GetClusterId", deadline)?;
        // Servers to call later. Clusters before 2.5 do not support this call, so a failure is ignored.
        if let Ok(nodes) = self.call_any::<proto::GetBootstrapNodesResponse>("GetBootstrapNodes", deadline) {
            for node in nodes.server_name {
                self.server(Some(node), "server")?;
            }
        }
        Ok(answer.cluster_id.unwrap_or_default())
    }

    fn active_master(&self, deadline: Deadline) -> Result<Arc<Server>, Failure> {
        let answer: proto::GetActiveMasterResponse = self.call_any("GetActiveMaster", deadline)?;
        self.server(answer.server_name, "active master")
    }

    fn meta_server(&self, deadline: Deadline) -> Result<(Arc<Server>, String), Failure> {
        let answer: proto::GetMetaRegionLocationsResponse = self.call_any("GetMetaRegionLocations", deadline)?;
        let primary = answer.meta_locations.into_iter().find(|place| place.region_info.replica_id.unwrap_or(0) == 0);
        let name = primary.and_then(|place| place.server_name);
        let full_name = name.as_ref().map(proto::ServerName::full_name).unwrap_or_default();
        Ok((self.server(name, "server for hbase:meta")?, full_name))
    }
}
