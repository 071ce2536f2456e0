//! Opens a cluster from a URL and options, behind the model's traits.

mod url;

use crate::admin::Admin;
use crate::client::Table;
use crate::cluster::{Cluster, ClusterOptions, Recovery};
use crate::connection::{ConnectOptions, Credentials, Dialer, TlsOptions};
use crate::registry::{Registry, RpcRegistry, ZooKeeperRegistry};
use crate::wire::Compressor;
use rowstone_model::admin::AdminBackend;
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::schema::TableName;
use rowstone_model::Result;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

pub use url::{ClusterUrl, RegistryAddress};

/// The options for opening a cluster.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// User name sent to servers; `None` for that of the operating system.
    pub user: Option<String>,
    /// Credentials for servers that require authentication.
    pub credentials: Credentials,
    /// The user to impersonate, if any.
    pub impersonate: Option<String>,
    /// Time limit for an operation with all its retries.
    pub operation_timeout_ms: Option<u64>,
    /// Time limit for one call before it is retried.
    pub rpc_timeout_ms: Option<u64>,
    /// Time limit for one attempt to connect.
    pub connect_timeout_ms: Option<u64>,
    /// Compression of cells on the wire: `gz`, `snappy` or `lz4`.
    pub compression: Option<String>,
    /// TLS files, if connections are encrypted.
    pub tls: Option<TlsOptions>,
    /// Alternative addresses for the names that servers announce.
    pub hosts: BTreeMap<String, String>,
}

/// An open cluster.
struct Remote {
    cluster: Arc<Cluster>,
    admin: Admin,
}

/// Opens the cluster at `url`: `hbase://host:port[,host:port]` or `hbase+zk://quorum[/parent]`.
///
/// # Errors
/// `InvalidArgument` for a malformed URL; `ConnectionFailed` if no HBase server answers there.
pub fn open(url: &str, options: OpenOptions) -> Result<Arc<dyn Backend>> {
    let url = ClusterUrl::parse(url)?;
    let defaults = ClusterOptions::default();
    let time = |ms: Option<u64>, default: Duration| ms.map_or(default, Duration::from_millis);
    let cluster_options = ClusterOptions {
        operation_timeout: time(options.operation_timeout_ms, defaults.operation_timeout),
        rpc_timeout: time(options.rpc_timeout_ms, defaults.rpc_timeout),
        connect_timeout: time(options.connect_timeout_ms, defaults.connect_timeout),
    };
    let user = options.user.unwrap_or_else(system_user);
    let dialer = Dialer::new(ConnectOptions {
        user: user.clone(),
        credentials: options.credentials,
        impersonate: options.impersonate,
        connect_timeout: cluster_options.connect_timeout,
        compressor: options.compression.as_deref().map(Compressor::parse).transpose()?,
        tls: options.tls,
        hosts: options.hosts,
    })?;
    let cluster = Cluster::new(cluster_options, dialer, |servers| -> Box<dyn Registry> {
        match url.registry {
            RegistryAddress::Servers(named) => Box::new(RpcRegistry::new(servers, named)),
            RegistryAddress::ZooKeeper(quorum, parent) => Box::new(ZooKeeperRegistry::new(servers, quorum, parent)),
        }
    })?;
    cluster.greet()?;
    let cluster = Arc::new(cluster);
    Ok(Arc::new(Remote { admin: Admin::new(Arc::clone(&cluster), user), cluster }))
}

/// The user who runs this process, determined like in HBase's clients.
pub fn system_user() -> String {
    let known = ["HADOOP_USER_NAME", "USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
    known.filter(|name| !name.is_empty()).unwrap_or_else(|| "rowstone".to_string())
}

impl Backend for Remote {
    fn table(&self, name: &TableName) -> Result<Arc<dyn TableBackend>> {
        let cache = self.cluster.table(name);
        let mut recovery = Recovery::new(&self.cluster);
        while cache.regions.is_empty() {
            self.cluster.check_open()?;
            match self.cluster.check_exists(&cache, recovery.call_deadline()) {
                Ok(()) => break,
                Err(failure) => recovery.after(failure, "check that a table exists", None, None)?,
            }
        }
        Ok(Arc::new(Table::new(Arc::clone(&self.cluster), cache)))
    }

    fn admin(&self) -> &dyn AdminBackend {
        &self.admin
    }

    fn close(&self) -> Result<()> {
        self.cluster.close();
        Ok(())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.cluster.close();
    }
}
