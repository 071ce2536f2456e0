//! List of all settings with their values.

use super::{is_ratio, Settings, KEYS, RATE_LIMITERS, SPLIT_POLICIES};

/// Keys that can only be set for the database as a whole.
const DATABASE_ONLY: &[&str] = &[
    "hbase.column.max.version",
    "hbase.hstore.blockingWaitTime",
    "hbase.hregion.max.filesize.limit",
    "hbase.hregion.memstore.flush.size.limit",
    "hbase.ipc.warn.response.size",
    "hbase.ipc.warn.response.time",
    "hbase.master.hfilecleaner.ttl",
    "hbase.master.logcleaner.ttl",
    "hbase.online.schema.update.enable",
    "hbase.quota.default.user.machine.atomic.read.size",
    "hbase.quota.default.user.machine.atomic.request.num",
    "hbase.quota.default.user.machine.atomic.write.size",
    "hbase.quota.default.user.machine.read.num",
    "hbase.quota.default.user.machine.read.size",
    "hbase.quota.default.user.machine.request.handler.usage.ms",
    "hbase.quota.default.user.machine.request.num",
    "hbase.quota.default.user.machine.request.size",
    "hbase.quota.default.user.machine.write.num",
    "hbase.quota.default.user.machine.write.size",
    "hbase.quota.enabled",
    "hbase.quota.rate.limiter",
    "hbase.quota.rate.limiter.refill.interval.ms",
    "hbase.regionserver.global.memstore.size",
    "hbase.regionserver.logroll.size",
    "hbase.regionserver.maxlogs",
    "hbase.regionserver.optionalcacheflushinterval",
    "hbase.regionserver.regionSplitLimit",
    "hbase.regionserver.slowlog.buffer.enabled",
    "hbase.regionserver.slowlog.ringbuffer.size",
    "hbase.regionserver.thread.compaction.large",
    "hbase.regionserver.thread.compaction.small",
    "hfile.block.cache.size",
    "rowstone.compaction.background",
    "rowstone.compaction.quiet.seconds",
    "rowstone.scan.threads",
    "rowstone.wal.old.max.bytes",
    "rowstone.wal.sync.interval.ms",
];

/// Prefixes of keys that can also be set for a family.
const FAMILY_TOO: &[&str] = &["hbase.hstore.", "hbase.mob.", "hbase.store.", "hbase.rs.", "hfile.block."];

/// Levels at which a key can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The database.
    Database,
    /// The table, else the database.
    Table,
    /// The family, else the table, else the database.
    Family,
}

impl Level {
    fn of(key: &str) -> Self {
        if DATABASE_ONLY.contains(&key) {
            Level::Database
        } else if FAMILY_TOO.iter().any(|start| key.starts_with(start)) {
            Level::Family
        } else {
            Level::Table
        }
    }
}

/// Every key with its level, its default, and the value that `settings` give it.
pub fn list(settings: &Settings) -> Vec<(&'static str, Level, String, String)> {
    let row = |&(key, default, least, most): &(&'static str, i64, i64, i64)| {
        let text = |value: i64| value_text(key, value, least == most);
        (key, Level::of(key), text(default), text(settings.number(key)))
    };
    KEYS.iter().map(row).collect()
}

/// A value in text form: the inverse of `parse_value`.
fn value_text(key: &str, value: i64, is_flag: bool) -> String {
    let class = |known: &[&str]| {
        let name = usize::try_from(value).ok().and_then(|place| known.get(place));
        name.map_or_else(String::new, |name| (*name).to_string())
    };
    if key == "hbase.regionserver.region.split.policy" {
        class(&SPLIT_POLICIES)
    } else if key == "hbase.quota.rate.limiter" {
        class(&RATE_LIMITERS)
    } else if is_flag {
        (value != 0).to_string()
    } else if is_ratio(key) {
        (value as f64 / 1_000.0).to_string()
    } else {
        value.to_string()
    }
}
