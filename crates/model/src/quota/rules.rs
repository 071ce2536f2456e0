//! How limits on requests are kept, as a database's settings say.

use super::{ThrottleKind, TimedLimit};
use std::collections::BTreeMap;

/// How a limit that was used grows anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Refill {
    /// All the time, a share for each millisecond.
    #[default]
    Average,
    /// At once, each time so many milliseconds have passed, by the share of them.
    Fixed {
        /// From one time to the next, a second at most.
        interval_ms: i64,
    },
}

/// What the settings say of limits on requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QuotaRules {
    /// The limits of each user for whom no quotas of any kind were set.
    pub default_user: BTreeMap<ThrottleKind, TimedLimit>,
    /// How limits grow.
    pub refill: Refill,
}
