//! A directory of regions: opening and closing it, its tables, its background work.
//!
//! | module | contents |
//! |---|---|
//! | `state` | state that all regions share: log, manifest, cache, memory, tables, queue of work |
//! | `database` | the database: its state and its threads |
//! | `logs` | log recovery; beginning a new log |
//! | `operations` | operations of tables, routed to the region that holds the row |
//! | `admin` | schema, maintenance, statistics |
//! | `regions` | split, merge, truncation of regions |
//! | `quotas` | storing limits on requests; enforcing limits on space |
//! | `background` | background flushes, compactions, splits and memstore upkeep |
//! | `backend` | the database behind the traits of `rowstone_model` |
//! | `memory_limits` | limits of the block cache and of the memstores |
//! | `open` | lock, manifest, files, replay: from a directory to a database |

mod admin;
mod backend;
mod background;
mod database;
mod logs;
mod memory_limits;
mod open;
mod operations;
mod quotas;
mod regions;
mod state;

pub use admin::fetch_snapshot;
pub use database::Database;
pub use memory_limits::{dedicated_shares, memory_limits, GivenMemory};
pub use open::{open, OpenOptions};

#[cfg(test)]
mod tests;
