//! Sizes and counts at which HBase's policies split, and the rows they split at.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::policy::{check_policy, SplitPolicy};
use crate::settings::Settings;
use rowstone_model::schema::{RegionInfo, TableDescriptor, TableName};
use std::collections::BTreeMap;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

fn table(attributes: &[(&str, &str)], configuration: &[(&str, &str)]) -> TableDescriptor {
    let map = |pairs: &[(&str, &str)]| pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let mut table = TableDescriptor::new(TableName::parse("t").unwrap());
    (table.attributes, table.configuration) = (map(attributes), map(configuration));
    table
}

fn policy_in(region: &str, attributes: &[(&str, &str)], configuration: &[(&str, &str)]) -> SplitPolicy {
    let info = RegionInfo {
        table: TableName::parse("t").unwrap(),
        start_key: Vec::new(),
        end_key: Vec::new(),
        region_id: 1,
        encoded_name: region.into(),
    };
    let none = BTreeMap::from([("hbase.hregion.max.filesize.jitter".to_string(), "0".to_string())]);
    let settings = if region.is_empty() { Settings::parse(&none) } else { Settings::parse(&BTreeMap::new()) };
    SplitPolicy::of(&table(attributes, configuration), &settings.unwrap(), &info).unwrap()
}

fn policy(attributes: &[(&str, &str)], configuration: &[(&str, &str)]) -> SplitPolicy {
    policy_in("", attributes, configuration)
}

/// The smallest size of one store at which the policy splits, to the byte.
fn limit(policy: &SplitPolicy, regions: usize) -> u64 {
    let (mut small, mut large) = (0, u64::MAX);
    while large - small > 1 {
        let middle = small + (large - small) / 2;
        if policy.is_due(&[middle], regions) {
            large = middle
        } else {
            small = middle
        }
    }
    small
}

#[test]
fn the_default_splits_a_single_region_early() {
    let policy = policy(&[], &[]);
    assert_eq!([1, 2, 200].map(|regions| limit(&policy, regions)), [256 * MIB, 10 * GIB, 10 * GIB]);
}

#[test]
fn the_increasing_policy_grows_with_the_cube_of_the_regions() {
    let name = "org.apache.hadoop.hbase.regionserver.IncreasingToUpperBoundRegionSplitPolicy";
    let policy = policy(&[("SPLIT_POLICY", name)], &[]);
    let limits = [0, 1, 2, 3, 4, 101].map(|regions| limit(&policy, regions));
    assert_eq!(limits, [10 * GIB, 256 * MIB, 2 * GIB, 27 * 256 * MIB, 10 * GIB, 10 * GIB]);
}

#[test]
fn attributes_come_before_the_configuration() {
    let constant = ("hbase.regionserver.region.split.policy", "ConstantSizeRegionSplitPolicy");
    assert_eq!(limit(&policy(&[("MAX_FILESIZE", "5000")], &[constant]), 1), 5000);
    assert_eq!(limit(&policy(&[], &[constant, ("hbase.hregion.max.filesize", "6000")]), 1), 6000);
    assert_eq!(limit(&policy(&[("MEMSTORE_FLUSHSIZE", "4000")], &[]), 1), 8000);
    assert_eq!(limit(&policy(&[], &[("hbase.increasing.policy.initial.size", "77")]), 1), 77);
}

#[test]
fn disabled_never_splits() {
    assert!(!policy(&[("SPLIT_POLICY", "DisabledRegionSplitPolicy")], &[]).is_due(&[u64::MAX], 1));
}

#[test]
fn stores_count_one_by_one_unless_asked_for_together() {
    let size = ("hbase.increasing.policy.initial.size", "100");
    assert!(!policy(&[], &[size]).is_due(&[60, 60], 1));
    assert!(policy(&[], &[size, ("hbase.hregion.split.overallfiles", "true")]).is_due(&[60, 60], 1));
}

#[test]
fn the_limit_moves_by_an_eighth_at_most() {
    let constant = [("SPLIT_POLICY", "ConstantSizeRegionSplitPolicy"), ("MAX_FILESIZE", "8000")];
    let limits = ["00000000", "ffffffff", "80000000"].map(|name| limit(&policy_in(name, &constant, &[]), 1));
    assert_eq!(limits, [7000, 9000, 8000]);
}

#[test]
fn prefix_policies_cut_the_row() {
    let cut = |name, key, value, row: &str| policy(&[("SPLIT_POLICY", name), (key, value)], &[]).cut(row.into());
    let prefix = "KeyPrefixRegionSplitPolicy";
    assert_eq!(cut(prefix, "KeyPrefixRegionSplitPolicy.prefix_length", "4", "user0025"), b"user");
    assert_eq!(cut(prefix, "prefix_split_key_policy.prefix_length", "5", "user"), b"user");
    assert_eq!(cut(prefix, "KeyPrefixRegionSplitPolicy.prefix_length", "0", "user"), b"user");
    let delimited = "DelimitedKeyPrefixRegionSplitPolicy";
    let key = "DelimitedKeyPrefixRegionSplitPolicy.delimiter";
    assert_eq!(cut(delimited, key, "_", "u1_event_5"), b"u1");
    assert_eq!(cut(delimited, key, "_", "plain"), b"plain");
}

#[test]
fn a_restriction_holds_for_every_row() {
    let kind = ("hbase.regionserver.region.split_restriction.type", "KeyPrefix");
    let length = ("hbase.regionserver.region.split_restriction.prefix_length", "2");
    assert_eq!(policy(&[], &[kind, length]).restrict(b"abcd".to_vec()), b"ab");
    assert_eq!(policy(&[], &[]).restrict(b"abcd".to_vec()), b"abcd");
}

#[test]
fn unknown_policies_and_sizes_are_refused() {
    for attribute in [("SPLIT_POLICY", "MySplitPolicy"), ("MAX_FILESIZE", "large")] {
        let error = check_policy(&table(&[attribute], &[]), &Settings::default()).unwrap_err();
        assert!(error.message().contains(attribute.1), "{error}");
    }
}
