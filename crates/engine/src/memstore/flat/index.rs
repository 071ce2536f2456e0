//! Which cell is a row's first: a hash table of cell numbers and byte offsets; the rows themselves are in the run.
//!
//! The offset is there to save a get the cache miss on its way through the run's offsets.

use super::run::Run;
use crate::search::row_hash;
use hashbrown::HashTable;

/// Finds rows of one run.
#[derive(Debug, Default)]
pub(super) struct RowIndex {
    table: HashTable<RowStart>,
}

/// The first cell of a row: its number, and where it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowStart {
    pub(super) index: u32,
    pub(super) offset: u32,
}

impl RowIndex {
    /// Of the rows of `run`.
    pub(super) fn of(run: &Run) -> Self {
        let mut firsts: Vec<RowStart> = Vec::new();
        let mut row: &[u8] = &[];
        for index in 0..run.len() {
            let next = run.row(index);
            if next != row || index == 0 {
                firsts.push(RowStart { index: index as u32, offset: run.offset(index) });
                row = next;
            }
        }
        let hash_of = |first: &RowStart| row_hash(run.row_at(first.offset));
        let mut table = HashTable::with_capacity(firsts.len());
        for first in firsts {
            table.insert_unique(hash_of(&first), first, hash_of);
        }
        RowIndex { table }
    }

    /// The first cell of `row`, whose hash is `hash`.
    #[inline]
    pub(super) fn find(&self, run: &Run, row: &[u8], hash: u64) -> Option<RowStart> {
        self.table.find(hash, |first| run.row_at(first.offset) == row).copied()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.table.allocation_size()
    }
}
