//! Store files, memstores, statistics, and switches for automatic work.

use super::memory::MemoryLimits;
use super::unsupported;
use crate::error::{Error, ErrorKind, Result};
use crate::heat::HeatMap;
use crate::schema::{RegionInfo, TableName};
use crate::switches::Switch;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

/// Store files, memstores, statistics, and switches for automatic work.
pub trait StoreAdmin: Send + Sync {
    /// Flushes the memstores of one table or of all tables.
    fn flush(&self, name: Option<&TableName>) -> Result<()>;
    /// Compacts a table or one family of it; `major` rewrites all files.
    fn compact(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()>;
    /// Splits and merges regions of a table to even out their sizes, if its NORMALIZATION_ENABLED is set. Returns the
    /// number of splits and merges.
    fn normalize(&self, _name: &TableName) -> Result<u64> {
        unsupported("normalize a table")
    }
    /// Whether a switch for automatic work is on. It keeps its state at least until the database is closed.
    fn switch(&self, _switch: Switch) -> Result<bool> {
        unsupported("read a switch")
    }
    /// Sets a switch; returns its previous state.
    fn set_switch(&self, _switch: Switch, _on: bool) -> Result<bool> {
        unsupported("set a switch")
    }
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
    /// Limits of memory and what decided them.
    fn memory_limits(&self) -> Result<MemoryLimits> {
        unsupported("read memory limits")
    }
    /// Metrics of each family of each region of a table, sorted by region and family.
    fn store_loads(&self, name: &TableName) -> Result<Vec<StoreLoad>>;
    /// Reads and writes of the table by key range and time, through this database, since it was opened.
    fn heat(&self, name: &TableName) -> Result<HeatMap>;
}
