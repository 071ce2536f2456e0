//! Row indexes of data blocks. They outlive the eviction of their blocks, and suffice to find a row in the file and to
//! verify its bytes.

use super::restarts::KnownRestarts;
use crate::search::Marks;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of reads through a row index after which the whole block is worth loading: they cost about as much as
/// loading it twice. A block that is read often then returns to the cache; with uniformly random reads few do.
const READS_BEFORE_LOADING: u32 = 128;

/// Checksums of a block as they are in the file.
#[derive(Debug, Clone)]
pub struct Checksums {
    /// One after the other, in chunks' order.
    pub sums: Vec<u8>,
    /// Bytes of a chunk.
    pub chunk_bytes: usize,
    /// Bytes of header and content, which the checksums cover.
    pub covered_bytes: usize,
}

/// Row index of a data block whose content is in the file as it is: not compressed.
#[derive(Debug)]
pub struct RowIndex {
    /// Starts of rows in the decoded cells.
    marks: Marks,
    checksums: Checksums,
    /// The cells in the block: as they are, or encoded.
    content: Range<usize>,
    /// Bytes of the cells when decoded.
    cell_bytes: usize,
    /// Cells at which decoding can begin; `None` if cells are stored as they are.
    restarts: Option<KnownRestarts>,
    reads: AtomicU32,
}

/// Overhead of an entry in addition to its arrays.
const OVERHEAD_BYTES: u64 = size_of::<RowIndex>() as u64 + 16 + 56;

/// The part of a block that has some cells.
#[derive(Debug)]
pub struct Part<'i> {
    /// The whole chunks to read from the block.
    pub chunks: Range<usize>,
    /// In these chunks, the run of cells to use.
    pub content: Range<usize>,
    /// In this run, decoded if it is encoded, the cells.
    pub cells: Range<usize>,
    /// State for decoding the run; `None` if it is not encoded.
    pub decoding: Option<Decoding<'i>>,
}

/// State of a decoder that begins within a block.
#[derive(Debug)]
pub struct Decoding<'i> {
    /// The cell before the run; empty if the run is at the block's start.
    pub previous: &'i [u8],
    /// Bytes of the run's cells when decoded.
    pub cell_bytes: usize,
}

impl RowIndex {
    /// The index of a block with the cells in `content`. Their rows start at `marks` when decoded.
    pub fn new(marks: Marks, checksums: Checksums, content: Range<usize>, cell_bytes: usize) -> Self {
        RowIndex { marks, checksums, content, cell_bytes, restarts: None, reads: AtomicU32::new(0) }
    }

    /// The same index for a block whose content is encoded.
    pub fn with_restarts(self, restarts: KnownRestarts) -> Self {
        RowIndex { restarts: Some(restarts), ..self }
    }

    /// A range of the block's cells that has all cells of `row`, and perhaps of other rows; empty only if there are none.
    /// Offsets are those of marks.
    #[inline]
    pub fn cells_like(&self, row: &[u8]) -> Range<usize> {
        let found = self.marks.entries_like(row);
        let at = |index: usize| self.marks.offset(index).map_or(self.cell_bytes, |offset| offset as usize);
        at(found.start)..at(found.end)
    }

    /// The part of the block that has these `cells`; `None` if it is most of the block.
    pub fn part_of(&self, cells: &Range<usize>) -> Option<Part<'_>> {
        let (run, cells, decoding) = match &self.restarts {
            None => (cells.clone(), 0..cells.len(), None),
            Some(restarts) => {
                let run = restarts.run_of(cells, self.cell_bytes);
                let start = run.decoded.start;
                let decoding = Decoding { previous: run.previous, cell_bytes: run.decoded.len() };
                let end = run.encoded.1.unwrap_or(self.content.len());
                (run.encoded.0..end, cells.start - start..cells.end - start, Some(decoding))
            }
        };
        let Checksums { chunk_bytes, covered_bytes, .. } = self.checksums;
        let (from, to) = (self.content.start + run.start, self.content.start + run.end);
        let start = from / chunk_bytes * chunk_bytes;
        let end = to.next_multiple_of(chunk_bytes).min(covered_bytes);
        let is_most = end - start > covered_bytes / 2;
        (!is_most).then(|| Part { chunks: start..end, content: from - start..to - start, cells, decoding })
    }

    /// The checksums of the chunks from offset `start` on, and the size of a chunk.
    pub fn sums_from(&self, start: usize, bytes_per_sum: usize) -> (&[u8], usize) {
        let Checksums { sums, chunk_bytes, .. } = &self.checksums;
        (sums.get(start / chunk_bytes * bytes_per_sum..).unwrap_or_default(), *chunk_bytes)
    }

    /// Bytes of the block's cells, decoded.
    pub fn cell_bytes(&self) -> usize {
        self.cell_bytes
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
        let restarts = self.restarts.as_ref().map_or(0, KnownRestarts::memory_bytes);
        OVERHEAD_BYTES + self.checksums.sums.capacity() as u64 + self.marks.memory_bytes() + restarts
    }
}
