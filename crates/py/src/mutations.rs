//! The mutation classes: Put, Delete, Increment, Append, RowMutations; and Get, for batches.

use crate::arguments::{to_bytes, RowKey};
use crate::cell::cell_list;
use crate::columns::Columns;
use crate::errors::{invalid, wrong_type};
use crate::reads::read_options;
use crate::show;
use crate::writes::{add_changes, put_of, WriteArguments};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use pyo3::Borrowed;
use rowstone_model::operations::{Action, Durability, Get, Mutation, MutationKind, RowMutations};

use crate::delete::Delete;

macro_rules! mutation_class {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "rowstone")]
        pub struct $name(pub Mutation);

        impl $name {
            fn text(&self, py: Python<'_>) -> PyResult<String> {
                Ok(format!("{}({})", stringify!($name), show::mutation(py, &self.0)?))
            }
        }
    };
}

mutation_class! {
    /// Values to write to one row. Pass it to `multi`, `mutate_row`, `check_and_mutate` or `BufferedWriter.mutate`.
    Put
}
mutation_class! {
    /// Amounts to add to counters of one row.
    Increment
}
mutation_class! {
    /// Suffixes to append to values of one row.
    Append
}

#[pymethods]
impl Put {
    #[new]
    #[pyo3(signature = (row, data, **options), text_signature = "(row, data, *, timestamp=None, ttl_ms=None, \
        durability=None, tags=None, acl=None)")]
    fn new(row: RowKey<'_, '_>, data: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let arguments = WriteArguments::of(data.py(), "Put", MutationKind::Put, options)?;
        put_of(&row.0, data, arguments).map(Put)
    }

    /// The row key.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.0.row)
    }

    /// The cells: values, amounts (8 bytes) or suffixes. A timestamp of 2**63 - 1 stands for the time of the write.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        cell_list(py, &self.0.cells)
    }

    /// The durability: "USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL" or "FSYNC_WAL".
    #[getter]
    fn durability(&self) -> &'static str {
        durability_name(self.0.durability)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }
}

#[pymethods]
impl Increment {
    #[new]
    #[pyo3(signature = (row, amounts, **options), text_signature = "(row, amounts, *, timestamp=None, ttl_ms=None, \
        time_range=None, durability=None, acl=None)")]
    fn new(row: RowKey<'_, '_>, amounts: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let kind = MutationKind::Increment;
        let arguments = WriteArguments::of(amounts.py(), "Increment", kind, options)?;
        let mut mutation = arguments.mutation(amounts.py(), kind, &row.0)?;
        add_changes(&mut mutation, amounts.as_borrowed())?;
        Ok(Increment(mutation))
    }

    /// The row key.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.0.row)
    }

    /// The cells: values, amounts (8 bytes) or suffixes. A timestamp of 2**63 - 1 stands for the time of the write.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        cell_list(py, &self.0.cells)
    }

    /// The durability: "USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL" or "FSYNC_WAL".
    #[getter]
    fn durability(&self) -> &'static str {
        durability_name(self.0.durability)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }
}

#[pymethods]
impl Append {
    #[new]
    #[pyo3(signature = (row, suffixes, **options), text_signature = "(row, suffixes, *, timestamp=None, ttl_ms=None, \
        time_range=None, durability=None, acl=None)")]
    fn new(row: RowKey<'_, '_>, suffixes: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let kind = MutationKind::Append;
        let arguments = WriteArguments::of(suffixes.py(), "Append", kind, options)?;
        let mut mutation = arguments.mutation(suffixes.py(), kind, &row.0)?;
        add_changes(&mut mutation, suffixes.as_borrowed())?;
        Ok(Append(mutation))
    }

    /// The row key.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.0.row)
    }

    /// The cells: values, amounts (8 bytes) or suffixes. A timestamp of 2**63 - 1 stands for the time of the write.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        cell_list(py, &self.0.cells)
    }

    /// The durability: "USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL" or "FSYNC_WAL".
    #[getter]
    fn durability(&self) -> &'static str {
        durability_name(self.0.durability)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }
}

/// Mutations of one row that are applied atomically.
#[pyclass(frozen, name = "RowMutations", module = "rowstone")]
pub struct PyRowMutations(pub RowMutations);

#[pymethods]
impl PyRowMutations {
    #[new]
    fn new(row: RowKey<'_, '_>, mutations: &Bound<'_, PyAny>) -> PyResult<Self> {
        row_mutations(&row.0, mutations.as_borrowed()).map(PyRowMutations)
    }

    /// The row key.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.0.row)
    }

    /// The mutations, each as an object of its class.
    #[getter]
    fn mutations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let objects = self.0.mutations.iter().map(|mutation| object_of(py, mutation.clone()));
        PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("RowMutations({}, {} mutations)", show::short(py, &self.0.row)?, self.0.mutations.len()))
    }
}

/// A read of one row, for `multi`.
#[pyclass(frozen, name = "Get", module = "rowstone")]
pub struct PyGet(pub Get);

#[pymethods]
impl PyGet {
    #[new]
    #[pyo3(signature = (row, columns=None, **options), text_signature = "(row, columns=None, *, versions=1, \
        time_range=None, timestamp=None, family_time_ranges=None, cells_per_family=None, offset_per_family=0, \
        cache_blocks=True, filter=None)")]
    fn new(row: RowKey<'_, '_>, columns: Option<Columns>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Ok(PyGet(Get::new(row.0, read_options("Get", columns, options)?)))
    }

    /// The row key.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.0.row)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let parts = [vec![show::short(py, &self.0.row)?], show::read_options(py, &self.0.options)?].concat();
        Ok(format!("Get({})", parts.join(", ")))
    }
}

/// The Python object for a mutation.
pub fn object_of(py: Python<'_>, mutation: Mutation) -> PyResult<Bound<'_, PyAny>> {
    Ok(match mutation.kind {
        MutationKind::Put => Bound::new(py, Put(mutation))?.into_any(),
        MutationKind::Delete => Bound::new(py, Delete::of(mutation))?.into_any(),
        MutationKind::Increment => Bound::new(py, Increment(mutation))?.into_any(),
        MutationKind::Append => Bound::new(py, Append(mutation))?.into_any(),
    })
}

/// HBase's name for a durability.
pub fn durability_name(durability: Durability) -> &'static str {
    match durability {
        Durability::UseDefault => "USE_DEFAULT",
        Durability::SkipWal => "SKIP_WAL",
        Durability::AsyncWal => "ASYNC_WAL",
        Durability::SyncWal => "SYNC_WAL",
        Durability::FsyncWal => "FSYNC_WAL",
    }
}

/// Extracts the mutation in `object`.
pub fn mutation_of(object: Borrowed<'_, '_, PyAny>) -> PyResult<Mutation> {
    if let Ok(put) = object.cast::<Put>() {
        Ok(put.get().0.clone())
    } else if let Ok(delete) = object.cast::<Delete>() {
        Ok(delete.get().use_mutation())
    } else if let Ok(increment) = object.cast::<Increment>() {
        Ok(increment.get().0.clone())
    } else if let Ok(append) = object.cast::<Append>() {
        Ok(append.get().0.clone())
    } else {
        Err(wrong_type("mutation", "a Put, Delete, Increment or Append", &object))
    }
}

/// Extracts the mutations in `object`, all of `row`: one, a list of them, or a `RowMutations`.
pub fn row_mutations(row: &[u8], object: Borrowed<'_, '_, PyAny>) -> PyResult<RowMutations> {
    let mut mutations = Vec::new();
    if let Ok(whole) = object.cast::<PyRowMutations>() {
        mutations.clone_from(&whole.get().0.mutations);
    } else if let Ok(items) = object.try_iter() {
        for item in items {
            mutations.push(mutation_of(item?.as_borrowed())?);
        }
    } else {
        mutations.push(mutation_of(object)?);
    }
    if mutations.is_empty() {
        return Err(invalid(object.py(), "no mutations: the list is empty"));
    }
    if let Some(other) = mutations.iter().find(|mutation| mutation.row[..] != *row) {
        let (row, other) = (rowstone_model::codec::printable(row), rowstone_model::codec::printable(&other.row));
        let message = format!("the mutations of row '{row}' include one of row '{other}'; all must be of one row");
        return Err(invalid(object.py(), message));
    }
    Ok(RowMutations { row: row.to_vec(), mutations })
}

/// Extracts the action of a multi in `object`.
pub fn action_of(object: Borrowed<'_, '_, PyAny>) -> PyResult<Action> {
    if let Ok(get) = object.cast::<PyGet>() {
        Ok(Action::Get(get.get().0.clone()))
    } else if let Ok(whole) = object.cast::<PyRowMutations>() {
        Ok(Action::MutateRow(whole.get().0.clone()))
    } else {
        mutation_of(object).map(Action::Mutate)
    }
}
