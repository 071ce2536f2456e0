//! Results: their cells are copied once, from the frame to the caller's buffer.

use crate::proto;
use crate::wire::{BlockReader, Malformed};
use rowstone_model::cell::{CellParts, CellType};
use rowstone_model::operations::{CellBatch, RowRange};

/// Appends the next `count` cells of `block` as a row; without cells, an empty range.
#[inline]
pub fn push_row(
    count: usize,
    is_partial: bool,
    block: &mut BlockReader<'_>,
    out: &mut CellBatch,
) -> Result<(), Malformed> {
    let start = out.cells.byte_len();
    block.take(count, &mut out.cells)?;
    out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count: count as u32, is_partial });
    Ok(())
}

/// Appends `result` as a row: the cells in the message itself and those in `block`.
pub fn append_result(
    result: &proto::Result,
    block: &mut BlockReader<'_>,
    out: &mut CellBatch,
) -> Result<(), Malformed> {
    let start = out.cells.byte_len();
    for cell in &result.cell {
        push_inline(cell, out)?;
    }
    let count =
        usize::try_from(result.associated_cell_count.unwrap_or(0)).map_err(|_| Malformed("a negative count"))?;
    block.take(count, &mut out.cells)?;
    let cell_count = (count + result.cell.len()) as u32;
    let is_partial = result.partial.unwrap_or(false);
    out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count, is_partial });
    Ok(())
}

fn push_inline(cell: &proto::Cell, out: &mut CellBatch) -> Result<(), Malformed> {
    fn part(bytes: &Option<Vec<u8>>) -> &[u8] {
        bytes.as_deref().unwrap_or_default()
    }
    let code = cell.cell_type.and_then(|code| u8::try_from(code).ok());
    let cell_type = code.and_then(CellType::from_code).ok_or(Malformed("a cell of unknown type"))?;
    let (row, family, tags) = (part(&cell.row), part(&cell.family), part(&cell.tags));
    if row.len() > usize::from(u16::MAX) || family.len() > usize::from(u8::MAX) || tags.len() > usize::from(u16::MAX) {
        return Err(Malformed("a cell with a part over its limit"));
    }
    let timestamp = cell.timestamp.unwrap_or(0) as i64;
    let (qualifier, value) = (part(&cell.qualifier), part(&cell.value));
    out.cells.push(CellParts { row, family, qualifier, timestamp, cell_type, value, tags });
    Ok(())
}
