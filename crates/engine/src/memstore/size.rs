//! Size and statistics of a memstore.

use rowstone_model::cell::{Cell, Layout};
use std::ops::Add;

/// Average size in bytes from which on cells are large.
const LARGE_CELL_BYTES: usize = 256;

/// Number and bytes of cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemstoreSize {
    /// Cells.
    pub cells: usize,
    /// Bytes of those cells in [`Layout::STORED`].
    pub data_bytes: usize,
    /// Bytes of allocated memory: cells, their order, unused room.
    pub heap_bytes: usize,
}

impl Add for MemstoreSize {
    type Output = MemstoreSize;

    fn add(self, other: MemstoreSize) -> MemstoreSize {
        MemstoreSize {
            cells: self.cells + other.cells,
            data_bytes: self.data_bytes + other.data_bytes,
            heap_bytes: self.heap_bytes + other.heap_bytes,
        }
    }
}

/// A non-empty set of cells: its size, the ranges it covers (both ends included) and its age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemstoreSummary {
    /// Number and bytes of cells.
    pub size: MemstoreSize,
    /// Smallest and largest timestamp of a cell.
    pub timestamps: (i64, i64),
    /// Smallest and largest sequence id of a cell.
    pub sequence_ids: (u64, u64),
    /// Arrival time of the oldest of these writes, in the clock's milliseconds.
    pub oldest_write_ms: i64,
}

/// A [`MemstoreSummary`] being computed. A replaced cell still affects the ranges: they may be too wide, never too
/// narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stats {
    pub(super) cells: usize,
    pub(super) data_bytes: usize,
    min_timestamp: i64,
    max_timestamp: i64,
    min_sequence_id: u64,
    pub(super) max_sequence_id: u64,
    oldest_write_ms: i64,
}

impl Stats {
    /// Statistics of no cells.
    pub(super) const EMPTY: Stats = Stats {
        cells: 0,
        data_bytes: 0,
        min_timestamp: i64::MAX,
        max_timestamp: i64::MIN,
        min_sequence_id: u64::MAX,
        max_sequence_id: 0,
        oldest_write_ms: i64::MAX,
    };

    /// Counts one cell.
    #[inline]
    pub(super) fn count(&mut self, cell: &Cell<'_>) {
        self.cells += 1;
        self.data_bytes += cell.written_len(Layout::STORED);
        let (timestamp, sequence_id) = (cell.timestamp(), cell.sequence_id());
        self.min_timestamp = self.min_timestamp.min(timestamp);
        self.max_timestamp = self.max_timestamp.max(timestamp);
        self.min_sequence_id = self.min_sequence_id.min(sequence_id);
        self.max_sequence_id = self.max_sequence_id.max(sequence_id);
    }

    /// Uncounts a cell of `bytes` bytes that another replaced.
    pub(super) fn forget(&mut self, bytes: usize) {
        self.cells -= 1;
        self.data_bytes -= bytes;
    }

    /// Whether its cells are so large that copying them costs more than all other work on them.
    pub(super) fn are_large(&self) -> bool {
        self.data_bytes >= LARGE_CELL_BYTES * self.cells.max(1)
    }

    /// Notes that a write arrived at `now_ms`.
    pub(super) fn arrived(&mut self, now_ms: i64) {
        self.oldest_write_ms = self.oldest_write_ms.min(now_ms);
    }

    /// Statistics of both sets of cells.
    pub(super) fn with(self, other: &Stats) -> Stats {
        Stats {
            cells: self.cells + other.cells,
            data_bytes: self.data_bytes + other.data_bytes,
            min_timestamp: self.min_timestamp.min(other.min_timestamp),
            max_timestamp: self.max_timestamp.max(other.max_timestamp),
            min_sequence_id: self.min_sequence_id.min(other.min_sequence_id),
            max_sequence_id: self.max_sequence_id.max(other.max_sequence_id),
            oldest_write_ms: self.oldest_write_ms.min(other.oldest_write_ms),
        }
    }

    /// The public summary; `None` without cells.
    pub(super) fn summary(&self, heap_bytes: usize) -> Option<MemstoreSummary> {
        (self.cells > 0).then_some(MemstoreSummary {
            size: MemstoreSize { cells: self.cells, data_bytes: self.data_bytes, heap_bytes },
            timestamps: (self.min_timestamp, self.max_timestamp),
            sequence_ids: (self.min_sequence_id, self.max_sequence_id),
            oldest_write_ms: self.oldest_write_ms,
        })
    }
}
