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
mod fetch;
mod import;

pub use fetch::fetch_snapshot;

use crate::sys::RealFileSystem;
use rowstone_model::codec::printable;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor};
use rowstone_model::{Error, Result};

/// The machine's file system. Folders outside the database are on it even if the database is in memory.
const OUTSIDE: RealFileSystem = RealFileSystem;

/// Refuses MOB families: their large values are in files that are not copied.
fn refuse_mob(table: &TableDescriptor, snapshot: &str, verb: &str) -> Result<()> {
    let is_mob =
        |family: &&FamilyDescriptor| family.attribute("IS_MOB").is_some_and(|flag| flag.eq_ignore_ascii_case("true"));
    match table.families.values().find(is_mob) {
        None => Ok(()),
        Some(family) => Err(Error::invalid(format!(
            "snapshot '{snapshot}' of table '{}': family '{}' has MOB files, which cannot be {verb}; use `rowstone copy`",
            table.name,
            printable(&family.name)
        ))),
    }
}
