//! A buffer for many puts and deletes: HBase's BufferedMutator.

use crate::arguments::{integer, DurabilityName, RowKey, TimeToLive, Timestamp};
use crate::call::detached_many;
use crate::delete::{delete_mutation, delete_options};
use crate::errors::{exception, invalid};
use crate::fork::Guarded;
use crate::handle::Handle;
use crate::keywords::refuse_names;
use crate::mutations::mutation_of;
use crate::writes::{put_of, Acl, Tags, WriteArguments};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use rowstone_engine::sys::lock::{Mutex, MutexGuard};
use rowstone_model::operations::{Mutation, MutationKind};
use std::sync::Arc;

/// HBase's `hbase.client.write.buffer`.
const DEFAULT_BUFFER_BYTES: usize = 2 << 20;
/// Mutations per call to the store, so that Ctrl-C is handled between calls.
const CHUNK: usize = 20_000;

/// The row keys of many mutations in one allocation: only needed if some of them fail.
struct Keys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Keys {
    fn of(mutations: &[Mutation]) -> Self {
        let bytes = mutations.iter().map(|mutation| mutation.row.len()).sum();
        let mut keys = Keys { bytes: Vec::with_capacity(bytes), ends: Vec::with_capacity(mutations.len() + 1) };
        keys.ends.push(0);
        for mutation in mutations {
            keys.bytes.extend_from_slice(&mutation.row);
            keys.ends.push(keys.bytes.len());
        }
        keys
    }

    fn get(&self, index: usize) -> &[u8] {
        match (self.ends.get(index), self.ends.get(index + 1)) {
            (Some(&start), Some(&end)) => self.bytes.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }
}

#[derive(Default)]
struct Buffer {
    mutations: Vec<Mutation>,
    bytes: usize,
    /// Number of mutations since the writer was created.
    added: usize,
    is_closed: bool,
}

/// Collects puts and deletes and writes them in bulk: when `buffer_bytes` are full, on `flush` and on `close`.
///
/// Each mutation is atomic, the buffer as a whole is not. Leaving a `with` block flushes, even after an exception, to
/// which it adds a note. With `transaction=True` nothing is written before the block ends, and nothing at all after
/// an exception.
#[pyclass(frozen, module = "rowstone")]
pub struct BufferedWriter {
    handle: Guarded<Arc<Handle>>,
    /// The table's object keeps the database's observers alive.
    _table: Py<PyAny>,
    buffer: Mutex<Buffer>,
    limit_bytes: usize,
    is_transaction: bool,
}

impl BufferedWriter {
    /// Creates an empty buffer for `table`, whose handle is `handle`.
    pub fn new(
        table: &Bound<'_, PyAny>,
        handle: &Guarded<Arc<Handle>>,
        buffer_bytes: Option<&Bound<'_, PyAny>>,
        is_transaction: bool,
    ) -> PyResult<Self> {
        let py = table.py();
        let limit_bytes = match (buffer_bytes, is_transaction) {
            (Some(_), true) => {
                return Err(invalid(py, "transaction=True keeps everything until the end: pass no buffer_bytes"));
            }
            (None, true) => usize::MAX,
            (Some(bytes), false) => integer("buffer_bytes", bytes, 1, 1 << 40)? as usize,
            (None, false) => DEFAULT_BUFFER_BYTES,
        };
        let handle = Guarded::new(Arc::clone(handle.get(py)?));
        let table = table.clone().unbind();
        Ok(BufferedWriter { handle, _table: table, buffer: Mutex::default(), limit_bytes, is_transaction })
    }

    /// The lock is never held while Python code may run, so waiting for it is short.
    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.buffer.lock()
    }

    fn add(&self, py: Python<'_>, mutation: Mutation) -> PyResult<()> {
        self.handle.get(py)?;
        let mut buffer = self.lock();
        if buffer.is_closed {
            drop(buffer);
            return Err(invalid(py, "the writer is closed; call table.batch() for a new one"));
        }
        buffer.bytes += mutation.row.len() + mutation.cells.byte_len();
        buffer.mutations.push(mutation);
        buffer.added += 1;
        let is_full = buffer.bytes >= self.limit_bytes;
        drop(buffer);
        if is_full {
            self.write(py)?;
        }
        Ok(())
    }

    /// Writes the buffered mutations.
    fn write(&self, py: Python<'_>) -> PyResult<()> {
        let table = &self.handle.get(py)?.table;
        let mut mutations = {
            let mut buffer = self.lock();
            buffer.bytes = 0;
            std::mem::take(&mut buffer.mutations)
        };
        let count = mutations.len();
        let mut failures = Vec::new();
        while !mutations.is_empty() {
            let rest = mutations.split_off(mutations.len().min(CHUNK));
            let keys = Keys::of(&mutations);
            let results = detached_many(py, || table.mutate_many(mutations))?;
            let failed = results.into_iter().enumerate().filter_map(|(index, result)| Some((index, result.err()?)));
            failures.extend(failed.map(|(index, error)| (keys.get(index).to_vec(), error)));
            mutations = rest;
            py.check_signals()?;
        }
        match failures.first() {
            None => Ok(()),
            Some((_, first)) => {
                let raised = exception(py, first);
                let listed = failures.iter().map(|(key, error)| (PyBytes::new(py, key), exception(py, error)));
                raised.setattr("failures", PyList::new(py, listed)?)?;
                let note = format!("{} of {count} buffered mutations failed; .failures lists them", failures.len());
                raised.call_method1("add_note", (note,))?;
                Err(PyErr::from_value(raised))
            }
        }
    }
}

#[pymethods]
impl BufferedWriter {
    /// Add a put; see `Table.put`.
    #[pyo3(signature = (row, data, *, timestamp=None, ttl_ms=None, durability=None, tags=None, acl=None, ts=None, ttl=None),
        text_signature = "($self, row, data, *, timestamp=None, ttl_ms=None, durability=None, tags=None, acl=None)")]
    #[expect(clippy::too_many_arguments, reason = "the keyword options of the Python call")]
    fn put(
        &self,
        row: RowKey<'_, '_>,
        data: &Bound<'_, PyAny>,
        timestamp: Option<Timestamp>,
        ttl_ms: Option<TimeToLive>,
        durability: Option<DurabilityName>,
        tags: Option<Tags>,
        acl: Option<Acl>,
        ts: Option<Bound<'_, PyAny>>,
        ttl: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        refuse_names(data.py(), "BufferedWriter.put", &[("ts", ts.is_some()), ("ttl", ttl.is_some())])?;
        let arguments = WriteArguments { timestamp, ttl_ms, durability, time_range: None, acl, tags };
        self.add(data.py(), put_of(&row.0, data, arguments)?)
    }

    /// Add a delete; see `Table.delete`.
    #[pyo3(signature = (row, columns=None, **options), text_signature = "($self, row, columns=None, *, timestamp=None, \
        version=None, durability=None)")]
    fn delete(
        &self,
        py: Python<'_>,
        row: RowKey<'_, '_>,
        columns: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let columns = columns.as_ref().map(|columns| columns.as_borrowed());
        let options = delete_options(py, "BufferedWriter.delete", options)?;
        self.add(py, delete_mutation(py, &row.0, columns, options)?)
    }

    /// Add a `Put` or `Delete`.
    fn mutate(&self, mutation: &Bound<'_, PyAny>) -> PyResult<()> {
        let mutation_value = mutation_of(mutation.as_borrowed())?;
        if !matches!(mutation_value.kind, MutationKind::Put | MutationKind::Delete) {
            let message = "a buffer takes puts and deletes; increments and appends have results: use table.multi";
            return Err(invalid(mutation.py(), message));
        }
        self.add(mutation.py(), mutation_value)
    }

    /// Write the buffered mutations now.
    ///
    /// Raises the error of the first mutation that failed, with `.failures`, a list of (row key, error); the others
    /// are applied.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.write(py)
    }

    /// Flushes, then rejects further mutations. A second call does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.lock().is_closed = true;
        self.write(py)
    }

    /// The number of bytes in the buffer.
    #[getter]
    fn _buffered_bytes(&self) -> usize {
        self.lock().bytes
    }

    /// The number of mutations in the buffer.
    fn __len__(&self) -> usize {
        self.lock().mutations.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&self, py: Python<'_>, exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        let Some(error) = exception.get_item(1).ok().filter(|error| !error.is_none()) else {
            return self.close(py);
        };
        let (note, count) = if self.is_transaction {
            let dropped = std::mem::replace(&mut *self.lock(), Buffer { is_closed: true, ..Buffer::default() });
            ("were dropped, as its block raised", dropped.mutations.len())
        } else {
            let note = "were written although its block raised; table.batch(transaction=True) writes none then";
            self.close(py)?;
            (note, self.lock().added)
        };
        if count > 0 {
            error.call_method1("add_note", (format!("{count} mutations of the batch {note}"),))?;
        }
        Ok(())
    }

    fn __repr__(&self) -> String {
        let buffer = self.lock();
        let (count, bytes) = (buffer.mutations.len(), buffer.bytes);
        if self.is_transaction {
            return format!("BufferedWriter({count} mutations, {bytes} bytes, transaction=True)");
        }
        format!("BufferedWriter({count} mutations, {bytes} of {} bytes)", self.limit_bytes)
    }
}
