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
//! Only the small active tree is ever written, so an insert costs the same at a million cells as at fifty thousand.
//! Everything else is flat and immutable, so a scan walks bytes and a get looks up one hash table per segment.
//! Large cells are not copied when their tree is sealed; only their order is built, and sixteen segments of a kind
//! become one (`buffers.rs`).
//!
//! Invariants:
//! - One list names all segments and the store's files; readers load it as a whole. A cell is in exactly one segment or
//!   file of a list.
//! - A reader names its read point and sees no newer cell. The caller moves the read point past a sequence id only
//!   after all cells of that id are inserted. Therefore a write is seen as a whole or not at all.
//! - No cell that a reader could see is dropped: cells of the same key and different sequence ids all stay, the
//!   newer first. Of two cells with the same key *and* sequence id the later replaces the earlier. If the two are
//!   in different segments, the source of the newer segment comes first in the list of sources, and merges drop the
//!   older.
//! - A source keeps its segment alive.
//!
//! Measured by `benches/memstore.rs`: nanoseconds of one thread per cell of 160 bytes (20-byte rows, 100-byte
//! values), on a shared two-core machine under load, best of a few rounds. The sets contain boxed cells and use the
//! same comparison.
//!
//! | | memstore, 100 k cells | 1 M | `BTreeSet`, 100 k | 1 M | crossbeam `SkipSet`, 100 k | 1 M |
//! |---|---|---|---|---|---|---|
//! | insert, random, the writer does all merging | 290 | 240 | 1020 | 2600 | 1410 | 3110 |
//! | insert, random, another thread maintains | 200 | 130 | | | | |
//! | insert, random, 1000 a write | 260 | 200 | | | | |
//! | insert, ascending, the writer does all merging | 160 | 130 | 560 | 730 | 310 | 370 |
//! | get of a row, as written / maintained | 450 / 330 | 790 / 460 | 1410 | 2900 | 1690 | 3480 |
//! | get of an absent row, as written / maintained | 130 / 120 | 450 / 50 | | | | |
//! | get while a thread inserts and maintains | 470 | 900 | | | | |
//! | seek of a scan, maintained | 950 | 830 | | | | |
//! | scan, sealed (active tree: 25) / flush, as written | 8 / 90 | 8 / 110 | 46 | 63 | 160 | 180 |
//!
//! `peek` takes 3 ns. The slowest of a million inserts took 7 to 13 ms: the writer flattening and merging four
//! segments. Recycling the memory of sealed segments was tried (with an allocator set never to return any) and
//! gained nothing for such cells. For cells of a thousand bytes it does, and not copying them gains more:
//! `docs/explanation/performance-decisions.md`.

mod batch;
mod buffers;
mod flat;
mod list;
mod maintain;
mod merged;
mod size;
mod source;
mod store;
mod tree;
mod view;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails may panic")]
mod tests;

pub use merged::SnapshotSource;
pub use size::{MemstoreSize, MemstoreSummary};
pub use source::MemstoreSource;
pub use store::Memstore;
pub use view::{RowLocation, Spot, View};
