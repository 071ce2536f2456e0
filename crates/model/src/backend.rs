//! The traits behind which a directory or a cluster sits. The binding knows nothing else.

use crate::error::Result;
use crate::operations::{
    Action, ActionResult, CellBatch, CheckAndMutate, CheckResult, Get, Mutation, ReadOptions, RowMutations, Scan,
};
use crate::schema::{NamespaceDescriptor, RegionInfo, TableDescriptor, TableName, TableState};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An open database.
pub trait Backend: Send + Sync {
    /// A handle on the table. Whether it exists shows at the first operation in a cluster, at once in a directory.
    fn table(&self, name: &TableName) -> Result<Arc<dyn TableBackend>>;
    /// Schema, maintenance, statistics.
    fn admin(&self) -> &dyn AdminBackend;
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
    /// Changes a row; increments and appends give the new cells.
    fn mutate(&self, mutation: Mutation) -> Result<CellBatch>;
    /// Puts and deletes, each on its own: a result per mutation, in order.
    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>>;
    /// Several changes of one row at once.
    fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch>;
    /// Changes a row where a condition holds.
    fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult>;
    /// Actions, each on its own: a result per action, in order.
    fn multi(&self, actions: Vec<Action>) -> Vec<Result<ActionResult>>;
    /// Rows of a range, batch by batch.
    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>>;
}

/// An open scan.
pub trait ScannerBackend: Send {
    /// The next rows: at least one, at most `max_rows` and about `max_bytes`; `None` at the end.
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>>;
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

/// Schema, maintenance, statistics. Every method returns when its work is done.
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
    /// Writes the recent cells of a table, or of all, to files.
    fn flush(&self, name: Option<&TableName>) -> Result<()>;
    /// Merges files of a table, or one family of it; with `major` all of them.
    fn compact(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()>;
    /// The table's regions in order of their start keys.
    fn regions(&self, name: &TableName) -> Result<Vec<RegionInfo>>;
    /// The table's store files.
    fn store_files(&self, name: &TableName) -> Result<Vec<StoreFileInfo>>;
    /// Numbers of the database, or of one table.
    fn statistics(&self, name: Option<&TableName>) -> Result<Statistics>;
}
