//! Settings for the enforcement of limits on requests.

use super::{ThrottleKind, TimedLimit};
use std::collections::BTreeMap;

/// The way a used limit refills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Refill {
    /// Continuously, in proportion to elapsed milliseconds.
    #[default]
    Average,
    /// In steps, one interval's share at the end of each interval.
    Fixed {
        /// Length of the interval, at most one second.
        interval_ms: i64,
    },
}

/// Settings for limits on requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QuotaRules {
    /// The limits of each user without quotas of any kind.
    pub default_user: BTreeMap<ThrottleKind, TimedLimit>,
    /// The way limits refill.
    pub refill: Refill,
}
