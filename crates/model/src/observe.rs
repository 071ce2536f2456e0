//! Observers: who is asked before and after the operations of a table, and the changes of the schema. Sources: HBase's
//! `RegionObserver` and `MasterObserver`.
//!
//! A table without an observer asks nobody. Whoever raises before an operation vetoes it: nothing is changed. Who raises after it is
//! heard by the caller, and what was done stays done, as in HBase.

use crate::cell::CellBuffer;
use crate::error::Result;
use crate::operations::{CellBatch, Get, Mutation, RowMutations, Scan};
use crate::schema::{RegionInfo, TableDescriptor, TableName};

/// Which operations an observer wants to hear of: a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hooks(u32);

impl Hooks {
    /// Gets and exists.
    pub const GET: Hooks = Hooks(1);
    /// Puts, deletes, increments, appends, one by one.
    pub const MUTATE: Hooks = Hooks(2);
    /// Those that were written.
    pub const MUTATED: Hooks = Hooks(128);
    /// Check-and-mutates.
    pub const CHECK: Hooks = Hooks(4);
    /// Scans, when they open.
    pub const SCAN: Hooks = Hooks(8);
    /// The cells of a write, when they are about to be logged.
    pub const BATCH: Hooks = Hooks(16);
    /// Flushes.
    pub const FLUSH: Hooks = Hooks(32);
    /// Compactions.
    pub const COMPACT: Hooks = Hooks(64);

    /// Those of `bits`.
    pub fn from_bits(bits: u32) -> Self {
        Hooks(bits)
    }

    /// Both sets together.
    pub const fn and(self, other: Hooks) -> Self {
        Hooks(self.0 | other.0)
    }

    /// Whether one of `wanted` is among them.
    pub fn has(self, wanted: Hooks) -> bool {
        self.0 & wanted.0 != 0
    }
}

/// What an observer says before an operation.
#[derive(Debug)]
pub enum Before<T, R> {
    /// Do this: the operation as it came, or another in its place.
    Go(T),
    /// Do nothing, and give the caller that.
    Bypass(R),
}

/// A change that belongs to a write: of another table, in the same record of the log.
pub type Companion = (TableName, Mutation);

/// Hears of the operations of one table. Called on the thread of the caller; flushes and compactions on whatever thread does them.
pub trait TableObserver: Send + Sync {
    /// What it wants to hear of; the rest costs nothing. Does not change.
    fn hooks(&self) -> Hooks;
    /// Before a get.
    fn pre_get(&self, get: Get) -> Result<Before<Get, CellBatch>>;
    /// After a get: what the caller is given.
    fn post_get(&self, get: &Get, found: CellBatch) -> Result<CellBatch>;
    /// Before a scan opens.
    fn pre_scan(&self, scan: Scan) -> Result<Scan>;
    /// After a scan opened.
    fn post_scan(&self, scan: &Scan) -> Result<()>;
    /// Before a mutation, alone or among others, is checked and locked.
    fn pre_mutate(&self, mutation: Mutation) -> Result<Before<Mutation, CellBatch>>;
    /// After a mutation was written and is visible.
    fn post_mutate(&self, mutation: &Mutation, result: &CellBatch) -> Result<()>;
    /// Before a check-and-mutate; a bypass says whether the condition counts as met.
    fn pre_check(&self, mutations: RowMutations) -> Result<Before<RowMutations, bool>>;
    /// After a check-and-mutate.
    fn post_check(&self, mutations: &RowMutations, is_met: bool) -> Result<()>;
    /// With `rows` locked for this write alone, and its `cells` final: what else belongs to the write, in other tables. Without cells
    /// the rows are only looked at (see `TableBackend::touch`). May be called again for the same write where a region is split at
    /// that moment. It must not write. All writes of a table that is watched so go to the log.
    fn pre_batch(&self, rows: &[&[u8]], cells: &CellBuffer) -> Result<Vec<Companion>>;
    /// After such a write is visible, its rows still locked.
    fn post_batch(&self, cells: &CellBuffer) -> Result<()>;
    /// Before the recent cells of a region go to files.
    fn pre_flush(&self, region: &RegionInfo) -> Result<()>;
    /// After they did.
    fn post_flush(&self, region: &RegionInfo) -> Result<()>;
    /// Before files of a region are merged: of one family or of all, all of its files (major) or some.
    fn pre_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()>;
    /// After some were.
    fn post_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()>;
}

/// A change of the schema, or of what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaChange {
    /// What is done, as HBase's hooks name it: `create_table`, `delete_table`, `snapshot`, …
    pub action: &'static str,
    /// The table.
    pub table: Option<TableName>,
    /// How the table is to be.
    pub descriptor: Option<TableDescriptor>,
    /// The namespace or the snapshot.
    pub name: Option<String>,
}

impl SchemaChange {
    /// `action` on a table.
    pub fn of_table(action: &'static str, table: &TableName) -> Self {
        SchemaChange { action, table: Some(table.clone()), descriptor: None, name: None }
    }

    /// `action` that makes a table like `descriptor`.
    pub fn described(action: &'static str, descriptor: &TableDescriptor) -> Self {
        SchemaChange { descriptor: Some(descriptor.clone()), ..Self::of_table(action, &descriptor.name) }
    }

    /// `action` on a namespace or snapshot.
    pub fn named(action: &'static str, name: &str) -> Self {
        SchemaChange { action, table: None, descriptor: None, name: Some(name.to_string()) }
    }
}

/// Hears of changes of the schema.
pub trait SchemaObserver: Send + Sync {
    /// Before the change.
    fn pre(&self, change: &SchemaChange) -> Result<()>;
    /// After it.
    fn post(&self, change: &SchemaChange) -> Result<()>;
}
