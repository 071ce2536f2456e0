//! A scan of one column as pairs, without an object per row.

use crate::arguments::to_bytes;
use crate::scanner::Scanner;
use crate::show::short;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Pairs (row key, value) of a scan.
#[pyclass(frozen, module = "rowstone._native")]
pub struct Pairs {
    scanner: Py<Scanner>,
    family: Vec<u8>,
    qualifier: Vec<u8>,
}

impl Pairs {
    /// Iterates over the newest values of a column.
    pub fn new(scanner: Py<Scanner>, family: Vec<u8>, qualifier: Vec<u8>) -> Self {
        Pairs { scanner, family, qualifier }
    }
}

#[pymethods]
impl Pairs {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
        let scanner = self.scanner.bind(py).get();
        while let Some((batch, range)) = scanner.advance(py)? {
            let wanted = batch
                .row_cells(range)
                .find(|cell| cell.qualifier() == self.qualifier && cell.family() == self.family && !cell.is_delete());
            if let Some(cell) = wanted {
                return Ok(Some((to_bytes(py, cell.row()), to_bytes(py, cell.value()))));
            }
        }
        Ok(None)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let column = short(py, &[&self.family, b":".as_slice(), &self.qualifier].concat())?;
        Ok(format!("<pairs of {column} of {}>", self.scanner.bind(py).repr()?))
    }
}
