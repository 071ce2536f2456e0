//! A scan as a value, for observers, which may replace it.

use crate::arguments::to_bytes;
use crate::reads::scan_of;
use crate::show::scan;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rowstone_model::operations::Scan;

/// A read of a range of rows, with the arguments of `Table.scan`; observers receive it before a scan opens.
#[pyclass(frozen, name = "Scan", module = "rowstone")]
pub struct PyScan(pub Scan);

#[pymethods]
impl PyScan {
    #[new]
    #[pyo3(signature = (start=None, stop=None, **options), text_signature = "(start=None, stop=None, *, \
        prefix=None, columns=None, versions=1, time_range=None, timestamp=None, family_time_ranges=None, limit=None, \
        batch=None, caching=None, reverse=False, include_start=True, include_stop=False, raw=False, \
        cells_per_family=None, offset_per_family=0, cache_blocks=True, filter=None, isolation='READ_COMMITTED', \
        load_families_on_demand=False)")]
    fn new(
        start: Option<Bound<'_, PyAny>>,
        stop: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        scan_of("Scan", start.as_ref(), stop.as_ref(), options).map(PyScan)
    }

    /// The start row; empty is the table's end on that side.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.0.start)
    }

    /// The stop row; empty is the table's other end.
    #[getter]
    fn stop<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.0.stop)
    }

    /// Whether rows are returned in descending order.
    #[getter]
    fn reverse(&self) -> bool {
        self.0.reversed
    }

    /// The maximum number of rows; None for no bound.
    #[getter]
    fn limit(&self) -> Option<u64> {
        (self.0.limit > 0).then_some(self.0.limit)
    }

    /// Whether it returns delete markers and deleted cells.
    #[getter]
    fn raw(&self) -> bool {
        self.0.options.raw
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Scan({})", scan(py, &self.0)?.join(", ")))
    }
}
