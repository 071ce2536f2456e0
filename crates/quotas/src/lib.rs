//! Quotas of HBase 2.6: as `hbase:quota` keeps them, and how limits on requests are kept.
//!
//! | module | its one sentence |
//! |---|---|
//! | [`messages`] | limits as HBase's messages |
//! | [`stored`] | limits as cells of `hbase:quota` |
//! | [`change`] | what a change makes of an owner's limits |
//! | [`rate`] | so much in a time: one limit, and what is left of it |
//! | [`limiter`] | all limits on requests of one owner |
//! | [`operation`] | one request: what it is expected to cost, and what it did |
//! | [`throttles`] | the limits of all owners, and which of them a request has to pass |
//!
//! Imports point up this list's order only: `messages < stored < change < rate < limiter < operation < throttles`.
//!
//! Sources: HBase 2.6's `QuotaTableUtil`, `GlobalQuotaSettingsImpl`, `RateLimiter`, `TimeBasedLimiter`, `DefaultOperationQuota`,
//! `ExceedOperationQuota`, `QuotaCache`, `RegionServerRpcQuotaManager`.

pub mod change;
pub mod limiter;
pub mod messages;
pub mod operation;
pub mod rate;
pub mod stored;
pub mod throttles;

pub use change::changed;
pub use operation::{Cost, Work};
pub use throttles::{Permit, Throttles};
