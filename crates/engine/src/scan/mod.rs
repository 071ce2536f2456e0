//! Rules for which cells a reader, a flush or a compaction sees: versions, deletes, time to live, read points.
//! There is one set of rules for all.
//!
//! ```text
//! sources (memstore segments, files)  --MergedSource-->  one sorted run of cells
//!    --Matcher: ttl, DeleteTracker, time range, ColumnTracker-->  a verdict per cell (MatchCode)
//!    --ScanFilter, if there is one-->  its verdict, merged with the matcher's
//!    --RowReader-->  the cells of one row and family, page by page
//! ```
//!
//! The rules are those of HBase 2.6 (`querymatcher/*`, `StoreScanner`), including its two documented oddities: a
//! delete masks puts that are written after it with older timestamps, and a major compaction changes results by
//! removing markers. There are two differences, both invisible in results. A cell with the empty qualifier is never
//! used to compute a seek target (with one, HBase can loop forever). [`new_version`] follows the declared rule
//! where HBase's own tracker has gaps.

mod columns;
mod deletes;
mod expiry;
pub mod filter;
mod filtered;
mod matcher;
mod merge;
pub mod new_version;
mod reader;
mod taker;

pub use expiry::Expiry;
pub use filtered::ScanFilter;
pub use matcher::{MatchCode, Matcher, Mode};
pub use merge::MergedSource;
pub use reader::{PageEnd, RowLimits, RowReader, StoreReader};
pub use taker::RowTaker;
