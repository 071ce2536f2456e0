//! Sorted cells one after the other, and their offsets.
//!
//! ```text
//! offsets   [0] [57] [114] ...          u32, one per cell
//! bytes     | cell | cell | cell |...   stored layout, in order
//! ```
//!
//! Every cell but the last begins below 4 GiB; the last may be of any size. In a scattered run the cells are in the
//! order of their arrival: only the offsets are sorted. Scans prefetch the cells that follow.

use super::super::buffers::CellBytes;
use crate::search::partition_point;
use crate::sys::advice::prefetch;
use rowstone_model::cell::{compare_keys, row_of, Cell, Layout};
use std::mem::size_of;

/// Distance, in cells, at which a scan of a scattered run prefetches.
const CELLS_AHEAD: usize = 2;

/// Sorted cells in one piece of memory.
#[derive(Debug, Default)]
pub(crate) struct Run {
    bytes: CellBytes,
    offsets: Vec<u32>,
    /// Mean bytes of a cell if the run is scattered.
    scattered_bytes: Option<usize>,
}

/// Location of the parts of one cell, so that creating a view of it needs no parsing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CellPlace {
    start: usize,
    key_end: usize,
    value_end: usize,
    tags_end: usize,
    end: usize,
    pub(crate) sequence_id: u64,
}

impl Run {
    pub(crate) fn with_capacity(bytes: usize, cells: usize) -> Self {
        let bytes = CellBytes::within(Vec::with_capacity(bytes));
        Run { bytes, offsets: Vec::with_capacity(cells), scattered_bytes: None }
    }

    /// The cells that begin at `offsets` of `bytes`, in that order.
    pub(crate) fn scattered(bytes: CellBytes, offsets: Vec<u32>) -> Self {
        let scattered_bytes = Some(bytes.len() / offsets.len().max(1));
        Run { bytes, offsets, scattered_bytes }
    }

    /// Whether the cells are in the order of their arrival.
    pub(crate) fn is_scattered(&self) -> bool {
        self.scattered_bytes.is_some()
    }

    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    pub(crate) fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes of allocated memory.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.offsets.capacity() * size_of::<u32>()
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.offsets.clear();
    }

    /// Appends a cell given by its bytes in the stored layout.
    #[inline]
    pub(crate) fn push_bytes(&mut self, cell: &[u8]) {
        self.offsets.push(self.bytes.len() as u32);
        self.bytes.own().extend_from_slice(cell);
    }

    /// Appends a cell.
    pub(crate) fn push_cell(&mut self, cell: &Cell<'_>) {
        self.offsets.push(self.bytes.len() as u32);
        cell.write(self.bytes.own(), Layout::STORED);
    }

    /// Appends the cells `from..to` of another run.
    pub(crate) fn extend_from(&mut self, other: &Run, from: usize, to: usize) {
        if other.scattered_bytes.is_some() {
            return (from..to).for_each(|index| self.push_bytes(other.cell_bytes(index)));
        }
        let (start, end) = (other.start(from), other.start(to));
        let base = self.bytes.len() as u32;
        let moved = |offset: &u32| base + (offset - start as u32);
        self.offsets.extend(other.offsets[from..to].iter().map(moved));
        self.bytes.own().extend_from_slice(&other.bytes[start..end]);
    }

    /// The bytes of an existing cell.
    fn cell_bytes(&self, index: usize) -> &[u8] {
        let bytes = self.bytes_at(self.offsets[index]);
        let length = Cell::read(bytes, Layout::STORED).map_or(0, |(_, length)| length);
        &bytes[..length]
    }

    /// Frees unused memory.
    pub(crate) fn shrink(&mut self) {
        self.bytes.own().shrink_to_fit();
        self.offsets.shrink_to_fit();
    }

    #[inline]
    fn start(&self, index: usize) -> usize {
        self.offsets.get(index).map_or(self.bytes.len(), |&offset| offset as usize)
    }

    /// The bytes of the cell that begins at `offset`, and of all cells after it.
    #[inline]
    pub(crate) fn bytes_at(&self, offset: u32) -> &[u8] {
        self.bytes.get(offset as usize..).unwrap_or_default()
    }

    /// The flat key of an existing cell.
    #[inline]
    pub(crate) fn key(&self, index: usize) -> &[u8] {
        let start = self.offsets[index] as usize;
        let bytes = &self.bytes[start..];
        let length = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        &bytes[8..8 + length]
    }

    #[inline]
    pub(crate) fn row(&self, index: usize) -> &[u8] {
        self.row_at(self.offsets[index])
    }

    /// Offset of an existing cell.
    pub(crate) fn offset(&self, index: usize) -> u32 {
        self.offsets[index]
    }

    /// The row of the cell that begins at `offset`.
    #[inline]
    pub(crate) fn row_at(&self, offset: u32) -> &[u8] {
        row_of(&self.bytes[offset as usize + 8..])
    }

    pub(crate) fn cell(&self, index: usize) -> Option<Cell<'_>> {
        Some(Cell::read(self.bytes.get(self.start(index)..)?, Layout::STORED).ok()?.0)
    }

    /// The first cell in `from..to` whose key is at or after `key`, or `to`.
    pub(crate) fn lower_bound(&self, key: &[u8], from: usize, to: usize) -> usize {
        partition_point(from..to, |index| compare_keys(self.key(index), key).is_lt())
    }

    /// Like [`partition_point`] in `from..to`, but cheap if the answer is near `from`.
    pub(crate) fn gallop(&self, from: usize, to: usize, before: impl Fn(usize) -> bool) -> usize {
        let (mut low, mut step) = (from, 1);
        while low < to && before(low) {
            let next = low + step;
            if next >= to || !before(next) {
                return partition_point(low + 1..next.min(to), before);
            }
            (low, step) = (next, step * 2);
        }
        low
    }

    /// The location of cell `index`, which must exist.
    pub(crate) fn place(&self, index: usize) -> Option<CellPlace> {
        self.cell_at(self.offsets.get(index).map(|&offset| offset as usize)?).map(|found| found.1)
    }

    /// Cell `index`, which must exist, after the one at `place`, and its location.
    #[inline]
    pub(crate) fn cell_after(&self, place: &CellPlace, index: usize) -> Option<(Cell<'_>, CellPlace)> {
        if self.scattered_bytes.is_some() {
            self.prefetch(index + CELLS_AHEAD);
            self.cell_at(self.start(index))
        } else {
            self.cell_at(place.end)
        }
    }

    /// Prefetches cell `index` of a scattered run, if it exists.
    #[inline]
    fn prefetch(&self, index: usize) {
        if let Some(&start) = self.offsets.get(index) {
            self.prefetch_at(start);
        }
    }

    /// Prefetches the cell that begins at `offset`, if the run is scattered.
    #[inline]
    pub(crate) fn prefetch_at(&self, offset: u32) {
        if let Some(bytes) = self.scattered_bytes {
            let cell = self.bytes_at(offset);
            prefetch(&cell[..cell.len().min(bytes)]);
        }
    }

    /// Prefetches for a reversed scan at cell `index`.
    #[inline]
    pub(crate) fn prefetch_before(&self, index: usize) {
        self.prefetch(index.wrapping_sub(CELLS_AHEAD));
    }

    /// The cells from number `first` on, which begins at `offset`.
    #[inline]
    pub(crate) fn cells_from(&self, first: usize, offset: u32) -> impl Iterator<Item = Cell<'_>> {
        let (mut index, mut start) = (first, offset as usize);
        std::iter::from_fn(move || {
            let (cell, length) = Cell::read(self.bytes.get(start..)?, Layout::STORED).ok()?;
            index += 1;
            start = if self.scattered_bytes.is_some() { self.start(index) } else { start + length };
            Some(cell)
        })
    }

    #[inline]
    fn cell_at(&self, start: usize) -> Option<(Cell<'_>, CellPlace)> {
        let (cell, length) = Cell::read(self.bytes.get(start..)?, Layout::STORED).ok()?;
        let key_end = start + 8 + cell.key().len();
        let value_end = key_end + cell.value().len();
        let tags_end = value_end + 2 + cell.tags().len();
        let (end, sequence_id) = (start + length, cell.sequence_id());
        Some((cell, CellPlace { start, key_end, value_end, tags_end, end, sequence_id }))
    }

    /// The cell at `place`.
    #[inline]
    pub(crate) fn view(&self, place: &CellPlace) -> Option<Cell<'_>> {
        let bytes = self.bytes.get(place.start..place.tags_end)?;
        let key = bytes.get(8..place.key_end - place.start)?;
        let value = bytes.get(place.key_end - place.start..place.value_end - place.start)?;
        let tags = bytes.get(place.value_end - place.start + 2..)?;
        Cell::new(key, value, tags, place.sequence_id).ok()
    }
}
