//! The traits that a directory and a cluster implement. The Python binding knows nothing else.

use crate::access::{Caller, Grant, GrantQuery, Intent, Place, Rights};
use crate::error::{Error, ErrorKind, Result};
use crate::heat::HeatMap;
use crate::observe::{SchemaObserver, TableObserver};
use crate::operations::{
    Action, ActionResult, CellBatch, CheckAndMutate, CheckResult, Get, MultiRowMutation, Mutation, Nonce, ReadOptions,
    RowMutations, Scan,
};
use crate::quota::{QuotaBoard, QuotaChange, QuotaOwner, SpaceUse};
use crate::schema::{NamespaceDescriptor, RegionInfo, TableDescriptor, TableName, TableState};
use crate::switches::Switch;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

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
    /// A handle on the table. A missing table is reported at once by a directory, by the first operation in a
    /// cluster.
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
    /// The persistent id of the database: a UUID in a directory. `None` for a cluster, which is asked in other ways.
    fn id(&self) -> Option<String> {
        None
    }
    /// A view of the database restricted to the permissions of `caller`: every call is authorized first. `None` if
    /// access control is off.
    fn as_user(&self, _caller: &Caller) -> Result<Option<Arc<dyn Backend>>> {
        Ok(None)
    }
    /// Creates a table in the namespace `hbase`, which no user may do, unless it exists.
    fn create_system_table(&self, table: TableDescriptor) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, format!("system table '{}': only supported by a directory", table.name)))
    }
    /// Nonces of the last half hour's writes that are still known, oldest first. A restarted server uses them to
    /// recognise retried writes.
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

/// Reads and writes of one table. Every method may be called from several threads concurrently.
pub trait TableBackend: Send + Sync {
    /// Reads a row: the batch contains it, or nothing.
    fn get(&self, get: &Get) -> Result<CellBatch>;
    /// The result of [`TableBackend::get`] if that needs neither a file nor another thread's answer; otherwise
    /// `None`. A caller that holds a lock of its own (an interpreter's) need not release it for this call.
    fn get_at_once(&self, row: &[u8], options: &ReadOptions) -> Option<Result<CellBatch>> {
        let _ = (row, options);
        None
    }
    /// Whether a get would return a cell.
    fn exists(&self, get: &Get) -> Result<bool>;
    /// Reads the rows in the order of `gets`; a missing row has an empty range.
    fn get_many(&self, gets: &[Get]) -> Result<CellBatch>;
    /// Whether each of `gets` would return a cell, in their order.
    fn exists_many(&self, gets: &[Get]) -> Result<Vec<bool>> {
        gets.iter().map(|get| self.exists(get)).collect()
    }
    /// Changes a row. Increments and appends return the new cells.
    fn mutate(&self, mutation: Mutation) -> Result<CellBatch>;
    /// Applies puts and deletes independently. Returns one result per mutation, in order.
    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>>;
    /// Applies several changes of one row atomically.
    fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch>;
    /// Changes a row if a condition holds.
    fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult>;
    /// Atomically changes several rows of one region if all conditions hold; returns whether they did. Fails if the
    /// rows are in different regions.
    fn mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        let count = change.mutations.len();
        Err(Error::new(
            ErrorKind::Unsupported,
            format!("{count} changes of several rows: only supported by a directory"),
        ))
    }
    /// Shows `row` to the table's observer under the row lock and writes the changes of other tables that it returns;
    /// see `TableObserver::pre_batch`.
    fn touch(&self, row: &[u8]) -> Result<()> {
        let message = format!(
            "row '{}' cannot be touched: observers are only supported by a directory",
            crate::codec::printable(row)
        );
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Whether writes without an explicit durability are synced to disk before they return. Each batch waits for one
    /// sync, so a few large batches finish sooner than many small ones.
    fn syncs_by_default(&self) -> bool {
        false
    }
    /// Performs actions independently. Returns one result per action, in order.
    fn multi(&self, actions: Vec<Action>) -> Vec<Result<ActionResult>>;
    /// Fails unless the caller may call endpoints of the table.
    fn check_invoke(&self) -> Result<()> {
        Ok(())
    }
    /// The region of `row`, if the table accepts reads and writes. A server calls this before every request that
    /// names a region.
    fn region_at(&self, row: &[u8]) -> Result<RegionInfo> {
        let message = format!("the region of row '{}': only supported by a directory", crate::codec::printable(row));
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Scans the rows of a range, batch by batch.
    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>>;
}

/// An open scan.
pub trait ScannerBackend: Send {
    /// The next rows: at least one, at most `max_rows` and about `max_bytes`; `None` at the end.
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>>;
    /// Like [`ScannerBackend::next_batch`], but stops after the row in progress at `deadline`: the batch may be empty
    /// although more rows follow.
    fn next_until(&mut self, max_rows: usize, max_bytes: usize, deadline: Instant) -> Result<Option<CellBatch>> {
        let _ = deadline;
        self.next_batch(max_rows, max_bytes)
    }
    /// The read point (sequence id) of the region in which the scan began; 0 if unknown.
    fn read_point(&self) -> u64 {
        0
    }
    /// Whether the scan's filter has ended the scan.
    fn is_filter_done(&self) -> bool {
        false
    }
    /// Whether no rows follow those already returned. Some scanners can only tell after another call.
    fn is_at_end(&self) -> bool {
        false
    }
    /// Rows that the filter has dropped so far.
    fn filtered_rows(&self) -> FilteredRows {
        FilteredRows::default()
    }
}

/// Rows that a filter dropped from a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilteredRows {
    /// All dropped rows.
    pub count: u64,
    /// Those dropped by their key alone, without reading any of their cells.
    pub unread: u64,
}

impl std::ops::AddAssign for FilteredRows {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.unread += other.unread;
    }
}

/// The result of `stats`, by name: `store_files`, `memstore_bytes`, `cache_hits`, …
pub type Statistics = BTreeMap<String, i64>;

/// A store file as `store_files` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreFileInfo {
    /// Region's encoded name.
    pub region: String,
    /// Family.
    pub family: Vec<u8>,
    /// Path on the machine.
    pub path: String,
    /// Bytes on disk.
    pub size_bytes: u64,
    /// Cells.
    pub entry_count: u64,
    /// Largest sequence id in the file.
    pub max_sequence_id: u64,
    /// Range of timestamps, inclusive; `None` for a file without cells.
    pub time_range: Option<(i64, i64)>,
    /// Whether a major compaction wrote it.
    pub is_major: bool,
}

/// Metrics of one family of one region, or of a whole region if the backend has no finer ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreLoad {
    /// The region.
    pub region: RegionInfo,
    /// The family; `None` for the whole region.
    pub family: Option<Vec<u8>>,
    /// By name: `memstore_bytes`, `store_files`, …
    pub numbers: Statistics,
}

/// Compactions that are queued or running for a region or table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CompactionState {
    /// None.
    #[default]
    None,
    /// A minor compaction: of some files.
    Minor,
    /// A major compaction: of all files.
    Major,
    /// Both kinds.
    MajorAndMinor,
}

impl CompactionState {
    /// Combines two states, as HBase combines those of a table's regions.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (state, CompactionState::None) | (CompactionState::None, state) => state,
            (one, two) if one == two => one,
            _ => CompactionState::MajorAndMinor,
        }
    }

    /// HBase's name for it.
    pub fn name(self) -> &'static str {
        match self {
            CompactionState::None => "NONE",
            CompactionState::Minor => "MINOR",
            CompactionState::Major => "MAJOR",
            CompactionState::MajorAndMinor => "MAJOR_AND_MINOR",
        }
    }
}

/// Contents of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BackupInfo {
    /// Store files.
    pub store_files: u64,
    /// Log files.
    pub logs: u64,
    /// Total bytes of both.
    pub bytes: u64,
    /// Bytes shared with the database through hard links, included in `bytes`.
    pub linked_bytes: u64,
}

/// A region and its server, `host,port,startcode`; `None` while it is not assigned.
pub type RegionPlace = (RegionInfo, Option<String>);

/// A snapshot: a named record of a table's files at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SnapshotInfo {
    /// Its name.
    pub name: String,
    /// The table it was taken from.
    pub table: String,
    /// Creation time in milliseconds.
    pub created_ms: i64,
    /// Seconds after which it is deleted automatically; 0 means never.
    pub ttl_seconds: i64,
    /// The user who took it.
    pub owner: String,
}

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

fn unsupported<T>(what: &str) -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported, format!("cannot {what}: this kind of database does not support it")))
}

fn without_rights(doing: &str) -> Error {
    let message = format!("cannot {doing} permissions: open the database with hbase.security.authorization = true");
    Error::new(ErrorKind::Unsupported, message)
}

/// The error of a quota call if quotas are disabled; the words before the colon are HBase's.
pub fn without_quotas() -> Error {
    Error::new(ErrorKind::Unsupported, "quota support disabled: open the database with hbase.quota.enabled = true")
}

/// Schema, maintenance and statistics. Every method returns when its work is done.
///
/// Regions are named by their full or their encoded name.
pub trait AdminBackend: Send + Sync {
    /// Creates a table with one region more than `splits` has keys.
    fn create_table(&self, table: TableDescriptor, splits: Vec<Vec<u8>>) -> Result<()>;
    /// Replaces the table's descriptor.
    fn alter_table(&self, table: TableDescriptor) -> Result<()>;
    /// The table's descriptor.
    fn describe_table(&self, name: &TableName) -> Result<TableDescriptor>;
    /// Whether the table is enabled.
    fn table_state(&self, name: &TableName) -> Result<TableState>;
    /// Enables or disables the table.
    fn set_table_state(&self, name: &TableName, state: TableState) -> Result<()>;
    /// Removes a disabled table and its data.
    fn drop_table(&self, name: &TableName) -> Result<()>;
    /// Removes the data of a disabled table; `preserve_splits` retains its region boundaries.
    fn truncate_table(&self, name: &TableName, preserve_splits: bool) -> Result<()>;
    /// All tables, or those of a namespace, sorted by name.
    fn list_tables(&self, namespace: Option<&str>) -> Result<Vec<TableName>>;
    /// Creates a namespace.
    fn create_namespace(&self, namespace: NamespaceDescriptor) -> Result<()>;
    /// Replaces a namespace's properties.
    fn alter_namespace(&self, namespace: NamespaceDescriptor) -> Result<()>;
    /// Removes an empty namespace.
    fn drop_namespace(&self, name: &str) -> Result<()>;
    /// All namespaces, sorted by name.
    fn list_namespaces(&self) -> Result<Vec<NamespaceDescriptor>>;
    /// The names of all namespaces, sorted.
    fn namespace_names(&self) -> Result<Vec<String>> {
        Ok(self.list_namespaces()?.into_iter().map(|namespace| namespace.name).collect())
    }
    /// A namespace's properties.
    fn describe_namespace(&self, name: &str) -> Result<NamespaceDescriptor> {
        let all = self.list_namespaces()?;
        let missing = || Error::new(ErrorKind::NamespaceNotFound, name);
        all.into_iter().find(|namespace| namespace.name == name).ok_or_else(missing)
    }
    /// Flushes the memstores of one table or of all tables.
    fn flush(&self, name: Option<&TableName>) -> Result<()>;
    /// Compacts a table or one family of it; `major` rewrites all files.
    fn compact(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()>;
    /// The table's regions, sorted by start key.
    fn regions(&self, name: &TableName) -> Result<Vec<RegionInfo>>;
    /// The table's store files.
    fn store_files(&self, name: &TableName) -> Result<Vec<StoreFileInfo>>;
    /// Loads HFiles into families of the table, given as pairs (family, path on this machine). The files are copied,
    /// all or none. In each region their cells become visible at once, as if written at that moment. Returns the new
    /// store files.
    fn bulk_load(&self, name: &TableName, files: Vec<(Vec<u8>, PathBuf)>) -> Result<Vec<StoreFileInfo>> {
        let message = format!("{} files cannot be loaded into '{name}': only supported by a directory", files.len());
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Exports the table's cells to new files below `folder`, `<family>/<file>`: one for each region and family that
    /// has cells. Returns the files.
    fn export_files(&self, name: &TableName, folder: &Path) -> Result<Vec<StoreFileInfo>> {
        let message = format!("'{name}' cannot be exported to {}: only supported by a directory", folder.display());
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Copies the database, as of one moment, into the new directory `out`. Writes continue meanwhile.
    fn backup(&self, out: &Path) -> Result<BackupInfo> {
        unsupported(&format!("copy the database to {}", out.display()))
    }
    /// Metrics of the database, or of one table.
    fn statistics(&self, name: Option<&TableName>) -> Result<Statistics>;

    /// Metrics of each family of each region of a table, sorted by region and family.
    fn store_loads(&self, name: &TableName) -> Result<Vec<StoreLoad>>;

    /// Reads and writes of the table by key range and time, through this database, since it was opened.
    fn heat(&self, name: &TableName) -> Result<HeatMap>;

    // Operations that a backend may not support.

    /// The table's regions with their servers, sorted by start key.
    fn region_places(&self, name: &TableName) -> Result<Vec<RegionPlace>> {
        Ok(self.regions(name)?.into_iter().map(|region| (region, None)).collect())
    }
    /// Splits a region at `row`, or at its midpoint.
    fn split_region(&self, _region: &[u8], _row: Option<&[u8]>) -> Result<()> {
        unsupported("split a region")
    }
    /// Merges regions into one; non-adjacent ones only with `force`.
    fn merge_regions(&self, _regions: &[Vec<u8>], _force: bool) -> Result<()> {
        unsupported("merge regions")
    }
    /// Splits and merges regions of a table to even out their sizes, if its NORMALIZATION_ENABLED is set. Returns the
    /// number of splits and merges.
    fn normalize(&self, _name: &TableName) -> Result<u64> {
        unsupported("normalize a table")
    }
    /// Whether a switch for automatic work is on. Persists while the database is open.
    fn switch(&self, _switch: Switch) -> Result<bool> {
        unsupported("read a switch")
    }
    /// Sets a switch; returns its previous state.
    fn set_switch(&self, _switch: Switch, _on: bool) -> Result<bool> {
        unsupported("set a switch")
    }
    /// Moves a region to a server (`host,port,startcode` or `host:port`), or to one that the master chooses.
    fn move_region(&self, _region: &[u8], _server: Option<&str>) -> Result<()> {
        unsupported("move a region")
    }
    /// Assigns a region to a server.
    fn assign_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("assign a region")
    }
    /// Unassigns a region from its server.
    fn unassign_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("unassign a region")
    }
    /// Removes the data of a region but not the region itself.
    fn truncate_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("truncate a region")
    }
    /// Flushes the memstore of a region, or of one family of it.
    fn flush_region(&self, _region: &[u8], _family: Option<&[u8]>) -> Result<()> {
        unsupported("flush a region")
    }
    /// Compactions that are queued or running for a region.
    fn compaction_state(&self, _region: &[u8]) -> Result<CompactionState> {
        unsupported("report running compactions")
    }
    /// Compacts a region or one family of it; `major` rewrites all files.
    fn compact_region(&self, _region: &[u8], _family: Option<&[u8]>, _major: bool) -> Result<()> {
        unsupported("compact a region")
    }
    /// Takes a snapshot of a table, with its memstore if `flush` is set. It expires after `ttl_seconds` unless that
    /// is 0.
    fn take_snapshot(&self, _snapshot: &str, _table: &TableName, _flush: bool, _ttl_seconds: i64) -> Result<()> {
        unsupported("take a snapshot")
    }
    /// The same, owned by `owner`, who has permissions on the snapshot that other users lack.
    fn take_owned_snapshot(
        &self,
        _owner: &str,
        snapshot: &str,
        table: &TableName,
        flush: bool,
        ttl_seconds: i64,
    ) -> Result<()> {
        self.take_snapshot(snapshot, table, flush, ttl_seconds)
    }
    /// Exports a snapshot below `folder` in the layout of HBase's `ExportSnapshot`.
    fn export_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        unsupported(&format!("write snapshot '{snapshot}' to {}", folder.display()))
    }
    /// Imports a snapshot that HBase's `ExportSnapshot`, or the method above, wrote below `folder`.
    fn import_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        unsupported(&format!("read snapshot '{snapshot}' from {}", folder.display()))
    }
    /// All snapshots, sorted by name.
    fn list_snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        unsupported("list snapshots")
    }
    /// Deletes a snapshot.
    fn delete_snapshot(&self, _snapshot: &str) -> Result<()> {
        unsupported("delete a snapshot")
    }
    /// Creates a new table from a snapshot.
    fn clone_snapshot(&self, _snapshot: &str, _table: &TableName) -> Result<()> {
        unsupported("clone a snapshot")
    }
    /// Restores the disabled table of a snapshot to the state in the snapshot.
    fn restore_snapshot(&self, _snapshot: &str) -> Result<()> {
        unsupported("restore a snapshot")
    }
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
    /// Whether access control is enabled.
    fn has_authorization(&self) -> bool {
        false
    }
    /// Fails unless the caller may do what the server is about to do.
    fn check(&self, _intent: Intent<'_>) -> Result<()> {
        Ok(())
    }
    /// Grants permissions: `merge` adds them to the user's existing ones in that scope, otherwise they replace them.
    fn grant(&self, _grant: &Grant, _merge: bool) -> Result<()> {
        Err(without_rights("grant"))
    }
    /// Revokes permissions: the named ones, or all of the user's in that scope if none are named.
    fn revoke(&self, _grant: &Grant) -> Result<()> {
        Err(without_rights("revoke"))
    }
    /// Lists the grants of a scope.
    fn grants(&self, _query: &GrantQuery) -> Result<Vec<Grant>> {
        Err(without_rights("list"))
    }
    /// Whether a user has all of these permissions in a scope; `None` means the caller.
    fn has_rights(&self, _user: Option<&str>, _place: &Place, _rights: Rights) -> Result<bool> {
        Err(without_rights("check"))
    }
    /// Changes the quotas of an owner.
    fn set_quota(&self, _owner: &QuotaOwner, _change: &QuotaChange) -> Result<()> {
        Err(without_quotas())
    }
    /// Bytes of store files of each table, as quotas count them.
    fn space_sizes(&self) -> Result<Vec<(TableName, u64)>> {
        unsupported("report the size of tables")
    }
    /// Space usage of each table with a space quota, its own or its namespace's; then of the namespaces that have
    /// one.
    fn space_uses(&self) -> Result<Vec<(QuotaOwner, SpaceUse)>> {
        unsupported("report the usage of space quotas")
    }
    /// Calls `method` of a cluster's service: of the region server `host,port,startcode`, or of the server that is
    /// responsible. Request and response are JSON. If the call starts a procedure, it returns when that has finished.
    fn ask(&self, service: &str, method: &str, _server: Option<&str>, _request: &str) -> Result<String> {
        unsupported(&format!("call {method} of {service}"))
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
