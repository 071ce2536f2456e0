//! Operations of tables, routed to the region that holds the row.
//!
//! | file | contents |
//! |---|---|
//! | `table`, `scanner` | operations of one table; a scan across regions |
//! | `batches` | mutations of a batch, grouped by region |
//! | `many_gets` | multi-gets: up to 64 reads in flight |
//! | `read_ahead` | a scan whose next rows are read by threads |
//! | `observed` | operations of a table with an observer |
//! | `witness` | observers of writes, flushes and compactions of regions, and their registration |
//! | `groups`, `together` | mutations grouped by region; atomic changes of several tables |

mod batches;
pub(super) mod groups;
mod many_gets;
pub(super) mod observed;
pub(super) mod read_ahead;
pub(super) mod scanner;
pub(super) mod table;
pub(super) mod together;
pub(super) mod witness;
