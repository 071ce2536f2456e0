//! Conversion of messages to gets and scans. Source: `ProtobufUtil.toGet`, `toScan`.

use crate::convert::READ_UNCOMMITTED;
use crate::filter::from_wire;
use crate::proto;
use crate::server::messages::exception::Exception;
use rowstone_model::operations::{Get, MobValues, ReadOptions, Scan, TimeRange};
use rowstone_model::schema::RegionInfo;
use std::sync::Arc;

/// Decodes a time range; both ends are optional.
pub(in crate::server) fn time_range(range: Option<&proto::TimeRange>) -> Result<TimeRange, Exception> {
    let Some(range) = range else { return Ok(TimeRange::ALL) };
    let (min, max) = (range.from.unwrap_or(0) as i64, range.to.unwrap_or(i64::MAX as u64) as i64);
    Ok(TimeRange::new(min, max)?)
}

fn filter(message: Option<&proto::Filter>) -> Result<Option<Arc<rowstone_model::filter::Filter>>, Exception> {
    Ok(message.map(from_wire).transpose()?.map(Arc::new))
}

fn add_columns(options: &mut ReadOptions, columns: &[proto::Column]) {
    for column in columns {
        if column.qualifier.is_empty() {
            options.columns.add_family(&column.family);
        }
        for qualifier in &column.qualifier {
            options.columns.add_column(&column.family, qualifier);
        }
    }
}

fn add_family_ranges(options: &mut ReadOptions, ranges: &[proto::ColumnFamilyTimeRange]) -> Result<(), Exception> {
    for range in ranges {
        options.family_time_ranges.insert(range.column_family.clone(), time_range(Some(&range.time_range))?);
    }
    Ok(())
}

/// Applies the attributes that change what is read; others are ignored.
fn add_attributes(options: &mut ReadOptions, attributes: &[proto::NameBytesPair]) {
    for attribute in attributes {
        let value = attribute.value.as_deref().unwrap_or_default();
        match attribute.name.as_str() {
            "_raw_" => options.raw = is_true(value),
            "_isolationlevel_" => options.read_uncommitted = value == [READ_UNCOMMITTED],
            "hbase.mob.scan.raw" if is_true(value) => options.mob_values = MobValues::References,
            "empty.value.on.mobcell.miss" if is_true(value) && options.mob_values == MobValues::Loaded => {
                options.mob_values = MobValues::EmptyWhereLost;
            }
            _ => {}
        }
    }
}

/// A boolean as Java writes it.
fn is_true(value: &[u8]) -> bool {
    value.len() == 1 && value != [0]
}

/// Decodes the options that gets and scans share: fields of the same names in two message types.
macro_rules! options_of {
    ($message:ident) => {{
        let mut options = ReadOptions {
            versions: $message.max_versions.unwrap_or(1),
            time_range: time_range($message.time_range.as_ref())?,
            cells_per_family: $message.store_limit,
            offset_per_family: $message.store_offset.unwrap_or(0),
            filter: filter($message.filter.as_ref())?,
            // On by default: `hbase.hregion.scan.loadColumnFamiliesOnDemand`.
            load_families_on_demand: $message.load_column_families_on_demand.unwrap_or(true),
            cache_blocks: $message.cache_blocks.unwrap_or(true),
            ..ReadOptions::default()
        };
        add_columns(&mut options, &$message.column);
        add_family_ranges(&mut options, &$message.cf_time_range)?;
        add_attributes(&mut options, &$message.attribute);
        options
    }};
}

/// Decodes a get.
pub(in crate::server) fn get_of(message: &proto::Get) -> Result<Get, Exception> {
    if message.closest_row_before.unwrap_or(false) {
        let text = "Is this a pre HBase-1.0.0 or asynchbase client? Client is invoking getClosestRowBefore removed in HBase-2.0.0 replaced by reverse Scan.";
        return Err(Exception::last("exceptions.UnknownProtocolException", text));
    }
    let options = options_of!(message);
    Ok(Get::new(message.row.as_slice(), options))
}

/// Decodes a scan, with its full range.
pub(in crate::server) fn scan_of(message: &proto::Scan) -> Result<Scan, Exception> {
    let options = options_of!(message);
    let (start, stop) = (message.start_row().to_vec(), message.stop_row().to_vec());
    // Old clients do not send whether the stop row is included. They mean a get if it equals the start row.
    let is_get = !start.is_empty() && start == stop;
    Ok(Scan {
        include_start: message.include_start_row.unwrap_or(true),
        include_stop: message.include_stop_row.unwrap_or(is_get),
        start,
        stop,
        reversed: message.reversed.unwrap_or(false),
        limit: 0,
        batch: message.batch_size.unwrap_or(0),
        // The number of rows per answer comes with each request.
        caching: 0,
        read_point: message.mvcc_read_point.unwrap_or(0),
        options,
    })
}

/// Limits `scan` to the rows of `region`.
pub(in crate::server) fn clip(scan: &mut Scan, region: &RegionInfo) {
    let (first, end) = (&region.start_key, &region.end_key);
    if scan.reversed {
        if !end.is_empty() && (scan.start.is_empty() || scan.start >= *end) {
            (scan.start, scan.include_start) = (end.clone(), false);
        }
        if !first.is_empty() && (scan.stop.is_empty() || scan.stop < *first) {
            (scan.stop, scan.include_stop) = (first.clone(), true);
        }
        return;
    }
    if scan.start < *first {
        (scan.start, scan.include_start) = (first.clone(), true);
    }
    if !end.is_empty() && (scan.stop.is_empty() || scan.stop >= *end) {
        (scan.stop, scan.include_stop) = (end.clone(), false);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::schema::TableName;

    fn clipped(start: &str, stop: &str, reversed: bool) -> (String, bool, String, bool) {
        let region = RegionInfo {
            table: TableName::parse("t").unwrap(),
            start_key: b"c".to_vec(),
            end_key: b"m".to_vec(),
            region_id: 1,
            encoded_name: String::new(),
        };
        let mut scan = Scan { start: start.into(), stop: stop.into(), reversed, ..Scan::default() };
        clip(&mut scan, &region);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(scan.start), scan.include_start, text(scan.stop), scan.include_stop)
    }

    #[test]
    fn a_copied_scan_of_the_java_client_is_committed() {
        // A copy of a scan states its isolation level, the default included: `Scan(Scan)`, `ImmutableScan`.
        let isolated = |level: u8| {
            let attribute = proto::NameBytesPair { name: "_isolationlevel_".into(), value: Some(vec![level]) };
            let message = proto::Scan { attribute: vec![attribute], ..proto::Scan::default() };
            scan_of(&message).unwrap().options.read_uncommitted
        };
        assert!(!isolated(0), "IsolationLevel.READ_COMMITTED.ordinal()");
        assert!(isolated(1), "IsolationLevel.READ_UNCOMMITTED.ordinal()");
    }

    #[test]
    fn a_scan_stays_within_its_region() {
        assert_eq!(clipped("", "", false), ("c".into(), true, "m".into(), false));
        assert_eq!(clipped("d", "e", false), ("d".into(), true, "e".into(), false));
        assert_eq!(clipped("", "", true), ("m".into(), false, "c".into(), true));
        assert_eq!(clipped("k", "a", true), ("k".into(), true, "c".into(), true));
    }

    #[test]
    fn start_and_stop_alike_are_a_get_for_clients_that_say_no_more() {
        let message = |include| proto::Scan {
            start_row: Some(b"r".to_vec()),
            stop_row: Some(b"r".to_vec()),
            include_stop_row: include,
            ..proto::Scan::default()
        };
        assert!(scan_of(&message(None)).unwrap().include_stop);
        assert!(!scan_of(&message(Some(false))).unwrap().include_stop);
    }
}
