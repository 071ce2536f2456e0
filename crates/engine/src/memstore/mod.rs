//! The recent cells of one store, sorted, in memory.
//!
//! ```text
//!  insert ---> active tree --freeze--> frozen trees --flatten--> flat segments --merge--> larger flat segments
//!              <= 4 MiB                (writers' debt)           4 of a kind become one
//!              \_______________________________ snapshot() ______________________________/
//!                                                   |
//!                                          snapshot segments --snapshot_source()--> a file, then drop_snapshot()
//! ```
//!
//! Only the small active tree is ever written, so an insert costs the same at a million cells as at fifty thousand; all
//! else is flat and immutable, so a scan walks bytes and a get asks one hash table per segment.
//!
//! Invariants:
//! - One list names all segments; readers take it whole. A cell is in exactly one segment of a list.
//! - A reader names its read point and sees no newer cell. The caller moves the read point past a sequence id only after
//!   all cells of that id are inserted; therefore a write is seen whole or not at all.
//! - Nothing that a reader could see is dropped: cells of the same key and different sequence ids all stay, the newer
//!   first. Of two cells with the same key *and* sequence id the later replaces the earlier; where the two are in
//!   different segments, the source of the newer segment comes first in the list of sources, and merges drop the older.
//! - Whoever holds a source keeps its segment alive.

mod batch;
mod flat;
mod list;
mod maintain;
mod merged;
mod prefix;
mod size;
mod source;
mod store;
mod tree;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails may panic")]
mod tests;

pub use merged::SnapshotSource;
pub use size::{MemstoreSize, MemstoreSummary};
pub use source::MemstoreSource;
pub use store::Memstore;
