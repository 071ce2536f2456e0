//! A sealed segment: sorted cells in one immutable piece of memory.
//!
//! ```text
//! index     row -> its first cell, and how many          a hash table: a get of an absent row costs one cache miss
//! samples   [prefix of cell 0] [of cell 16] [of 32] ...  the top of a seek's binary search, small enough for L2
//! run       offsets, bytes                               the cells
//! ```
//!
//! A get of one row uses the index, a seek the samples and then 16 cells, a scan walks the bytes.

mod cursor;
mod index;
mod merge;
mod run;

pub(super) use cursor::{Cursor, RunHolder};
pub(super) use index::RowCells;
pub(super) use merge::merge;
pub(super) use run::Run;

use super::size::Stats;
use super::tree::Tree;
use crate::search::{Place, RowPrefix};
use index::RowIndex;
use rowstone_model::cell::{row_of, Cell, Layout};
use std::mem::size_of;
use std::sync::Arc;

/// Number of cells from one sample to the next.
const SAMPLE_STEP: usize = 16;

/// Sorted cells, sealed.
#[derive(Debug)]
pub(super) struct Flat {
    run: Run,
    prefix: RowPrefix,
    samples: Vec<u64>,
    index: RowIndex,
    stats: Stats,
}

impl Flat {
    /// The cells of `tree`, which is frozen. Small ones are copied, so that a scan walks contiguous memory. Cells
    /// in shared bytes are not moved.
    pub(super) fn from_tree(tree: &Tree) -> Self {
        let stats = *tree.stats();
        let run = match tree.shared_bytes() {
            Some(bytes) => Run::scattered(bytes, tree.starts().collect()),
            None => {
                let mut run = Run::with_capacity(stats.data_bytes, stats.cells);
                tree.iter().for_each(|cell| run.push_bytes(cell));
                run
            }
        };
        Flat::new(run, stats)
    }

    /// Cells that arrive sorted, with no two of the same key and sequence id.
    pub(super) fn from_cells<'a>(cells: impl Iterator<Item = Cell<'a>> + Clone, now_ms: i64) -> Self {
        let mut stats = Stats::EMPTY;
        stats.arrived(now_ms);
        cells.clone().for_each(|cell| stats.count(&cell));
        let mut run = Run::with_capacity(stats.data_bytes, stats.cells);
        cells.for_each(|cell| run.push_cell(&cell));
        Flat::new(run, stats)
    }

    /// Seals `run`, whose cells `stats` has counted.
    fn new(run: Run, stats: Stats) -> Self {
        let prefix = match run.len() {
            0 => RowPrefix::default(),
            cells => RowPrefix::between(run.row(0), run.row(cells - 1)),
        };
        let samples = (0..run.len()).step_by(SAMPLE_STEP).map(|index| prefix.of(run.row(index))).collect();
        let index = RowIndex::of(&run);
        Flat { run, prefix, samples, index, stats }
    }

    /// All cells up to `read_point`.
    pub(super) fn source(self: &Arc<Self>, read_point: u64) -> Cursor<Arc<Flat>> {
        Cursor::new(self.clone(), 0, self.run.len(), read_point)
    }

    pub(super) fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Bytes of allocated memory.
    pub(super) fn heap_bytes(&self) -> usize {
        self.run.heap_bytes() + self.samples.capacity() * size_of::<u64>() + self.index.heap_bytes()
    }

    /// Bytes of its cells; merge selection uses them.
    pub(super) fn byte_len(&self) -> usize {
        self.run.byte_len()
    }

    /// The cells of `row`, whose hash is `hash`.
    #[inline]
    pub(super) fn cells_of_row(&self, row: &[u8], hash: u64) -> Option<RowCells> {
        self.index.find(&self.run, row, hash)
    }

    /// Shows a row's cells up to `read_point` to `visit` until it returns false.
    #[inline]
    pub(super) fn visit_row(&self, cells: RowCells, read_point: u64, mut visit: impl FnMut(&Cell<'_>) -> bool) {
        for cell in self.run.cells_from(cells.index as usize, cells.offset).take(cells.count as usize) {
            if cell.sequence_id() <= read_point && !visit(&cell) {
                return;
            }
        }
    }

    /// The cells `first..end` of `row`, whose hash is `hash`.
    pub(super) fn row_range(&self, row: &[u8], hash: u64) -> Option<(usize, usize)> {
        let cells = self.index.find(&self.run, row, hash)?;
        Some((cells.index as usize, cells.index as usize + cells.count as usize))
    }
}

/// The cells of one row up to `read_point`; `None` if the segment has none.
#[inline]
pub(super) fn flat_row(flat: &Arc<Flat>, row: &[u8], hash: u64, read_point: u64) -> Option<Cursor<Arc<Flat>>> {
    let (first, end) = flat.row_range(row, hash)?;
    Some(Cursor::new(flat.clone(), first, end, read_point))
}

impl RunHolder for Arc<Flat> {
    fn run(&self) -> &Run {
        &self.run
    }

    fn lower_bound(&self, key: &[u8], from: usize, to: usize) -> usize {
        if to - from <= SAMPLE_STEP {
            return self.run.lower_bound(key, from, to);
        }
        let (low, high) = match self.prefix.locate(row_of(key)) {
            Place::Before => return from,
            Place::After => return to,
            Place::At(prefix) => {
                let before = self.samples.partition_point(|&sample| sample < prefix);
                let same = self.samples[before..].partition_point(|&sample| sample == prefix);
                (before.saturating_sub(1) * SAMPLE_STEP, (before + same) * SAMPLE_STEP)
            }
        };
        let low = low.clamp(from, to);
        self.run.lower_bound(key, low, high.clamp(low, to))
    }
}

/// Bytes that `cell` takes in a run.
pub(super) fn stored_len(cell: &Cell<'_>) -> usize {
    cell.written_len(Layout::STORED)
}
