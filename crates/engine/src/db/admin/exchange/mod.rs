//! Snapshots to and from the layout that HBase's `ExportSnapshot` writes and reads ([`crate::root`]):
//!
//! ```text
//! <folder>/.hbase-snapshot/<snapshot>/.snapshotinfo     table and time: a protobuf message
//!                                    /data.manifest     schema, regions, names of files: another message
//! <folder>/archive/data/<namespace>/<table>/<region>/<family>/<file>
//! ```
//!
//! Files are HFiles on both sides and are copied byte by byte. Sources: HBase's `SnapshotDescriptionUtils`,
//! `SnapshotManifest`.

mod export;
mod import;

use crate::sys::RealFileSystem;

/// The machine's file system. Folders outside the database are on it even if the database is in memory.
const OUTSIDE: RealFileSystem = RealFileSystem;
