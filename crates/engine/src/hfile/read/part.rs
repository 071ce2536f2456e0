//! Reading a row from its part of a block, by the block's row index, while the block itself is not in the cache.
//!
//! A block of 64 KiB costs a read, checksums and a parse of all its cells. A row needs one or two chunks of it: those
//! that the checksums cover. They are verified against the checksums in the index, which were loaded with the block. If
//! cells are delta-encoded, decoding begins at the restart before them.

use super::blocks::{checksums_of, Blocks};
use super::row::{visit_cells, BlockUse, Passed, Patience};
use crate::cache::{BlockKey, CachedBlock, EncodedForm, RowIndex};
use crate::hfile::cursor::BlockCursor;
use crate::hfile::encoding;
use crate::hfile::format::checksum::{self, CHECKSUM_BYTES};
use crate::hfile::format::{Damage, Header};
use rowstone_model::cell::Cell;
use rowstone_model::schema::Compression;
use rowstone_model::{Error, Result};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Memory of a thread for a part of a block.
#[derive(Default)]
struct Buffers {
    /// As long as the longest part so far: parts are at most half a block.
    stored: Vec<u8>,
    decoded: Vec<u8>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}
/// A longer buffer is freed after its use.
const KEPT_BUFFER_BYTES: usize = 64 << 10;

impl Buffers {
    fn shrink(&mut self) {
        for buffer in [&mut self.stored, &mut self.decoded] {
            if buffer.capacity() > KEPT_BUFFER_BYTES {
                *buffer = Vec::new();
            }
        }
    }
}

/// Result of reading a row from its part of a block.
pub(super) enum PartVisit {
    /// The row was visited.
    Visited(Passed),
    /// The part is not in memory.
    Waits,
    /// Only the whole block will do, or it is worth loading.
    NeedsBlock,
}

impl Blocks {
    fn key(&self, offset: u64) -> BlockKey {
        BlockKey { file: self.file_id, offset }
    }

    /// Visits the cells of `row` in the block at `offset`, which is not in the cache.
    pub(super) fn visit_part(
        &self,
        offset: u64,
        row: &[u8],
        how: BlockUse,
        visit: &mut impl FnMut(&Cell<'_>) -> bool,
    ) -> Result<PartVisit> {
        if self.compression != Compression::None {
            return Ok(PartVisit::NeedsBlock);
        }
        let Some(index) = self.cache.row_index(self.key(offset)) else {
            return Ok(PartVisit::NeedsBlock);
        };
        let cells = index.cells_like(row);
        if cells.is_empty() {
            return Ok(PartVisit::Visited(Passed::Block));
        }
        let is_at_end = cells.end == index.cell_bytes();
        let Some(part) = index.part_of(&cells) else { return Ok(PartVisit::NeedsBlock) };
        if index.count_read() && how.keeps_blocks {
            return Ok(PartVisit::NeedsBlock);
        }
        BUFFERS.with_borrow_mut(|buffers| {
            if !self.read_verified(offset, &part.chunks, &index, how.patience, &mut buffers.stored)? {
                return Ok(PartVisit::Waits);
            }
            let run = &buffers.stored[part.content.clone()];
            let cells = match &part.decoding {
                None => &run[part.cells.clone()],
                Some(decoding) => {
                    let decoded = std::mem::take(&mut buffers.decoded);
                    let decoded = encoding::resume(self.form.encoding, run, self.form.layout, decoding, decoded);
                    buffers.decoded = decoded.map_err(|damage| damage.at(&self.path, offset))?;
                    &buffers.decoded[decoding.previous.len()..][part.cells.clone()]
                }
            };
            let passed = self.visit_found(cells, is_at_end, offset, row, visit)?;
            buffers.shrink();
            Ok(PartVisit::Visited(passed))
        })
    }

    /// Reads `chunks` of the block at `offset` to the front of `buffer`, and verifies them. Returns false if that
    /// means to wait and the caller does not want to.
    fn read_verified(
        &self,
        offset: u64,
        chunks: &Range<usize>,
        index: &RowIndex,
        patience: Patience,
        buffer: &mut Vec<u8>,
    ) -> Result<bool> {
        if buffer.len() < chunks.len() {
            buffer.resize(chunks.len(), 0);
        }
        let bytes = &mut buffer[..chunks.len()];
        let offset = offset + chunks.start as u64;
        if !self.read_part(offset, bytes, patience.gives_up())? {
            if patience == Patience::Announces {
                self.announce(offset, bytes.len());
            }
            return Ok(false);
        }
        let (sums, chunk_bytes) = index.sums_from(chunks.start, CHECKSUM_BYTES);
        let verified = checksum::verify(bytes, sums, self.checksum, chunk_bytes);
        verified.map_err(|damage| damage.at(&self.path, offset))?;
        Ok(true)
    }

    /// Fills `bytes` from `offset`. Returns false if that means to wait and the caller does not want to.
    fn read_part(&self, offset: u64, bytes: &mut [u8], at_once: bool) -> Result<bool> {
        let read = if at_once {
            self.file.read_at_once(offset, bytes)
        } else {
            self.file.read_at(offset, bytes).map(|()| true)
        };
        let is_read = read.map_err(|error| Error::io("read", self.path.display(), &error))?;
        if is_read {
            self.misses.fetch_add(1, Relaxed);
            self.cache.count_miss();
        }
        Ok(is_read)
    }

    /// Visits the cells of `row` in `cells`: all cells of some rows, at the end of the block or not.
    fn visit_found(
        &self,
        cells: &[u8],
        is_at_end: bool,
        offset: u64,
        row: &[u8],
        visit: &mut impl FnMut(&Cell<'_>) -> bool,
    ) -> Result<Passed> {
        let malformed = |error| Damage::from(error).at(&self.path, offset);
        let mut cursor = BlockCursor::new(self.form.layout);
        cursor.move_to(cells, 0).map_err(malformed)?;
        while cursor.cell(cells).is_some_and(|cell| cell.row() < row) {
            cursor.advance(cells).map_err(malformed)?;
        }
        // If the row is not here, it may still begin in the next block.
        if cursor.cell(cells).is_none_or(|cell| cell.row() != row) {
            return Ok(Passed::Block);
        }
        match visit_cells(&mut cursor, cells, None, row, visit).map_err(malformed)? {
            Passed::Block if !is_at_end => Ok(Passed::Row),
            passed => Ok(passed),
        }
    }

    /// Keeps the row index of a block that a get has just loaded, if the cache may evict it.
    pub(super) fn keep_row_index(&self, offset: u64, block: &CachedBlock) {
        if !self.cache.has_evicted() {
            return;
        }
        match self.cache.row_index(self.key(offset)) {
            Some(index) => index.forget_reads(),
            None => {
                if let Some(index) = self.row_index_of(block) {
                    self.cache.insert_row_index(self.key(offset), index);
                }
            }
        }
    }

    /// The row index of a block; `None` if the file's form does not allow to read parts of it.
    fn row_index_of(&self, block: &CachedBlock) -> Option<RowIndex> {
        if let Some(EncodedForm { restarts, checksums, content }) = block.encoded() {
            let index = RowIndex::new(block.marks().clone(), checksums.clone(), content.clone(), block.bytes().len());
            return Some(index.with_restarts(restarts.with_previous(block.bytes())));
        }
        if !self.keeps_buffers() {
            return None;
        }
        let checksums = checksums_of(&Header::parse(block.buffer()).ok()?, block.buffer());
        Some(RowIndex::new(block.marks().clone(), checksums, block.place(), block.bytes().len()))
    }
}
