//! Cells of answers: in a block behind the message where the client has a codec, else in the message.

use super::buffers::{Buffer, Buffers, LEAST_BYTES};
use super::session::{Codec, Session};
use crate::proto;
use crate::wire::append_cell;
use rowstone_model::operations::{CellBatch, RowRange};
use std::sync::Arc;

/// Takes the cells of an answer.
pub(super) struct Sink {
    uses_block: bool,
    has_tags: bool,
    block: Buffer,
    /// Where a larger one is to be had, until it is needed.
    buffers: Option<Arc<Buffers>>,
    /// Bytes of cells taken, wherever they went.
    pub bytes: usize,
}

impl Sink {
    /// A sink for the answer to a mutation.
    pub fn new(codec: Codec) -> Self {
        let (uses_block, has_tags) = (codec.has_blocks, codec.has_tags);
        Sink { uses_block, has_tags, block: Buffer::default(), buffers: None, bytes: 0 }
    }

    /// The same for an answer that may become large: from then on it is in one of the server's buffers.
    pub fn large(session: &Session) -> Self {
        Sink { buffers: Some(Arc::clone(&session.state.buffers)), ..Sink::new(session.codec) }
    }

    /// A sink for the answer to a single get.
    pub fn for_get(codec: Codec) -> Self {
        Sink { uses_block: codec.has_blocks_for_gets, ..Sink::new(codec) }
    }

    /// A sink that writes cells into the message, whatever the codec.
    pub fn inline() -> Self {
        Sink::new(Codec::default())
    }

    /// Whether cells go behind the message.
    pub fn uses_block(&self) -> bool {
        self.uses_block
    }

    /// Takes all cells of a batch as one result.
    pub fn result(&mut self, batch: &CellBatch) -> proto::Result {
        let count = batch.rows.iter().map(|row| row.cell_count).sum();
        let whole = RowRange { start: 0, end: batch.cells.byte_len(), cell_count: count, is_partial: false };
        self.row(batch, whole)
    }

    /// Takes a row.
    pub fn row(&mut self, batch: &CellBatch, range: RowRange) -> proto::Result {
        self.bytes += range.end - range.start;
        let mut result = proto::Result { partial: range.is_partial.then_some(true), ..proto::Result::default() };
        if self.uses_block {
            self.make_room(range.end - range.start + 4 * range.cell_count as usize);
            for cell in batch.row_cells(range) {
                append_cell(&cell, self.has_tags, &mut self.block);
            }
            result.associated_cell_count = Some(range.cell_count as i32);
        } else {
            result.cell = batch.row_cells(range).map(|cell| inline(&cell)).collect();
        }
        result
    }

    fn make_room(&mut self, bytes: usize) {
        if self.block.len() + bytes > LEAST_BYTES {
            if let Some(buffers) = self.buffers.take() {
                let mut large = buffers.take();
                large.extend_from_slice(&self.block);
                self.block = large;
            }
        }
        self.block.reserve(bytes);
    }

    /// The block of cells.
    pub fn into_block(self) -> Buffer {
        self.block
    }
}

fn inline(cell: &rowstone_model::cell::Cell<'_>) -> proto::Cell {
    proto::Cell {
        row: Some(cell.row().to_vec()),
        family: Some(cell.family().to_vec()),
        qualifier: Some(cell.qualifier().to_vec()),
        timestamp: Some(cell.timestamp() as u64),
        cell_type: Some(i32::from(cell.type_code())),
        value: Some(cell.value().to_vec()),
        tags: None,
    }
}
