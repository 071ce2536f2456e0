//! Write-ahead log: one log for all regions.
//!
//! A *record* is one atomic unit: a list of (region, sequence id, cells), with write time, nonces and origin. It is
//! on the disk as one checksummed [`crate::frame`], so it is recovered as a whole or not at all.
//!
//! ```text
//! WALs/00000000000000000007.wal            one log: a header of 64 bytes, then frames
//! oldWALs/00000000000000000006.<ms>.wal    an archived log that is no longer needed, and when it was archived
//!
//! record = payload of a frame, all big-endian
//!   u8 flags (1: nonces, 2: origin) | i64 write time ms | [u64 nonce group | u64 nonce] | [16 bytes origin]
//!   then until the end: 16 bytes region | u64 sequence id | u32 length | cells (Layout::TAGGED)
//! ```
//!
//! Invariants:
//! * Within a region the order of records is the order of sequence ids: [`Wal::append`] assigns them inside its
//!   lock.
//! * A log's file and name are synced and the log is in the [register](LogRegister) before its first record is
//!   written. A log is synced to its end before its successor is created. The successor's header records where its
//!   predecessor ends, and the checksum of its header. So only the last log can have a torn tail. A shortened,
//!   exchanged or missing log is damage, and so is one that the register does not know.
//! * Marks in the log report how many commits the manifest had. A manifest with fewer is an older copy.
//! * A log is only modified by the process that began it. Recovery ([`replay`]) changes nothing. [`Wal::open`]
//!   begins a new log at the offset up to which marks prove that the last log is on the disk: the records after
//!   that offset are copied into the new log. The new log gets its name when it is complete and synced, so a crash
//!   before that changes nothing.
//! * After a failed write or sync the log is never written again; see [`Wal::append`].
//! * A log leaves the register before its file is archived, oldest first. After that only readers in other
//!   processes need the file.

mod background;
mod group;
mod header;
mod log;
mod names;
mod nonces;
mod options;
mod record;
mod register;
mod replay;
mod retention;
mod roll;
mod room;
mod salvage;

pub use log::{Ticket, Wal, WalStatistics};
pub use names::{find_logs, log_path};
pub use nonces::visit_old_nonces;
pub use options::WalOptions;
pub use record::{Entry, Part, Record, RecordPart, RegionKey};
pub use register::{LogRegister, Needed};
pub use replay::{find_unknown, replay, LogEnd, LogSummary, ReplayReport, UnknownLog};
pub use retention::free_old_logs;
pub use salvage::{salvage, LogHole, LogPiece};

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests;
