//! Observers: hooks before and after the operations of a table, and before and after schema changes. Sources: HBase's
//! `RegionObserver` and `MasterObserver`.
//!
//! A table without an observer pays nothing. An error before an operation vetoes it: nothing is changed. An error
//! after it is returned to the caller, but the operation stays applied, as in HBase.

use crate::cell::CellBuffer;
use crate::error::Result;
use crate::operations::{CellBatch, Get, Mutation, RowMutations, Scan};
use crate::schema::{RegionInfo, TableDescriptor, TableName};

/// The set of operations that an observer subscribes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hooks(u32);

impl Hooks {
    /// Gets and exists.
    pub const GET: Hooks = Hooks(1);
    /// Puts, deletes, increments and appends, one at a time.
    pub const MUTATE: Hooks = Hooks(2);
    /// Mutations after they were written.
    pub const MUTATED: Hooks = Hooks(128);
    /// Check-and-mutates.
    pub const CHECK: Hooks = Hooks(4);
    /// The opening of scans.
    pub const SCAN: Hooks = Hooks(8);
    /// The cells of a write that is about to be logged.
    pub const BATCH: Hooks = Hooks(16);
    /// Flushes.
    pub const FLUSH: Hooks = Hooks(32);
    /// Compactions.
    pub const COMPACT: Hooks = Hooks(64);

    /// The hooks of `bits`.
    pub fn from_bits(bits: u32) -> Self {
        Hooks(bits)
    }

    /// The union of two sets.
    pub const fn and(self, other: Hooks) -> Self {
        Hooks(self.0 | other.0)
    }

    /// Whether the set contains one of `wanted`.
    pub fn has(self, wanted: Hooks) -> bool {
        self.0 & wanted.0 != 0
    }
}

/// An observer's decision before an operation.
#[derive(Debug)]
pub enum Before<T, R> {
    /// Perform this operation: the original or a replacement.
    Go(T),
    /// Skip the operation and return this result to the caller.
    Bypass(R),
}

/// A change of another table that belongs to a write and goes into the same log record.
pub type Companion = (TableName, Mutation);

/// Receives the operations of one table. Called on the caller's thread; for flushes and compactions on the thread
/// that runs them.
pub trait TableObserver: Send + Sync {
    /// The hooks it subscribes to; the others cost nothing. Constant.
    fn hooks(&self) -> Hooks;
    /// Before a get.
    fn pre_get(&self, get: Get) -> Result<Before<Get, CellBatch>>;
    /// After a get: returns the result for the caller.
    fn post_get(&self, get: &Get, found: CellBatch) -> Result<CellBatch>;
    /// Before a scan opens.
    fn pre_scan(&self, scan: Scan) -> Result<Scan>;
    /// After a scan opened.
    fn post_scan(&self, scan: &Scan) -> Result<()>;
    /// Before a mutation, alone or among others, is checked and locked.
    fn pre_mutate(&self, mutation: Mutation) -> Result<Before<Mutation, CellBatch>>;
    /// After a mutation was written and is visible.
    fn post_mutate(&self, mutation: &Mutation, result: &CellBatch) -> Result<()>;
    /// Before a check-and-mutate; a bypass decides whether the condition counts as met.
    fn pre_check(&self, mutations: RowMutations) -> Result<Before<RowMutations, bool>>;
    /// After a check-and-mutate.
    fn post_check(&self, mutations: &RowMutations, is_met: bool) -> Result<()>;
    /// With `rows` locked for this write and its `cells` final: returns changes of other tables that belong to the
    /// write. Without cells the rows are only inspected (see `TableBackend::touch`). May be called again for the same
    /// write if a region is being split. The hook must not write. All writes of a table observed this way go to the
    /// log.
    fn pre_batch(&self, rows: &[&[u8]], cells: &CellBuffer) -> Result<Vec<Companion>>;
    /// After such a write is visible, with its rows still locked.
    fn post_batch(&self, cells: &CellBuffer) -> Result<()>;
    /// Before the memstore of a region is flushed.
    fn pre_flush(&self, region: &RegionInfo) -> Result<()>;
    /// After the flush.
    fn post_flush(&self, region: &RegionInfo) -> Result<()>;
    /// Before a compaction of a region: of one family or of all, with all files (major) or some.
    fn pre_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()>;
    /// After a compaction.
    fn post_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()>;
}

/// A change of the schema, or of a related object such as a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaChange {
    /// The action, named after HBase's hook: `create_table`, `delete_table`, `snapshot`, …
    pub action: &'static str,
    /// The table.
    pub table: Option<TableName>,
    /// The new descriptor of the table.
    pub descriptor: Option<TableDescriptor>,
    /// The namespace or the snapshot.
    pub name: Option<String>,
}

impl SchemaChange {
    /// A change `action` of a table.
    pub fn of_table(action: &'static str, table: &TableName) -> Self {
        SchemaChange { action, table: Some(table.clone()), descriptor: None, name: None }
    }

    /// A change `action` that creates or alters a table to match `descriptor`.
    pub fn described(action: &'static str, descriptor: &TableDescriptor) -> Self {
        SchemaChange { descriptor: Some(descriptor.clone()), ..Self::of_table(action, &descriptor.name) }
    }

    /// A change `action` of a namespace or snapshot.
    pub fn named(action: &'static str, name: &str) -> Self {
        SchemaChange { action, table: None, descriptor: None, name: Some(name.to_string()) }
    }
}

/// Receives schema changes.
pub trait SchemaObserver: Send + Sync {
    /// Before the change.
    fn pre(&self, change: &SchemaChange) -> Result<()>;
    /// After it.
    fn post(&self, change: &SchemaChange) -> Result<()>;
}
