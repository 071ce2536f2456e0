//! State of the manifest, as values.

use super::text;
use crate::hfile::Digest;
use rowstone_model::admin::SnapshotKind;
use rowstone_model::schema::{NamespaceDescriptor, RegionInfo, TableDescriptor, TableName, TableState};
use rowstone_model::switches::Switch;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Namespaces that exist from the start and cannot be dropped.
pub(super) const BORN_NAMESPACES: [&str; 2] = ["default", "hbase"];

/// All live objects of a database. Clones share their tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The database's own name, a random UUID.
    pub database_id: String,
    /// Namespaces by name.
    pub namespaces: BTreeMap<String, NamespaceDescriptor>,
    /// Tables by name.
    pub tables: BTreeMap<TableName, Arc<TableEntry>>,
    /// Snapshots by name.
    pub snapshots: BTreeMap<String, Arc<SnapshotEntry>>,
    /// Background work that is switched off.
    pub off: BTreeSet<Switch>,
    /// The largest id that any region ever had.
    pub last_region_id: i64,
    /// Logs that may contain cells that are in no file, by number.
    pub logs: BTreeMap<u64, LogEntry>,
    /// Number of commits. Logs record it, so that an older copy of the manifest is recognized.
    pub commits: u64,
}

/// A log that is needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Its number.
    pub number: u64,
    /// The checksum of its header, which identifies the log.
    pub checksum: u32,
    /// Offset up to which it is known to be synced.
    pub synced_bytes: u64,
}

/// The contents of a table at one moment. Its files are retained as long as it names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotEntry {
    /// Its name.
    pub name: String,
    /// Time when it was taken, in milliseconds.
    pub created_ms: i64,
    /// Seconds after which it expires; 0 for never.
    #[serde(default)]
    pub ttl_seconds: i64,
    /// The user who took it; empty without access control.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
    /// Its type. Manifests of earlier versions do not have it, nor do imported snapshots.
    #[serde(default, with = "text::SnapshotKindText", skip_serializing_if = "text::SnapshotKindText::is_flush")]
    pub kind: SnapshotKind,
    /// The table's description.
    #[serde(with = "text::TableText")]
    pub descriptor: TableDescriptor,
    /// The table's regions with their files, from the first row to the last.
    pub regions: Vec<RegionEntry>,
}

impl SnapshotEntry {
    /// Whether its time to live has passed.
    pub fn is_expired(&self, now_ms: i64) -> bool {
        self.ttl_seconds > 0 && self.created_ms.saturating_add(self.ttl_seconds.saturating_mul(1_000)) < now_ms
    }

    /// Its files.
    pub fn files(&self) -> impl Iterator<Item = &FileEntry> {
        files_of(&self.regions)
    }
}

fn files_of(regions: &[RegionEntry]) -> impl Iterator<Item = &FileEntry> {
    regions.iter().flat_map(|region| region.stores.values()).flat_map(|store| &store.files)
}

/// A table and its regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableEntry {
    /// Its description.
    pub descriptor: TableDescriptor,
    /// Whether it accepts reads and writes.
    pub state: TableState,
    /// Its regions in order of their start keys, without gaps.
    pub regions: Vec<RegionEntry>,
}

/// A region and its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionEntry {
    /// The range of rows.
    #[serde(with = "text::RegionInfoText")]
    pub info: RegionInfo,
    /// Its stores by family.
    #[serde(with = "text::stores")]
    pub stores: BTreeMap<Vec<u8>, StoreEntry>,
    /// A lower limit of the last allocated sequence id.
    #[serde(default)]
    pub last_sequence_id: u64,
    /// Time of its last write before the last flush, if known: its clock continues from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_write_ms: Option<i64>,
    /// The split it came from, while it has halves of the parent's files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
}

/// A split, as a daughter records it. `hbase:meta` shows the parent until both daughters have files of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The region that was split.
    #[serde(with = "text::RegionInfoText")]
    pub parent: RegionInfo,
    /// The region of the rows before the split row.
    #[serde(with = "text::RegionInfoText")]
    pub bottom: RegionInfo,
    /// The region of the rows from the split row on.
    #[serde(with = "text::RegionInfoText")]
    pub top: RegionInfo,
}

/// One family of one region.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StoreEntry {
    /// Its files, in the order in which they were added.
    #[serde(default)]
    pub files: Vec<FileEntry>,
    /// Every cell up to this sequence id is in a file or removed for good.
    #[serde(default)]
    pub flushed_sequence_id: u64,
}

/// A store file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path relative to the database's directory, with `/` between the parts. The file is in the store's own
    /// folder, or after a split or a merge in that of a removed region.
    pub path: String,
    /// Bytes on disk.
    pub size_bytes: u64,
    /// The largest sequence id it covers.
    pub max_sequence_id: u64,
    /// Number of cells.
    pub entry_count: u64,
    /// Whether it came from a compaction of all files.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_major: bool,
    /// Whether it was bulk loaded: all its cells count as written at `max_sequence_id`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_bulk_loaded: bool,
    /// The half of the file that the store has, if it does not have all of it. The numbers above are the whole
    /// file's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Half>,
    /// The MOB files to which its cells refer. They are alive as long as an entry names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mob_files: Vec<MobEntry>,
    /// Digest that identifies the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// Properties of a MOB file, stored with each store file that refers to it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MobEntry {
    /// Its path relative to the database's directory. Cells refer to it by the last part.
    pub path: String,
    /// Bytes on disk.
    pub size_bytes: u64,
    /// Number of cells.
    pub entry_count: u64,
    /// Number of cells of the store file that refer to it.
    pub references: u64,
    /// Digest that identifies the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

impl MobEntry {
    /// The file's name.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

impl FileEntry {
    /// The paths of the file and of the MOB files to which it refers.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.path.as_str()).chain(self.mob_files.iter().map(|file| file.path.as_str()))
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// One half of a file, after a split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Half {
    /// The first row of the upper half.
    #[serde(with = "text::key")]
    pub split_row: Vec<u8>,
    /// Whether it is the upper half: rows from `split_row` on.
    pub is_top: bool,
}

impl State {
    /// A database without tables.
    pub fn new(database_id: String) -> Self {
        let born = |name: &str| {
            let descriptor = NamespaceDescriptor { name: name.into(), properties: BTreeMap::new() };
            (name.to_string(), descriptor)
        };
        State {
            database_id,
            namespaces: BORN_NAMESPACES.into_iter().map(born).collect(),
            tables: BTreeMap::new(),
            snapshots: BTreeMap::new(),
            off: BTreeSet::new(),
            last_region_id: 0,
            logs: BTreeMap::new(),
            commits: 0,
        }
    }

    /// An id for a region created at `now_ms`. It is never reused, so that log records of a dropped region cannot
    /// be mistaken for those of a new one with the same name.
    pub fn next_region_id(&self, now_ms: i64) -> i64 {
        now_ms.max(self.last_region_id + 1)
    }

    /// Checksum of its id, as stored in its logs.
    pub fn tag(&self) -> u32 {
        crc32c::crc32c(self.database_id.as_bytes())
    }

    /// The region of that encoded name, and its table.
    pub fn region(&self, encoded_name: &str) -> Option<(&TableEntry, &RegionEntry)> {
        self.tables.values().find_map(|table| {
            let region = table.regions.iter().find(|region| region.info.encoded_name == encoded_name)?;
            Some((&**table, region))
        })
    }

    /// All files that tables and snapshots name. A file of several is returned once for each.
    pub fn live_files(&self) -> impl Iterator<Item = &FileEntry> {
        let of_tables = self.tables.values().flat_map(|table| files_of(&table.regions));
        of_tables.chain(self.snapshots.values().flat_map(|snapshot| snapshot.files()))
    }

    /// The paths of all live files.
    pub fn live_paths(&self) -> BTreeSet<&str> {
        self.live_files().flat_map(FileEntry::paths).collect()
    }
}

impl TableEntry {
    /// The paths of its files.
    pub fn paths(&self) -> BTreeSet<&str> {
        files_of(&self.regions).flat_map(FileEntry::paths).collect()
    }
}

impl RegionEntry {
    /// A region without files, with a store for each family of `descriptor`.
    pub fn new(info: RegionInfo, descriptor: &TableDescriptor) -> Self {
        let stores = descriptor.families.keys().map(|name| (name.clone(), StoreEntry::default())).collect();
        RegionEntry { info, stores, last_sequence_id: 0, last_write_ms: None, split: None }
    }

    /// Whether one of its files is a half of another region's.
    pub fn has_references(&self) -> bool {
        self.stores.values().flat_map(|store| &store.files).any(|file| file.reference.is_some())
    }
}
