//! HBase's configuration keys that are supported here, with HBase's defaults.
//!
//! A database has settings; a table's and a family's configuration override those that are read per store. A key
//! that HBase does not have here is refused with the nearest known one as a hint.

mod list;

pub use list::{list, Level};

use rowstone_model::nearest::nearest;
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;

/// Every key, its default, and its smallest and largest value (equal bounds: a flag, 0 or 1).
const KEYS: &[(&str, i64, i64, i64)] = &[
    ("hbase.client.keyvalue.maxsize", 10_485_760, i64::MIN, i64::MAX),
    ("hbase.column.max.version", 1, 1, i32::MAX as i64),
    ("hbase.hregion.max.filesize.limit", 2_097_152, 0, i64::MAX),
    ("hbase.hregion.majorcompaction", 604_800_000, 0, i64::MAX),
    ("hbase.hregion.max.filesize", 10_737_418_240, 1, i64::MAX),
    // Stored in thousandths; written as in HBase: 0.25
    ("hbase.hregion.max.filesize.jitter", 250, 0, 1_000),
    ("hbase.hregion.memstore.block.multiplier", 4, 1, 1_000),
    ("hbase.hregion.memstore.flush.size", 134_217_728, 4_096, i64::MAX),
    ("hbase.hregion.memstore.flush.size.limit", 1_048_576, 0, i64::MAX),
    ("hbase.hregion.keyvalue.timestamp.slop.millisecs", i64::MAX, 0, i64::MAX),
    ("hbase.hregion.percolumnfamilyflush.size.lower.bound.min", 16_777_216, 0, i64::MAX),
    ("hbase.hregion.split.overallfiles", 0, 1, 1),
    ("hbase.hstore.blockingStoreFiles", 16, 1, i32::MAX as i64),
    ("hbase.hstore.blockingWaitTime", 90_000, 0, i64::MAX),
    ("hbase.hstore.compaction.max", 10, 2, i32::MAX as i64),
    ("hbase.hstore.compaction.max.size", i64::MAX, 1, i64::MAX),
    ("hbase.hstore.compaction.min", 3, 2, i32::MAX as i64),
    ("hbase.hstore.compaction.min.size", 134_217_728, 0, i64::MAX),
    // Stored in thousandths; written as in HBase: 1.2
    ("hbase.hstore.compaction.ratio", 1_200, 1, 1_000_000),
    ("hbase.hstore.time.to.purge.deletes", 0, 0, i64::MAX),
    ("hbase.increasing.policy.initial.size", 0, i64::MIN, i64::MAX),
    // HBase's -1 for "never" is supported.
    ("hbase.ipc.warn.response.size", 104_857_600, -1, i64::MAX),
    ("hbase.ipc.warn.response.time", 10_000, -1, i32::MAX as i64),
    ("hbase.master.logcleaner.ttl", 600_000, 0, i64::MAX),
    ("hbase.master.hfilecleaner.ttl", 300_000, 0, i64::MAX),
    ("hbase.mob.compactions.max.file.size", 1_073_741_824, 1, i64::MAX),
    ("hbase.normalizer.merge.enabled", 1, 1, 1),
    ("hbase.normalizer.merge.merge_request_max_number_of_regions", 100, 2, i32::MAX as i64),
    ("hbase.normalizer.merge.min.region.count", 3, 1, i32::MAX as i64),
    ("hbase.normalizer.merge.min_region_age.days", 3, 0, i32::MAX as i64),
    ("hbase.normalizer.merge.min_region_size.mb", 1, 0, i64::MAX),
    ("hbase.normalizer.split.enabled", 1, 1, 1),
    ("hbase.online.schema.update.enable", 1, 1, 1),
    // Per second; HBase's -1 for "none" is supported.
    ("hbase.quota.default.user.machine.atomic.read.size", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.atomic.request.num", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.atomic.write.size", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.read.num", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.read.size", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.request.handler.usage.ms", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.request.num", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.request.size", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.write.num", -1, -1, i32::MAX as i64),
    ("hbase.quota.default.user.machine.write.size", -1, -1, i32::MAX as i64),
    ("hbase.quota.enabled", 0, 1, 1),
    // Stored as an index into RATE_LIMITERS; written as a class.
    ("hbase.quota.rate.limiter", 0, 0, RATE_LIMITERS.len() as i64 - 1),
    ("hbase.quota.rate.limiter.refill.interval.ms", 1_000, 1, i64::MAX),
    // Stored in thousandths; written as in HBase: 0.4. The default is that of a library: see `db/memory_limits.rs`.
    ("hbase.regionserver.global.memstore.size", 50, 0, 800),
    ("hbase.regionserver.logroll.size", 134_217_728, 4_096, i64::MAX),
    ("hbase.regionserver.maxlogs", 32, 1, i32::MAX as i64),
    ("hbase.regionserver.minibatch.size", 20_000, 1, i32::MAX as i64),
    ("hbase.regionserver.optionalcacheflushinterval", 3_600_000, 0, i64::MAX),
    // Stored as an index into SPLIT_POLICIES; written as a class.
    ("hbase.regionserver.region.split.policy", 0, 0, SPLIT_POLICIES.len() as i64 - 1),
    ("hbase.regionserver.regionSplitLimit", 1_000, 1, i32::MAX as i64),
    ("hbase.regionserver.thread.compaction.large", 1, 1, 64),
    ("hbase.regionserver.thread.compaction.small", 1, 1, 64),
    // Default: twice `hbase.hstore.compaction.max` times the flush size.
    ("hbase.regionserver.thread.compaction.throttle", 2_684_354_560, 0, i64::MAX),
    // On, unlike in HBase: the buffer is small here.
    ("hbase.regionserver.slowlog.buffer.enabled", 1, 1, 1),
    ("hbase.regionserver.slowlog.ringbuffer.size", 256, 1, 1_000_000),
    ("hbase.rowlock.wait.duration", 30_000, 0, i64::MAX),
    ("hbase.server.keyvalue.maxsize", 10_485_760, i64::MIN, i64::MAX),
    ("hbase.store.delete.expired.storefile", 1, 1, 1),
    ("hbase.rs.cachecompactedblocksonwrite", 0, 1, 1),
    ("hbase.rs.cacheblocksonwrite", 0, 1, 1),
    ("hbase.rs.prefetchblocksonopen", 0, 1, 1),
    ("hbase.table.sanity.checks", 1, 1, 1),
    ("hfile.block.bloom.cacheonwrite", 0, 1, 1),
    ("hfile.block.index.cacheonwrite", 0, 1, 1),
    // As for hbase.regionserver.global.memstore.size.
    ("hfile.block.cache.size", 50, 0, 800),
    ("hbase.table.max.rowsize", 1_073_741_824, 1, i64::MAX),
    ("rowstone.compaction.background", 1, 1, 1),
    ("rowstone.compaction.quiet.seconds", 5, 0, 86_400),
    ("rowstone.monotone.timestamps", 0, 1, 1),
    // -1: none for a directory, some for a root. See `db/open.rs`.
    ("rowstone.scan.threads", -1, -1, 64),
    ("rowstone.unique.timestamps", 0, 1, 1),
    ("rowstone.wal.old.max.bytes", 268_435_456, 0, i64::MAX),
    ("rowstone.wal.sync.interval.ms", 100, 1, 60_000),
];

/// HBase's split policies, the default first.
pub const SPLIT_POLICIES: [&str; 7] = [
    "SteppingSplitPolicy",
    "IncreasingToUpperBoundRegionSplitPolicy",
    "ConstantSizeRegionSplitPolicy",
    "KeyPrefixRegionSplitPolicy",
    "DelimitedKeyPrefixRegionSplitPolicy",
    "BusyRegionSplitPolicy",
    "DisabledRegionSplitPolicy",
];

/// HBase's rate limiters for requests, the default first.
pub const RATE_LIMITERS: [&str; 2] = ["AverageIntervalRateLimiter", "FixedIntervalRateLimiter"];

/// Index of a class in [`SPLIT_POLICIES`], with or without its package.
///
/// # Errors
/// `InvalidArgument` for a class that HBase does not have.
pub fn split_policy_number(class: &str) -> Result<i64> {
    class_number("split policy", "regionserver", &SPLIT_POLICIES, class)
}

fn class_number(what: &str, package: &str, known: &[&str], class: &str) -> Result<i64> {
    let name = class.trim();
    let package = format!("org.apache.hadoop.hbase.{package}.");
    let name = name.strip_prefix(&package).unwrap_or(name);
    match known.iter().position(|policy| *policy == name) {
        Some(number) => Ok(number as i64),
        None => Err(Error::invalid(format!("{what} '{class}' is unknown; there are: {}", known.join(", ")))),
    }
}

/// Values by key; a missing key has its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    values: BTreeMap<&'static str, i64>,
}

impl Settings {
    /// The settings that `configuration` describes.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown key or a value outside its bounds.
    pub fn parse(configuration: &BTreeMap<String, String>) -> Result<Self> {
        let mut settings = Settings::default();
        for (key, text) in configuration {
            let Some(&(known, _, least, most)) = KEYS.iter().find(|entry| entry.0 == key) else {
                return Err(unknown_key(key));
            };
            settings.values.insert(known, parse_value(key, text, least, most)?);
        }
        Ok(settings)
    }

    /// These settings, overridden by those of a table or family. Keys that are not settings belong to the user and
    /// are ignored.
    pub fn overridden_by(&self, configuration: &BTreeMap<String, String>) -> Result<Self> {
        let known = configuration.iter().filter(|(key, _)| KEYS.iter().any(|entry| entry.0 == key.as_str()));
        let overrides = Self::parse(&known.map(|(key, text)| (key.clone(), text.clone())).collect())?;
        let mut settings = self.clone();
        settings.values.extend(overrides.values);
        Ok(settings)
    }

    /// Whether `key` has been set, also to its default.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// The value of `key`, which must be one of the known keys.
    pub fn number(&self, key: &str) -> i64 {
        debug_assert!(KEYS.iter().any(|entry| entry.0 == key), "no setting {key}");
        let default = || KEYS.iter().find(|entry| entry.0 == key).map_or(0, |entry| entry.1);
        self.values.get(key).copied().unwrap_or_else(default)
    }

    /// Like [`Settings::number`], for sizes and counts.
    pub fn size(&self, key: &str) -> u64 {
        u64::try_from(self.number(key)).unwrap_or(0)
    }

    /// Like [`Settings::number`], for flags.
    pub fn flag(&self, key: &str) -> bool {
        self.number(key) != 0
    }
}

fn parse_value(key: &str, text: &str, least: i64, most: i64) -> Result<i64> {
    let trimmed = text.trim();
    if least == most {
        return match trimmed.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(1),
            "false" | "0" => Ok(0),
            _ => Err(Error::invalid(format!("setting {key} = '{text}' is neither true nor false"))),
        };
    }
    if key == "hbase.regionserver.region.split.policy" {
        return split_policy_number(trimmed);
    }
    if key == "hbase.quota.rate.limiter" {
        return class_number("rate limiter", "quotas", &RATE_LIMITERS, trimmed);
    }
    if is_ratio(key) {
        let (low, high) = (least as f64 / 1_000.0, most as f64 / 1_000.0);
        return match trimmed.parse::<f64>() {
            Ok(ratio) if (low..=high).contains(&ratio) => Ok((ratio * 1_000.0).round() as i64),
            _ => Err(Error::invalid(format!("setting {key} = '{text}' is not a ratio from {low} to {high}"))),
        };
    }
    match trimmed.parse::<i64>() {
        Ok(0) if key.starts_with("hbase.quota.default.user.") => {
            Err(Error::invalid(format!("setting {key} = '{text}' would let nothing pass; -1 is no limit")))
        }
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(Error::invalid(format!("setting {key} = '{text}' is not a number from {least} to {most}"))),
    }
}

/// Whether the value is a ratio, stored in thousandths.
fn is_ratio(key: &str) -> bool {
    let is_share = matches!(key, "hbase.regionserver.global.memstore.size" | "hfile.block.cache.size");
    is_share || key.ends_with(".ratio") || key.ends_with(".jitter")
}

fn unknown_key(key: &str) -> Error {
    let nearest = nearest(key, KEYS.iter().map(|entry| entry.0));
    let hint = nearest.map_or(String::new(), |nearest| format!("; did you mean '{nearest}'?"));
    Error::invalid(format!("setting '{key}' is unknown{hint}"))
}
