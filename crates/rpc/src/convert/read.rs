//! Gets and scans. Source: `ProtobufUtil.toGet`, `toScan`.

use crate::filter::to_wire;
use crate::proto;
use rowstone_model::operations::{Get, MobValues, Qualifiers, ReadOptions, Scan, TimeRange};

/// Value of the attribute that requests delete markers, a Java boolean.
const TRUE: u8 = 0xff;
/// The isolation level that includes writes which have not completed: the ordinal of HBase's `IsolationLevel`.
pub(crate) const READ_UNCOMMITTED: u8 = 1;

fn columns(options: &ReadOptions) -> Vec<proto::Column> {
    let families = options.columns.families.iter();
    let column = |(family, qualifiers): (&Vec<u8>, &Option<Qualifiers>)| proto::Column {
        family: family.clone(),
        qualifier: qualifiers.as_ref().map(|qualifiers| qualifiers.to_vec()).unwrap_or_default(),
    };
    families.map(column).collect()
}

pub(super) fn time_range(range: TimeRange) -> proto::TimeRange {
    proto::TimeRange { from: Some(range.min as u64), to: Some(range.max as u64) }
}

pub(super) fn bounded(range: TimeRange) -> Option<proto::TimeRange> {
    (range != TimeRange::ALL).then(|| time_range(range))
}

fn family_ranges(options: &ReadOptions) -> Vec<proto::ColumnFamilyTimeRange> {
    let ranges = options.family_time_ranges.iter();
    ranges
        .map(|(family, range)| proto::ColumnFamilyTimeRange {
            column_family: family.clone(),
            time_range: time_range(*range),
        })
        .collect()
}

fn attributes(options: &ReadOptions) -> Vec<proto::NameBytesPair> {
    let attribute = |name: &str, value: u8| proto::NameBytesPair { name: name.to_string(), value: Some(vec![value]) };
    let raw = options.raw.then(|| attribute("_raw_", TRUE));
    let uncommitted = options.read_uncommitted.then(|| attribute("_isolationlevel_", READ_UNCOMMITTED));
    let mob = match options.mob_values {
        MobValues::Loaded => None,
        MobValues::References => Some(attribute("hbase.mob.scan.raw", TRUE)),
        MobValues::EmptyWhereLost => Some(attribute("empty.value.on.mobcell.miss", TRUE)),
    };
    raw.into_iter().chain(uncommitted).chain(mob).collect()
}

/// Whether the server reads the other families only after those that the filter needs. Sent only with a filter, and
/// off unless requested: it changes the order in which the filter sees the cells, and with it the results of some
/// filters. Such scans cannot be reversed.
fn on_demand(options: &ReadOptions) -> Option<bool> {
    options.filter.is_some().then_some(options.load_families_on_demand)
}

/// Builds the message for `get`.
pub fn get_message(get: &Get) -> proto::Get {
    let options = &get.options;
    proto::Get {
        row: get.row.to_vec(),
        column: columns(options),
        attribute: attributes(options),
        filter: options.filter.as_deref().map(to_wire),
        time_range: bounded(options.time_range),
        max_versions: Some(options.versions),
        cache_blocks: Some(options.cache_blocks),
        store_limit: options.cells_per_family,
        store_offset: (options.offset_per_family > 0).then_some(options.offset_per_family),
        existence_only: None,
        closest_row_before: None,
        cf_time_range: family_ranges(options),
        load_column_families_on_demand: on_demand(options),
    }
}

/// Builds the message for `scan`, without its start and stop row, which differ per region.
pub fn scan_message(scan: &Scan) -> proto::Scan {
    let options = &scan.options;
    proto::Scan {
        column: columns(options),
        attribute: attributes(options),
        filter: options.filter.as_deref().map(to_wire),
        time_range: bounded(options.time_range),
        max_versions: Some(options.versions),
        cache_blocks: Some(options.cache_blocks),
        batch_size: (scan.batch > 0).then_some(scan.batch),
        caching: (scan.caching > 0).then_some(scan.caching),
        store_limit: options.cells_per_family,
        store_offset: (options.offset_per_family > 0).then_some(options.offset_per_family),
        load_column_families_on_demand: on_demand(options),
        reversed: Some(scan.reversed),
        cf_time_range: family_ranges(options),
        ..proto::Scan::default()
    }
}
