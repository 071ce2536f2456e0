//! Hides cell permissions from everyone but superusers: readers of a cell need not know who else may read it. Source:
//! HBase's clients, whose codec omits tags.

use rowstone_model::backend::{FilteredRows, ScannerBackend};
use rowstone_model::cell::{find_tag, iterate_tags, write_tag, Cell, CellBuffer, CellParts, ACL_TAG};
use rowstone_model::operations::{CellBatch, RowRange};
use rowstone_model::Result;
use std::time::Instant;

fn has_permissions(cell: &Cell<'_>) -> bool {
    !cell.tags().is_empty() && find_tag(cell.tags(), ACL_TAG).is_some()
}

/// The batch with the permission tags removed.
pub fn without_permissions(batch: CellBatch) -> CellBatch {
    if !batch.cells.iter().any(|cell| has_permissions(&cell)) {
        return batch;
    }
    let cells = CellBuffer::with_capacity(batch.cells.byte_len());
    let mut hidden = CellBatch { cells, ..CellBatch::default() };
    for row in &batch.rows {
        let start = hidden.cells.byte_len();
        for cell in batch.row_cells(*row) {
            push(&mut hidden.cells, &cell);
        }
        hidden.rows.push(RowRange { start, end: hidden.cells.byte_len(), ..*row });
    }
    hidden
}

fn push(out: &mut CellBuffer, cell: &Cell<'_>) {
    if !has_permissions(cell) {
        return out.push_cell(cell);
    }
    let mut tags = Vec::new();
    let others = iterate_tags(cell.tags()).filter(|(kind, _)| *kind != ACL_TAG);
    others.for_each(|(kind, value)| write_tag(&mut tags, kind, value));
    out.push(CellParts { tags: &tags, ..cell.into() });
}

/// A scanner that removes permission tags from cells.
pub struct Hidden(pub Box<dyn ScannerBackend>);

impl ScannerBackend for Hidden {
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>> {
        Ok(self.0.next_batch(max_rows, max_bytes)?.map(without_permissions))
    }

    fn next_until(&mut self, max_rows: usize, max_bytes: usize, deadline: Instant) -> Result<Option<CellBatch>> {
        Ok(self.0.next_until(max_rows, max_bytes, deadline)?.map(without_permissions))
    }

    fn read_point(&self) -> u64 {
        self.0.read_point()
    }

    fn is_filter_done(&self) -> bool {
        self.0.is_filter_done()
    }

    fn is_at_end(&self) -> bool {
        self.0.is_at_end()
    }

    fn filtered_rows(&self) -> FilteredRows {
        self.0.filtered_rows()
    }
}
