//! An open scan: rows are fetched in batches that grow, and handed out one by one.

use crate::arguments::to_bytes;
use crate::call::detached;
use crate::columns::with_full_column;
use crate::errors::raise;
use crate::fork::Guarded;
use crate::row::Row;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rowstone_engine::sys::lock::{Mutex, MutexGuard};
use rowstone_model::backend::{ScannerBackend, TableBackend};
use rowstone_model::operations::{CellBatch, RowRange, Scan};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Rows of the first batch: somebody who looks at one page of a table should not pay for a thousand.
const FIRST_ROWS: usize = 16;
/// Rows of a batch at most.
const MOST_ROWS: usize = 1024;
/// Bytes of a batch, about: enough to forget the cost of a call, and still within a core's second-level cache.
const BATCH_BYTES: usize = 256 << 10;

/// Where a scan stands.
struct Position {
    /// `None` after the last batch and after `close`.
    backend: Option<Box<dyn ScannerBackend>>,
    batch: Arc<CellBatch>,
    next: usize,
    rows_wanted: usize,
    is_closed: bool,
}

impl Position {
    /// Fetches the next batch; false at the end.
    fn fetch(&mut self) -> Result<bool> {
        let Some(backend) = self.backend.as_mut() else { return Ok(false) };
        let batch = backend.next_batch(self.rows_wanted, BATCH_BYTES)?;
        self.rows_wanted = (self.rows_wanted * 2).min(MOST_ROWS);
        match batch {
            Some(batch) => (self.batch, self.next) = (Arc::new(batch), 0),
            None => self.backend = None,
        }
        Ok(self.backend.is_some())
    }

    fn close(&mut self) {
        self.is_closed = true;
        self.backend = None;
        (self.batch, self.next) = (Arc::default(), 0);
    }
}

/// The rows of a scan, in order; read them once.
///
/// It holds what the scan may see until it is closed, exhausted or collected: use it in a `with` statement where a loop may
/// end early.
#[pyclass(frozen, module = "rowstone")]
pub struct Scanner {
    position: Guarded<Mutex<Position>>,
    table: Guarded<Arc<dyn TableBackend>>,
    scan: Scan,
}

impl Scanner {
    /// Opens a scan.
    pub fn open(py: Python<'_>, table: Arc<dyn TableBackend>, scan: Scan) -> PyResult<Self> {
        let backend = detached(py, || table.scan(scan.clone()))?;
        let rows_wanted = match scan.limit {
            0 => FIRST_ROWS,
            limit => FIRST_ROWS.max((limit as usize).min(MOST_ROWS)),
        };
        let position =
            Position { backend: Some(backend), batch: Arc::default(), next: 0, rows_wanted, is_closed: false };
        Ok(Scanner { position: Guarded::new(Mutex::new(position)), table: Guarded::new(table), scan })
    }

    /// The position, for this thread alone. A thread that must wait for another one's fetch releases the interpreter:
    /// the other needs it to finish.
    #[inline]
    fn lock<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, Position>> {
        let position = self.position.get(py)?;
        loop {
            if let Some(guard) = position.try_lock() {
                return Ok(guard);
            }
            py.detach(|| drop(position.lock()));
        }
    }

    /// The next row's batch and place in it.
    #[inline]
    fn advance(&self, py: Python<'_>) -> PyResult<Option<(Arc<CellBatch>, RowRange)>> {
        let mut guard = self.lock(py)?;
        loop {
            let position = &mut *guard;
            if let Some(range) = position.batch.rows.get(position.next) {
                position.next += 1;
                return Ok(Some((Arc::clone(&position.batch), *range)));
            }
            if position.is_closed {
                drop(guard);
                let message = "the scanner is closed; scan again to read more";
                return Err(raise(py, &Error::new(ErrorKind::ScannerClosed, message)));
            }
            let fetched = py.detach(|| crate::call::guarded(|| position.fetch()));
            let is_more = match fetched {
                Ok(is_more) => is_more,
                Err(error) => {
                    drop(guard);
                    return Err(raise(py, &error));
                }
            };
            if !is_more {
                return Ok(None);
            }
            drop(guard);
            py.check_signals()?;
            guard = self.lock(py)?;
        }
    }
}

#[pymethods]
impl Scanner {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Row>> {
        Ok(self.advance(py)?.map(|(batch, range)| Row::new(batch, range)))
    }

    /// Ends the scan and lets go of what it held. A second call does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.lock(py)?.close();
        Ok(())
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.lock(py)?.is_closed)
    }

    /// All rows that can be had with one fetch at most: the rest of the present batch, or the next one; none at the end.
    fn _next_rows(&self, py: Python<'_>) -> PyResult<Vec<Row>> {
        let Some((batch, first)) = self.advance(py)? else { return Ok(Vec::new()) };
        let mut rows = vec![Row::new(Arc::clone(&batch), first)];
        let mut position = self.lock(py)?;
        if Arc::ptr_eq(&batch, &position.batch) {
            rows.extend(batch.rows.iter().skip(position.next).map(|range| Row::new(Arc::clone(&batch), *range)));
            position.next = batch.rows.len();
        }
        Ok(rows)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        if self.position.is_ours() {
            self.close(py)?;
        }
        Ok(())
    }

    /// Iterates over pairs (row key, newest value of `column`), passing over rows without it: the quickest way to Python
    /// objects where one column is wanted.
    fn pairs(slf: Bound<'_, Self>, column: &Bound<'_, PyAny>) -> PyResult<Pairs> {
        let (family, qualifier) =
            with_full_column(column.as_borrowed(), |family, qualifier| Ok((family.to_vec(), qualifier.to_vec())))?;
        Ok(Pairs { scanner: slf.unbind(), family, qualifier })
    }

    /// The rest of the scan as (row keys, {column: values}), where rows without a column have `None`.
    fn to_columns<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>)> {
        let (keys, columns) = (PyList::empty(py), PyDict::new(py));
        while let Some((batch, range)) = self.advance(py)? {
            let Some(first) = batch.row_cells(range).next() else { continue };
            let seen = keys.len();
            keys.append(to_bytes(py, first.row()))?;
            for (column, value) in Row::new(Arc::clone(&batch), range).to_dict(py)? {
                let values = match columns.get_item(&column)? {
                    Some(values) => values,
                    None => PyList::new(py, std::iter::empty::<Bound<'py, PyAny>>())?.into_any(),
                };
                let values = values.cast_into::<PyList>()?;
                for _ in values.len()..seen {
                    values.append(py.None())?;
                }
                values.append(value)?;
                columns.set_item(column, values)?;
            }
        }
        for values in columns.values() {
            let values = values.cast_into::<PyList>()?;
            for _ in values.len()..keys.len() {
                values.append(py.None())?;
            }
        }
        Ok((keys, columns))
    }

    /// A pandas DataFrame of the rest of the scan: a row per row, a column per column.
    #[pyo3(signature = (*, decode=None))]
    fn pandas<'py>(slf: Bound<'py, Self>, decode: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rowstone._pandas")?.call_method1("frame", (&slf, decode))
    }

    /// A new scan of at most `limit` rows with the same options: looking at it leaves this one where it is.
    fn _preview(&self, py: Python<'_>, limit: u64) -> PyResult<Scanner> {
        let limit = if self.scan.limit == 0 { limit } else { limit.min(self.scan.limit) };
        Scanner::open(py, Arc::clone(self.table.get(py)?), Scan { limit, ..self.scan.clone() })
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rowstone._html")?.call_method1("scanner_html", (slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (start, stop) = (PyBytes::new(py, &self.scan.start).repr()?, PyBytes::new(py, &self.scan.stop).repr()?);
        let reverse = if self.scan.reversed { ", reverse=True" } else { "" };
        Ok(format!("Scanner(start={start}, stop={stop}{reverse})"))
    }
}

/// Pairs (row key, value) of a scan.
#[pyclass(frozen, module = "rowstone._native")]
pub struct Pairs {
    scanner: Py<Scanner>,
    family: Vec<u8>,
    qualifier: Vec<u8>,
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
}
