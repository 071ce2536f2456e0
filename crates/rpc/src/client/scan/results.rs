//! The results of one response, consumed one by one.

use crate::convert::append_result;
use crate::region_scan::Received;
use crate::wire::{BlockReader, Malformed};
use rowstone_model::cell::CellBuffer;
use rowstone_model::operations::{CellBatch, Rows};

/// The unconsumed results of one response.
pub(super) struct Results {
    received: Received,
    next: usize,
    offset: usize,
}

impl Results {
    pub(super) fn new(received: Received) -> Self {
        Results { received, next: 0, offset: 0 }
    }

    /// Total number of results: those with cells in the block, then those in the message.
    fn count(&self) -> usize {
        self.received.message.cells_per_result.len() + self.received.message.results.len()
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.next >= self.count()
    }

    pub(super) fn ends_region(&self) -> bool {
        self.received.ends_region()
    }

    pub(super) fn ends_scan(&self) -> bool {
        self.received.ends_scan()
    }

    /// Number of remaining results that end a row.
    pub(super) fn rows_left(&self) -> u64 {
        let ends = |index: &usize| !self.received.message.partial_flag_per_result.get(*index).copied().unwrap_or(false);
        (self.next..self.count()).filter(ends).count() as u64
    }

    /// Appends the cells of the next result to `out`; returns their number, and whether more of the row may follow.
    pub(super) fn append_next(&mut self, out: &mut CellBuffer) -> Result<(u32, bool), Malformed> {
        let message = &self.received.message;
        let whole = self.received.response.cell_block();
        let mut block = BlockReader::new(whole.get(self.offset..).unwrap_or(&[]));
        let (count, flag) = match message.cells_per_result.get(self.next) {
            Some(count) => {
                block.take(*count as usize, out)?;
                (*count, None)
            }
            None => {
                let index = self.next - message.cells_per_result.len();
                let result = message.results.get(index).ok_or(Malformed("a missing result"))?;
                let mut batch = CellBatch { cells: std::mem::take(out), rows: Rows::new() };
                let appended = append_result(result, &mut block, &mut batch);
                *out = batch.cells;
                appended?;
                (batch.rows.last().map_or(0, |row| row.cell_count), result.partial)
            }
        };
        let is_partial = message.partial_flag_per_result.get(self.next).copied().or(flag).unwrap_or(false);
        self.offset = whole.len() - block.remaining();
        self.next += 1;
        Ok((count, is_partial))
    }
}
