//! The manifest: which namespaces, tables, regions and files are alive. It is the single source of truth. Every
//! change is one atomic, checksummed edit.
//!
//! ```text
//! MANIFEST       a header of 32 bytes, then frames (crate::frame)
//!   1st frame    the whole state at the time the file was created
//!   others       one commit each: a list of edits that happen together; a mark after each
//! MANIFEST.tmp   a new MANIFEST being written: synced, then renamed, then the folder is synced
//! MANIFEST.unfinished   the same, of a copy or a repair; it is there before the copy's first file (check::Target)
//!
//! payload = JSON: {"database_id": …, "last_region_id": …, "edits": [{"create_table": {…}}, …]}
//!   Byte keys are text as HBase prints them (\xNN). Fields that a reader does not know are skipped.
//! ```
//!
//! Invariants:
//! * A commit is on the disk before [`Manifest::commit`] returns, and before its state becomes visible.
//! * The current state is in memory; the file is only appended to or rewritten from it. After a failed append or
//!   sync the same file is never written again: the next commit creates a new one. Until then the outcome of the
//!   failed commit is unknown, so files that it adds or drops must both be retained.
//! * A torn last frame was never acknowledged and is cut off at open. An incomplete first frame is damage, and so
//!   is an invalid frame that a later mark reports as synced. Damage is reported and nothing is swept.
//! * State that was read at open is synced before anything is removed because of it ([`Manifest::make_durable`]).
//! * Logs record how many commits they have seen, and the manifest lists the logs that are needed, with their
//!   checksums. So an older copy of either is recognized.

mod apply;
mod edit;
mod file;
mod journal;
mod region;
mod salvage;
mod state;
mod sweep;
mod text;

pub use edit::Edit;
pub use file::{read, refuse_other_version};
pub use journal::{inspect, write_copy, Manifest, Standing, LOCK_NAME, UNFINISHED_NAME};
pub use region::{file_path, mob_directory, mob_region, new_region, region_key, store_directory};
pub use salvage::{salvage, Salvaged};
pub use state::{
    FileEntry, Half, LogEntry, MobEntry, RegionEntry, SnapshotEntry, Split, State, StoreEntry, TableEntry,
};
pub use sweep::{archive_file, clear_archive, find_unreachable, is_mob_file, is_store_file, sweep, SweepReport};

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests;
