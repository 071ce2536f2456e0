//! Rows of a scan with a filter. The filter is called for the row, for each cell, and for the row again. Source:
//! HBase's `RegionScannerImpl.nextInternal`.

use super::scanner::RegionScanner;
use super::Region;
use crate::scan::PageEnd;
use rowstone_model::backend::FilteredRows;
use rowstone_model::operations::{CellBatch, RowRange};
use rowstone_model::Result;
use std::ops::Deref;

impl<R: Deref<Target = Region>> RegionScanner<R> {
    /// Whether the scan ended because its filter accepts nothing any more.
    pub fn is_filter_done(&self) -> bool {
        self.is_done && self.filter.as_ref().is_some_and(|filter| filter.is_done())
    }

    /// Reads one row, or one piece of it, if it passes the filter. Returns the number of rows.
    pub(super) fn next_filtered_row(&mut self, out: &mut CellBatch) -> Result<usize> {
        let start = out.cells.byte_len();
        if self.on_demand.is_unfinished() {
            let count = self.read_on_demand(start, 0, out)?;
            return self.end_piece(start, count, out).map(|()| 1);
        }
        let first_family = match self.unfinished.take() {
            Some(family) => family,
            None if self.find_row() => 0,
            None => {
                self.is_done = true;
                return Ok(0);
            }
        };
        let is_wanted = match &mut self.filter {
            Some(filter) => !filter.skips_row(&self.row)?,
            None => true,
        };
        if !is_wanted && self.filter.as_ref().is_some_and(|filter| filter.is_done()) {
            self.filtered_rows += FilteredRows { count: 1, unread: 1 };
            self.is_done = true;
            return Ok(1);
        }
        // As in HBase, the filter also sees the cells of rows that it skips: they may make it end the scan.
        let page = if is_wanted { self.cells_per_piece() } else { usize::MAX };
        let mut count = self.read_filtered_families(first_family, page, out)?;
        if !is_wanted || (self.unfinished.is_none() && self.drops_row(out, start, &mut count)) {
            out.cells.truncate(start);
            count = 0;
        } else if self.unfinished.is_none() && count < page {
            count = self.read_on_demand(start, count, out)?;
        }
        self.end_piece(start, count, out).map(|()| 1)
    }

    /// Maximum number of cells of a row that are returned together.
    fn cells_per_piece(&self) -> usize {
        if self.scan.batch == 0 {
            usize::MAX
        } else {
            self.scan.batch as usize
        }
    }

    /// Adds the cells of the on-demand families to the `count` cells of the row in `out` from byte `start` on.
    /// Returns the new count.
    fn read_on_demand(&mut self, start: usize, count: usize, out: &mut CellBatch) -> Result<usize> {
        let page = self.cells_per_piece();
        match &mut self.filter {
            Some(filter) => self.on_demand.read(&self.row, filter, page, start, count, &mut out.cells),
            None => Ok(count),
        }
    }

    /// Returns the cells read as a piece of the row, if there are any. At the row's end, leaves the row.
    fn end_piece(&mut self, start: usize, count: usize, out: &mut CellBatch) -> Result<()> {
        let is_partial = self.unfinished.is_some() || self.on_demand.is_unfinished();
        if count > 0 {
            out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count: count as u32, is_partial });
            self.has_cells = true;
        }
        if !is_partial {
            self.leave_filtered_row()?;
        }
        // Avoids a useless request after the last row that can pass.
        self.is_done |= self.filter.as_ref().is_some_and(|filter| filter.is_done());
        Ok(())
    }

    /// Reads the row family by family. Returns the number of cells in this piece.
    fn read_filtered_families(&mut self, first_family: usize, page: usize, out: &mut CellBatch) -> Result<usize> {
        let Some(filter) = &mut self.filter else { return Ok(0) };
        let (mut index, mut count) = (first_family, 0);
        while index < self.families.len() {
            let reader = &mut self.families[index];
            if !reader.has_row(&self.row) {
                index += 1;
                continue;
            }
            let (found, end) = reader.read_filtered(&self.row, page - count, filter, &mut out.cells)?;
            count += found;
            match end {
                PageEnd::Row => index += 1,
                PageEnd::Full => {
                    self.unfinished = Some(index);
                    break;
                }
                // The family is done for the whole scan, whatever rows it still has.
                PageEnd::Scan => drop(self.families.remove(index)),
            }
        }
        Ok(count)
    }

    fn drops_row(&mut self, out: &mut CellBatch, start: usize, count: &mut usize) -> bool {
        self.filter.as_mut().is_some_and(|filter| filter.drops_row(&mut out.cells, start, count))
    }

    fn leave_filtered_row(&mut self) -> Result<()> {
        let has_cells = u64::from(std::mem::take(&mut self.has_cells));
        self.finished_rows += has_cells;
        self.filtered_rows.count += 1 - has_cells;
        for family in &mut self.families {
            if self.scan.reversed {
                family.leave_row_backward(&self.row)?;
            } else {
                family.finish_row(&self.row)?;
            }
        }
        if let Some(filter) = &mut self.filter {
            filter.reset();
        }
        Ok(())
    }
}
