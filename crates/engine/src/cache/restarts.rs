//! Restarts of a delta-encoded block: cells from which decoding can begin, because the cell before them is known.

use std::ops::Range;

/// Minimum distance of two restarts in the encoded block: about what a get reads.
const DISTANCE_BYTES: usize = 1_536;
/// A longer cell is not kept: the restart after it is left out.
const MAX_PREVIOUS_BYTES: usize = 512;

/// A cell at which decoding can begin.
#[derive(Debug, Clone, Copy)]
struct Restart {
    /// Offset in the encoded cells.
    encoded: u32,
    /// Offset in the decoded cells.
    decoded: u32,
    /// Start of the cell before it: in the decoded cells, or in the cells that an index keeps.
    previous: u32,
}

/// Restarts of a block in order. The first one is the block's first cell, which needs no other.
#[derive(Debug)]
pub struct Restarts(Vec<Restart>);

impl Restarts {
    /// The restarts of a block whose cells are encoded in `encoded_bytes` bytes: one, until others are added.
    pub fn new(encoded_bytes: usize) -> Self {
        let mut restarts = Vec::with_capacity(1 + encoded_bytes / DISTANCE_BYTES);
        restarts.push(Restart { encoded: 0, decoded: 0, previous: 0 });
        Restarts(restarts)
    }

    /// Adds the cell at these offsets, if it is far enough from the last restart. The cell before it is decoded at
    /// `previous`.
    #[inline]
    pub fn consider(&mut self, encoded: usize, decoded: usize, previous: usize) {
        let last = self.0.last().map_or(0, |restart| restart.encoded as usize);
        if encoded - last >= DISTANCE_BYTES && decoded - previous <= MAX_PREVIOUS_BYTES {
            self.0.push(Restart { encoded: encoded as u32, decoded: decoded as u32, previous: previous as u32 });
        }
    }

    /// The restarts with the cells before them, which are copied from the decoded `cells`.
    pub fn with_previous(&self, cells: &[u8]) -> KnownRestarts {
        let mut known = KnownRestarts { restarts: Vec::with_capacity(self.0.len()), previous: Vec::new() };
        for restart in &self.0 {
            let previous = known.previous.len() as u32;
            known.restarts.push(Restart { previous, ..*restart });
            let cell = restart.previous as usize..restart.decoded as usize;
            known.previous.extend_from_slice(cells.get(cell).unwrap_or_default());
        }
        known.previous.shrink_to_fit();
        known
    }

    /// Bytes of allocated memory.
    pub fn memory_bytes(&self) -> u64 {
        (self.0.capacity() * size_of::<Restart>()) as u64
    }
}

/// Restarts with a copy of the cell before each.
#[derive(Debug)]
pub struct KnownRestarts {
    restarts: Vec<Restart>,
    previous: Vec<u8>,
}

/// A run of encoded cells between two restarts.
#[derive(Debug)]
pub struct Run<'r> {
    /// Position in the encoded cells. No end means the end of the block.
    pub encoded: (usize, Option<usize>),
    /// Position in the decoded cells.
    pub decoded: Range<usize>,
    /// The cell before them; empty if they are the block's first.
    pub previous: &'r [u8],
}

impl KnownRestarts {
    /// The shortest run that has the decoded `cells`. All cells of the block have `cell_bytes` bytes.
    pub fn run_of(&self, cells: &Range<usize>, cell_bytes: usize) -> Run<'_> {
        let restarts = &self.restarts;
        let after = restarts.partition_point(|restart| restart.decoded as usize <= cells.start);
        let first = after.saturating_sub(1);
        let end = after + restarts[after..].partition_point(|restart| (restart.decoded as usize) < cells.end);
        let previous = |index: usize| restarts.get(index).map_or(self.previous.len(), |found| found.previous as usize);
        let start = restarts.get(first).map_or((0, 0), |found| (found.encoded as usize, found.decoded as usize));
        let end = restarts.get(end).map(|found| (found.encoded as usize, found.decoded as usize));
        Run {
            encoded: (start.0, end.map(|end| end.0)),
            decoded: start.1..end.map_or(cell_bytes, |end| end.1),
            previous: &self.previous[previous(first)..previous(first + 1)],
        }
    }

    /// Bytes of allocated memory.
    pub fn memory_bytes(&self) -> u64 {
        (self.restarts.capacity() * size_of::<Restart>() + self.previous.capacity()) as u64
    }
}
