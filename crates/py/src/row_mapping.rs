//! The Python interface of a row: a mapping that creates objects only for accessed parts.

use crate::arguments::to_bytes;
use crate::cell::{column_bytes, PyCell};
use crate::columns::with_column;
use crate::errors::invalid;
use crate::row::{leaf, Row};
use crate::show;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyList};
use pyo3::Borrowed;
use rowstone_model::cell::{Cell, CellBuffer};
use rowstone_model::operations::{CellBatch, RowRange, Rows};
use std::sync::Arc;

impl Row {
    /// Looks up a column argument; a column without a colon is in no row.
    #[inline]
    fn look_up(&self, column: Borrowed<'_, '_, PyAny>) -> PyResult<Option<(usize, Cell<'_>)>> {
        with_column(column, |family, qualifier| Ok(qualifier.and_then(|qualifier| self.find(family, qualifier))))
    }

    fn value<'py>(&self, py: Python<'py>, column: Borrowed<'_, 'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(self.look_up(column)?.map(|(_, cell)| to_bytes(py, cell.value())))
    }

    /// Objects for cells of this row.
    fn py_cells<'py, 'c>(
        &self,
        py: Python<'py>,
        cells: impl Iterator<Item = (usize, Cell<'c>)>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (batch, offsets) = self.share(cells);
        let objects = offsets.into_iter().map(|offset| leaf(py, PyCell::new(Arc::clone(&batch), offset)));
        PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
    }
}

/// The function that rebuilds a row, and its arguments: key, cells, whether partial.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Bound<'py, PyBytes>, bool));

fn no_column(column: &Bound<'_, PyAny>) -> PyErr {
    PyKeyError::new_err(column.clone().unbind())
}

#[pymethods]
impl Row {
    /// The row key.
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, self.key_bytes(py))
    }

    /// All returned cells in order: versions, and in raw scans the markers.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.py_cells(py, self.cells_at())
    }

    /// Whether more cells of the same row may follow in another result (scans with `batch=`).
    ///
    /// As HBase's `mayHaveMoreCellsInRow`, it can be True although nothing follows: if the other families of the scan
    /// have cells in the row, but none that it returns.
    #[getter]
    fn is_partial(&self) -> bool {
        self.range().is_partial
    }

    fn __getitem__<'py>(&self, column: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        self.value(column.py(), column.as_borrowed())?.ok_or_else(|| no_column(column))
    }

    fn __contains__(&self, column: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.look_up(column.as_borrowed()).unwrap_or(None).is_some())
    }

    fn __len__(&self) -> usize {
        self.newest().count()
    }

    fn __bool__(&self) -> bool {
        self.range().cell_count > 0
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let columns: Vec<_> = self.newest().map(|(_, cell)| column_bytes(py, &cell)).collect::<PyResult<_>>()?;
        PyList::new(py, columns)?.try_iter()
    }

    /// The newest value of `column`, or `default` if the row has none.
    #[pyo3(signature = (column, default=None))]
    fn get<'py>(
        &self,
        column: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.value(column.py(), column.as_borrowed())?.map(Bound::into_any).or(default))
    }

    /// The columns, in order.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.call_method0("keys")
    }

    /// The newest values, in the order of their columns.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.call_method0("values")
    }

    /// Pairs (column, newest value), in order.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.call_method0("items")
    }

    /// A dict {column: newest value} that is independent of the row.
    pub fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (_, cell) in self.newest() {
            values.set_item(column_bytes(py, &cell)?, to_bytes(py, cell.value()))?;
        }
        Ok(values)
    }

    /// The returned cells of `column`, newest first; empty if there are none.
    fn versions<'py>(&self, column: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = column.py();
        with_column(column.as_borrowed(), |family, qualifier| {
            self.py_cells(py, self.versions_at(family, qualifier.unwrap_or_default()))
        })
    }

    /// The timestamp of the newest value of `column`; `KeyError` if there is none.
    fn timestamp(&self, column: &Bound<'_, PyAny>) -> PyResult<i64> {
        let found = self.look_up(column.as_borrowed())?;
        found.map(|(_, cell)| cell.timestamp()).ok_or_else(|| no_column(column))
    }

    /// The row as {family: {qualifier: newest value}}; names may be looked up as str.
    fn families<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let by_name = py.import("rowstone._base.by_name")?.getattr("ByName")?;
        let families = by_name.call0()?.cast_into::<PyDict>()?;
        let mut current: Option<(&[u8], Bound<'py, PyDict>)> = None;
        for (_, cell) in self.newest() {
            if current.as_ref().is_none_or(|(family, _)| *family != cell.family()) {
                let columns = by_name.call0()?.cast_into::<PyDict>()?;
                families.set_item(to_bytes(py, cell.family()), &columns)?;
                current = Some((cell.family(), columns));
            }
            if let Some((_, columns)) = &current {
                columns.set_item(to_bytes(py, cell.qualifier()), to_bytes(py, cell.value()))?;
            }
        }
        Ok(families)
    }

    /// Rows are equal if their keys and cells are equal; a row equals a mapping with the same columns and values.
    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        if let Ok(row) = other.cast::<Row>() {
            let row = row.get();
            let equal = self.equals(row, py);
            return Ok(equal.into_pyobject(py)?.to_owned().into_any());
        }
        self.to_dict(py)?.call_method1("__eq__", (other,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let newest = self.newest();
        let cells =
            newest.map(|(_, cell)| Ok(format!("{}: {}", show::column(py, &cell)?, show::short(py, cell.value())?)));
        Ok(format!("Row({}, {{{}}})", show::short(py, self.key_bytes(py))?, show::items(cells)?))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rowstone._base.html")?.call_method1("row_html", (slf,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let rebuild = py.import("rowstone._native")?.getattr("row_from_bytes")?;
        Ok((rebuild, (self.key(py), to_bytes(py, self.bytes()), self.range().is_partial)))
    }
}

/// Unpickles a row.
#[pyfunction]
pub fn row_from_bytes<'py>(py: Python<'py>, key: &[u8], data: &[u8], is_partial: bool) -> PyResult<Bound<'py, Row>> {
    let cells = CellBuffer::from_bytes(data.to_vec()).map_err(|error| invalid(py, error.reason))?;
    let range = RowRange { start: 0, end: data.len(), cell_count: cells.iter().count() as u32, is_partial };
    Row::single(CellBatch { cells, rows: Rows::from_elem(range, 1) }, || to_bytes(py, key)).into_object(py)
}
