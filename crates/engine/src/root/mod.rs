//! Files of an HBase cluster without the cluster: a root directory, or an exported snapshot, as the state of a
//! read-only database.
//!
//! ```text
//! <root>/hbase.version                                               layout of the root: 8
//!       /.hbase-snapshot/<snapshot>/{.snapshotinfo,data.manifest}    schema, regions and files of a snapshot
//!       /data/<namespace>/<table>/.tabledesc/.tableinfo.<number>.<length>
//!                                /<region>/.regioninfo
//!                                         /<family>/<file>           or a link, or a reference: `names`
//!       /archive/data/<namespace>/<table>/<region>/<family>/<file>   files that only snapshots and clones need
//!       /mobdir/data/<namespace>/<table>/<region>/<family>/<file>    large values
//! ```
//!
//! | file | duty |
//! |---|---|
//! | `snapshot` | the regions and files of a snapshot |
//! | `tables` | the regions of the tables that are now in `data/` |
//! | `flushes` | flushes that are going on |
//! | `tracker` | the files of a store: those in its folder, or those in a list |
//! | `names`, `places` | from a file's name to its path |
//! | `entries` | from a path to an entry of the manifest |
//! | `logs` | writes that are in no file yet |
//! | `messages` | protobuf messages |
//!
//! Everything is read through [`FileSystem`], so a root may be in an object store. Nothing is written. Reads see the
//! files that were there when the root was opened. What is only in logs is read on request, into memory.
//! Sources: HBase's `TableSnapshotScanner`, `RestoreSnapshotHelper`, `HRegionFileSystem`.

mod entries;
mod flushes;
mod logs;
pub(crate) mod messages;
mod names;
mod places;
mod snapshot;
mod tables;
#[cfg(test)]
mod tests;
mod tracker;

pub use entries::describe;
pub use logs::{read_logs, LoggedWrite};
pub use names::{family_folder, meaning_of, sequence_id_in, Meant};
pub use places::Places;
pub use snapshot::{read_snapshot, snapshot_folder, snapshot_names, DESCRIPTION, MANIFEST};

use crate::hfile::format::proto::{each_field, Value};
use crate::manifest::{SnapshotEntry, State, TableEntry};
use crate::sys::FileSystem;
use entries::Entries;
use messages::{Description, Manifest};
use rowstone_model::admin::SnapshotKind;
use rowstone_model::schema::{NamespaceDescriptor, TableName};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// File with the version of the layout.
const VERSION: &str = "hbase.version";
/// The version that HBase 1, 2 and 3 write.
const SUPPORTED_VERSION: &str = "8";

/// File of a database directory of Rowstone.
const OWN_MANIFEST: &str = "MANIFEST";

/// The part of a root that is read.
#[derive(Debug, Clone, Default)]
pub struct RootView {
    /// Only the table of this snapshot, as the snapshot has it.
    pub snapshot: Option<String>,
    /// Only these of the tables; empty for all.
    pub tables: Vec<TableName>,
    /// With the writes that are only in logs. A snapshot has none.
    pub with_logs: bool,
    /// Whether the storage hides the last block of an open file, so that a log may have writes although it looks empty.
    pub hides_open_blocks: bool,
}

/// Reads a root as the state of a database whose files are below it.
///
/// # Errors
/// `NotADatabase` if `root` has neither tables nor snapshots; `SnapshotNotFound`, `TableNotFound`; `Unsupported` for
/// another version of the layout, an encrypted file or an unknown store file tracker; `Corruption`; `Io`, such as for a
/// file that is removed meanwhile.
pub fn read(files: &dyn FileSystem, root: &Path, view: &RootView) -> Result<State> {
    check_version(files, root)?;
    let (tables, description) = match &view.snapshot {
        Some(name) => {
            let (description, table) = read_snapshot(files, root, name)?;
            (vec![table], Some((name, description)))
        }
        None => (tables_of(files, root, view)?, None),
    };
    let mut state = State::new(root.display().to_string());
    let mut entries = Entries::new(files, root);
    for table in &tables {
        let name = &table.descriptor.name;
        let space = name.namespace().to_string();
        let made = NamespaceDescriptor { name: space.clone(), properties: BTreeMap::new() };
        state.namespaces.entry(space).or_insert(made);
        let entry = entries.table(table)?;
        if let Some((snapshot, description)) = &description {
            state.snapshots.insert(snapshot.to_string(), Arc::new(snapshot_entry(snapshot, description, &entry)));
        }
        state.tables.insert(name.clone(), Arc::new(entry));
    }
    Ok(state)
}

/// The snapshot that was opened, under its name, so that it can be listed and exported.
fn snapshot_entry(name: &str, description: &Description, table: &TableEntry) -> SnapshotEntry {
    SnapshotEntry {
        name: name.to_string(),
        created_ms: description.created_ms,
        ttl_seconds: description.ttl_seconds,
        owner: description.owner.clone(),
        kind: SnapshotKind::default(),
        descriptor: table.descriptor.clone(),
        regions: table.regions.clone(),
    }
}

fn tables_of(files: &dyn FileSystem, root: &Path, view: &RootView) -> Result<Vec<Manifest>> {
    if !files.exists(&root.join("data")) {
        let snapshots = snapshot_names(files, root)?;
        let hint = match &snapshots[..] {
            [] => "it has neither data/ nor .hbase-snapshot/".to_string(),
            names => format!("it has no data/, but snapshots: choose one of {}", names.join(", ")),
        };
        let message = format!("{} is not an HBase root directory: {hint}", root.display());
        return Err(Error::new(ErrorKind::NotADatabase, message));
    }
    let mut tables = tables::read_tables(files, root, &view.tables)?;
    if let Some(missing) = view.tables.iter().find(|name| tables.iter().all(|table| table.descriptor.name != **name)) {
        let message = format!("{} has no table '{missing}' (TableNotFoundException)", root.display());
        return Err(Error::new(ErrorKind::TableNotFound, message));
    }
    tables.sort_by(|left, right| left.descriptor.name.cmp(&right.descriptor.name));
    Ok(tables)
}

/// Refuses a root of another layout, and a directory of Rowstone. An exported snapshot has no version.
fn check_version(files: &dyn FileSystem, root: &Path) -> Result<()> {
    let path = root.join(VERSION);
    if !files.exists(&path) {
        if files.exists(&root.join(OWN_MANIFEST)) {
            let place = root.display();
            let message =
                format!("{place} is a database directory of Rowstone, not an HBase root: connect to it instead");
            return Err(Error::new(ErrorKind::NotADatabase, message));
        }
        return Ok(());
    }
    let bytes = places::read(files, &path)?;
    let mut version = String::new();
    let message = bytes.strip_prefix(b"PBUF").unwrap_or_default();
    let read = each_field(message, |field, value| {
        if let (1, Value::Bytes(text)) = (field, value) {
            version = String::from_utf8_lossy(text).into_owned();
        }
        Ok(())
    });
    snapshot::understood(read, &path)?;
    if version == SUPPORTED_VERSION {
        return Ok(());
    }
    let message = format!("{}: layout version '{version}'; '{SUPPORTED_VERSION}' is read", path.display());
    Err(Error::new(ErrorKind::Unsupported, message))
}
