//! Row indexes of data blocks. They outlive the eviction of their blocks, and suffice to find a row in the file and to
//! verify its bytes.

use crate::search::Marks;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of reads through a row index after which the whole block is worth loading: they cost about as much as
/// loading it twice. A block that is read often then returns to the cache; with uniformly random reads few do.
const READS_BEFORE_LOADING: u32 = 128;

/// Row index of a data block whose cells are in the file as they are: neither compressed nor delta-encoded.
#[derive(Debug)]
pub struct RowIndex {
    marks: Marks,
    /// Checksums of the chunks of header and content, as in the file.
    sums: Vec<u8>,
    chunk_bytes: usize,
    /// Bytes of header and content, which the checksums cover.
    covered_bytes: usize,
    /// The cells in them.
    cells: Range<usize>,
    reads: AtomicU32,
}

/// Overhead of an entry in addition to its arrays.
const OVERHEAD_BYTES: u64 = 200;

impl RowIndex {
    /// The index of a block with these `marks`, whose checksums are `sums`. `cells` are within its `covered_bytes`.
    pub fn new(marks: Marks, sums: Vec<u8>, chunk_bytes: usize, covered_bytes: usize, cells: Range<usize>) -> Self {
        RowIndex { marks, sums, chunk_bytes, covered_bytes, cells, reads: AtomicU32::new(0) }
    }

    /// The range of the block's cells that has all cells of `row`; empty if it has none. Offsets are those of marks.
    #[inline]
    pub fn cells_like(&self, row: &[u8]) -> Range<usize> {
        let found = self.marks.entries_like(row);
        let at = |index: usize| self.marks.offsets().get(index).map_or(self.cells.len(), |&offset| offset as usize);
        at(found.start)..at(found.end)
    }

    /// The part of the block that consists of whole chunks and has these `cells`, and where in it they begin.
    pub fn chunks_of(&self, cells: &Range<usize>) -> (Range<usize>, usize) {
        let (from, to) = (self.cells.start + cells.start, self.cells.start + cells.end);
        let start = from / self.chunk_bytes * self.chunk_bytes;
        let end = to.next_multiple_of(self.chunk_bytes).min(self.covered_bytes);
        (start..end, from - start)
    }

    /// The checksums of the chunks from offset `start` on, and the size of a chunk.
    pub fn sums_from(&self, start: usize, bytes_per_sum: usize) -> (&[u8], usize) {
        (self.sums.get(start / self.chunk_bytes * bytes_per_sum..).unwrap_or_default(), self.chunk_bytes)
    }

    /// Bytes of the block's cells.
    pub fn cell_bytes(&self) -> usize {
        self.cells.len()
    }

    /// Counts a read. Returns whether the next one should load the block.
    pub fn count_read(&self) -> bool {
        self.reads.fetch_add(1, Ordering::Relaxed) >= READS_BEFORE_LOADING
    }

    /// Starts to count reads again: the block was loaded.
    pub fn forget_reads(&self) {
        self.reads.store(0, Ordering::Relaxed);
    }

    /// Memory used by the index.
    pub fn memory_bytes(&self) -> u64 {
        OVERHEAD_BYTES + self.sums.capacity() as u64 + self.marks.memory_bytes()
    }
}
