//! Cells of answers: in a cell block after the message if the client has a codec, otherwise in the message.

use crate::proto;
use crate::server::messages::answer_memory::Share;
use crate::server::messages::buffers::{Buffer, Buffers, LEAST_BYTES};
use crate::server::messages::call::Answer;
use crate::wire::{append_cell, Compressor};
use prost::Message;
use rowstone_model::operations::{CellBatch, RowRange};
use std::sync::Arc;

/// Codec of a client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::server) struct Codec {
    /// Whether cells of scans, multis and mutations go into a block after the message; otherwise they are in the
    /// message.
    pub has_blocks: bool,
    /// Whether the cells of a single get go into a block too. As in HBase, that depends on the version that the
    /// client sends.
    pub has_blocks_for_gets: bool,
    /// Whether the codec transmits tags.
    pub has_tags: bool,
    /// Compression of cell blocks.
    pub compressor: Option<Compressor>,
}

/// Collects the cells of an answer.
pub(in crate::server) struct Sink {
    uses_block: bool,
    has_tags: bool,
    block: Buffer,
    /// Pool for a larger buffer, until it is needed.
    buffers: Option<Arc<Buffers>>,
    /// Reserved memory for answers, for an answer that may become large.
    share: Option<Share>,
    /// Total bytes of the cells, in the block or in the message.
    pub bytes: usize,
    /// Memory that the cells use.
    held_bytes: usize,
}

/// Memory that a cell inside a message uses in addition to its bytes.
const INLINE_CELL_BYTES: usize = 256;

impl Sink {
    /// Creates a sink without memory accounting.
    pub fn new(codec: Codec) -> Self {
        let (uses_block, has_tags) = (codec.has_blocks, codec.has_tags);
        Sink { uses_block, has_tags, block: Buffer::default(), buffers: None, share: None, bytes: 0, held_bytes: 0 }
    }

    /// Creates a sink that charges its cells to `share`.
    pub fn sharing(codec: Codec, share: Share) -> Self {
        Sink { share: Some(share), ..Sink::new(codec) }
    }

    /// Takes a pooled buffer if the answer becomes large.
    pub fn with_pool(self, buffers: Arc<Buffers>) -> Self {
        Sink { buffers: Some(buffers), ..self }
    }

    /// Creates a sink that puts cells into the message, whatever the codec.
    pub fn inline() -> Self {
        Sink::new(Codec::default())
    }

    /// Whether cells go into a block after the message.
    pub fn uses_block(&self) -> bool {
        self.uses_block
    }

    /// Whether the sink has more than `most` bytes. Also true if it has any cells while unread answers leave little
    /// memory.
    pub fn is_full(&self, most: usize) -> bool {
        self.bytes > most || (self.bytes > 0 && self.share.as_ref().is_some_and(Share::is_scarce))
    }

    /// Adds all cells of a batch as one result.
    pub fn result(&mut self, batch: &CellBatch) -> proto::Result {
        let count = batch.rows.iter().map(|row| row.cell_count).sum();
        let whole = RowRange { start: 0, end: batch.cells.byte_len(), cell_count: count, is_partial: false };
        self.row(batch, whole)
    }

    /// Adds a row.
    pub fn row(&mut self, batch: &CellBatch, range: RowRange) -> proto::Result {
        self.bytes += range.end - range.start;
        let per_cell = if self.uses_block { 0 } else { INLINE_CELL_BYTES * range.cell_count as usize };
        self.held_bytes += range.end - range.start + per_cell;
        if let Some(share) = &mut self.share {
            share.note(self.held_bytes);
        }
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

    /// Builds the answer from `message` and the cells.
    pub fn answer(self, message: &impl Message) -> Answer {
        Answer { message: message.encode_to_vec(), cells: self.block, share: self.share }
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
