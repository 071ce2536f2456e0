//! The two small protobuf messages in meta's cells.

use crate::hfile::format::proto::{put_bytes, put_number};
use rowstone_model::schema::{RegionInfo, TableState};

/// `PBUF` and a region's id, table, keys and flags.
pub(super) fn region_info(info: &RegionInfo) -> Vec<u8> {
    message(info, false)
}

/// The same for a region that was split: it is offline.
pub(super) fn split_region_info(info: &RegionInfo) -> Vec<u8> {
    message(info, true)
}

fn message(info: &RegionInfo, is_split: bool) -> Vec<u8> {
    let mut table = Vec::new();
    put_bytes(&mut table, 1, info.table.namespace().as_bytes());
    put_bytes(&mut table, 2, info.table.qualifier().as_bytes());
    let mut out = b"PBUF".to_vec();
    put_number(&mut out, 1, info.region_id as u64);
    put_bytes(&mut out, 2, &table);
    put_bytes(&mut out, 3, &info.start_key);
    put_bytes(&mut out, 4, &info.end_key);
    put_number(&mut out, 5, u64::from(is_split));
    put_number(&mut out, 6, u64::from(is_split));
    put_number(&mut out, 7, 0);
    out
}

/// A table's state: 0 enabled, 1 disabled.
pub(super) fn table_state(state: TableState) -> Vec<u8> {
    let mut out = Vec::new();
    put_number(&mut out, 1, u64::from(state == TableState::Disabled));
    out
}
