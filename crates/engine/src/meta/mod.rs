//! `hbase:meta` as a read-only view of the manifest: one row per region and one per table, in meta's own order.
//!
//! ```text
//! row  table,startKey,regionId.encodedName.   info:regioninfo, info:state, info:seqnumDuringOpen
//! row  table                                  table:state
//! row  a region that was split                info:regioninfo, info:splitA, info:splitB, info:state = SPLIT
//! ```
//!
//! The last kind exists until both daughters have compacted their halves of its files, as in HBase, whose janitor
//! then removes it. A merged region needs no such row: it has whole files from the start.
//!
//! Rows compare by the part before the first comma, then the part up to the last comma, then the rest, as in
//! HBase's `MetaCellComparator`. A table's regions stay together whatever bytes their start keys contain.

mod proto;

use crate::manifest::{Split, State};
use crate::sys::lock::Mutex;
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::schema::{RegionInfo, TableState};
use std::cmp::Ordering;
use std::sync::Arc;

/// A row of meta and its cells, in order.
pub struct MetaRow {
    /// The row key.
    pub key: Vec<u8>,
    /// Its cells.
    pub cells: CellBuffer,
}

/// The families of meta.
pub const FAMILIES: [&[u8]; 2] = [b"info", b"table"];

/// All rows of meta, in its order.
pub fn rows(state: &State) -> Vec<MetaRow> {
    let mut rows = Vec::new();
    for (name, table) in &state.tables {
        let key = name.to_string().into_bytes();
        let created = table.regions.first().map_or(0, |region| region.info.region_id);
        let mut cells = CellBuffer::new();
        push(&mut cells, &key, b"table", b"state", created, &proto::table_state(table.state));
        rows.push(MetaRow { key, cells });
        for region in &table.regions {
            rows.push(region_row(&region.info, table.state, region.last_sequence_id));
        }
        let mut splits: Vec<&Split> = table.regions.iter().filter_map(|region| region.split.as_ref()).collect();
        splits.dedup_by(|left, right| left.parent == right.parent);
        rows.extend(splits.into_iter().map(parent_row));
    }
    rows.sort_by(|left, right| compare_rows(&left.key, &right.key));
    rows
}

/// Rows, and the state they were built from.
type Known = (Arc<State>, Arc<Vec<MetaRow>>);

/// Cached rows of meta with the state they were built from. A reader rebuilds them when the state has changed.
#[derive(Default)]
pub struct MetaRows(Mutex<Option<Known>>);

impl MetaRows {
    /// Returns the rows of `state`.
    pub fn of(&self, state: Arc<State>) -> Arc<Vec<MetaRow>> {
        let mut known = self.0.lock();
        match &*known {
            Some((made_of, rows)) if Arc::ptr_eq(made_of, &state) => Arc::clone(rows),
            _ => {
                let rows = Arc::new(rows(&state));
                *known = Some((state, Arc::clone(&rows)));
                rows
            }
        }
    }
}

fn region_row(info: &RegionInfo, state: TableState, sequence_id: u64) -> MetaRow {
    let key = info.region_name();
    let state: &[u8] = if state == TableState::Enabled { b"OPEN" } else { b"CLOSED" };
    let mut cells = CellBuffer::new();
    push(&mut cells, &key, b"info", b"regioninfo", info.region_id, &proto::region_info(info));
    push(&mut cells, &key, b"info", b"seqnumDuringOpen", info.region_id, &sequence_id.to_be_bytes());
    push(&mut cells, &key, b"info", b"state", info.region_id, state);
    MetaRow { key, cells }
}

fn parent_row(split: &Split) -> MetaRow {
    let (key, at) = (split.parent.region_name(), split.bottom.region_id);
    let mut cells = CellBuffer::new();
    push(&mut cells, &key, b"info", b"regioninfo", at, &proto::split_region_info(&split.parent));
    push(&mut cells, &key, b"info", b"splitA", at, &proto::region_info(&split.bottom));
    push(&mut cells, &key, b"info", b"splitB", at, &proto::region_info(&split.top));
    push(&mut cells, &key, b"info", b"state", at, b"SPLIT");
    MetaRow { key, cells }
}

fn push(cells: &mut CellBuffer, row: &[u8], family: &[u8], qualifier: &[u8], timestamp: i64, value: &[u8]) {
    cells.push(CellParts { row, family, qualifier, timestamp, cell_type: CellType::Put, value, tags: &[] });
}

/// The order of meta's rows.
pub fn compare_rows(left: &[u8], right: &[u8]) -> Ordering {
    let (left, right) = (split(left), split(right));
    left.0.cmp(right.0).then_with(|| left.1.cmp(&right.1)).then_with(|| left.2.cmp(right.2))
}

/// Table, start key (none for a row without comma), the rest.
fn split(row: &[u8]) -> (&[u8], Option<&[u8]>, &[u8]) {
    let is_comma = |byte: &u8| *byte == b',';
    let Some(first) = row.iter().position(is_comma) else { return (row, None, &[]) };
    let last = row.iter().rposition(is_comma).unwrap_or(first);
    if last == first {
        return (&row[..first], Some(&row[first + 1..]), &[]);
    }
    (&row[..first], Some(&row[first + 1..last]), &row[last + 1..])
}
