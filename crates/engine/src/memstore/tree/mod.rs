//! The active segment: cells in order of arrival, and a two-level sorted structure over them.
//!
//! ```text
//! leaves   [ prefix, slot, count ] [ ... ] [ ... ]        sorted; one per 64 or fewer entries
//!               |
//! entries  [ prefix, start, length ] x count, room up to 64   sorted; leaf number `slot` of a slab
//!               |
//! bytes    ...| cell in the stored layout |...            order of arrival, never moved
//! ```
//!
//! A search reads the leaves (1,500 of them at 64 k cells: 24 KiB), one leaf (1 KiB), and cells only if the eight
//! bytes of [`RowPrefix`] are equal. Invariants: no leaf is empty; the leaves' first cells ascend; an entry's
//! prefix is that of its cell's row; `bytes` stays below 4 GiB because the memstore freezes a tree at a few MiB.

mod filter;
mod insert;
mod shared;
mod source;

pub(super) use shared::SharedTree;
pub(super) use source::{row_cells, RowCells, TreeSource};

use super::buffers::CellBytes;
use super::size::Stats;
use crate::search::{Place, RowPrefix};
use rowstone_model::cell::{compare_keys, row_of, Cell, Layout};
use std::cmp::Ordering;
use std::mem::size_of;

/// Maximum number of entries in a leaf.
const LEAF: usize = 64;

/// Cells that arrived lately, sorted.
pub(crate) struct Tree {
    bytes: CellBytes,
    entries: Vec<Entry>,
    leaves: Vec<Leaf>,
    prefix: RowPrefix,
    stats: Stats,
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    prefix: u64,
    start: u32,
    length: u32,
}

#[derive(Debug, Clone, Copy)]
struct Leaf {
    prefix: u64,
    slot: u32,
    count: u32,
}

/// A position in the order: leaf, and entry in it. Valid until the next insert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    leaf: usize,
    entry: usize,
}

impl Default for Tree {
    fn default() -> Self {
        Tree {
            bytes: CellBytes::default(),
            entries: Vec::new(),
            leaves: Vec::new(),
            prefix: RowPrefix::default(),
            stats: Stats::EMPTY,
        }
    }
}

impl Tree {
    /// Removes all cells and retains the memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
        self.leaves.clear();
        self.prefix.clear();
        self.stats = Stats::EMPTY;
    }

    /// Statistics of its cells.
    pub(super) fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Bytes of all cells that arrived, including replaced ones.
    pub(super) fn arrived_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes of allocated memory.
    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
            + self.entries.capacity() * size_of::<Entry>()
            + self.leaves.capacity() * size_of::<Leaf>()
    }

    /// The bytes of every cell in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.entries_in_order().map(|entry| self.entry_bytes(entry))
    }

    /// Offset of every cell in its bytes, in order.
    pub(super) fn starts(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries_in_order().map(|entry| entry.start)
    }

    fn entries_in_order(&self) -> impl Iterator<Item = &Entry> {
        self.leaves.iter().flat_map(|leaf| self.leaf_entries(leaf))
    }

    /// The bytes of its cells in the order of their arrival, if they are shared.
    pub(super) fn shared_bytes(&self) -> Option<CellBytes> {
        self.bytes.is_shared().then(|| self.bytes.clone())
    }

    fn leaf_entries(&self, leaf: &Leaf) -> &[Entry] {
        let start = leaf.slot as usize * LEAF;
        &self.entries[start..start + leaf.count as usize]
    }

    #[inline]
    fn entry_bytes(&self, entry: &Entry) -> &[u8] {
        &self.bytes[entry.start as usize..entry.start as usize + entry.length as usize]
    }

    #[inline]
    fn entry_key(&self, entry: &Entry) -> &[u8] {
        let bytes = self.entry_bytes(entry);
        let length = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        &bytes[8..8 + length]
    }

    fn entry_sequence_id(&self, entry: &Entry) -> u64 {
        Cell::read(self.entry_bytes(entry), Layout::STORED).map_or(0, |(cell, _)| cell.sequence_id())
    }

    /// Compares an entry's cell with `cell` in the full order.
    fn compare(&self, entry: &Entry, cell: &Cell<'_>) -> Ordering {
        let keys = compare_keys(self.entry_key(entry), cell.key());
        keys.then_with(|| cell.sequence_id().cmp(&self.entry_sequence_id(entry)))
    }

    fn get(&self, position: Position) -> Option<&Entry> {
        self.leaves.get(position.leaf).map(|leaf| &self.entries[leaf.slot as usize * LEAF + position.entry])
    }

    fn next(&self, position: Position) -> Position {
        match self.leaves.get(position.leaf) {
            Some(leaf) if position.entry + 1 < leaf.count as usize => {
                Position { leaf: position.leaf, entry: position.entry + 1 }
            }
            _ => Position { leaf: position.leaf + 1, entry: 0 },
        }
    }

    fn previous(&self, position: Position) -> Option<Position> {
        if position.entry > 0 {
            return Some(Position { leaf: position.leaf, entry: position.entry - 1 });
        }
        let leaf = position.leaf.checked_sub(1)?;
        Some(Position { leaf, entry: self.leaves[leaf].count as usize - 1 })
    }

    fn end(&self) -> Position {
        Position { leaf: self.leaves.len(), entry: 0 }
    }

    /// The first position whose entry is not `before` the target, which has the row prefix `prefix`. `before` is
    /// only called for entries of equal prefix.
    fn search(&self, prefix: u64, before: impl Fn(&Entry) -> bool) -> Position {
        let is_before = |entry: &Entry| entry.prefix < prefix || (entry.prefix == prefix && before(entry));
        let leaf_is_before = |leaf: &Leaf| {
            leaf.prefix < prefix || (leaf.prefix == prefix && before(&self.entries[leaf.slot as usize * LEAF]))
        };
        let after = self.leaves.partition_point(leaf_is_before);
        let Some(leaf) = after.checked_sub(1) else { return Position { leaf: 0, entry: 0 } };
        let entry = self.leaf_entries(&self.leaves[leaf]).partition_point(is_before);
        self.normal(Position { leaf, entry })
    }

    /// Normalizes a position after a leaf's last entry to the next leaf's first.
    fn normal(&self, position: Position) -> Position {
        match self.leaves.get(position.leaf) {
            Some(leaf) if position.entry == leaf.count as usize => Position { leaf: position.leaf + 1, entry: 0 },
            _ => position,
        }
    }

    /// The first cell whose key is at or after `key`.
    fn lower_bound(&self, row: &[u8], key: &[u8]) -> Position {
        match self.prefix.locate(row) {
            Place::Before => Position { leaf: 0, entry: 0 },
            Place::After => self.end(),
            Place::At(prefix) => self.search(prefix, |entry| compare_keys(self.entry_key(entry), key).is_lt()),
        }
    }

    /// The first cell of `row` or of a later row.
    fn lower_bound_of_row(&self, row: &[u8]) -> Position {
        match self.prefix.locate(row) {
            Place::Before => Position { leaf: 0, entry: 0 },
            Place::After => self.end(),
            Place::At(prefix) => self.search(prefix, |entry| row_of(self.entry_key(entry)) < row),
        }
    }

    /// The first cell after `cell` in the full order; `cell` is, or was, in this tree.
    fn after(&self, cell: &Cell<'_>) -> Position {
        self.search(self.prefix.of(cell.row()), |entry| self.compare(entry, cell).is_le())
    }
}
