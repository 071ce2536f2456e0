//! Index of rows: a hash table of cell numbers and byte offsets. The rows themselves are in the run.
//!
//! The offset saves a get the cache miss on the run's offsets, and the count the one on the next cell.

use super::run::Run;
use crate::search::row_hash;
use hashbrown::HashTable;

/// Finds rows of one run.
#[derive(Debug, Default)]
pub(super) struct RowIndex {
    table: HashTable<RowCells>,
}

/// Location of a row's cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowCells {
    /// Number of the first cell.
    pub(super) index: u32,
    /// Byte offset of the first cell.
    pub(super) offset: u32,
    /// Number of cells.
    pub(super) count: u32,
}

impl RowIndex {
    /// Builds the index of the rows of `run`.
    pub(super) fn of(run: &Run) -> Self {
        let mut rows: Vec<RowCells> = Vec::new();
        let mut row: &[u8] = &[];
        for index in 0..run.len() {
            let next = run.row(index);
            match rows.last_mut().filter(|_| next == row) {
                Some(last) => last.count += 1,
                None => rows.push(RowCells { index: index as u32, offset: run.offset(index), count: 1 }),
            }
            row = next;
        }
        let hash_of = |cells: &RowCells| row_hash(run.row_at(cells.offset));
        let mut table = HashTable::with_capacity(rows.len());
        for cells in rows {
            table.insert_unique(hash_of(&cells), cells, hash_of);
        }
        RowIndex { table }
    }

    /// The cells of `row`, whose hash is `hash`.
    #[inline]
    pub(super) fn find(&self, run: &Run, row: &[u8], hash: u64) -> Option<RowCells> {
        let is_row = |cells: &RowCells| {
            run.prefetch_at(cells.offset);
            run.row_at(cells.offset) == row
        };
        self.table.find(hash, is_row).copied()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.table.allocation_size()
    }
}
