//! Edits: the kinds of changes of the manifest.

use super::state::{FileEntry, LogEntry, RegionEntry, SnapshotEntry, State};
use super::text;
use rowstone_model::schema::{NamespaceDescriptor, TableDescriptor, TableName, TableState};
use rowstone_model::switches::Switch;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One change of the state. User errors were checked before; an edit that does not fit the state is a bug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Creates a namespace or replaces its properties.
    PutNamespace {
        /// The namespace.
        #[serde(with = "text::NamespaceText")]
        namespace: NamespaceDescriptor,
    },
    /// Removes an empty namespace.
    DropNamespace {
        /// Its name.
        name: String,
    },
    /// Creates an enabled table.
    CreateTable {
        /// Its description.
        #[serde(with = "text::TableText")]
        descriptor: TableDescriptor,
        /// Its regions, from the first row to the last; with files for a restored or cloned table.
        regions: Vec<RegionEntry>,
    },
    /// Replaces a table's description. Stores of new families begin empty, those of missing families are removed.
    AlterTable {
        /// The description.
        #[serde(with = "text::TableText")]
        descriptor: TableDescriptor,
    },
    /// Enables or disables a table.
    SetTableState {
        /// The table.
        #[serde(with = "text::table_name")]
        table: TableName,
        /// The state.
        #[serde(with = "text::TableStateText")]
        state: TableState,
    },
    /// Removes a table with its regions and files.
    DropTable {
        /// The table.
        #[serde(with = "text::table_name")]
        table: TableName,
    },
    /// Changes the files of one store: a flush, a compaction, a bulk load.
    ReplaceFiles {
        /// The region's encoded name.
        region: String,
        /// The family.
        #[serde(with = "text::key")]
        family: Vec<u8>,
        /// Paths of removed files.
        #[serde(default)]
        remove: Vec<String>,
        /// Added files.
        #[serde(default)]
        add: Vec<FileEntry>,
        /// Every cell up to this sequence id is now in a file; the store's number never goes back.
        #[serde(default)]
        flushed_sequence_id: Option<u64>,
        /// Time of the region's last write, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_write_ms: Option<i64>,
    },
    /// Replaces some regions of a table by others with the same rows: split, merge.
    ReplaceRegions {
        /// The table.
        #[serde(with = "text::table_name")]
        table: TableName,
        /// Encoded names of removed regions. Their files are retained if an added region names them.
        remove: Vec<String>,
        /// Added regions.
        add: Vec<RegionEntry>,
    },
    /// Replaces all regions of a table: truncate.
    SetRegions {
        /// The table.
        #[serde(with = "text::table_name")]
        table: TableName,
        /// Its regions, from the first row to the last.
        regions: Vec<RegionEntry>,
    },
    /// Adds a snapshot.
    PutSnapshot {
        /// The snapshot.
        snapshot: SnapshotEntry,
    },
    /// Removes a snapshot.
    DropSnapshot {
        /// Its name.
        name: String,
    },
    /// Notes that a region allocated sequence ids up to this one. The number never goes back.
    RecordSequenceId {
        /// The region's encoded name.
        region: String,
        /// The id.
        sequence_id: u64,
    },
    /// Adds a log that was just created. It is needed from now on.
    AddLog {
        /// The log.
        log: LogEntry,
    },
    /// Removes the logs with smaller numbers: their cells are in files.
    RemoveLogs {
        /// The number of the first log to retain.
        before: u64,
    },
    /// Notes how far a log is synced. The number never goes back. A log that is no longer needed has none.
    RecordLogEnd {
        /// The log's number.
        number: u64,
        /// The offset up to which it was synced.
        synced_bytes: u64,
    },
    /// Turns background work on or off.
    TurnSwitch {
        /// The switch.
        #[serde(with = "text::switch")]
        switch: Switch,
        /// Whether it is on.
        on: bool,
    },
}

impl Edit {
    /// Whether files or logs are no longer needed after it, or it is a step towards that. On a full disk such an edit
    /// may use the space reserved for it.
    pub fn frees_space(&self) -> bool {
        match self {
            // After a flush, logs are no longer needed.
            Edit::ReplaceFiles { remove, flushed_sequence_id, .. } => {
                !remove.is_empty() || flushed_sequence_id.is_some()
            }
            Edit::AlterTable { .. }
            | Edit::SetTableState { .. }
            | Edit::DropTable { .. }
            | Edit::ReplaceRegions { .. }
            | Edit::SetRegions { .. }
            | Edit::DropSnapshot { .. }
            | Edit::RemoveLogs { .. } => true,
            _ => false,
        }
    }
}

/// Contents of one frame.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Commit {
    /// Only in the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database_id: Option<String>,
    /// Only in the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_region_id: Option<i64>,
    /// Only in the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<u64>,
    pub edits: Vec<Edit>,
}

/// A frame after the first, to be written.
#[derive(Debug, Serialize)]
pub(super) struct Edits<'a> {
    pub edits: &'a [Edit],
}

impl Commit {
    /// The edits that build `state` from nothing.
    pub fn whole(state: &State) -> Self {
        let namespaces = state.namespaces.values().cloned().map(|namespace| Edit::PutNamespace { namespace });
        let tables = state.tables.values().flat_map(|table| {
            let (descriptor, regions) = (table.descriptor.clone(), table.regions.clone());
            let name = descriptor.name.clone();
            let disable = Edit::SetTableState { table: name, state: table.state };
            let disable = Some(disable).filter(|_| table.state != TableState::Enabled);
            std::iter::once(Edit::CreateTable { descriptor, regions }).chain(disable)
        });
        let put = |snapshot: &Arc<SnapshotEntry>| Edit::PutSnapshot { snapshot: SnapshotEntry::clone(snapshot) };
        let snapshots = state.snapshots.values().map(put);
        let switches = state.off.iter().map(|switch| Edit::TurnSwitch { switch: *switch, on: false });
        let logs = state.logs.values().cloned().map(|log| Edit::AddLog { log });
        Commit {
            database_id: Some(state.database_id.clone()),
            last_region_id: Some(state.last_region_id),
            commits: Some(state.commits),
            edits: namespaces.chain(tables).chain(snapshots).chain(switches).chain(logs).collect(),
        }
    }
}
