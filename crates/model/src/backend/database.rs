//! A database: its tables, its administration, and what spans several tables.

use super::table::TableBackend;
use crate::access::Caller;
use crate::admin::AdminBackend;
use crate::error::{Error, ErrorKind, Result};
use crate::observe::{SchemaObserver, TableObserver};
use crate::operations::{Mutation, Nonce};
use crate::quota::QuotaBoard;
use crate::schema::{TableDescriptor, TableName};
use std::sync::Arc;

/// The server of a directory, as its `hbase:meta` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerPlace {
    /// `host:port`.
    pub address: String,
    /// Start time in milliseconds.
    pub start_code: u64,
    /// `host,port,startcode`.
    pub name: String,
}

/// An open database.
pub trait Backend: Send + Sync {
    /// A handle on the table. If the table is missing, a directory reports that here, and a cluster on the first
    /// operation.
    fn table(&self, name: &TableName) -> Result<Arc<dyn TableBackend>>;
    /// Schema, maintenance and statistics.
    fn admin(&self) -> &dyn AdminBackend;
    /// `hbase:meta` as clients of a server read it: `server` is the location of every region.
    fn meta(&self, server: &ServerPlace) -> Result<Arc<dyn TableBackend>> {
        Err(Error::new(
            ErrorKind::Unsupported,
            format!("hbase:meta with {}: only supported by a directory", server.name),
        ))
    }
    /// Registers `observer` for all operations of the table from now on, replacing an earlier one; `None` removes it.
    /// The registration lasts while the database is open, even if the table is dropped and created again.
    fn observe_table(&self, table: &TableName, _observer: Option<Arc<dyn TableObserver>>) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, format!("observers of table '{table}': only supported by a directory")))
    }
    /// Registers `observer` for schema changes from now on, replacing an earlier one.
    fn observe_schema(&self, _observer: Option<Arc<dyn SchemaObserver>>) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "observers of the schema: only supported by a directory"))
    }
    /// Applies puts and deletes of rows of any tables in one log record: after a crash either all or none are
    /// present. The changes of one table become visible together, table by table in the order of first mention here.
    /// A reader that sees the changes of one table sees those of all tables before it.
    fn mutate_together(&self, changes: Vec<(TableName, Mutation)>) -> Result<()> {
        let count = changes.len();
        Err(Error::new(
            ErrorKind::Unsupported,
            format!("{count} changes of several tables: only supported by a directory"),
        ))
    }
    /// The persistent id of the database: a UUID in a directory. `None` for a cluster, whose status contains it.
    fn id(&self) -> Option<String> {
        None
    }
    /// A view of the database restricted to the permissions of `caller`: every call is authorized first. `None` if
    /// access control is off.
    fn as_user(&self, _caller: &Caller) -> Result<Option<Arc<dyn Backend>>> {
        Ok(None)
    }
    /// Creates a table in the namespace `hbase` if it is missing. Users are not allowed to create tables there.
    fn create_system_table(&self, table: TableDescriptor) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, format!("system table '{}': only supported by a directory", table.name)))
    }
    /// Nonces of the last half hour's writes that are still known, oldest first. A restarted server uses them to
    /// recognize retried writes.
    fn written_nonces(&self) -> Result<Vec<Nonce>> {
        Ok(Vec::new())
    }
    /// Quotas on requests, for a server to enforce; `None` if the database has quotas disabled.
    fn quota_board(&self) -> Option<Arc<QuotaBoard>> {
        None
    }
    /// Finishes running work, syncs the log and releases the directory. A second call does nothing.
    fn close(&self) -> Result<()>;
}
