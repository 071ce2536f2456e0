//! A scan as Arrow batches: exported as a whole through the C stream interface, or batch by batch.

use super::capsules::{array_capsule, schema_capsule, stream_capsule};
use crate::call::guarded;
use crate::errors::raise;
use crate::fork::Guarded;
use crate::handle::Handle;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use rowstone_arrow::array::{export_array, export_schema, Array, Field};
use rowstone_arrow::batches::BatchSource;
use rowstone_arrow::export::export_stream;
use rowstone_engine::sys::lock::{Mutex, MutexGuard};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

enum State {
    /// Batches may follow.
    Open(Box<dyn BatchSource>),
    /// All batches were read.
    Ended,
    /// `close` was called.
    Closed,
    /// The stream was exported to a consumer.
    Taken,
}

/// Batches of a scan for any consumer of Arrow: pyarrow, polars, DuckDB, pandas. Created by `Scanner.arrow`.
///
/// It can be read once: by one consumer, through `__arrow_c_stream__`, or batch by batch as an iterator of
/// `ArrowBatch`. The resources of the scan are released at its end, by `close`, or when the stream is garbage
/// collected.
#[pyclass(frozen, module = "rowstone")]
pub struct ArrowStream {
    state: Guarded<Mutex<State>>,
    fields: Arc<[Field]>,
}

impl ArrowStream {
    /// Creates a stream of the batches of `source`, which keeps the database of `handle` open.
    pub fn new(source: Box<dyn BatchSource>, handle: &Arc<Handle>) -> Self {
        let fields = source.fields().into();
        let source = Box::new(OfHandle { source, _handle: Arc::clone(handle) });
        ArrowStream { state: Guarded::new(Mutex::new(State::Open(source))), fields }
    }

    /// Locks the state; see `Scanner::lock`.
    fn lock<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, State>> {
        let state = self.state.get(py)?;
        loop {
            if let Some(guard) = state.try_lock() {
                return Ok(guard);
            }
            py.detach(|| drop(state.lock()));
        }
    }
}

/// The error of a stream that has no more batches.
fn end_error(state: &State) -> Error {
    let message = match state {
        State::Closed => "the stream is closed; scan again to read more",
        _ => "the stream was read already; scan again",
    };
    Error::new(ErrorKind::ScannerClosed, message)
}

#[pymethods]
impl ArrowStream {
    /// Exports the stream through Arrow's PyCapsule interface. It can be exported once: a second call raises
    /// `ScannerClosed`.
    ///
    /// A requested schema is ignored: convert in the consumer.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let mut state = self.lock(py)?;
        let source = match std::mem::replace(&mut *state, State::Taken) {
            State::Open(source) => source,
            other => {
                let error = end_error(&other);
                *state = other;
                drop(state);
                return Err(raise(py, &error));
            }
        };
        drop(state);
        stream_capsule(
            py,
            export_stream(Box::new(InThisProcess { fields: self.fields.to_vec(), source: Guarded::new(source) })),
        )
    }

    /// Exports the schema of the batches through Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, export_schema(&self.fields))
    }

    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.fields.iter().map(|field| field.name.as_str()).collect()
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<ArrowBatch>> {
        let mut state = self.lock(py)?;
        let outcome = match &mut *state {
            State::Open(source) => py.detach(|| guarded(|| source.next_batch())),
            State::Ended => return Ok(None),
            other => Err(end_error(other)),
        };
        if !matches!(outcome, Ok(Some(_))) && matches!(*state, State::Open(_)) {
            *state = State::Ended;
        }
        drop(state);
        py.check_signals()?;
        let batch = outcome.map_err(|error| raise(py, &error))?;
        Ok(batch.map(|array| ArrowBatch { array, fields: Arc::clone(&self.fields) }))
    }

    /// The remaining batches as a `pyarrow.Table`. Raises `ImportError` if pyarrow is not installed.
    fn read_all<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rowstone._core.frames")?.call_method1("read_all", (&slf,))
    }

    /// End the scan and release its resources, unless the stream was exported. A second call does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.lock(py)?;
        if !matches!(*state, State::Taken) {
            *state = State::Closed;
        }
        Ok(())
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("ArrowStream({})", self.names().join(", "))
    }
}

/// A source of an open database. The source is dropped first.
struct OfHandle {
    source: Box<dyn BatchSource>,
    _handle: Arc<Handle>,
}

impl BatchSource for OfHandle {
    fn fields(&self) -> &[Field] {
        self.source.fields()
    }

    fn next_batch(&mut self) -> Result<Option<Arc<Array>>> {
        self.source.next_batch()
    }
}

/// A source that a forked child process neither reads nor drops: it belongs to the parent.
struct InThisProcess {
    fields: Vec<Field>,
    source: Guarded<Box<dyn BatchSource>>,
}

impl BatchSource for InThisProcess {
    fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn next_batch(&mut self) -> Result<Option<Arc<Array>>> {
        match self.source.ours() {
            Some(source) => source.next_batch(),
            None => Err(Error::new(ErrorKind::ForkedHandle, "this stream was opened before a fork; scan again")),
        }
    }
}

/// A batch of a stream, for any consumer of Arrow.
#[pyclass(frozen, module = "rowstone")]
pub struct ArrowBatch {
    array: Arc<Array>,
    fields: Arc<[Field]>,
}

#[pymethods]
impl ArrowBatch {
    /// Exports schema and values through Arrow's PyCapsule interface. Nothing is copied; it may be called repeatedly.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        Ok((self.__arrow_c_schema__(py)?, array_capsule(py, export_array(&self.array))?))
    }

    /// Exports the schema through Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, export_schema(&self.fields))
    }

    /// The number of records.
    fn __len__(&self) -> usize {
        self.array.length
    }

    fn __repr__(&self) -> String {
        format!("ArrowBatch({} records, {} columns)", self.array.length, self.fields.len())
    }
}
