//! Snapshots of tables.

use super::unsupported;
use crate::error::Result;
use crate::schema::TableName;
use std::path::Path;

/// The type of a snapshot, as HBase names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SnapshotKind {
    /// Of an enabled table, with its memstore.
    #[default]
    Flush,
    /// Of an enabled table, without its memstore.
    SkipFlush,
    /// Of a disabled table.
    Disabled,
}

/// A snapshot: a named record of a table's files at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SnapshotInfo {
    /// Its name.
    pub name: String,
    /// The table it was taken from.
    pub table: String,
    /// Its type.
    pub kind: SnapshotKind,
    /// Creation time in milliseconds.
    pub created_ms: i64,
    /// Seconds after which it is deleted automatically; 0 means never.
    pub ttl_seconds: i64,
    /// The user who took it.
    pub owner: String,
}

/// Snapshots of tables.
pub trait SnapshotAdmin: Send + Sync {
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
    /// Exports a snapshot below `folder` in the layout of HBase's `ExportSnapshot`.
    fn export_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        unsupported(&format!("write snapshot '{snapshot}' to {}", folder.display()))
    }
    /// Imports a snapshot that HBase's `ExportSnapshot`, or the method above, wrote below `folder`.
    fn import_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        unsupported(&format!("read snapshot '{snapshot}' from {}", folder.display()))
    }
}
