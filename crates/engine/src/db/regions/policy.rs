//! Split policies: when a region is too large, and where it may be cut. They are HBase's `RegionSplitPolicy` and
//! `RegionSplitRestriction` classes, as functions of sizes and counts.
//!
//! | policy | a region is split when a store is larger than |
//! |---|---|
//! | `SteppingSplitPolicy` (default) | two flushes while it is the table's only region, then the limit |
//! | `IncreasingToUpperBoundRegionSplitPolicy` | two flushes times the cube of the number of regions, at most the
//! limit |
//! | `KeyPrefix…`, `DelimitedKeyPrefixRegionSplitPolicy`, `BusyRegionSplitPolicy` | the same |
//! | `ConstantSizeRegionSplitPolicy` | the limit |
//! | `DisabledRegionSplitPolicy` | never, and no request splits it |
//!
//! The limit is the table's MAX_FILESIZE or `hbase.hregion.max.filesize`, plus or minus an eighth. The variation keeps
//! regions that grow alike from being split at the same moment.

use crate::settings::{split_policy_number, Settings, SPLIT_POLICIES};
use rowstone_model::schema::{RegionInfo, TableDescriptor};
use rowstone_model::{Error, Result};

/// Above this number of regions, the increasing policy uses the limit.
const MOST_REGIONS_COUNTED: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Stepping,
    Increasing,
    Constant,
    Never,
}

/// Shortening of a split row to a prefix, so that rows with the same prefix stay in one region. Sources: HBase's
/// `KeyPrefixRegionSplitPolicy`, `KeyPrefixRegionSplitRestriction` and their `DelimitedKeyPrefix…` counterparts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cut {
    Nothing,
    /// To at most this many bytes.
    Length(usize),
    /// To the part before this delimiter.
    Delimiter(Vec<u8>),
}

impl Cut {
    fn apply(&self, mut row: Vec<u8>) -> Vec<u8> {
        let length = match self {
            Cut::Nothing => None,
            Cut::Length(length) => Some(*length),
            Cut::Delimiter(delimiter) => row.windows(delimiter.len()).position(|part| part == delimiter.as_slice()),
        };
        row.truncate(length.unwrap_or(row.len()));
        row
    }
}

/// The policy of one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SplitPolicy {
    rule: Rule,
    /// Final limit: the store size above which a region is split.
    limit_bytes: u64,
    /// The limit for the first region.
    initial_bytes: u64,
    /// Whether the sizes of the stores are summed.
    sums_stores: bool,
    cut: Cut,
    restriction: Cut,
}

/// Refuses attributes and settings that do not define a valid policy.
pub(in crate::db) fn check_policy(table: &TableDescriptor, settings: &Settings) -> Result<()> {
    let info = RegionInfo {
        table: table.name.clone(),
        start_key: Vec::new(),
        end_key: Vec::new(),
        region_id: 0,
        encoded_name: String::new(),
    };
    SplitPolicy::of(table, settings, &info).map(|_| ())
}

impl SplitPolicy {
    /// Builds the policy of a region of `table` from attributes, configuration and the database's settings.
    ///
    /// # Errors
    /// `InvalidArgument` for a policy that HBase does not have, or an invalid size.
    pub(super) fn of(table: &TableDescriptor, settings: &Settings, region: &RegionInfo) -> Result<Self> {
        let settings = settings.overridden_by(&table.settings())?;
        let number = match table.attributes.get("SPLIT_POLICY") {
            Some(name) => split_policy_number(name)?,
            None => settings.number("hbase.regionserver.region.split.policy"),
        };
        let name = usize::try_from(number).ok().and_then(|number| SPLIT_POLICIES.get(number)).copied().unwrap_or("");
        let rule = match name {
            "SteppingSplitPolicy" => Rule::Stepping,
            "ConstantSizeRegionSplitPolicy" => Rule::Constant,
            "DisabledRegionSplitPolicy" => Rule::Never,
            _ => Rule::Increasing,
        };
        let flush_bytes = size_attribute(table, "MEMSTORE_FLUSHSIZE")?
            .unwrap_or_else(|| settings.size("hbase.hregion.memstore.flush.size"));
        let limit =
            size_attribute(table, "MAX_FILESIZE")?.unwrap_or_else(|| settings.size("hbase.hregion.max.filesize"));
        let initial = settings.size("hbase.increasing.policy.initial.size");
        Ok(SplitPolicy {
            rule,
            limit_bytes: with_jitter(limit, settings.number("hbase.hregion.max.filesize.jitter"), region),
            initial_bytes: if initial > 0 { initial } else { flush_bytes.saturating_mul(2) },
            sums_stores: settings.flag("hbase.hregion.split.overallfiles"),
            cut: policy_cut(table, name),
            restriction: restriction(table),
        })
    }

    /// Whether nothing splits a region, not even a request. Source: `DisabledRegionSplitPolicy.canSplit`.
    pub(super) fn is_never(&self) -> bool {
        self.rule == Rule::Never
    }

    /// Whether a region with stores of these sizes should be split, in a table of `regions` regions.
    pub(super) fn is_due(&self, store_bytes: &[u64], regions: usize) -> bool {
        let limit = match self.rule {
            Rule::Never => return false,
            Rule::Constant => self.limit_bytes,
            Rule::Stepping if regions == 1 => self.initial_bytes,
            Rule::Stepping => self.limit_bytes,
            Rule::Increasing if regions == 0 || regions > MOST_REGIONS_COUNTED => self.limit_bytes,
            Rule::Increasing => {
                let cube = (regions * regions * regions) as u64;
                self.limit_bytes.min(self.initial_bytes.saturating_mul(cube))
            }
        };
        if self.sums_stores {
            store_bytes.iter().sum::<u64>() > limit
        } else {
            store_bytes.iter().any(|bytes| *bytes > limit)
        }
    }

    /// Shortens the middle row of a file as the policy requires. Source: HBase's `RegionSplitPolicy.getSplitPoint`.
    pub(super) fn cut(&self, row: Vec<u8>) -> Vec<u8> {
        self.cut.apply(row)
    }

    /// Shortens any split row, including a user's, as the table's restriction requires. Source: HBase's
    /// `RegionSplitRestriction.getRestrictedSplitPoint`.
    pub(super) fn restrict(&self, row: Vec<u8>) -> Vec<u8> {
        self.restriction.apply(row)
    }
}

/// A size in bytes. As in HBase, a size of 0 or less counts as not set.
fn size_attribute(table: &TableDescriptor, name: &str) -> Result<Option<u64>> {
    let Some(text) = table.attributes.get(name) else { return Ok(None) };
    match text.trim().parse::<i64>() {
        Ok(size) => Ok(u64::try_from(size).ok().filter(|size| *size > 0)),
        Err(_) => Err(Error::invalid(format!("table '{}': {name} => '{text}' is not a number of bytes", table.name))),
    }
}

/// Moves the limit up or down by up to half of `jitter` thousandths. The amount depends on the region's name, so
/// that it stays the same.
fn with_jitter(limit: u64, jitter: i64, region: &RegionInfo) -> u64 {
    let hash = region.encoded_name.get(..8).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let random = hash.map_or(0.5, |hash| f64::from(hash) / f64::from(u32::MAX));
    let moved = limit as f64 * (1.0 + (random - 0.5) * jitter as f64 / 1_000.0);
    // The cast saturates at the largest number.
    moved as u64
}

/// An attribute of the table, or else a value of its configuration: HBase stores these settings in either.
fn value<'t>(table: &'t TableDescriptor, name: &str) -> Option<&'t String> {
    table.attributes.get(name).or_else(|| table.configuration.get(name))
}

fn length_of(text: Option<&String>) -> Cut {
    match text.and_then(|text| text.trim().parse::<usize>().ok()) {
        Some(length) if length > 0 => Cut::Length(length),
        _ => Cut::Nothing,
    }
}

fn delimiter_of(text: Option<&String>) -> Cut {
    match text {
        Some(text) if !text.is_empty() => Cut::Delimiter(text.clone().into_bytes()),
        _ => Cut::Nothing,
    }
}

fn policy_cut(table: &TableDescriptor, policy: &str) -> Cut {
    match policy {
        "KeyPrefixRegionSplitPolicy" => length_of(
            value(table, "KeyPrefixRegionSplitPolicy.prefix_length")
                .or_else(|| value(table, "prefix_split_key_policy.prefix_length")),
        ),
        "DelimitedKeyPrefixRegionSplitPolicy" => {
            delimiter_of(value(table, "DelimitedKeyPrefixRegionSplitPolicy.delimiter"))
        }
        _ => Cut::Nothing,
    }
}

fn restriction(table: &TableDescriptor) -> Cut {
    match value(table, "hbase.regionserver.region.split_restriction.type").map(String::as_str) {
        Some("KeyPrefix") => length_of(value(table, "hbase.regionserver.region.split_restriction.prefix_length")),
        Some("DelimitedKeyPrefix") => {
            delimiter_of(value(table, "hbase.regionserver.region.split_restriction.delimiter"))
        }
        _ => Cut::Nothing,
    }
}
