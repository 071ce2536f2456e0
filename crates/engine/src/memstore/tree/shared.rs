//! A tree with one writing thread and many readers.

use super::filter::RowFilter;
use super::Tree;
use crate::memstore::buffers::{Buffers, CellBytes};
use crate::search::row_hash;
use crate::sys::lock::{RwLock, RwLockReadGuard};
use rowstone_model::cell::{row_of, Cell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Below this many cells a search is as fast as the filter.
const FILTERED_CELLS: usize = 512;

/// A tree behind a lock, with a filter outside the lock. For most gets of absent rows the filter saves both lock
/// and search.
#[derive(Default)]
pub(crate) struct SharedTree {
    tree: RwLock<Tree>,
    /// Whether anything was inserted. It is set before a write becomes visible.
    has_cells: AtomicBool,
    /// Created when the tree has grown to [`FILTERED_CELLS`].
    filter: OnceLock<RowFilter>,
}

impl SharedTree {
    /// Creates an empty tree from the memory of an unused one.
    pub(crate) fn recycled(mut old: SharedTree) -> Self {
        old.tree.get_mut().clear();
        SharedTree { tree: old.tree, has_cells: AtomicBool::new(false), filter: OnceLock::new() }
    }

    /// Gives an empty tree memory for cells, if it has none.
    pub(crate) fn supply(&mut self, buffers: &Buffers) {
        let tree = self.tree.get_mut();
        if tree.bytes.capacity() == 0 {
            tree.bytes = CellBytes::within(buffers.take());
        }
    }

    /// Lets the bytes of large cells outlive the frozen tree, so that sealing it copies none of them.
    pub(crate) fn share_large_cells(&self, buffers: &Arc<Buffers>) {
        let mut tree = self.tree.write();
        if tree.stats.are_large() {
            tree.bytes.share(buffers);
        }
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Tree> {
        self.tree.read()
    }

    /// Adds sorted `cells`, at `now_ms()` if they are the first.
    pub(crate) fn insert(&self, cells: &[Cell<'_>], hint: usize, now_ms: impl Fn() -> i64) -> usize {
        let mut tree = self.tree.write();
        if tree.stats.cells == 0 {
            tree.stats.arrived(now_ms());
            self.has_cells.store(true, Ordering::Release);
        }
        let mut hint = hint;
        for cell in cells {
            hint = tree.insert(cell, hint);
        }
        match self.filter.get() {
            Some(filter) => cells.iter().for_each(|cell| filter.add(row_hash(cell.row()))),
            None if tree.stats.cells >= FILTERED_CELLS => {
                let filter = RowFilter::new();
                let entries = tree.leaves.iter().flat_map(|leaf| tree.leaf_entries(leaf));
                entries.for_each(|entry| filter.add(row_hash(row_of(tree.entry_key(entry)))));
                // Only this thread, the one writer, sets it.
                let _ = self.filter.set(filter);
            }
            None => {}
        }
        hint
    }

    /// Bytes of allocated memory.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.read().heap_bytes() + self.filter.get().map_or(0, RowFilter::heap_bytes)
    }

    /// Whether it may have cells of the row with that hash; `false` is certain.
    #[inline]
    pub(crate) fn may_have(&self, hash: u64) -> bool {
        match self.filter.get() {
            Some(filter) => filter.may_have(hash),
            None => self.has_cells.load(Ordering::Acquire),
        }
    }

    /// Whether it has a cell of `row`, visible or not.
    pub(crate) fn has_row(&self, row: &[u8]) -> bool {
        let mut has = false;
        self.read().visit_row(row, u64::MAX, |_| {
            has = true;
            false
        });
        has
    }
}
