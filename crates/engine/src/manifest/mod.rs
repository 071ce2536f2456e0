//! Which namespaces, tables, regions and files are alive: the single truth. Every change is one atomic, checksummed edit.
//!
//! ```text
//! MANIFEST       a header of 32 bytes, then frames (crate::frame)
//!   1st frame    the whole state at the time the file was made
//!   others       one commit each: a list of edits that happen together; a mark after each
//! MANIFEST.tmp   a new MANIFEST being made: synced, then renamed, then the folder is synced
//!
//! payload = JSON: {"database_id": …, "last_region_id": …, "edits": [{"create_table": {…}}, …]}
//!   Byte keys are text as HBase prints them (\xNN). Fields that a reader does not know are skipped.
//! ```
//!
//! Invariants:
//! * A commit is on the disk before [`Manifest::commit`] returns, and before anybody sees its state.
//! * The present state is in memory; the file is only appended to or made anew from it. After a failed append or sync the
//!   same file is never written again: the next commit makes a new one. Until then the outcome of the failed commit is open, so
//!   files that it adds or drops must both stay.
//! * A torn last frame was never acknowledged and is cut at open. A first frame that is not whole is damage, and so is an
//!   invalid frame that a later mark says was synced. Damage is reported and nothing is swept.
//! * What is read at open is synced before anything is removed because of it ([`Manifest::settle`]).
//! * Logs say how many commits they have seen, and the manifest says which logs are needed, with their checksums. So an older copy
//!   of either is recognised.

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
pub use file::read;
pub use journal::{inspect, write_copy, Manifest, Standing, LOCK_NAME};
pub use region::{file_path, mob_directory, mob_region, new_region, region_key, store_directory};
pub use salvage::{salvage, Salvaged};
pub use state::{
    FileEntry, Half, LogEntry, MobEntry, RegionEntry, SnapshotEntry, Split, State, StoreEntry, TableEntry,
};
pub use sweep::{archive_file, clear_archive, find_unreachable, is_mob_file, is_store_file, sweep, SweepReport};

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests;
