//! Cells of answers: in a block behind the message where the client has a codec, else in the message.

use super::buffers::{Buffer, Buffers, LEAST_BYTES};
use super::call::Answer;
use super::held::Share;
use super::session::{Codec, Session};
use crate::proto;
use crate::wire::append_cell;
use prost::Message;
use rowstone_model::operations::{CellBatch, RowRange};
use std::sync::Arc;

/// Takes the cells of an answer.
pub(super) struct Sink {
    uses_block: bool,
    has_tags: bool,
    block: Buffer,
    /// Where a larger one is to be had, until it is needed.
    buffers: Option<Arc<Buffers>>,
    /// What it takes of the memory for answers, where it may become large.
    share: Option<Share>,
    /// Bytes of cells taken, wherever they went.
    pub bytes: usize,
    /// What they take of memory.
    held_bytes: usize,
}

/// What a cell in a message takes beside its bytes.
const INLINE_CELL_BYTES: usize = 256;

impl Sink {
    /// A sink that counts for nobody.
    pub fn new(codec: Codec) -> Self {
        let (uses_block, has_tags) = (codec.has_blocks, codec.has_tags);
        Sink { uses_block, has_tags, block: Buffer::default(), buffers: None, share: None, bytes: 0, held_bytes: 0 }
    }

    /// A sink for the answer to a mutation.
    pub fn counted(session: &Session) -> Self {
        Sink::sharing(session.codec, session.held.share())
    }

    /// A sink whose cells count for `share`.
    pub fn sharing(codec: Codec, share: Share) -> Self {
        Sink { share: Some(share), ..Sink::new(codec) }
    }

    /// The same for an answer that may become large: from then on it is in one of the server's buffers.
    pub fn large(session: &Session) -> Self {
        Sink { buffers: Some(Arc::clone(&session.state.buffers)), ..Sink::counted(session) }
    }

    /// A sink for the answer to a single get.
    pub fn for_get(session: &Session) -> Self {
        Sink { uses_block: session.codec.has_blocks_for_gets, ..Sink::counted(session) }
    }

    /// A sink that writes cells into the message, whatever the codec.
    pub fn inline() -> Self {
        Sink::new(Codec::default())
    }

    /// Whether cells go behind the message.
    pub fn uses_block(&self) -> bool {
        self.uses_block
    }

    /// Whether it has more than `most` bytes; or some, where clients have left so many answers that this one should take no more.
    pub fn is_full(&self, most: usize) -> bool {
        self.bytes > most || (self.bytes > 0 && self.share.as_ref().is_some_and(Share::is_scarce))
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

    /// The answer with `message` and the cells behind it.
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
