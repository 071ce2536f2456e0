//! Source of a file's cells, in order.

use super::ahead::BlocksAhead;
use super::blocks::ExpectedBlock;
use super::path::IndexPath;
use super::reader::Reader;
use crate::cache::CachedBlock;
use crate::hfile::cursor::{last_row_before, row_before_mark, row_of_mark, BlockCursor, RowStart, RunEnd};
use crate::hfile::encoding::data_block_type;
use crate::hfile::format::Damage;
use crate::hfile::index::Entry;
use crate::sys::Workers;
use rowstone_model::cell::{compare_keys, first_on_row, row_of, Cell, CellSource, MalformedCell};
use rowstone_model::Result;
use std::cmp::Ordering;
use std::sync::Arc;

/// A position in a file: at a cell, or past the end. It begins past the end.
///
/// Invariant: either `path` leads to `block` and `cursor` is at one of its cells, or there is no block.
pub struct HFileSource {
    reader: Arc<Reader>,
    keeps_blocks: bool,
    path: IndexPath,
    block: Option<Arc<CachedBlock>>,
    cursor: BlockCursor,
    /// The first mark of the row that a reversed scan found last, in `block`.
    row_mark: Option<usize>,
    /// The next blocks, if threads load them.
    ahead: Option<Box<BlocksAhead>>,
}

impl HFileSource {
    pub(super) fn new(reader: Arc<Reader>, keeps_blocks: bool) -> Self {
        let cursor = BlockCursor::new(reader.info().layout);
        HFileSource { reader, keeps_blocks, path: IndexPath::new(), block: None, cursor, row_mark: None, ahead: None }
    }

    /// The same source. Once it reads in order, `workers` load its next blocks, up to the one with `last_row`.
    pub fn reading_ahead(mut self, workers: &Arc<Workers>, last_row: Option<&[u8]>) -> Self {
        self.ahead = (workers.count() > 0).then(|| Box::new(BlocksAhead::new(workers, last_row)));
        self
    }

    /// The file.
    pub fn reader(&self) -> &Arc<Reader> {
        &self.reader
    }

    /// Moves to the first cell of the file.
    pub fn seek_to_first(&mut self) -> Result<()> {
        self.path.first(&self.reader.index())?;
        self.enter_block(|cursor, block| cursor.move_to(block.bytes(), 0).map(|()| true))
    }

    /// Loads the block that the path leads to and moves in it with `place`. Moves past the end if the path leads
    /// nowhere, and to the first cell of the next block if `place` found nothing.
    fn enter_block(
        &mut self,
        place: impl FnOnce(&mut BlockCursor, &CachedBlock) -> Result<bool, MalformedCell>,
    ) -> Result<()> {
        if let Some(ahead) = &mut self.ahead {
            ahead.reset();
        }
        self.leave_block();
        let index = self.reader.index();
        let Some(entry) = self.path.entry(&index) else { return Ok(()) };
        let block = self.load(entry)?;
        let is_placed = place(&mut self.cursor, &block).map_err(|error| self.malformed(error))?;
        self.block = Some(block);
        self.placed(Ok(is_placed))
    }

    /// Moves to the next block if the cursor has found no cell in its block.
    #[inline]
    fn placed(&mut self, is_placed: Result<bool, MalformedCell>) -> Result<()> {
        match is_placed {
            Ok(true) => Ok(()),
            Ok(false) => self.next_block(),
            Err(error) => Err(self.malformed(error)),
        }
    }

    /// Moves to the first cell of the next block. Data blocks are never empty, so there is one in it.
    #[cold]
    fn next_block(&mut self) -> Result<()> {
        self.path.next(&self.reader.index())?;
        self.leave_block();
        let index = self.reader.index();
        let Some(entry) = self.path.entry(&index) else { return Ok(()) };
        let loaded = self.ahead.as_mut().and_then(|ahead| ahead.take(entry.offset));
        let block = loaded.unwrap_or_else(|| self.load(entry))?;
        self.cursor.move_to(block.bytes(), 0).map_err(|error| self.malformed(error))?;
        self.block = Some(block);
        if let Some(ahead) = &mut self.ahead {
            ahead.go_on(&self.reader, &self.path, self.keeps_blocks);
        }
        Ok(())
    }

    fn load(&self, entry: Entry<'_>) -> Result<Arc<CachedBlock>> {
        let wanted = ExpectedBlock::new(data_block_type(self.reader.info().encoding), entry.key);
        self.reader.blocks().get(entry.offset, entry.bytes, wanted, self.keeps_blocks)
    }

    /// Blocks are checked when they are loaded, so this is a bug, but it must not crash the process.
    #[cold]
    fn malformed(&self, error: MalformedCell) -> rowstone_model::Error {
        let offset = self.path.entry(&self.reader.index()).map_or(0, |entry| entry.offset);
        Damage::from(error).at(self.reader.path(), offset)
    }

    /// Moves past the end.
    fn end(&mut self) {
        self.path.clear();
        self.leave_block();
    }

    fn leave_block(&mut self) {
        self.block = None;
        self.row_mark = None;
        self.cursor.clear();
    }

    /// The largest row before `row` that begins in the current block, unless a later block may hold a larger one.
    fn previous_row_here(&self, row: &[u8]) -> Option<RowStart> {
        let block = self.block.as_ref()?;
        // A reversed scan asks for the row before the one that it found last.
        let last = self.row_mark.filter(|&mark| row_of_mark(block.bytes(), block.marks(), mark) == Some(row));
        if let Some(mark) = last {
            return row_before_mark(block.bytes(), block.marks(), mark);
        }
        let found = last_row_before(block.bytes(), block.marks(), row)?;
        let index = self.reader.index();
        let next_row = self.path.next_key(&index).map(row_of);
        next_row.is_none_or(|next| !row.is_empty() && next >= row).then_some(found)
    }

    /// Moves to the last block that has a row before `row`, or nowhere.
    fn find_block_before(&mut self, row: &[u8]) -> Result<()> {
        if row.is_empty() {
            self.path.last(&self.reader.index())?;
            return self.enter_block(|cursor, block| cursor.move_to(block.bytes(), 0).map(|()| true));
        }
        self.path.find_row(&self.reader.index(), row)?;
        self.enter_block(|cursor, block| cursor.move_to(block.bytes(), 0).map(|()| true))?;
        // The index key may be shorter than the block's first key. Then the whole block is after `row`, and the
        // previous block ends before it.
        let is_behind = self.peek().is_some_and(|first| first.row() >= row);
        if is_behind {
            self.path.previous(&self.reader.index())?;
            self.enter_block(|cursor, block| cursor.move_to(block.bytes(), 0).map(|()| true))?;
        }
        Ok(())
    }
}

impl CellSource for HFileSource {
    #[inline]
    fn peek(&self) -> Option<Cell<'_>> {
        let cell = self.cursor.cell(self.block.as_ref()?.bytes())?;
        Some(match self.reader.sequence_id() {
            None => cell,
            Some(id) => cell.with_sequence_id(id),
        })
    }

    #[inline]
    fn sequence_id(&self) -> Option<u64> {
        let stored = self.cursor.sequence_id()?;
        Some(self.reader.sequence_id().unwrap_or(stored))
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        let Some(block) = &self.block else { return Ok(()) };
        let placed = self.cursor.advance(block.bytes());
        self.placed(placed)
    }

    #[inline]
    fn visit_run(&mut self, mut visit: impl FnMut(&Cell<'_>) -> bool) -> Result<bool> {
        let Some(block) = &self.block else { return Ok(false) };
        let reached = match self.reader.sequence_id() {
            None => self.cursor.visit_run(block.bytes(), visit),
            Some(id) => self.cursor.visit_run(block.bytes(), |cell| visit(&cell.with_sequence_id(id))),
        };
        match reached {
            Ok(RunEnd::Block) => self.next_block().map(|()| false),
            Ok(reached) => Ok(reached == RunEnd::Row),
            Err(error) => Err(self.malformed(error)),
        }
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        let last = self.reader.info().last_key.as_deref();
        if last.is_some_and(|last| compare_keys(last, key) == Ordering::Less) {
            // Without reading the last block.
            self.end();
            return Ok(());
        }
        let index = self.reader.index();
        let offset = |path: &IndexPath| path.entry(&index).map(|entry| entry.offset);
        let before = offset(&self.path);
        self.path.find(&index, key)?;
        match &self.block {
            // A reversed scan goes back and forth in a block.
            Some(block) if before == offset(&self.path) => {
                let placed = self.cursor.seek(block.bytes(), block.marks(), key);
                self.placed(placed)
            }
            _ => self.enter_block(|cursor, block| cursor.seek(block.bytes(), block.marks(), key)),
        }
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        let Some(block) = &self.block else { return Ok(()) };
        if !self.path.ends_after(&self.reader.index(), key) {
            return self.seek(key);
        }
        let placed = self.cursor.seek_forward(block.bytes(), block.marks(), key);
        self.placed(placed)
    }

    fn row_back(&self, rows: usize) -> Option<&[u8]> {
        let block = self.block.as_ref()?;
        match self.row_mark {
            Some(mark) => row_of_mark(block.bytes(), block.marks(), mark.saturating_sub(rows)),
            None => self.cursor.cell(block.bytes()).map(|cell| cell.row()),
        }
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        let mut found = self.previous_row_here(row);
        if found.is_none() {
            self.find_block_before(row)?;
            found = self.block.as_ref().and_then(|block| last_row_before(block.bytes(), block.marks(), row));
        }
        let (Some(block), Some(start)) = (&self.block, found) else {
            self.end();
            return Ok(());
        };
        let placed = self.cursor.move_to(block.bytes(), start.offset);
        placed.map_err(|error| self.malformed(error))?;
        self.row_mark = Some(start.mark);
        if start.mark > 0 {
            return Ok(());
        }
        // The row may have begun in the previous block, unless the index says that this block begins at or before
        // the row.
        let Some(found) = self.peek().map(|cell| first_on_row(cell.row())) else { return Ok(()) };
        let index = self.reader.index();
        let begins_here =
            self.path.entry(&index).is_some_and(|entry| compare_keys(entry.key, &found) != Ordering::Greater);
        if begins_here {
            Ok(())
        } else {
            self.seek(&found)
        }
    }
}
