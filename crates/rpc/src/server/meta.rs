//! `hbase:meta`: the directory's view of its regions, and in it this server as the place of each.

use super::exception::Exception;
use super::here::Here;
use super::session::Session;
use crate::proto;
use prost::Message;
use rowstone_model::cell::{Cell, CellBuffer, CellParts, CellType};
use rowstone_model::operations::{CellBatch, Get, ReadOptions, RowRange, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::Result;

/// The table's name.
pub(super) const TABLE: &str = "hbase:meta";
const NAME: &[u8] = b"hbase:meta,,1";
const ENCODED_NAME: &[u8] = b"1588230740";
const FAMILY: &[u8] = b"info";
/// `RegionState.State.OPEN` in ZooKeeper's node.
const OPEN: i32 = 3;

/// Whether a request means the region of meta.
pub(super) fn is_name(name: &[u8]) -> bool {
    name == ENCODED_NAME || name.strip_prefix(NAME).is_some_and(|rest| rest.is_empty() || rest == b".1588230740.")
}

/// The region of meta.
pub(super) fn region_info() -> proto::RegionInfo {
    proto::RegionInfo {
        region_id: 1,
        table_name: proto::TableName { namespace: b"hbase".to_vec(), qualifier: b"meta".to_vec() },
        start_key: Some(Vec::new()),
        end_key: Some(Vec::new()),
        offline: Some(false),
        split: Some(false),
        replica_id: Some(0),
    }
}

/// What the node `meta-region-server` holds.
pub(super) fn region_server(here: &Here) -> Vec<u8> {
    let node = proto::MetaRegionServer { server: here.server_name(), rpc_version: Some(0), state: Some(OPEN) };
    node.encode_to_vec()
}

/// How meta describes itself.
pub(super) fn descriptor() -> Result<TableDescriptor> {
    let mut table = TableDescriptor::new(TableName::parse(TABLE)?);
    table.attributes.insert("IS_META".into(), "true".into());
    Ok(table.with_family(FamilyDescriptor::new(FAMILY)).with_family(FamilyDescriptor::new("table")))
}

/// A row of meta: none or one in the batch.
pub(super) fn get(session: &Session, get: &Get) -> std::result::Result<CellBatch, Exception> {
    check(&get.options)?;
    let table = session.state.backend.table(&TableName::parse(TABLE)?)?;
    let found = table.get(&Get { row: get.row.clone(), options: whole(&get.options) })?;
    Ok(with_places(&found, &session.here, &get.options))
}

/// The rows of a range of meta.
pub(super) fn scan(session: &Session, scan: Scan) -> std::result::Result<CellBatch, Exception> {
    check(&scan.options)?;
    let table = session.state.backend.table(&TableName::parse(TABLE)?)?;
    let options = scan.options.clone();
    let mut scanner = table.scan(Scan { options: whole(&options), batch: 0, ..scan })?;
    let mut all = CellBatch::default();
    while let Some(batch) = scanner.next_batch(usize::MAX, usize::MAX)? {
        let part = with_places(&batch, &session.here, &options);
        let start = all.cells.byte_len();
        all.cells.extend_from(&part.cells);
        all.rows.extend(part.rows.iter().map(|row| RowRange {
            start: row.start + start,
            end: row.end + start,
            ..*row
        }));
    }
    Ok(all)
}

fn check(options: &ReadOptions) -> std::result::Result<(), Exception> {
    match &options.filter {
        Some(filter) => Err(Exception::unsupported(&format!("{} on hbase:meta", filter.name()))),
        None => Ok(()),
    }
}

/// Whole rows: which of their columns are wanted is looked at when the places are in.
fn whole(options: &ReadOptions) -> ReadOptions {
    // A family that meta does not have is refused by the view; `ns` and `rep_barrier` are families of meta without cells here.
    let mut families = options.columns.families.clone();
    families.remove(b"ns".as_slice());
    families.remove(b"rep_barrier".as_slice());
    let only_absent = families.is_empty() && !options.columns.is_all();
    let mut whole = ReadOptions::default();
    for family in families.keys() {
        whole.columns.add_family(family);
    }
    if only_absent {
        whole.columns.add_column(b"table", b"none");
    }
    whole
}

fn is_wanted(cell: &Cell<'_>, options: &ReadOptions) -> bool {
    let is_column = match options.columns.families.get(cell.family()) {
        None => options.columns.is_all(),
        Some(None) => true,
        Some(Some(qualifiers)) => qualifiers.iter().any(|qualifier| qualifier == cell.qualifier()),
    };
    is_column && options.time_range_of(cell.family()).contains(cell.timestamp())
}

/// The wanted cells of the rows, and for each region where it is.
fn with_places(found: &CellBatch, here: &Here, options: &ReadOptions) -> CellBatch {
    let mut all = CellBatch::default();
    for range in &found.rows {
        let mut row = CellBuffer::new();
        for cell in found.row_cells(*range) {
            // The view gives regioninfo, seqnumDuringOpen, state; the others belong between them.
            if cell.qualifier() == b"state" && cell.family() == FAMILY {
                push_places(&mut row, &cell, here);
            }
            row.push_cell(&cell);
        }
        let start = all.cells.byte_len();
        let mut cell_count = 0;
        for cell in row.iter().filter(|cell| is_wanted(cell, options)) {
            all.cells.push_cell(&cell);
            cell_count += 1;
        }
        if cell_count > 0 {
            all.rows.push(RowRange { start, end: all.cells.byte_len(), cell_count, is_partial: false });
        }
    }
    all
}

fn push_places(row: &mut CellBuffer, like: &Cell<'_>, here: &Here) {
    let places: [(&[u8], Vec<u8>); 3] = [
        (b"server", here.address().into_bytes()),
        (b"serverstartcode", here.start_code.to_be_bytes().to_vec()),
        (b"sn", here.to_string().into_bytes()),
    ];
    for (qualifier, value) in &places {
        row.push(CellParts {
            row: like.row(),
            family: FAMILY,
            qualifier,
            timestamp: like.timestamp(),
            cell_type: CellType::Put,
            value,
            tags: &[],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meta_has_two_names_and_no_others() {
        assert!(is_name(b"hbase:meta,,1") && is_name(b"1588230740") && is_name(b"hbase:meta,,1.1588230740."));
        assert!(!is_name(b"hbase:meta,,12") && !is_name(b"hbase:meta"));
    }
}
