//! One cell, as a view of the batch that contains it.

use crate::arguments::to_bytes;
use crate::errors::raise;
use crate::row::{leaf, Leaf};
use crate::show;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use rowstone_model::cell::{iterate_tags, Cell, CellBuffer, Layout};
use rowstone_model::operations::CellBatch;
use rowstone_model::Error;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// One version of one column of one row: coordinates, type and value. It keeps the batch that contains it alive.
#[pyclass(frozen, eq, hash, name = "Cell", module = "rowstone")]
pub struct PyCell {
    batch: Arc<CellBatch>,
    offset: usize,
}

impl Leaf for PyCell {}

impl PyCell {
    /// The cell at `offset` of `batch`.
    pub fn new(batch: Arc<CellBatch>, offset: usize) -> Self {
        PyCell { batch, offset }
    }

    /// The cell's bytes, or nothing if there is no cell: then every part of it is empty.
    fn bytes(&self) -> &[u8] {
        let rest = self.batch.cells.as_bytes().get(self.offset..).unwrap_or_default();
        let length = Cell::read(rest, Layout::TAGGED).map_or(0, |(_, length)| length);
        &rest[..length]
    }

    fn cell(&self, py: Python<'_>) -> PyResult<Cell<'_>> {
        let read = Cell::read(self.bytes(), Layout::TAGGED);
        read.map(|(cell, _)| cell).map_err(|error| raise(py, &Error::internal(error.reason)))
    }
}

impl PartialEq for PyCell {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Hash for PyCell {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes().hash(state);
    }
}

/// `family:qualifier` as Python bytes.
#[inline]
pub fn column_bytes<'py>(py: Python<'py>, cell: &Cell<'_>) -> PyResult<Bound<'py, PyBytes>> {
    let (family, qualifier) = (cell.family(), cell.qualifier());
    PyBytes::new_with(py, family.len() + 1 + qualifier.len(), |out| {
        out[..family.len()].copy_from_slice(family);
        out[family.len()] = b':';
        out[family.len() + 1..].copy_from_slice(qualifier);
        Ok(())
    })
}

#[pymethods]
impl PyCell {
    /// The row key.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(to_bytes(py, self.cell(py)?.row()))
    }

    /// The family.
    #[getter]
    fn family<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(to_bytes(py, self.cell(py)?.family()))
    }

    /// The qualifier; empty in markers of a whole family.
    #[getter]
    fn qualifier<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(to_bytes(py, self.cell(py)?.qualifier()))
    }

    /// `family:qualifier`.
    #[getter]
    fn column<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        column_bytes(py, &self.cell(py)?)
    }

    /// The version: milliseconds since 1970-01-01 UTC, unless its writer chose otherwise.
    #[getter]
    fn timestamp(&self, py: Python<'_>) -> PyResult<i64> {
        Ok(self.cell(py)?.timestamp())
    }

    /// `"Put"`, or the marker: `"Delete"`, `"DeleteFamilyVersion"`, `"DeleteColumn"`, `"DeleteFamily"`.
    #[getter(r#type)]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.cell(py)?.cell_type().name())
    }

    /// The value; empty in markers.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(to_bytes(py, self.cell(py)?.value()))
    }

    /// The tags as pairs (type, value).
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, iterate_tags(self.cell(py)?.tags()).map(|(kind, value)| (kind, to_bytes(py, value))))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let cell = self.cell(py)?;
        let (row, value) = (show::short(py, cell.row())?, show::short(py, cell.value())?);
        let column = show::column(py, &cell)?;
        let (timestamp, kind) = (cell.timestamp(), cell.cell_type().name());
        Ok(format!("Cell(row={row}, column={column}, timestamp={timestamp}, type='{kind}', value={value})"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let rebuild = py.import("rowstone._native")?.getattr("cell_from_bytes")?;
        Ok((rebuild, (to_bytes(py, self.bytes()),)))
    }
}

/// The cells of `buffer`, as objects that share one copy of it.
pub fn cell_list<'py>(py: Python<'py>, buffer: &CellBuffer) -> PyResult<Bound<'py, PyList>> {
    let batch = Arc::new(CellBatch { cells: buffer.clone(), ..CellBatch::default() });
    let mut offset = 0;
    let cells = buffer.iter().map(|cell| {
        let at = offset;
        offset += cell.written_len(Layout::TAGGED);
        leaf(py, PyCell::new(Arc::clone(&batch), at))
    });
    PyList::new(py, cells.collect::<PyResult<Vec<_>>>()?)
}

/// Copies the cells in a list.
pub fn cells_of(list: &Bound<'_, PyList>) -> PyResult<CellBuffer> {
    let mut cells = CellBuffer::new();
    for object in list {
        let cell = object.cast::<PyCell>()?.get();
        cells.push_cell(&cell.cell(list.py())?);
    }
    Ok(cells)
}

/// Unpickles a cell.
#[pyfunction]
pub fn cell_from_bytes<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyCell>> {
    let cells = CellBuffer::from_bytes(data.to_vec());
    let cells = cells.map_err(|error| crate::errors::invalid(py, error.reason))?;
    leaf(py, PyCell::new(Arc::new(CellBatch { cells, ..CellBatch::default() }), 0))
}
