//! Scans of `hbase:meta`: column selection, region locations that a server adds, filters.

use crate::meta::MetaRow;
use crate::scan::filter::{evaluator, Evaluator, ReturnCode, RowCells, Shown};
use crate::sys::Entropy;
use rowstone_model::backend::{ScannerBackend, ServerPlace};
use rowstone_model::cell::{compare_keys, Cell, CellBuffer, CellParts, CellType};
use rowstone_model::filter::Filter;
use rowstone_model::operations::{CellBatch, ReadOptions, RowRange};
use rowstone_model::Result;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A filter applied to rows of meta.
pub(super) struct MetaFilter {
    root: Evaluator,
    needs_whole_rows: bool,
}

impl MetaFilter {
    pub(super) fn new(filter: &Filter, reversed: bool, entropy: &dyn Entropy) -> Result<Self> {
        Ok(MetaFilter { root: evaluator(filter, reversed, entropy)?, needs_whole_rows: filter.needs_whole_rows() })
    }

    /// Appends the cells that pass and returns their count. As in a region, the filter also sees the cells of rows
    /// that it skips.
    fn push(&mut self, key: &[u8], row: &CellBuffer, out: &mut CellBuffer) -> Result<usize> {
        let start = out.byte_len();
        let skips_row = self.root.is_done() || self.root.skips_row(key)?;
        let (mut count, mut left_family, mut goal) = (0, None, None::<Vec<u8>>);
        for cell in row {
            let is_before_goal = goal.as_ref().is_some_and(|goal| compare_keys(cell.key(), goal).is_lt());
            if is_before_goal || left_family == Some(cell.family()) {
                continue;
            }
            if self.root.is_done() {
                break;
            }
            let code = self.root.check(&cell)?;
            if code.is_included() {
                let shown = self.root.transform(Shown { value: Cow::Borrowed(cell.value()), tags: cell.tags() });
                let parts = CellParts {
                    row: cell.row(),
                    family: cell.family(),
                    qualifier: cell.qualifier(),
                    timestamp: cell.timestamp(),
                    cell_type: CellType::Put,
                    value: &shown.value,
                    tags: shown.tags,
                };
                out.push(parts);
                count += 1;
            }
            match code {
                ReturnCode::NextRow | ReturnCode::IncludeAndSeekNextRow => left_family = Some(cell.family()),
                ReturnCode::SeekNextUsingHint => goal = self.root.hint(&cell),
                _ => {}
            }
        }
        if self.needs_whole_rows {
            let mut cells = RowCells::new(out, start, count);
            self.root.retain_cells(&mut cells);
            count = cells.count;
        }
        if skips_row || count == 0 || self.root.drops_row() {
            out.truncate(start);
            count = 0;
        }
        self.root.reset();
        Ok(count)
    }
}

/// Columns and versions to return of each row.
pub(super) struct MetaColumns {
    pub(super) options: ReadOptions,
    pub(super) server: Option<ServerPlace>,
}

impl MetaColumns {
    /// Appends the requested cells of the row, if there are any.
    pub(super) fn push(&self, row: &MetaRow, filter: Option<&mut MetaFilter>, batch: &mut CellBatch) -> Result<()> {
        let mut cells = CellBuffer::new();
        for cell in &row.cells {
            // A region's row has regioninfo, seqnumDuringOpen and state. The server's columns sort before state.
            if let (Some(server), b"info", b"state") = (&self.server, cell.family(), cell.qualifier()) {
                self.push_server(&cell, server, &mut cells);
            }
            if self.takes(&cell) {
                cells.push_cell(&cell);
            }
        }
        let start = batch.cells.byte_len();
        let count = match filter {
            Some(filter) => filter.push(&row.key, &cells, &mut batch.cells)?,
            None => {
                batch.cells.extend_from(&cells);
                cells.iter().count()
            }
        };
        if count > 0 {
            let end = batch.cells.byte_len();
            batch.rows.push(RowRange { start, end, cell_count: count as u32, is_partial: false });
        }
        Ok(())
    }

    fn takes(&self, cell: &Cell<'_>) -> bool {
        self.options.columns.has(cell.family(), cell.qualifier())
            && self.options.time_range_of(cell.family()).contains(cell.timestamp())
    }

    fn push_server(&self, like: &Cell<'_>, server: &ServerPlace, out: &mut CellBuffer) {
        let start_code = server.start_code.to_be_bytes();
        let columns: [(&[u8], &[u8]); 3] = [
            (b"server", server.address.as_bytes()),
            (b"serverstartcode", &start_code),
            (b"sn", server.name.as_bytes()),
        ];
        for (qualifier, value) in columns {
            let is_timely = self.options.time_range_of(like.family()).contains(like.timestamp());
            if is_timely && self.options.columns.has(like.family(), qualifier) {
                out.push(CellParts {
                    row: like.row(),
                    family: like.family(),
                    qualifier,
                    timestamp: like.timestamp(),
                    cell_type: CellType::Put,
                    value,
                    tags: &[],
                });
            }
        }
    }
}

/// An open scan of meta over the rows as of its start.
pub(super) struct MetaScanner {
    pub(super) rows: Arc<Vec<MetaRow>>,
    /// Indexes of the remaining rows.
    pub(super) range: Range<usize>,
    pub(super) reversed: bool,
    /// Number of rows that may still be returned.
    pub(super) limit: u64,
    pub(super) wanted: MetaColumns,
    pub(super) filter: Option<MetaFilter>,
}

impl ScannerBackend for MetaScanner {
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>> {
        let mut batch = CellBatch::default();
        let max_rows = max_rows.max(1).min(usize::try_from(self.limit).unwrap_or(usize::MAX));
        while batch.rows.len() < max_rows && batch.cells.byte_len() < max_bytes.max(1) && !self.is_filter_done() {
            let next = if self.reversed { self.range.next_back() } else { self.range.next() };
            let Some(place) = next else { break };
            self.wanted.push(&self.rows[place], self.filter.as_mut(), &mut batch)?;
        }
        self.limit -= batch.rows.len() as u64;
        Ok((!batch.rows.is_empty()).then_some(batch))
    }

    fn is_filter_done(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| filter.root.is_done())
    }
}
