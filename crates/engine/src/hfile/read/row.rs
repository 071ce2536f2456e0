//! Reading one row of a file in place in its block: without a source and its seeks.

use super::blocks::ExpectedBlock;
use super::part::PartVisit;
use super::path::{Index, IndexPath};
use super::reader::Reader;
use crate::cache::CachedBlock;
use crate::hfile::cursor::BlockCursor;
use crate::hfile::encoding::data_block_type;
use crate::hfile::format::Damage;
use rowstone_model::cell::{row_of, Cell, MalformedCell};
use rowstone_model::Result;

/// Behavior of a get whose block is not in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// It waits until the block is read.
    Waits,
    /// It gives up.
    AtOnce,
    /// It announces the data block to the file system and gives up: a later read waits less. It does wait for blocks of
    /// indexes and Bloom filters, which are few and stay in the cache.
    Announces,
}

impl Patience {
    /// Whether it gives up.
    pub fn gives_up(self) -> bool {
        self != Patience::Waits
    }
}

/// Use of blocks and the cache.
#[derive(Debug, Clone, Copy)]
pub struct BlockUse {
    /// Whether data blocks that are read are cached.
    pub keeps_blocks: bool,
    /// Behavior if a block is not in memory.
    pub patience: Patience,
}

/// Result of visiting a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowVisit {
    /// The whole row was visited, or as much as was requested.
    Whole,
    /// The row may continue in another block; a source has to read it.
    Cut,
    /// A block is not in memory.
    Waits,
}

/// The end that a visit of a block's cells has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    /// The end of the row, or as much of it as was requested.
    Row,
    /// The end of the block: the row may continue in the next one.
    Block,
}

impl Reader {
    /// Passes the cells of `row` to `visit`, in order, until it returns false. The visited cells are only valid
    /// after [`RowVisit::Whole`].
    ///
    /// `might_contain` is only called if its answer can save reading a block.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    #[inline]
    pub fn visit_row(
        &self,
        row: &[u8],
        how: BlockUse,
        might_contain: impl FnOnce() -> Result<bool>,
        mut visit: impl FnMut(&Cell<'_>) -> bool,
    ) -> Result<RowVisit> {
        let index = Index { at_once: how.patience == Patience::AtOnce, ..self.index() };
        let mut path = IndexPath::new();
        path.find_row(&index, row)?;
        if path.is_waiting() {
            return Ok(RowVisit::Waits);
        }
        let Some(entry) = path.entry(&index) else { return Ok(RowVisit::Whole) };
        let offset = entry.offset;
        let mut visit = |cell: &Cell<'_>| match self.sequence_id() {
            None => visit(cell),
            Some(id) => visit(&cell.with_sequence_id(id)),
        };
        let passed = match self.blocks().cached(offset) {
            Some(block) => self.visit_block(&block, offset, row, &mut visit)?,
            None => match self.blocks().visit_part(offset, row, how, &mut visit)? {
                PartVisit::Visited(passed) => passed,
                PartVisit::Waits => return Ok(RowVisit::Waits),
                PartVisit::NeedsBlock if !might_contain()? => return Ok(RowVisit::Whole),
                PartVisit::NeedsBlock if how.patience.gives_up() => {
                    if how.patience == Patience::Announces {
                        self.blocks().announce(offset, entry.bytes);
                    }
                    return Ok(RowVisit::Waits);
                }
                PartVisit::NeedsBlock => {
                    let wanted = ExpectedBlock::new(data_block_type(self.info().encoding), entry.key);
                    let block = self.blocks().get(offset, entry.bytes, wanted, how.keeps_blocks)?;
                    if how.keeps_blocks {
                        self.blocks().keep_row_index(offset, &block);
                    }
                    self.visit_block(&block, offset, row, &mut visit)?
                }
            },
        };
        let may_continue = || path.next_key(&index).is_some_and(|next| row_of(next) <= row);
        Ok(if passed == Passed::Block && may_continue() { RowVisit::Cut } else { RowVisit::Whole })
    }

    /// Announces the block in which `row` begins to the file system. Returns whether it is in memory already.
    ///
    /// # Errors
    /// If a block of the index cannot be read or is damaged.
    pub fn announce_row(&self, row: &[u8]) -> Result<bool> {
        let index = self.index();
        let mut path = IndexPath::new();
        path.find_row(&index, row)?;
        Ok(path.entry(&index).is_none_or(|entry| self.blocks().announce_missing(entry.offset, entry.bytes)))
    }

    fn visit_block(
        &self,
        block: &CachedBlock,
        offset: u64,
        row: &[u8],
        visit: &mut impl FnMut(&Cell<'_>) -> bool,
    ) -> Result<Passed> {
        let malformed = |error: MalformedCell| Damage::from(error).at(self.path(), offset);
        let mut cursor = BlockCursor::new(self.info().layout);
        let row_end = cursor.find_row(block.bytes(), block.marks(), row).map_err(malformed)?;
        visit_cells(&mut cursor, block.bytes(), row_end, row, visit).map_err(malformed)
    }
}

/// Visits the cells of `row` from the cursor on. `row_end` is where they end in `bytes`, if that is known.
pub(super) fn visit_cells(
    cursor: &mut BlockCursor,
    bytes: &[u8],
    row_end: Option<u32>,
    row: &[u8],
    visit: &mut impl FnMut(&Cell<'_>) -> bool,
) -> Result<Passed, MalformedCell> {
    while let Some(cell) = cursor.cell(bytes) {
        if cell.row() != row || !visit(&cell) {
            return Ok(Passed::Row);
        }
        // Reading the cell of another row would cost a cache miss.
        if row_end == Some(cursor.end()) && (cursor.end() as usize) < bytes.len() {
            return Ok(Passed::Row);
        }
        cursor.advance(bytes)?;
    }
    Ok(Passed::Block)
}
