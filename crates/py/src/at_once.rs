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
use std::sync::Arc;

/// The result of `table.get` if it needs neither a file nor another thread's answer; otherwise `None`.
#[pyfunction]
pub fn get_at_once<'py>(
    py: Python<'py>,
    table: &Bound<'_, Table>,
    row: RowKey<'_, '_>,
    columns: Option<Columns>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Option<Bound<'py, Row>>> {
    let options = read_options("Table.get", columns, Some(options))?;
    let backend = table.get().backend(py)?;
    let mut found = CellBatch::default();
    let is_read = at_once(py, || backend.get_at_once(&row.0, &options, &mut found))?;
    is_read.then(|| Row::single(found, || row.object()).into_object(py)).transpose()
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
        let get = Get::new(row, options.clone());
        *found = detached(py, || backend.get(&get))?;
    }
    Ok(())
}

/// Number of columns whose options are kept.
const RECENT: usize = 4;
/// Larger memory for cells is not kept.
const SPARE_BYTES: usize = 64 << 10;

/// Memory that a thread reuses for its next value.
#[derive(Default)]
struct Kept {
    /// The columns that were read last: most values are of the same few columns.
    columns: Vec<RecentColumn>,
    /// Memory for the value's cell.
    cells: CellBuffer,
}

struct RecentColumn {
    family: Vec<u8>,
    qualifier: Vec<u8>,
    /// Options that read the column.
    options: ReadOptions,
}

thread_local! {
    /// A read inside a read (an observer's) finds it empty.
    static KEPT: Cell<Kept> = const { Cell::new(Kept { columns: Vec::new(), cells: CellBuffer::new() }) };
}

/// The options that read the column, from `recent` if they are there.
fn options_of<'k>(recent: &'k mut Vec<RecentColumn>, family: &[u8], qualifier: &[u8]) -> &'k ReadOptions {
    let is_wanted = |known: &RecentColumn| known.qualifier == qualifier && known.family == family;
    let place = recent.iter().position(is_wanted).unwrap_or_else(|| {
        let mut options = ReadOptions::default();
        options.columns.add_column(family, qualifier);
        recent.truncate(RECENT - 1);
        recent.insert(0, RecentColumn { family: family.to_vec(), qualifier: qualifier.to_vec(), options });
        0
    });
    &recent[place].options
}

/// The newest value of `column` in `row`.
pub fn newest_value<'py>(
    backend: &Arc<dyn TableBackend>,
    row: &[u8],
    column: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = column.py();
    let mut kept = KEPT.take();
    let Kept { columns, cells } = &mut kept;
    let newest = with_full_column(column.as_borrowed(), |family, qualifier| {
        let mut found = CellBatch { cells: std::mem::take(cells), ..CellBatch::default() };
        read_row_into(&mut found, backend, py, row, options_of(columns, family, qualifier))?;
        let newest = found.cells.iter().next().map(|cell| PyBytes::new(py, cell.value()).into_any());
        if found.cells.capacity() <= SPARE_BYTES {
            *cells = found.cells;
        }
        Ok(newest)
    });
    KEPT.set(kept);
    newest
}
