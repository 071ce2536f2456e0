//! Request limits from the settings. Sources: `QuotaUtil.buildDefaultUserQuotaState`, `TimeBasedLimiter`.

use crate::settings::Settings;
use rowstone_model::quota::{QuotaRules, Refill, ThrottleKind, TimeUnit, TimedLimit};

/// Settings for users without quotas, with the kind of limit per second.
const DEFAULT_USER: [(&str, ThrottleKind); 10] = [
    ("hbase.quota.default.user.machine.atomic.read.size", ThrottleKind::AtomicReadSize),
    ("hbase.quota.default.user.machine.atomic.request.num", ThrottleKind::AtomicRequestNumber),
    ("hbase.quota.default.user.machine.atomic.write.size", ThrottleKind::AtomicWriteSize),
    ("hbase.quota.default.user.machine.read.num", ThrottleKind::ReadNumber),
    ("hbase.quota.default.user.machine.read.size", ThrottleKind::ReadSize),
    ("hbase.quota.default.user.machine.request.handler.usage.ms", ThrottleKind::RequestHandlerUsageMs),
    ("hbase.quota.default.user.machine.request.num", ThrottleKind::RequestNumber),
    ("hbase.quota.default.user.machine.request.size", ThrottleKind::RequestSize),
    ("hbase.quota.default.user.machine.write.num", ThrottleKind::WriteNumber),
    ("hbase.quota.default.user.machine.write.size", ThrottleKind::WriteSize),
];

/// Longest refill interval. HBase caps the interval at the time unit of the limiter when it creates the limiter. The
/// time unit is then still the default, one second.
const MOST_INTERVAL_MS: i64 = 1_000;

/// Request limits of a database with these settings.
pub(in crate::db) fn rules(settings: &Settings) -> QuotaRules {
    let default_user = DEFAULT_USER.iter().filter_map(|(key, kind)| {
        let limit = u64::try_from(settings.number(key)).ok().filter(|limit| *limit > 0)?;
        Some((*kind, TimedLimit { unit: TimeUnit::Seconds, limit, scope: None }))
    });
    let interval_ms = settings.number("hbase.quota.rate.limiter.refill.interval.ms").min(MOST_INTERVAL_MS);
    let refill = match settings.number("hbase.quota.rate.limiter") {
        0 => Refill::Average,
        _ => Refill::Fixed { interval_ms },
    };
    QuotaRules { default_user: default_user.collect(), refill }
}
