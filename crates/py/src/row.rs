//! A row and its cells, independent of Python: locations of cells, and column lookup.

use pyo3::prelude::*;
use pyo3::pyclass::PyClass;
use pyo3::types::PyBytes;
use pyo3::{ffi, PyClassInitializer};
use rowstone_model::cell::{Cell, CellBuffer, Layout};
use rowstone_model::operations::{CellBatch, RowRange};
use std::sync::{Arc, OnceLock};

/// From this number of cells on, the first column lookup builds an index of the row.
const INDEX_FROM_CELLS: u32 = 24;

/// A row: a mapping from column (`family:qualifier` as bytes; `str` accepted) to its newest value.
///
/// It is false when it has no cells. Python objects are created only for the parts that are accessed. A row keeps the
/// batch that contains it alive (up to about 256 KiB for rows of a scan); `to_dict()` does not.
#[pyclass(frozen, mapping, module = "rowstone")]
pub struct Row {
    batch: Batch,
    range: RowRange,
    /// The key of a row without cells: exactly `bytes`, so that it refers to no other object.
    missing: Option<Py<PyBytes>>,
    index: OnceLock<Box<Index>>,
}

/// A class whose values refer to no Python objects that could refer to others.
pub trait Leaf: PyClass {}

impl Leaf for Row {}

/// Creates an object that cannot be in a cycle, and that Python's garbage collector does not visit.
#[inline]
#[expect(unsafe_code, reason = "PyO3 makes every class one that the collector visits, and has no function to opt out")]
pub fn leaf<T: Leaf + Into<PyClassInitializer<T>>>(py: Python<'_>, value: T) -> PyResult<Bound<'_, T>> {
    let object = Bound::new(py, value)?;
    // SAFETY: `object` is a live object whose class has the collector's header. `T` refers to no object that could refer to
    // it: only to its class, and to bytes. The collector skips such an object, and freeing it allows for that.
    // Measured with a list of a scan's rows: docs/explanation/performance.md, "Rows and the garbage collector".
    unsafe { ffi::PyObject_GC_UnTrack(object.as_ptr().cast()) };
    Ok(object)
}

/// The cells among which the row's are.
enum Batch {
    /// The cells of this row only: a get saves the allocation for sharing.
    Own(CellBuffer),
    /// A batch of many rows.
    Shared(Arc<CellBatch>),
}

impl Batch {
    #[inline]
    fn cells(&self) -> &CellBuffer {
        match self {
            Batch::Own(cells) => cells,
            Batch::Shared(batch) => &batch.cells,
        }
    }
}

impl Row {
    /// The row at `range` of `batch`.
    #[inline]
    pub fn new(batch: Arc<CellBatch>, range: RowRange) -> Self {
        Row { batch: Batch::Shared(batch), range, missing: None, index: OnceLock::new() }
    }

    /// The only row of `batch`, or a row of that `key` without cells.
    #[inline]
    pub fn single<'py>(batch: CellBatch, key: impl FnOnce() -> Bound<'py, PyBytes>) -> Self {
        match batch.rows.first() {
            Some(&range) if range.cell_count > 0 => {
                Row { batch: Batch::Own(batch.cells), range, missing: None, index: OnceLock::new() }
            }
            _ => Row::missing(key()),
        }
    }

    /// A row without cells. Its `key` is exactly `bytes`.
    pub fn missing(key: Bound<'_, PyBytes>) -> Self {
        let range = RowRange { start: 0, end: 0, cell_count: 0, is_partial: false };
        Row { batch: Batch::Own(CellBuffer::new()), range, missing: Some(key.unbind()), index: OnceLock::new() }
    }

    /// The row's Python object.
    #[inline]
    pub fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, Row>> {
        leaf(py, self)
    }

    /// The row's bytes in the batch.
    pub fn bytes(&self) -> &[u8] {
        self.batch.cells().as_bytes().get(self.range.start..self.range.end).unwrap_or_default()
    }

    /// The cells with their offsets.
    pub fn cells_at(&self) -> impl Iterator<Item = (usize, Cell<'_>)> {
        self.cells_from(self.range.start)
    }

    /// The cells from `start` on, with their offsets.
    fn cells_from(&self, start: usize) -> impl Iterator<Item = (usize, Cell<'_>)> {
        let mut offset = start;
        self.batch.cells().range(start, self.range.end).map(move |cell| {
            let at = offset;
            offset += cell.written_len(Layout::TAGGED);
            (at, cell)
        })
    }

    /// The newest value of each column, with its offset. Markers of raw scans are skipped.
    pub fn newest(&self) -> impl Iterator<Item = (usize, Cell<'_>)> {
        let mut last: Option<Cell<'_>> = None;
        self.cells_at().filter(move |(_, cell)| {
            let is_next = !cell.is_delete() && last.is_none_or(|last| !same_column(&last, cell));
            if is_next {
                last = Some(*cell);
            }
            is_next
        })
    }

    fn cell(&self, offset: usize) -> Option<Cell<'_>> {
        Cell::read(self.batch.cells().as_bytes().get(offset..)?, Layout::TAGGED).ok().map(|read| read.0)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut newest: Vec<(usize, Cell<'_>)> = self.newest().collect();
            newest.sort_by_key(|(_, cell)| (cell.family(), cell.qualifier()));
            let offsets: Vec<usize> = newest.into_iter().map(|(offset, _)| offset).collect();
            Box::new(Index { is_in_order: offsets.is_sorted(), offsets })
        })
    }

    /// The newest value of a column.
    #[inline]
    pub fn find(&self, family: &[u8], qualifier: &[u8]) -> Option<(usize, Cell<'_>)> {
        if self.range.cell_count < INDEX_FROM_CELLS {
            return self
                .cells_at()
                .find(|(_, cell)| cell.qualifier() == qualifier && cell.family() == family && !cell.is_delete());
        }
        let index = self.index();
        let offset = *index.offsets.get(self.place(index, (family, qualifier)))?;
        self.cell(offset).filter(|cell| column_of(cell) == (family, qualifier)).map(|cell| (offset, cell))
    }

    /// Number of the columns of `index` before `wanted`.
    fn place(&self, index: &Index, wanted: (&[u8], &[u8])) -> usize {
        index.offsets.partition_point(|offset| self.cell(*offset).is_none_or(|cell| column_of(&cell) < wanted))
    }

    /// All cells of a column, markers too, with their offsets.
    pub fn versions_at<'r>(
        &'r self,
        family: &'r [u8],
        qualifier: &'r [u8],
    ) -> impl Iterator<Item = (usize, Cell<'r>)> + use<'r> {
        let wanted = (family, qualifier);
        let is_long = self.range.cell_count >= INDEX_FROM_CELLS;
        let index = is_long.then(|| self.index()).filter(|index| index.is_in_order);
        // Markers may precede the column's first value, so the search starts at the column before.
        let before = index.and_then(|index| index.offsets.get(self.place(index, wanted).checked_sub(1)?));
        let (start, is_in_order) = (before.copied().unwrap_or(self.range.start), index.is_some());
        let cells = self.cells_from(start).take_while(move |(_, cell)| !is_in_order || column_of(cell) <= wanted);
        cells.filter(move |(_, cell)| column_of(cell) == wanted)
    }

    /// A batch that objects can share, and the offsets of `cells` in it. Cells of a row that has its own batch are copied.
    pub fn share<'c>(&self, cells: impl Iterator<Item = (usize, Cell<'c>)>) -> (Arc<CellBatch>, Vec<usize>) {
        let Batch::Shared(batch) = &self.batch else {
            let mut copied = CellBatch::default();
            let copy = |cell| {
                let offset = copied.cells.byte_len();
                copied.cells.push_cell(&cell);
                offset
            };
            let offsets = cells.map(|(_, cell)| cell).map(copy).collect();
            return (Arc::new(copied), offsets);
        };
        (Arc::clone(batch), cells.map(|(offset, _)| offset).collect())
    }

    /// The row key, also of a row without cells.
    pub fn key_bytes<'r>(&'r self, py: Python<'r>) -> &'r [u8] {
        match (&self.missing, self.cells_at().next()) {
            (Some(key), _) => key.as_bytes(py),
            (None, Some((_, cell))) => cell.row(),
            (None, None) => &[],
        }
    }

    /// The position of the row in its batch.
    pub fn range(&self) -> RowRange {
        self.range
    }

    /// Whether both have the same key and cells.
    pub fn equals(&self, other: &Row, py: Python<'_>) -> bool {
        self.bytes() == other.bytes() && self.key_bytes(py) == other.key_bytes(py)
    }
}

/// Positions of a row's columns.
#[derive(Debug)]
struct Index {
    /// Offsets of the newest cells, sorted by column.
    offsets: Vec<usize>,
    /// Whether the cells have this order; those of increments and appends may have another.
    is_in_order: bool,
}

fn column_of<'c>(cell: &Cell<'c>) -> (&'c [u8], &'c [u8]) {
    (cell.family(), cell.qualifier())
}

fn same_column(left: &Cell<'_>, right: &Cell<'_>) -> bool {
    left.qualifier() == right.qualifier() && left.family() == right.family()
}
