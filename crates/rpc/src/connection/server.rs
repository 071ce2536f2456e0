//! Servers by address with their connections: one per service, opened on first use and reopened after a failure.

use super::{Connection, Dialer};
use crate::failure::{Deadline, Failure};
use crate::sync::lock;
use crate::wire::{Call, Response};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

/// A service of HBase's servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Data of regions.
    Client,
    /// Schema and cluster; only the active master answers.
    Master,
    /// Regions of one server.
    Admin,
    /// Location of the cluster.
    ClientMeta,
    /// Repairs; only the active master answers.
    Hbck,
}

impl Service {
    /// Its name in the connection header.
    pub fn name(self) -> &'static str {
        match self {
            Service::Client => "ClientService",
            Service::Master => "MasterService",
            Service::Admin => "AdminService",
            Service::ClientMeta => "ClientMetaService",
            Service::Hbck => "HbckService",
        }
    }
}

/// A server and the connections to it.
pub struct Server {
    host: String,
    port: u16,
    dialer: Arc<Dialer>,
    connections: [Mutex<Option<Arc<Connection>>>; 5],
}

impl Server {
    /// Its host name, as it announced itself.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// An open connection to `service`.
    pub fn connection(&self, service: Service, deadline: Deadline) -> Result<Arc<Connection>, Failure> {
        let mut place = lock(&self.connections[service as usize]);
        if let Some(connection) = place.as_ref().filter(|connection| connection.is_usable()) {
            return Ok(Arc::clone(connection));
        }
        let opened = Connection::open(&self.dialer, &self.host, self.port, service, deadline)?;
        let opened = Arc::new(opened);
        *place = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// Sends `call` and waits for its answer.
    pub fn call(&self, service: Service, call: &Call, deadline: Deadline) -> Result<Response, Failure> {
        self.connection(service, deadline)?.send(call, deadline)?.wait(deadline)
    }

    fn close(&self) {
        for place in &self.connections {
            lock(place).take();
        }
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({self})")
    }
}

/// All servers known so far.
pub struct Servers {
    dialer: Arc<Dialer>,
    known: Mutex<HashMap<(String, u16), Arc<Server>>>,
}

impl Servers {
    /// Creates an empty collection.
    pub fn new(dialer: Dialer) -> Self {
        Servers { dialer: Arc::new(dialer), known: Mutex::default() }
    }

    /// The dialer that opens the connections.
    pub fn dialer(&self) -> &Dialer {
        &self.dialer
    }

    /// The server at that address.
    pub fn get(&self, host: &str, port: u16) -> Arc<Server> {
        let mut known = lock(&self.known);
        let server = known.entry((host.to_string(), port)).or_insert_with(|| {
            let connections = [const { Mutex::new(None) }; 5];
            Arc::new(Server { host: host.to_string(), port, dialer: Arc::clone(&self.dialer), connections })
        });
        Arc::clone(server)
    }

    /// Closes all connections; running calls fail.
    pub fn close(&self) {
        for server in lock(&self.known).values() {
            server.close();
        }
    }
}
