//! Reads of one row: at once if nothing has to be waited for. Only then may the thread of an event loop make them.

use crate::arguments::{bytes_of, RowKey};
use crate::call::{at_once, detached};
use crate::columns::{with_full_column, Columns};
use crate::reads::read_options;
use crate::row::Row;
use crate::table::Table;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use rowstone_model::backend::TableBackend;
use rowstone_model::operations::{CellBatch, Get, ReadOptions};
use std::sync::{Arc, Mutex};

/// The result of `table.get` if it needs neither a file nor another thread's answer; otherwise `None`.
#[pyfunction]
pub fn get_at_once<'py>(
    py: Python<'py>,
    table: &Bound<'_, Table>,
    row: RowKey<'_>,
    columns: Option<Columns>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Option<Bound<'py, Row>>> {
    let options = read_options(columns, Some(options))?;
    let backend = table.get().backend(py)?;
    let batch = at_once(py, || backend.get_at_once(&row.0, &options))?;
    batch.map(|batch| Row::single(batch, &row.0).into_object(py)).transpose()
}

/// Reads a row; releases the interpreter only if that has to wait.
#[inline]
pub fn read_row(
    backend: &Arc<dyn TableBackend>,
    py: Python<'_>,
    row: &[u8],
    options: &ReadOptions,
) -> PyResult<CellBatch> {
    if let Some(batch) = at_once(py, || backend.get_at_once(row, options))? {
        return Ok(batch);
    }
    let get = Get { row: row.to_vec(), options: options.clone() };
    detached(py, || backend.get(&get))
}

/// The column of which a value was read last, and the options for it: the next value is mostly of the same column.
#[derive(Default)]
pub struct LastColumn(Mutex<Option<(Vec<u8>, Arc<ReadOptions>)>>);

impl LastColumn {
    /// The options that read `column`.
    fn options_of(&self, column: &Bound<'_, PyAny>) -> PyResult<Arc<ReadOptions>> {
        if column.is_instance_of::<PyTuple>() {
            return only_column(column).map(Arc::new);
        }
        let name = bytes_of("column", column.as_borrowed())?;
        // Another thread may be here; nobody waits.
        let mut last = self.0.try_lock().ok();
        if let Some((known, options)) = last.as_deref().and_then(Option::as_ref) {
            if *known == *name {
                return Ok(Arc::clone(options));
            }
        }
        let options = Arc::new(only_column(column)?);
        if let Some(last) = last.as_deref_mut() {
            *last = Some((name.into_owned(), Arc::clone(&options)));
        }
        Ok(options)
    }
}

fn only_column(column: &Bound<'_, PyAny>) -> PyResult<ReadOptions> {
    let mut options = ReadOptions::default();
    with_full_column(column.as_borrowed(), |family, qualifier| {
        options.columns.add_column(family, qualifier);
        Ok(())
    })?;
    Ok(options)
}

/// The newest value of `column` in `row`.
pub fn newest_value<'py>(
    backend: &Arc<dyn TableBackend>,
    last: &LastColumn,
    row: &[u8],
    column: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let batch = read_row(backend, column.py(), row, &*last.options_of(column)?)?;
    let newest = batch.cells.iter().next();
    Ok(newest.map(|cell| PyBytes::new(column.py(), cell.value()).into_any()))
}
