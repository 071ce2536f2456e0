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
use rowstone_model::cell::CellBuffer;
use rowstone_model::operations::{CellBatch, Get, ReadOptions};
use std::cell::Cell;
use std::collections::VecDeque;
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
    let mut found = CellBatch::default();
    let is_read = at_once(py, || backend.get_at_once(&row.0, &options, &mut found))?;
    is_read.then(|| Row::single(found, &row.0).into_object(py)).transpose()
}

/// Reads a row; releases the interpreter only if that has to wait.
#[inline]
pub fn read_row(
    backend: &Arc<dyn TableBackend>,
    py: Python<'_>,
    row: &[u8],
    options: &ReadOptions,
) -> PyResult<CellBatch> {
    let mut found = CellBatch::default();
    read_row_into(&mut found, backend, py, row, options)?;
    Ok(found)
}

/// Replaces `found` by a row.
#[inline]
fn read_row_into(
    found: &mut CellBatch,
    backend: &Arc<dyn TableBackend>,
    py: Python<'_>,
    row: &[u8],
    options: &ReadOptions,
) -> PyResult<()> {
    if !at_once(py, || backend.get_at_once(row, options, found))? {
        let get = Get { row: row.to_vec(), options: options.clone().into() };
        *found = detached(py, || backend.get(&get))?;
    }
    Ok(())
}

thread_local! {
    /// Memory for the cells of the next value that the thread reads.
    static SPARE_CELLS: Cell<CellBuffer> = const { Cell::new(CellBuffer::new()) };
}
/// Larger memory is not kept.
const SPARE_BYTES: usize = 64 << 10;

/// Number of columns whose options are kept.
const RECENT: usize = 4;
/// The options of longer names are not kept.
const MOST_NAME_BYTES: usize = 256;

/// Options that read one column, for the columns that were read last: most values are of the same few columns.
#[derive(Default)]
pub struct RecentColumns(Mutex<VecDeque<RecentColumn>>);

struct RecentColumn {
    family: Vec<u8>,
    qualifier: Vec<u8>,
    options: Arc<ReadOptions>,
}

impl RecentColumns {
    fn options_of(&self, family: &[u8], qualifier: &[u8]) -> Arc<ReadOptions> {
        // If another thread has the lock, nothing is looked up or kept.
        let mut recent = self.0.try_lock().ok();
        let is_wanted = |known: &&RecentColumn| known.qualifier == qualifier && known.family == family;
        if let Some(known) = recent.as_ref().and_then(|recent| recent.iter().find(is_wanted)) {
            return Arc::clone(&known.options);
        }
        let mut options = ReadOptions::default();
        options.columns.add_column(family, qualifier);
        let options = Arc::new(options);
        if let Some(recent) = recent.as_mut().filter(|_| qualifier.len() <= MOST_NAME_BYTES) {
            recent.truncate(RECENT - 1);
            let (family, qualifier) = (family.to_vec(), qualifier.to_vec());
            recent.push_front(RecentColumn { family, qualifier, options: Arc::clone(&options) });
        }
        options
    }
}

/// The newest value of `column` in `row`.
pub fn newest_value<'py>(
    backend: &Arc<dyn TableBackend>,
    recent: &RecentColumns,
    row: &[u8],
    column: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let options = with_full_column(column.as_borrowed(), |family, qualifier| Ok(recent.options_of(family, qualifier)))?;
    let mut found = CellBatch { cells: SPARE_CELLS.take(), ..CellBatch::default() };
    read_row_into(&mut found, backend, column.py(), row, &options)?;
    let newest = found.cells.iter().next().map(|cell| PyBytes::new(column.py(), cell.value()).into_any());
    if found.cells.capacity() <= SPARE_BYTES {
        SPARE_CELLS.set(found.cells);
    }
    Ok(newest)
}
