//! Quotas of HBase 2.6: storage in `hbase:quota`, and enforcement of limits on requests.
//!
//! | module | contents |
//! |---|---|
//! | [`messages`] | limits as HBase's messages |
//! | [`stored`] | limits as cells of `hbase:quota` |
//! | [`change`] | changes of an owner's limits |
//! | [`rate`] | one rate limit and its remaining amount |
//! | [`limiter`] | all limits on requests of one owner |
//! | [`operation`] | expected and actual cost of one request |
//! | [`throttles`] | the limits of all owners, and the selection of those that apply to a request |
//!
//! A module imports only modules before it in this order:
//! `messages < stored < change < rate < limiter < operation < throttles`.
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
