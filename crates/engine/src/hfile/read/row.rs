//! Reading one row of a file in place in its block: without a source and its seeks.

use super::blocks::ExpectedBlock;
use super::path::{Index, IndexPath};
use super::reader::Reader;
use crate::hfile::cursor::BlockCursor;
use crate::hfile::encoding::data_block_type;
use crate::hfile::format::Damage;
use rowstone_model::cell::{Cell, MalformedCell};
use rowstone_model::Result;
use smallvec::SmallVec;

/// Use of blocks and the cache.
#[derive(Debug, Clone, Copy)]
pub struct BlockUse {
    /// Whether data blocks that are read are cached.
    pub keeps_blocks: bool,
    /// Whether to give up rather than read a block.
    pub at_once: bool,
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

/// Timestamp and type that sort before all others, after an empty family.
const FIRST_ON_ROW: [u8; 10] = [0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

/// Rows up to this length are looked up without an allocation.
type Key = SmallVec<[u8; 128]>;

impl Reader {
    /// Passes the cells of `row` to `visit`, in order, until it returns false. The visited cells are only valid
    /// after [`RowVisit::Whole`].
    ///
    /// `might_contain` is only called if its answer can save reading a block.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn visit_row(
        &self,
        row: &[u8],
        how: BlockUse,
        might_contain: impl FnOnce() -> Result<bool>,
        mut visit: impl FnMut(&Cell<'_>) -> bool,
    ) -> Result<RowVisit> {
        let mut key = Key::new();
        key.extend_from_slice(&(row.len() as u16).to_be_bytes());
        key.extend_from_slice(row);
        key.extend_from_slice(&FIRST_ON_ROW);
        let index = Index { at_once: how.at_once, ..self.index() };
        let mut path = IndexPath::new();
        path.find(&index, &key)?;
        if path.is_waiting() {
            return Ok(RowVisit::Waits);
        }
        let Some(entry) = path.entry(&index) else { return Ok(RowVisit::Whole) };
        let offset = entry.offset;
        let block = match self.blocks().cached(offset) {
            Some(block) => block,
            None if how.at_once => return Ok(RowVisit::Waits),
            None if !might_contain()? => return Ok(RowVisit::Whole),
            None => {
                let wanted = ExpectedBlock::new(data_block_type(self.info().encoding), entry.key);
                self.blocks().get(offset, entry.bytes, wanted, how.keeps_blocks)?
            }
        };
        let mut cursor = BlockCursor::new(self.info().layout);
        let malformed = |error: MalformedCell| Damage::from(error).at(self.path(), offset);
        let row_end = cursor.seek_row(block.bytes(), block.marks(), row).map_err(malformed)?;
        while let Some(cell) = cursor.cell(block.bytes()) {
            let cell = self.sequence_id().map_or(cell, |id| cell.with_sequence_id(id));
            if cell.row() != row || !visit(&cell) {
                return Ok(RowVisit::Whole);
            }
            // Reading the cell of another row would cost a cache miss.
            if row_end == Some(cursor.end()) && (cursor.end() as usize) < block.bytes().len() {
                return Ok(RowVisit::Whole);
            }
            cursor.advance(block.bytes()).map_err(malformed)?;
        }
        match path.next_key(&index) {
            Some(next) if row_of(next) <= row => Ok(RowVisit::Cut),
            _ => Ok(RowVisit::Whole),
        }
    }
}

/// The row of a flat key.
fn row_of(key: &[u8]) -> &[u8] {
    Cell::new(key, &[], &[], 0).map_or(&[], |cell| cell.row())
}
