//! ROW_INDEX_V1: unencoded cells, and the offset of each row.
//!
//! ```text
//! cells | u32 rows | u32 offset of each row's first cell | u32 bytes of the cells
//! ```
//!
//! Tags are stored unencoded, even if the file says that tags are compressed. The offsets are not used for reading:
//! the marks of a cached block work for every encoding.

use crate::hfile::format::Damage;
use rowstone_model::cell::{Cell, Layout, MalformedCell};

/// Appends `cells` and their index.
pub fn encode(cells: &[u8], layout: Layout, out: &mut Vec<u8>) -> Result<(), MalformedCell> {
    out.extend_from_slice(cells);
    let count_at = out.len();
    out.extend_from_slice(&[0; 4]);
    let (mut offset, mut rows) = (0, 0u32);
    let mut row: Option<&[u8]> = None;
    while offset < cells.len() {
        let (cell, length) = Cell::read(&cells[offset..], layout)?;
        if row != Some(cell.row()) {
            row = Some(cell.row());
            rows += 1;
            out.extend_from_slice(&(offset as u32).to_be_bytes());
        }
        offset += length;
    }
    out[count_at..count_at + 4].copy_from_slice(&rows.to_be_bytes());
    out.extend_from_slice(&(cells.len() as u32).to_be_bytes());
    Ok(())
}

/// Number of bytes at the front of `content` that are cells.
pub fn cells(content: &[u8]) -> Result<usize, Damage> {
    let number = |at: usize| {
        let bytes = content.get(at..at.checked_add(4)?)?;
        Some(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    };
    let cells = content.len().checked_sub(4).and_then(number);
    let rows = cells.and_then(number);
    match (cells, rows) {
        (Some(cells), Some(rows)) if cells + 4 + rows * 4 + 4 == content.len() => Ok(cells),
        _ => Err(Damage::new(
            format_args!("cells, their index and their length in {} bytes", content.len()),
            format_args!("{cells:?} bytes of cells, {rows:?} rows"),
        )),
    }
}
