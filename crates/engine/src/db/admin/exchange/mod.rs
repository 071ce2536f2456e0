//! Snapshots in the layout that HBase's `ExportSnapshot` writes and reads:
//!
//! ```text
//! <folder>/.hbase-snapshot/<snapshot>/.snapshotinfo     table and time: a protobuf message
//!                                    /data.manifest     schema, regions, names of files: another message
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

/// The machine's file system. Folders outside the database are on it even if the database is in memory.
const OUTSIDE: RealFileSystem = RealFileSystem;
const DESCRIPTION: &str = ".snapshotinfo";
const MANIFEST: &str = "data.manifest";

/// Folder of a snapshot's description and manifest.
fn snapshot_folder(folder: &Path, snapshot: &str) -> PathBuf {
    folder.join(".hbase-snapshot").join(snapshot)
}

/// Sequence id in the name of a bulk-loaded file, such as `_SeqId_17_` at its end.
fn sequence_id_in(name: &str) -> Option<u64> {
    name.strip_suffix('_')?.rsplit_once("_SeqId_")?.1.parse().ok()
}

#[cfg(test)]
mod tests;
