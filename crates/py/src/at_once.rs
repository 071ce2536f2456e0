//! Reads of one row: at once if nothing has to be waited for. Only then may the thread of an event loop make them.

use crate::arguments::RowKey;
use crate::call::{at_once, detached};
use crate::columns::{with_full_column, Columns};
use crate::reads::read_options;
use crate::row::Row;
use crate::table::Table;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rowstone_model::backend::TableBackend;
use rowstone_model::operations::{CellBatch, Get, ReadOptions};
use std::sync::Arc;

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

/// Reads a row; releases the interpreter only if that has to wait.
#[inline]
pub fn read_row(
    backend: &Arc<dyn TableBackend>,
    py: Python<'_>,
    row: &[u8],
    options: ReadOptions,
) -> PyResult<CellBatch> {
    if let Some(batch) = at_once(py, || backend.get_at_once(row, &options))? {
        return Ok(batch);
    }
    let get = Get { row: row.to_vec(), options };
    detached(py, || backend.get(&get))
}

/// The newest value of `column` in `row`.
pub fn newest_value<'py>(
    backend: &Arc<dyn TableBackend>,
    row: &[u8],
    column: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut options = ReadOptions::default();
    with_full_column(column.as_borrowed(), |family, qualifier| {
        options.columns.add_column(family, qualifier);
        Ok(())
    })?;
    let batch = read_row(backend, column.py(), row, options)?;
    let newest = batch.cells.iter().next();
    Ok(newest.map(|cell| PyBytes::new(column.py(), cell.value())))
}
