//! An open scan: fetches rows in growing batches and returns them one by one.

use crate::arrow::{ArrowStream, FrameOptions};
use crate::call::detached;
use crate::columns::with_full_column;
use crate::descriptors::Schema;
use crate::errors::raise;
use crate::fork::Guarded;
use crate::handle::Handle;
use crate::pairs::Pairs;
use crate::position::Position;
use crate::row::Row;
use crate::show;
use crate::to_columns::to_columns;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rowstone_arrow::batches::Pages;
use rowstone_engine::sys::lock::{Mutex, MutexGuard};
use rowstone_model::operations::{CellBatch, RowRange, Scan};
use rowstone_model::{Error, ErrorKind};
use std::sync::Arc;

/// The rows of a scan, in order. It can be read once.
///
/// It prevents compactions from removing the data that it may read until it is closed, exhausted or garbage
/// collected: use a `with` statement where a loop may end early.
#[pyclass(frozen, module = "rowstone")]
pub struct Scanner {
    position: Guarded<Mutex<Position>>,
    handle: Guarded<Arc<Handle>>,
    scan: Scan,
}

impl Scanner {
    /// Opens a scan.
    pub fn open(py: Python<'_>, handle: Arc<Handle>, scan: Scan) -> PyResult<Self> {
        let backend = detached(py, || handle.table.scan(scan.clone()))?;
        let position = Position::new(backend, scan.limit);
        Ok(Scanner { position: Guarded::new(Mutex::new(position)), handle: Guarded::new(handle), scan })
    }

    /// The scan's parameters.
    pub fn scan(&self) -> &Scan {
        &self.scan
    }

    /// The table.
    pub fn handle(&self, py: Python<'_>) -> PyResult<&Arc<Handle>> {
        self.handle.get(py)
    }

    /// Passes the rest of the scan to another reader; this scanner is closed.
    pub fn take(&self, py: Python<'_>) -> PyResult<Pages> {
        let mut position = self.lock(py)?;
        if position.is_closed {
            drop(position);
            return Err(raise(py, &closed_error()));
        }
        let (page, next) = (std::mem::take(&mut position.batch), position.next);
        let pages = Pages::new(position.backend.take(), page, next);
        position.close();
        Ok(pages)
    }

    /// Locks the position. A thread that must wait for another thread's fetch releases the interpreter: the other
    /// thread needs it to finish.
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

    /// The next row: its batch and its position in it.
    #[inline]
    pub fn advance(&self, py: Python<'_>) -> PyResult<Option<(Arc<CellBatch>, RowRange)>> {
        let mut guard = self.lock(py)?;
        loop {
            let position = &mut *guard;
            if let Some(range) = position.batch.rows.get(position.next) {
                position.next += 1;
                return Ok(Some((Arc::clone(&position.batch), *range)));
            }
            if position.is_closed {
                drop(guard);
                return Err(raise(py, &closed_error()));
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

fn closed_error() -> Error {
    Error::new(ErrorKind::ScannerClosed, "the scanner is closed or was exported; scan again to read more")
}

#[pymethods]
impl Scanner {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Row>>> {
        self.advance(py)?.map(|(batch, range)| Row::new(batch, range).into_object(py)).transpose()
    }

    /// End the scan and release its resources. A second call does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.lock(py)?.close();
        Ok(())
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.lock(py)?.is_closed)
    }

    /// All rows available with at most one fetch: the rest of the current batch, or the next one; empty at the end.
    fn _next_rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Row>>> {
        let Some((batch, first)) = self.advance(py)? else { return Ok(Vec::new()) };
        let mut ranges = vec![first];
        let mut position = self.lock(py)?;
        if Arc::ptr_eq(&batch, &position.batch) {
            ranges.extend(batch.rows.iter().skip(position.next));
            position.next = batch.rows.len();
        }
        drop(position);
        ranges.into_iter().map(|range| Row::new(Arc::clone(&batch), range).into_object(py)).collect()
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

    /// Iterate over pairs (row key, newest value of `column`), skipping rows without it: the fastest way to Python
    /// objects if only one column is needed.
    fn pairs(slf: Bound<'_, Self>, column: &Bound<'_, PyAny>) -> PyResult<Pairs> {
        let (family, qualifier) =
            with_full_column(column.as_borrowed(), |family, qualifier| Ok((family.to_vec(), qualifier.to_vec())))?;
        Ok(Pairs::new(slf.unbind(), family, qualifier))
    }

    /// The rest of the scan as (row keys, {column: values}), with `None` where a row lacks a column.
    fn to_columns<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>)> {
        to_columns(py, self)
    }

    #[doc = include_str!("../docs/scanner/arrow.md")]
    #[pyo3(signature = (form=None, **options), text_signature = "($self, form='rows', *, codecs=None, key='bytes', \
        versions=False, batch_rows=65536, batch_bytes=8388608, threads=1)")]
    fn arrow<'py>(
        slf: Bound<'py, Self>,
        form: Option<&str>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        frames(slf.py(), "arrow", (&slf, form.unwrap_or("rows")), options)
    }

    #[doc = include_str!("../docs/scanner/pandas.md")]
    #[pyo3(signature = (**options), text_signature = "($self, *, decode=None, codecs=None, key='bytes', versions=False)")]
    fn pandas<'py>(slf: Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        frames(slf.py(), "pandas", (&slf,), options)
    }

    #[doc = include_str!("../docs/scanner/polars.md")]
    #[pyo3(signature = (form=None, **options), text_signature = "($self, form='rows', *, codecs=None, key='bytes', \
        versions=False, threads=1)")]
    fn polars<'py>(
        slf: Bound<'py, Self>,
        form: Option<&str>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        frames(slf.py(), "polars", (&slf, form.unwrap_or("rows")), options)
    }

    #[doc = include_str!("../docs/scanner/duckdb.md")]
    #[pyo3(signature = (connection=None, **options), text_signature = "($self, connection=None, *, form='rows', \
        codecs=None, key='bytes', versions=False, threads=1)")]
    fn duckdb<'py>(
        slf: Bound<'py, Self>,
        connection: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        frames(slf.py(), "duckdb", (&slf, connection), options)
    }

    #[doc = include_str!("../docs/scanner/to_parquet.md")]
    #[pyo3(signature = (path, **options), text_signature = "($self, path, *, form='rows', codecs=None, key='bytes', \
        versions=False, compression='zstd')")]
    fn to_parquet<'py>(
        slf: Bound<'py, Self>,
        path: Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        frames(slf.py(), "to_parquet", (&slf, path), options)
    }

    /// The rest of the scan as a stream, with options that `rowstone._core.frames` has checked.
    fn _arrow(&self, py: Python<'_>, options: FrameOptions) -> PyResult<ArrowStream> {
        crate::arrow::open(py, self, options)
    }

    /// The columns of the scan as rows: those that it names, otherwise those that its rows contain.
    fn _columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
        crate::arrow::columns_of(py, self)
    }

    /// The columns that the scan names, as `family:qualifier`; empty if it reads whole families.
    fn _named_columns<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        crate::arrow::named_columns(py, &self.scan)
    }

    fn _describe(&self, py: Python<'_>) -> PyResult<Schema> {
        self.handle(py)?.describe(py)
    }

    /// A new scan of at most `limit` rows with the same options; this scanner does not advance.
    fn _preview(&self, py: Python<'_>, limit: u64) -> PyResult<Scanner> {
        let limit = if self.scan.limit == 0 { limit } else { limit.min(self.scan.limit) };
        Scanner::open(py, Arc::clone(self.handle(py)?), Scan { limit, ..self.scan.clone() })
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rowstone._base.html")?.call_method1("scanner_html", (slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let table = self.handle.get(py).map_or_else(|_| "?".to_string(), |handle| handle.name.to_string());
        let mut parts = [vec![format!("'{table}'")], show::scan(py, &self.scan)?].concat();
        let position = self.position.get(py).ok().and_then(|position| position.try_lock());
        if position.is_some_and(|position| position.is_closed) {
            parts.push("closed".into());
        }
        Ok(format!("Scanner({})", parts.join(", ")))
    }
}

/// Calls a function of `rowstone._core.frames`, which handles the dataframe libraries.
fn frames<'py, A>(
    py: Python<'py>,
    name: &str,
    arguments: A,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>>
where
    A: pyo3::call::PyCallArgs<'py>,
{
    py.import("rowstone._core.frames")?.getattr(name)?.call(arguments, options)
}
