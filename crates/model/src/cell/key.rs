//! Flat keys: those of cells, and the artificial keys that scanners seek to.

use super::kind::{CellType, LATEST_TIMESTAMP, OLDEST_TIMESTAMP};

/// Builds the flat key of a cell. `row` must be at most 65,535 bytes and `family` at most 255: longer ones are
/// truncated in their length field, so callers check with [`super::check_row`] and [`super::check_family`] first.
pub fn flat_key(row: &[u8], family: &[u8], qualifier: &[u8], timestamp: i64, cell_type: CellType) -> Vec<u8> {
    let mut key = Vec::with_capacity(12 + row.len() + family.len() + qualifier.len());
    write_flat_key(&mut key, row, family, qualifier, timestamp, cell_type);
    key
}

/// Appends the flat key of a cell to `out`.
pub(super) fn write_flat_key(
    out: &mut Vec<u8>,
    row: &[u8],
    family: &[u8],
    qualifier: &[u8],
    timestamp: i64,
    cell_type: CellType,
) {
    out.extend_from_slice(&(row.len() as u16).to_be_bytes());
    out.extend_from_slice(row);
    out.push(family.len() as u8);
    out.extend_from_slice(family);
    out.extend_from_slice(qualifier);
    out.extend_from_slice(&timestamp.to_be_bytes());
    out.push(cell_type.code());
}

/// A key that sorts before every cell of `row`.
pub fn first_on_row(row: &[u8]) -> Vec<u8> {
    flat_key(row, &[], &[], LATEST_TIMESTAMP, CellType::Maximum)
}

/// A key that sorts after every cell of `row`.
pub fn last_on_row(row: &[u8]) -> Vec<u8> {
    flat_key(row, &[], &[], OLDEST_TIMESTAMP, CellType::Minimum)
}

/// A key that sorts before every cell of the column.
pub fn first_on_column(row: &[u8], family: &[u8], qualifier: &[u8]) -> Vec<u8> {
    flat_key(row, family, qualifier, LATEST_TIMESTAMP, CellType::Maximum)
}

/// A key that sorts after every cell of the column.
pub fn last_on_column(row: &[u8], family: &[u8], qualifier: &[u8]) -> Vec<u8> {
    flat_key(row, family, qualifier, OLDEST_TIMESTAMP, CellType::Minimum)
}

/// The row of a flat key, which may have more bytes behind it. Empty if they are too few.
#[inline]
pub fn row_of(key: &[u8]) -> &[u8] {
    match key {
        [high, low, rest @ ..] => rest.get(..usize::from(u16::from_be_bytes([*high, *low]))).unwrap_or_default(),
        _ => &[],
    }
}

/// The smallest row that sorts after `row`.
pub fn row_after(row: &[u8]) -> Vec<u8> {
    let mut next = Vec::with_capacity(row.len() + 1);
    next.extend_from_slice(row);
    next.push(0);
    next
}
