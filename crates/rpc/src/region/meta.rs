//! Reading `hbase:meta`, whose rows are named after regions. Source: `MetaTableAccessor`, `CatalogFamilyFormat`.

use super::{Location, Position};
use crate::connection::{Server, Servers, Service};
use crate::convert::from_table_name;
use crate::failure::{Deadline, Failure};
use crate::proto;
use crate::wire::Call;
use rowstone_model::cell::CellBuffer;
use rowstone_model::operations::{CellBatch, RowRange, Rows};
use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::Result;
use std::sync::Arc;

/// A region id that sorts after all real ones.
const LAST_ID: &str = ":";
/// Rows per call while iterating over a table's regions.
const ROWS_PER_CALL: u32 = 500;
/// Rows per lookup: the requested region and some before it.
const ROWS_PER_LOOKUP: u32 = 8;

/// The region of `hbase:meta` on a server with the given full name.
pub fn meta_location((server, name): (Arc<Server>, String)) -> Location {
    let info = RegionInfo::meta();
    let (server, server_name) = (Some(server), Some(name));
    Location { name: info.region_name(), info, server, server_name, is_open: true, sequence: 0 }
}

/// A row of `hbase:meta`.
#[derive(Debug, Clone)]
pub struct MetaRow {
    /// The region and its server.
    pub location: Location,
    /// Whether it is the parent of a split or otherwise inactive.
    pub is_offline: bool,
    /// Whether it is a read replica.
    pub is_replica: bool,
}

/// The range of a table's rows in `hbase:meta`: start (inclusive), stop (exclusive).
pub fn table_range(table: &TableName) -> (Vec<u8>, Vec<u8>) {
    // A blank cannot occur in a table's name, and sorts right after it here.
    (format!("{table},,").into_bytes(), format!("{table} ,,").into_bytes())
}

/// The regions at `position` and just before it, in descending order.
pub fn regions_at(
    meta: &Location,
    table: &TableName,
    position: Position<'_>,
    servers: &Servers,
    deadline: Deadline,
) -> std::result::Result<Vec<MetaRow>, Failure> {
    let mut start = format!("{table},").into_bytes();
    match position {
        Position::At(row) => {
            start.extend_from_slice(row);
            start.extend_from_slice(format!(",{LAST_ID}").as_bytes());
        }
        // A row without commas that sorts after all rows of the table.
        Position::Before([]) => start = format!("{table}\0").into_bytes(),
        // Before the region that starts at the row, whatever its id.
        Position::Before(row) => {
            start.extend_from_slice(row);
            start.push(b',');
        }
    }
    let scan = proto::Scan {
        start_row: Some(start),
        include_start_row: Some(true),
        stop_row: Some(table_range(table).0),
        include_stop_row: Some(true),
        reversed: Some(true),
        ..proto::Scan::default()
    };
    let batch = scan_once(meta, scan, ROWS_PER_LOOKUP, deadline)?;
    rows_of(&batch, servers)
}

/// All rows of `table`, in order.
pub fn all_regions(
    meta: &Location,
    table: &TableName,
    servers: &Servers,
    deadline: Deadline,
) -> std::result::Result<Vec<MetaRow>, Failure> {
    let mut rows = Vec::new();
    walk(meta, table_range(table), servers, deadline, &mut |row| {
        rows.push(row);
        false
    })?;
    Ok(rows)
}

/// The first region of any table that `is_wanted` accepts.
pub fn every_region(
    meta: &Location,
    servers: &Servers,
    deadline: Deadline,
    is_wanted: &mut dyn FnMut(&Location) -> bool,
) -> std::result::Result<Option<MetaRow>, Failure> {
    let mut found = None;
    walk(meta, (Vec::new(), Vec::new()), servers, deadline, &mut |row| {
        let is_found = is_wanted(&row.location);
        if is_found {
            found = Some(row);
        }
        is_found
    })?;
    Ok(found)
}

/// Passes all rows of a range to `see`, until it is satisfied.
fn walk(
    meta: &Location,
    (mut start, stop): (Vec<u8>, Vec<u8>),
    servers: &Servers,
    deadline: Deadline,
    see: &mut dyn FnMut(MetaRow) -> bool,
) -> std::result::Result<(), Failure> {
    let mut is_first = true;
    loop {
        let scan = proto::Scan {
            start_row: Some(start),
            include_start_row: Some(is_first),
            stop_row: Some(stop.clone()),
            include_stop_row: Some(false),
            ..proto::Scan::default()
        };
        let batch = scan_once(meta, scan, ROWS_PER_CALL, deadline)?;
        let last = batch.rows.last().and_then(|row| batch.row_cells(*row).next()).map(|cell| cell.row().to_vec());
        if rows_of(&batch, servers)?.into_iter().any(&mut *see) {
            return Ok(());
        }
        let Some(last) = last else { return Ok(()) };
        (start, is_first) = (last, false);
    }
}

/// The first `rows` rows of `scan`, in one call that opens and closes a scanner.
fn scan_once(
    meta: &Location,
    scan: proto::Scan,
    rows: u32,
    deadline: Deadline,
) -> std::result::Result<CellBatch, Failure> {
    let Some(server) = &meta.server else { return Err(Failure::connection("hbase:meta is not assigned to a server")) };
    let request = proto::ScanRequest {
        region: Some(meta.specifier()),
        scan: Some(proto::Scan {
            column: vec![proto::Column { family: b"info".to_vec(), qualifier: Vec::new() }],
            max_versions: Some(1),
            cache_blocks: Some(true),
            caching: Some(rows),
            read_type: Some(proto::scan::ReadType::Pread as i32),
            ..scan
        }),
        number_of_rows: Some(rows),
        limit_of_rows: Some(rows),
        close_scanner: Some(true),
        ..proto::ScanRequest::default()
    };
    let call = Call::new("Scan", &request).for_meta();
    let response = server.call(Service::Client, &call, deadline)?;
    let malformed = |malformed| Failure::malformed(&server.to_string(), malformed);
    let message: proto::ScanResponse = response.message().map_err(malformed)?;
    let mut batch = CellBatch { cells: CellBuffer::with_capacity(response.cell_block().len()), rows: Rows::new() };
    let mut block = response.cells();
    for count in &message.cells_per_result {
        crate::convert::push_row(*count as usize, false, &mut block, &mut batch).map_err(malformed)?;
    }
    for result in &message.results {
        crate::convert::append_result(result, &mut block, &mut batch).map_err(malformed)?;
    }
    Ok(batch)
}

fn rows_of(batch: &CellBatch, servers: &Servers) -> std::result::Result<Vec<MetaRow>, Failure> {
    let rows = batch.rows.iter().filter_map(|row| row_of(batch, *row, servers).transpose());
    rows.collect::<Result<Vec<_>>>().map_err(Failure::stop)
}

/// Parses a region from one row; `None` for a row without one.
fn row_of(batch: &CellBatch, row: RowRange, servers: &Servers) -> Result<Option<MetaRow>> {
    let mut info: Option<proto::RegionInfo> = None;
    let (mut server, mut sequence) = (None, 0);
    let (mut start_code, mut is_open) = (0, true);
    let mut name = Vec::new();
    for cell in batch.row_cells(row) {
        name.clear();
        name.extend_from_slice(cell.row());
        match cell.qualifier() {
            b"regioninfo" => info = proto::stored(cell.value()),
            b"server" => server = address(cell.value()),
            b"seqnumDuringOpen" => sequence = cell.value().try_into().map_or(0, i64::from_be_bytes),
            b"serverstartcode" => start_code = cell.value().try_into().map_or(0, i64::from_be_bytes),
            b"state" => is_open = cell.value() == b"OPEN",
            _ => {}
        }
    }
    let Some(info) = info else { return Ok(None) };
    let encoded_name = encoded_name(&name);
    let region = RegionInfo {
        table: from_table_name(&info.table_name)?,
        start_key: info.start_key.unwrap_or_default(),
        end_key: info.end_key.unwrap_or_default(),
        region_id: info.region_id as i64,
        encoded_name,
    };
    let server_name = server.as_ref().map(|(host, port)| format!("{host},{port},{start_code}"));
    let server = server.map(|(host, port)| servers.get(&host, port));
    let is_offline = info.offline.unwrap_or(false) || info.split.unwrap_or(false);
    let is_replica = info.replica_id.unwrap_or(0) != 0;
    let location = Location { info: region, name, server, server_name, is_open, sequence };
    Ok(Some(MetaRow { location, is_offline, is_replica }))
}

/// Parses `host:port`.
fn address(bytes: &[u8]) -> Option<(String, u16)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (host, port) = text.rsplit_once(':')?;
    Some((host.to_string(), port.parse().ok()?))
}

/// The hash in `table,start,id.hash.`
pub fn encoded_name(name: &[u8]) -> String {
    let inner = name.strip_suffix(b".").unwrap_or(name);
    let start = inner.iter().rposition(|byte| *byte == b'.').map_or(inner.len(), |dot| dot + 1);
    String::from_utf8_lossy(&inner[start..]).into_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_cut_out_of_a_region_name() {
        assert_eq!(encoded_name(b"t,a.b,c.,17.0123456789abcdef0123456789abcdef."), "0123456789abcdef0123456789abcdef");
        assert_eq!(encoded_name(b"t,,1"), "");
    }

    #[test]
    fn an_address_has_a_port() {
        assert_eq!(address(b"rs1.example:16020"), Some(("rs1.example".to_string(), 16020)));
        assert_eq!(address(b"rs1.example"), None);
    }
}
