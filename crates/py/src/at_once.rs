//! Gets that do not block, for callers that must not: the thread of an event loop.

use crate::arguments::RowKey;
use crate::call::at_once;
use crate::columns::Columns;
use crate::reads::read_options;
use crate::row::Row;
use crate::table::Table;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The result of `table.get` if it needs neither a file nor another thread's answer; otherwise `None`.
#[pyfunction]
pub fn get_at_once(
    py: Python<'_>,
    table: &Bound<'_, Table>,
    row: RowKey<'_>,
    columns: Option<Columns>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Option<Row>> {
    let options = read_options(columns, Some(options))?;
    let backend = table.get().backend(py)?;
    let batch = at_once(py, || backend.get_at_once(&row.0, &options))?;
    Ok(batch.map(|batch| Row::single(batch, &row.0)))
}
