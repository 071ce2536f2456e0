//! Snapshots as HBase's `ExportSnapshot` writes and reads them:
//!
//! ```text
//! <folder>/.hbase-snapshot/<snapshot>/.snapshotinfo     which table, when: a protobuf message
//!                                    /data.manifest     schema, regions, names of files: another
//! <folder>/archive/data/<namespace>/<table>/<region>/<family>/<file>
//! ```
//!
//! Files are HFiles on both sides and are copied byte by byte. Sources: HBase's `SnapshotDescriptionUtils`,
//! `SnapshotManifest`, `HFileLink`, `Reference`.

mod export;
mod import;
mod messages;

use crate::sys::RealFileSystem;
use std::path::{Path, PathBuf};

/// Folders outside belong to the machine, whatever the database itself lives in.
const OUTSIDE: RealFileSystem = RealFileSystem;
const DESCRIPTION: &str = ".snapshotinfo";
const MANIFEST: &str = "data.manifest";

/// Where a snapshot's description and manifest are.
fn snapshot_folder(folder: &Path, snapshot: &str) -> PathBuf {
    folder.join(".hbase-snapshot").join(snapshot)
}

/// What `_SeqId_17_` at the end of a bulk-loaded file's name says.
fn sequence_id_in(name: &str) -> Option<u64> {
    name.strip_suffix('_')?.rsplit_once("_SeqId_")?.1.parse().ok()
}

#[cfg(test)]
mod tests;
