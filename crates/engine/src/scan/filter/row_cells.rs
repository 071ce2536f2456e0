//! A row's cells on their way to the caller.

use rowstone_model::cell::{Cell, CellBuffer};
use std::borrow::Cow;

/// The part of an included cell that a filter can transform.
#[derive(Debug, Clone)]
pub struct Shown<'c> {
    /// The value.
    pub value: Cow<'c, [u8]>,
    /// The tags.
    pub tags: &'c [u8],
}

/// The cells of the row being read: the end of a buffer.
pub struct RowCells<'b> {
    buffer: &'b mut CellBuffer,
    start: usize,
    /// Number of cells.
    pub(crate) count: usize,
}

impl<'b> RowCells<'b> {
    /// The `count` cells of `buffer` from byte `start` on.
    pub(crate) fn new(buffer: &'b mut CellBuffer, start: usize, count: usize) -> Self {
        RowCells { buffer, start, count }
    }

    /// Retains the cells for which `keeps` is true.
    pub(super) fn retain(&mut self, mut keeps: impl FnMut(&Cell<'_>) -> bool) {
        let end = self.buffer.byte_len();
        if self.buffer.range(self.start, end).all(|cell| keeps(&cell)) {
            return;
        }
        let mut kept = CellBuffer::with_capacity(end - self.start);
        let mut count = 0;
        for cell in self.buffer.range(self.start, end).filter(|cell| keeps(cell)) {
            kept.push_cell(&cell);
            count += 1;
        }
        self.buffer.truncate(self.start);
        self.buffer.extend_from(&kept);
        self.count = count;
    }
}
