//! The traits behind which a directory or a cluster sits. The binding knows nothing else.

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

/// The one server of a directory, as its `hbase:meta` tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerPlace {
    /// `host:port`.
    pub address: String,
    /// When it started, in milliseconds.
    pub start_code: u64,
    /// `host,port,startcode`.
    pub name: String,
}

/// An open database.
pub trait Backend: Send + Sync {
    /// A handle on the table. Whether it exists shows at the first operation in a cluster, at once in a directory.
    fn table(&self, name: &TableName) -> Result<Arc<dyn TableBackend>>;
    /// Schema, maintenance, statistics.
    fn admin(&self) -> &dyn AdminBackend;
    /// `hbase:meta` as the clients of a server read it: with `server` as the place of every region.
    fn meta(&self, server: &ServerPlace) -> Result<Arc<dyn TableBackend>> {
        Err(Error::new(ErrorKind::Unsupported, format!("hbase:meta with {}: only a directory has that", server.name)))
    }
    /// Lets `observer` hear of all operations of the table from now on, in place of an earlier one; `None` lets nobody. It stays
    /// while the database is open, also where the table is dropped and made again.
    fn observe_table(&self, table: &TableName, _observer: Option<Arc<dyn TableObserver>>) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, format!("observers of table '{table}': only a directory asks them")))
    }
    /// Lets `observer` hear of changes of the schema from now on, in place of an earlier one.
    fn observe_schema(&self, _observer: Option<Arc<dyn SchemaObserver>>) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "observers of the schema: only a directory asks them"))
    }
    /// Puts and deletes of rows of whatever tables, in one record of the log: all of them are there after a crash or none. Each
    /// table's become visible together, the tables in the order in which they are first named here: who sees a later one's sees
    /// those of all before it.
    fn mutate_together(&self, changes: Vec<(TableName, Mutation)>) -> Result<()> {
        let count = changes.len();
        Err(Error::new(
            ErrorKind::Unsupported,
            format!("{count} changes of tables at once: only a directory does them"),
        ))
    }
    /// The database's own name, which it keeps: a UUID in a directory. A cluster is asked by other ways.
    fn id(&self) -> Option<String> {
        None
    }
    /// The database as `caller` may use it: every call is decided first. `None` where nobody's rights are looked at.
    fn as_user(&self, _caller: &Caller) -> Result<Option<Arc<dyn Backend>>> {
        Ok(None)
    }
    /// Makes a table of the namespace `hbase`, which nobody else may, where it is not there yet.
    fn create_system_table(&self, table: TableDescriptor) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, format!("table '{}': only a directory makes it so", table.name)))
    }
    /// The nonces of what was written in the last half hour, as far as they are known, oldest first: what a server that was
    /// started again must not do once more.
    fn written_nonces(&self) -> Result<Vec<Nonce>> {
        Ok(Vec::new())
    }
    /// The quotas on requests, for a server to keep; `None` where the database has no quotas.
    fn quota_board(&self) -> Option<Arc<QuotaBoard>> {
        None
    }
    /// Finishes what runs, syncs the log, gives the directory free. A second call does nothing.
    fn close(&self) -> Result<()>;
}

/// Reads and writes of one table. Every method may be called from many threads at once.
pub trait TableBackend: Send + Sync {
    /// The row: no or one row in the batch.
    fn get(&self, get: &Get) -> Result<CellBatch>;
    /// What [`TableBackend::get`] gives, where it takes neither a file nor another's answer to wait for; else `None`. A caller
    /// that holds a lock of its own (an interpreter's) need not give it up for that.
    fn get_at_once(&self, row: &[u8], options: &ReadOptions) -> Option<Result<CellBatch>> {
        let _ = (row, options);
        None
    }
    /// Whether a get would find a cell.
    fn exists(&self, get: &Get) -> Result<bool>;
    /// The rows in the order of `gets`, an empty range for each that is missing.
    fn get_many(&self, gets: &[Get]) -> Result<CellBatch>;
    /// Whether each of `gets` would find a cell, in their order.
    fn exists_many(&self, gets: &[Get]) -> Result<Vec<bool>> {
        gets.iter().map(|get| self.exists(get)).collect()
    }
    /// Changes a row; increments and appends give the new cells.
    fn mutate(&self, mutation: Mutation) -> Result<CellBatch>;
    /// Puts and deletes, each on its own: a result per mutation, in order.
    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>>;
    /// Several changes of one row at once.
    fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch>;
    /// Changes a row where a condition holds.
    fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult>;
    /// Changes several rows of one region together, where all conditions hold; whether they did. Rows of two regions are refused.
    fn mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        let count = change.mutations.len();
        Err(Error::new(ErrorKind::Unsupported, format!("{count} changes of rows at once: only a directory does them")))
    }
    /// Lets the table's observer look at `row` while nobody writes it, and writes what it gives for other tables; see
    /// `TableObserver::pre_batch`.
    fn touch(&self, row: &[u8]) -> Result<()> {
        let message =
            format!("row '{}' cannot be touched: only a directory has observers", crate::codec::printable(row));
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Whether writes that leave their durability open are on the disk before they are answered. Each batch of them waits for that once:
    /// a few large ones are done sooner than many small ones.
    fn syncs_by_default(&self) -> bool {
        false
    }
    /// Actions, each on its own: a result per action, in order.
    fn multi(&self, actions: Vec<Action>) -> Vec<Result<ActionResult>>;
    /// Lets pass who may call endpoints of the table.
    fn check_invoke(&self) -> Result<()> {
        Ok(())
    }
    /// The region that holds `row`, where the table takes reads and writes: what a server asks before each call that names a
    /// region.
    fn region_at(&self, row: &[u8]) -> Result<RegionInfo> {
        let message = format!("the region of row '{}': only a directory knows it", crate::codec::printable(row));
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Rows of a range, batch by batch.
    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>>;
}

/// An open scan.
pub trait ScannerBackend: Send {
    /// The next rows: at least one, at most `max_rows` and about `max_bytes`; `None` at the end.
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>>;
    /// What [`ScannerBackend::next_batch`] gives, but no later than `deadline`, after the row that is under way then: the batch
    /// may be empty although rows follow.
    fn next_until(&mut self, max_rows: usize, max_bytes: usize, deadline: Instant) -> Result<Option<CellBatch>> {
        let _ = deadline;
        self.next_batch(max_rows, max_bytes)
    }
    /// Up to which write the region where the scan began was read; 0 where nobody says.
    fn read_point(&self) -> u64 {
        0
    }
    /// Whether the scan's filter has said that it wants no more rows.
    fn is_filter_done(&self) -> bool {
        false
    }
    /// Whether nothing follows the rows that were given. A scanner may find that out only when it is asked for more.
    fn is_at_end(&self) -> bool {
        false
    }
    /// What the filter has kept back so far.
    fn filtered_rows(&self) -> FilteredRows {
        FilteredRows::default()
    }
}

/// Rows that a filter kept back from a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilteredRows {
    /// All of them.
    pub count: u64,
    /// Those of them at whose key alone the filter was done with the scan: nothing of them was read.
    pub unread: u64,
}

impl std::ops::AddAssign for FilteredRows {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.unread += other.unread;
    }
}

/// What `stats` tells, by name: `store_files`, `memstore_bytes`, `cache_hits`, …
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
    /// Largest sequence id the file covers.
    pub max_sequence_id: u64,
    /// Timestamps, both included; `None` for a file without cells.
    pub time_range: Option<(i64, i64)>,
    /// Whether it came from a compaction of all files.
    pub is_major: bool,
}

/// Numbers of one family of one region, or of a region as a whole where the backend knows no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreLoad {
    /// The region.
    pub region: RegionInfo,
    /// The family; `None` for all of the region's together.
    pub family: Option<Vec<u8>>,
    /// By name: `memstore_bytes`, `store_files`, …
    pub numbers: Statistics,
}

/// Which compactions of a region or a table wait or run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CompactionState {
    /// None.
    #[default]
    None,
    /// Of some files.
    Minor,
    /// Of all files.
    Major,
    /// Of both kinds.
    MajorAndMinor,
}

impl CompactionState {
    /// Both states together, as HBase adds those of a table's regions.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (state, CompactionState::None) | (CompactionState::None, state) => state,
            (one, two) if one == two => one,
            _ => CompactionState::MajorAndMinor,
        }
    }

    /// HBase's name of it.
    pub fn name(self) -> &'static str {
        match self {
            CompactionState::None => "NONE",
            CompactionState::Minor => "MINOR",
            CompactionState::Major => "MAJOR",
            CompactionState::MajorAndMinor => "MAJOR_AND_MINOR",
        }
    }
}

/// What a backup holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BackupInfo {
    /// Store files.
    pub store_files: u64,
    /// Logs.
    pub logs: u64,
    /// Bytes of both.
    pub bytes: u64,
    /// Of these, bytes that are shared with the database.
    pub linked_bytes: u64,
}

/// A region and its server, `host,port,startcode`; `None` while it is nowhere.
pub type RegionPlace = (RegionInfo, Option<String>);

/// A snapshot: the files that a table had at a moment, under a name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SnapshotInfo {
    /// Its name.
    pub name: String,
    /// The table that it was taken of.
    pub table: String,
    /// When it was taken, in milliseconds.
    pub created_ms: i64,
    /// Seconds after which it goes by itself; 0 is never.
    pub ttl_seconds: i64,
    /// Who took it.
    pub owner: String,
}

/// A region server as the master knows it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ServerStatus {
    /// `host,port,startcode`.
    pub name: String,
    /// Regions that it serves.
    pub region_count: u64,
    /// Requests per second at its last report.
    pub requests_per_second: u64,
    /// Heap in use and at most, in bytes.
    pub heap_bytes: (u64, u64),
    /// Store files of its regions.
    pub store_files: u64,
    /// Their size, in bytes, in steps of a mebibyte.
    pub store_file_bytes: u64,
    /// Recent writes in memory, in bytes, in steps of a mebibyte.
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
    /// Masters that wait.
    pub backup_masters: Vec<String>,
    /// Servers that work.
    pub servers: Vec<ServerStatus>,
    /// Servers that do not any more.
    pub dead_servers: Vec<String>,
    /// Encoded names of regions that are between two servers.
    pub regions_in_transition: Vec<String>,
    /// Whether the balancer may move regions.
    pub is_balancer_on: bool,
}

fn unsupported<T>(what: &str) -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported, format!("{what}: this kind of database cannot do that")))
}

fn without_rights(doing: &str) -> Error {
    let message = format!("cannot {doing} rights: open the database with hbase.security.authorization = true");
    Error::new(ErrorKind::Unsupported, message)
}

/// What is said of quotas where nobody keeps them; the words before the colon are HBase's.
pub fn without_quotas() -> Error {
    Error::new(ErrorKind::Unsupported, "quota support disabled: open the database with hbase.quota.enabled = true")
}

/// Schema, maintenance, statistics. Every method returns when its work is done.
///
/// Regions are named by their full name or by the encoded one.
pub trait AdminBackend: Send + Sync {
    /// Makes a table of one region more than there are `splits`.
    fn create_table(&self, table: TableDescriptor, splits: Vec<Vec<u8>>) -> Result<()>;
    /// Replaces the table's description.
    fn alter_table(&self, table: TableDescriptor) -> Result<()>;
    /// The table's description.
    fn describe_table(&self, name: &TableName) -> Result<TableDescriptor>;
    /// Whether it takes reads and writes.
    fn table_state(&self, name: &TableName) -> Result<TableState>;
    /// Lets it take reads and writes, or not any more.
    fn set_table_state(&self, name: &TableName, state: TableState) -> Result<()>;
    /// Removes a disabled table and its data.
    fn drop_table(&self, name: &TableName) -> Result<()>;
    /// Removes the data of a disabled table; its regions stay where asked.
    fn truncate_table(&self, name: &TableName, preserve_splits: bool) -> Result<()>;
    /// All tables, or those of a namespace, in order of their names.
    fn list_tables(&self, namespace: Option<&str>) -> Result<Vec<TableName>>;
    /// Makes a namespace.
    fn create_namespace(&self, namespace: NamespaceDescriptor) -> Result<()>;
    /// Replaces a namespace's properties.
    fn alter_namespace(&self, namespace: NamespaceDescriptor) -> Result<()>;
    /// Removes an empty namespace.
    fn drop_namespace(&self, name: &str) -> Result<()>;
    /// All namespaces in order of their names.
    fn list_namespaces(&self) -> Result<Vec<NamespaceDescriptor>>;
    /// The names of all namespaces, in order.
    fn namespace_names(&self) -> Result<Vec<String>> {
        Ok(self.list_namespaces()?.into_iter().map(|namespace| namespace.name).collect())
    }
    /// A namespace's properties.
    fn describe_namespace(&self, name: &str) -> Result<NamespaceDescriptor> {
        let all = self.list_namespaces()?;
        let missing = || Error::new(ErrorKind::NamespaceNotFound, name);
        all.into_iter().find(|namespace| namespace.name == name).ok_or_else(missing)
    }
    /// Writes the recent cells of a table, or of all, to files.
    fn flush(&self, name: Option<&TableName>) -> Result<()>;
    /// Merges files of a table, or one family of it; with `major` all of them.
    fn compact(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()>;
    /// The table's regions in order of their start keys.
    fn regions(&self, name: &TableName) -> Result<Vec<RegionInfo>>;
    /// The table's store files.
    fn store_files(&self, name: &TableName) -> Result<Vec<StoreFileInfo>>;
    /// Takes files made elsewhere into families of the table: pairs (family, path on this machine). They are copied; all of
    /// them are taken or none. Each region's part becomes visible at once, as if its cells had been written at that moment. Gives the
    /// files as they are in the table.
    fn bulk_load(&self, name: &TableName, files: Vec<(Vec<u8>, PathBuf)>) -> Result<Vec<StoreFileInfo>> {
        let message = format!("{} files cannot be loaded into '{name}': only a directory takes files", files.len());
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Writes the table's cells into new files below `folder`, `<family>/<file>`, one for each region and family that has
    /// cells; gives the files.
    fn export_files(&self, name: &TableName, folder: &Path) -> Result<Vec<StoreFileInfo>> {
        let message = format!("'{name}' cannot be written to {}: only a directory's tables can", folder.display());
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Copies the database as of one moment into the new directory `out`, while others write.
    fn backup(&self, out: &Path) -> Result<BackupInfo> {
        unsupported(&format!("copy the database to {}", out.display()))
    }
    /// Numbers of the database, or of one table.
    fn statistics(&self, name: Option<&TableName>) -> Result<Statistics>;

    /// Numbers of each family of each region of a table, in order of regions and families.
    fn store_loads(&self, name: &TableName) -> Result<Vec<StoreLoad>>;

    /// Where and when the table was read and written, through this database, since it was opened.
    fn heat(&self, name: &TableName) -> Result<HeatMap>;

    // What a backend may lack.

    /// The table's regions with their servers, in order of their start keys.
    fn region_places(&self, name: &TableName) -> Result<Vec<RegionPlace>> {
        Ok(self.regions(name)?.into_iter().map(|region| (region, None)).collect())
    }
    /// Splits a region at `row`, or in its middle.
    fn split_region(&self, _region: &[u8], _row: Option<&[u8]>) -> Result<()> {
        unsupported("split a region")
    }
    /// Makes one region of several; those that do not touch only with `force`.
    fn merge_regions(&self, _regions: &[Vec<u8>], _force: bool) -> Result<()> {
        unsupported("merge regions")
    }
    /// Splits and merges regions of a table until their sizes are more alike, if its NORMALIZATION_ENABLED says so; gives how
    /// many splits and merges were done.
    fn normalize(&self, _name: &TableName) -> Result<u64> {
        unsupported("normalize a table by itself")
    }
    /// Whether the database does by itself what the switch names. Remembered while it is open.
    fn switch(&self, _switch: Switch) -> Result<bool> {
        unsupported("tell what a switch is set to")
    }
    /// Turns a switch; gives what it was before.
    fn set_switch(&self, _switch: Switch, _on: bool) -> Result<bool> {
        unsupported("turn a switch")
    }
    /// Moves a region to a server (`host,port,startcode` or `host:port`), or to one that the master chooses.
    fn move_region(&self, _region: &[u8], _server: Option<&str>) -> Result<()> {
        unsupported("move a region")
    }
    /// Brings a region onto a server.
    fn assign_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("assign a region")
    }
    /// Takes a region off its server.
    fn unassign_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("unassign a region")
    }
    /// Removes the data of a region, which stays.
    fn truncate_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("truncate a region")
    }
    /// Writes the recent cells of a region, or of one family of it, to files.
    fn flush_region(&self, _region: &[u8], _family: Option<&[u8]>) -> Result<()> {
        unsupported("flush a region")
    }
    /// Which compactions of a region wait or run.
    fn compaction_state(&self, _region: &[u8]) -> Result<CompactionState> {
        unsupported("tell which compactions run")
    }
    /// Merges files of a region, or of one family of it; with `major` all of them.
    fn compact_region(&self, _region: &[u8], _family: Option<&[u8]>, _major: bool) -> Result<()> {
        unsupported("compact a region")
    }
    /// Takes a snapshot of a table: with `flush` also of its recent cells. It goes after `ttl_seconds`, if that is not 0.
    fn take_snapshot(&self, _snapshot: &str, _table: &TableName, _flush: bool, _ttl_seconds: i64) -> Result<()> {
        unsupported("take a snapshot")
    }
    /// The same, taken by `owner`, who may do with it what others may not.
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
    /// Writes a snapshot below `folder` as HBase's `ExportSnapshot` does.
    fn export_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        unsupported(&format!("write snapshot '{snapshot}' to {}", folder.display()))
    }
    /// Takes over a snapshot that HBase's `ExportSnapshot`, or the call above, wrote below `folder`.
    fn import_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        unsupported(&format!("read snapshot '{snapshot}' from {}", folder.display()))
    }
    /// All snapshots, in order of their names.
    fn list_snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        unsupported("list snapshots")
    }
    /// Removes a snapshot.
    fn delete_snapshot(&self, _snapshot: &str) -> Result<()> {
        unsupported("delete a snapshot")
    }
    /// Makes a new table with what a snapshot holds.
    fn clone_snapshot(&self, _snapshot: &str, _table: &TableName) -> Result<()> {
        unsupported("clone a snapshot")
    }
    /// Makes the disabled table of a snapshot what it was.
    fn restore_snapshot(&self, _snapshot: &str) -> Result<()> {
        unsupported("restore a snapshot")
    }
    /// Servers and regions as the master knows them.
    fn cluster_status(&self) -> Result<ClusterStatus> {
        unsupported("tell the state of a cluster")
    }
    /// Lets the balancer move regions, or not; gives what held before.
    fn set_balancer(&self, _on: bool) -> Result<bool> {
        unsupported("switch the balancer")
    }
    /// Runs the balancer; whether it could.
    fn balance(&self) -> Result<bool> {
        unsupported("balance")
    }
    /// Whether rights are looked at.
    fn has_authorization(&self) -> bool {
        false
    }
    /// Lets pass who may do what a server is about to do.
    fn check(&self, _intent: Intent<'_>) -> Result<()> {
        Ok(())
    }
    /// Gives a user rights: in place of those he had there, or with `merge` beside them.
    fn grant(&self, _grant: &Grant, _merge: bool) -> Result<()> {
        Err(without_rights("grant"))
    }
    /// Takes rights from a user: those named, or all that he has there where none are named.
    fn revoke(&self, _grant: &Grant) -> Result<()> {
        Err(without_rights("revoke"))
    }
    /// The grants of a place.
    fn grants(&self, _query: &GrantQuery) -> Result<Vec<Grant>> {
        Err(without_rights("list"))
    }
    /// Whether a user has all of these rights in a place; `None` is who asks.
    fn has_rights(&self, _user: Option<&str>, _place: &Place, _rights: Rights) -> Result<bool> {
        Err(without_rights("look for"))
    }
    /// Changes the limits of an owner.
    fn set_quota(&self, _owner: &QuotaOwner, _change: &QuotaChange) -> Result<()> {
        Err(without_quotas())
    }
    /// Bytes of store files of each table, as quotas count them.
    fn space_sizes(&self) -> Result<Vec<(TableName, u64)>> {
        unsupported("tell how much space tables take")
    }
    /// How tables with a quota on space, their own or their namespace's, stand to it; then the namespaces that have one.
    fn space_uses(&self) -> Result<Vec<(QuotaOwner, SpaceUse)>> {
        unsupported("tell how tables stand to quotas on space")
    }
    /// Calls `method` of a service of a cluster: of region server `host,port,startcode`, or of who has it. Request and answer
    /// are JSON. Where a procedure is started, it has ended.
    fn ask(&self, service: &str, method: &str, _server: Option<&str>, _request: &str) -> Result<String> {
        unsupported(&format!("be asked for {method} of {service}"))
    }
    /// The message `kind` that JSON writes, encoded as a cluster wants it inside another.
    fn encoded_message(&self, kind: &str, _text: &str) -> Result<Vec<u8>> {
        unsupported(&format!("encode a {kind}"))
    }
    /// The message `kind` that a cluster stored in a cell, as JSON.
    fn stored_message(&self, kind: &str, _bytes: &[u8]) -> Result<String> {
        unsupported(&format!("read a stored {kind}"))
    }
}
