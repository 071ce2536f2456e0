//! One cluster: its servers, the locations of its regions, and the limits on retries and time.

mod locate;
mod options;
mod recovery;
mod state;

pub use options::ClusterOptions;
pub use recovery::Recovery;
pub use state::{table_not_enabled, table_not_found};

use crate::connection::{Dialer, Server, Servers};
use crate::convert::Nonces;
use crate::failure::{Deadline, Failure};
use crate::region::{Location, TableRegions};
use crate::region_scan::Leases;
use crate::registry::Registry;
use crate::sync::lock;
use rowstone_model::heat::Heat;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

/// The cached state of one table.
#[derive(Debug)]
pub struct TableCache {
    /// Its name.
    pub name: TableName,
    /// Its regions.
    pub regions: TableRegions,
    /// Reads and writes of this client by key and time.
    pub heat: Heat,
    /// Locked during the lookup of a region, so that other threads wait for the answer instead of asking too.
    lookup: Mutex<()>,
}

/// Wall-clock time for heat maps and display, in milliseconds.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A cluster.
pub struct Cluster {
    /// Timeouts and similar options.
    pub options: ClusterOptions,
    /// Its servers.
    pub servers: Arc<Servers>,
    /// Nonces for increments and appends.
    pub nonces: Nonces,
    /// Its open scanners.
    pub leases: Leases,
    registry: Box<dyn Registry>,
    meta: Mutex<Option<Arc<Location>>>,
    master: Mutex<Option<Arc<Server>>>,
    tables: Mutex<HashMap<TableName, Arc<TableCache>>>,
    is_closed: AtomicBool,
}

impl Cluster {
    /// The cluster that `registry` locates.
    pub fn new(
        options: ClusterOptions,
        dialer: Dialer,
        registry: impl FnOnce(Arc<Servers>) -> Box<dyn Registry>,
    ) -> Result<Self> {
        let servers = Arc::new(Servers::new(dialer));
        Ok(Cluster {
            registry: registry(Arc::clone(&servers)),
            options,
            servers,
            nonces: Nonces::new()?,
            leases: Leases::default(),
            meta: Mutex::default(),
            master: Mutex::default(),
            tables: Mutex::default(),
            is_closed: AtomicBool::new(false),
        })
    }

    /// Fetches the cluster's id, without retries: the first check that there is a cluster.
    pub fn greet(&self) -> Result<String> {
        let deadline = Deadline::after(self.options.connect_timeout);
        self.registry.cluster_id(deadline).map_err(|failure| failure.error)
    }

    /// The cached state of table `name`.
    pub fn table(&self, name: &TableName) -> Arc<TableCache> {
        let mut tables = lock(&self.tables);
        let table = tables.entry(name.clone()).or_insert_with(|| {
            Arc::new(TableCache {
                name: name.clone(),
                regions: TableRegions::default(),
                heat: Heat::default(),
                lookup: Mutex::default(),
            })
        });
        Arc::clone(table)
    }

    /// The deadline of an operation that starts now.
    pub fn deadline(&self) -> Deadline {
        Deadline::after(self.options.operation_timeout)
    }

    /// Fails if the cluster is closed.
    pub fn check_open(&self) -> Result<()> {
        if self.is_closed.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::DatabaseClosed, "the connection to the cluster is closed"));
        }
        Ok(())
    }

    /// The active master.
    pub fn master(&self, deadline: Deadline) -> Result<Arc<Server>, Failure> {
        if let Some(master) = lock(&self.master).as_ref() {
            return Ok(Arc::clone(master));
        }
        let found = self.registry.active_master(deadline)?;
        *lock(&self.master) = Some(Arc::clone(&found));
        Ok(found)
    }

    /// Discards the cached master.
    pub fn forget_master(&self) {
        lock(&self.master).take();
    }

    /// Ends running calls and closes all connections. A second call does nothing.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.leases.stop();
        self.servers.close();
    }
}
