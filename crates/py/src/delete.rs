//! The Delete class, with the four kinds of markers.

use crate::arguments::{to_bytes, DurabilityName, RowKey, Timestamp};
use crate::cell::cell_list;
use crate::columns::{check_family, for_each_column, with_column, with_full_column};
use crate::errors::{invalid, raise, wrong_type};
use crate::keywords::{refuse, unexpected, Keywords};
use crate::mutations::durability_name;
use crate::show;
use crate::writes::{check_not_empty, push_cell, WriteArguments};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use pyo3::Borrowed;
use rowstone_engine::sys::lock::Mutex;
use rowstone_model::cell::{CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Mutation, MutationKind};
use rowstone_model::{Error, Result};

/// A delete of column versions of one row; without columns, of the whole row.
#[pyclass(frozen, module = "rowstone")]
pub struct Delete(Mutex<State>);

struct State {
    mutation: Mutation,
    is_used: bool,
}

impl Delete {
    /// Wraps `mutation`; the result is immutable.
    pub fn of(mutation: Mutation) -> Self {
        Delete(Mutex::new(State { mutation, is_used: true }))
    }

    /// Returns the mutation and makes this object immutable.
    pub fn use_mutation(&self) -> Mutation {
        let mut state = self.0.lock();
        state.is_used = true;
        state.mutation.clone()
    }

    /// Adds a marker; `choose` selects its versions, given the delete's own timestamp. The lock must not be
    /// held while an exception is created: that runs Python code.
    fn add(
        &self,
        py: Python<'_>,
        (family, qualifier): (&[u8], Option<&[u8]>),
        choose: impl FnOnce(i64) -> Reach,
    ) -> PyResult<()> {
        let mut state = self.0.lock();
        let outcome = if state.is_used {
            Err(Error::invalid("this Delete has been used and cannot be changed any more; create a new one"))
        } else {
            let reach = choose(state.mutation.timestamp);
            add_marker(&mut state.mutation, family, qualifier, reach)
        };
        drop(state);
        outcome.map_err(|error| raise(py, &error))
    }
}

/// The versions that a delete covers.
#[derive(Clone, Copy, PartialEq)]
pub enum Reach {
    /// All versions up to a timestamp.
    UpTo(i64),
    /// Exactly one version.
    Exactly(i64),
    /// The newest existing version.
    Newest,
}

/// Adds one delete marker: for a column, or for a family if `qualifier` is `None`.
///
/// # Errors
/// `NoSuchColumnFamily` for a name that no schema can have; `InvalidArgument` for the newest versions of a whole
/// family.
pub fn add_marker(mutation: &mut Mutation, family: &[u8], qualifier: Option<&[u8]>, reach: Reach) -> Result<()> {
    check_family(family)?;
    let (cell_type, timestamp) = match (qualifier, reach) {
        (None, Reach::UpTo(timestamp)) => (CellType::DeleteFamily, timestamp),
        (Some(_), Reach::UpTo(timestamp)) => (CellType::DeleteColumn, timestamp),
        (None, Reach::Exactly(timestamp)) => (CellType::DeleteFamilyVersion, timestamp),
        (Some(_), Reach::Exactly(timestamp)) => (CellType::Delete, timestamp),
        (Some(_), Reach::Newest) => (CellType::Delete, LATEST_TIMESTAMP),
        (None, Reach::Newest) => {
            return Err(Error::invalid("version='latest' of a whole family needs a table: call table.delete"));
        }
    };
    push_cell(mutation, (family, qualifier.unwrap_or_default()), timestamp, cell_type, (&[], &[]));
    Ok(())
}

/// Adds the markers of a delete of `columns`.
fn add_markers(mutation: &mut Mutation, columns: Borrowed<'_, '_, PyAny>, reach: Reach) -> PyResult<()> {
    let py = columns.py();
    for_each_column(columns, |family, qualifier| {
        add_marker(mutation, family, qualifier, reach).map_err(|error| raise(py, &error))
    })?;
    check_not_empty(py, mutation)
}

/// Reads the keywords of `function`, a delete: the versions to delete, and the durability.
#[inline]
pub fn delete_options(
    py: Python<'_>,
    function: &str,
    keywords: Keywords<'_, '_>,
) -> PyResult<(Reach, Option<DurabilityName>)> {
    let (mut timestamp, mut version, mut durability) = (None::<Timestamp>, None::<Bound<'_, PyAny>>, None);
    for (name, value) in keywords.into_iter().flat_map(|keywords| keywords.iter()) {
        match name.extract::<&str>()? {
            "timestamp" => timestamp = value.extract()?,
            "version" => version = value.extract()?,
            "durability" => durability = value.extract()?,
            name => return Err(unexpected(py, function, name)),
        }
    }
    let reach = match (timestamp, &version) {
        (None, None) => Reach::UpTo(LATEST_TIMESTAMP),
        (Some(timestamp), None) => Reach::UpTo(timestamp.0),
        (None, Some(version)) => match version.cast::<PyString>() {
            Ok(text) if text.to_str().is_ok_and(|text| text.eq_ignore_ascii_case("latest")) => Reach::Newest,
            Ok(_) => return Err(wrong_type("version", "a timestamp or 'latest'", version)),
            Err(_) => Reach::Exactly(version.extract::<Timestamp>()?.0),
        },
        (Some(_), Some(_)) => {
            return Err(invalid(py, "pass either timestamp (all versions up to it) or version (exactly it)"));
        }
    };
    Ok((reach, durability))
}

/// Builds a delete of `columns` of `row`; `None` deletes the whole row.
pub fn delete_mutation(
    py: Python<'_>,
    row: &[u8],
    columns: Option<Borrowed<'_, '_, PyAny>>,
    (reach, durability): (Reach, Option<DurabilityName>),
) -> PyResult<Mutation> {
    let mut mutation =
        WriteArguments { durability, ..WriteArguments::default() }.mutation(py, MutationKind::Delete, row)?;
    match (columns, reach) {
        (Some(columns), _) => add_markers(&mut mutation, columns, reach)?,
        (None, Reach::UpTo(timestamp)) => mutation.timestamp = timestamp,
        (None, _) => {
            let message = "version= without columns needs the table's families: call table.delete, or pass families";
            return Err(invalid(py, message));
        }
    }
    Ok(mutation)
}

#[pymethods]
impl Delete {
    #[new]
    #[pyo3(signature = (row, columns=None, **options), text_signature = "(row, columns=None, *, timestamp=None, \
        version=None, durability=None)")]
    fn new(
        py: Python<'_>,
        row: RowKey<'_, '_>,
        columns: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let columns = columns.as_ref().map(|columns| columns.as_borrowed());
        let mutation = delete_mutation(py, &row.0, columns, delete_options(py, "Delete", options)?)?;
        Ok(Delete(Mutex::new(State { mutation, is_used: false })))
    }

    /// Delete one version of a column: at `ts`, by default at the delete's own timestamp, otherwise the newest.
    #[pyo3(signature = (column, ts=None, **others), text_signature = "($self, column, ts=None)")]
    fn add_column<'py>(
        slf: Bound<'py, Self>,
        column: &Bound<'py, PyAny>,
        ts: Option<Timestamp>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        refuse(slf.py(), "Delete.add_column", others)?;
        with_full_column(column.as_borrowed(), |family, qualifier| {
            slf.get().add(slf.py(), (family, Some(qualifier)), |own| match ts.map_or(own, |ts| ts.0) {
                LATEST_TIMESTAMP => Reach::Newest,
                timestamp => Reach::Exactly(timestamp),
            })
        })?;
        Ok(slf)
    }

    /// Delete all versions of a column up to `ts`, by default up to the delete's own timestamp, otherwise up to now.
    #[pyo3(signature = (column, ts=None, **others), text_signature = "($self, column, ts=None)")]
    fn add_columns<'py>(
        slf: Bound<'py, Self>,
        column: &Bound<'py, PyAny>,
        ts: Option<Timestamp>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        refuse(slf.py(), "Delete.add_columns", others)?;
        with_full_column(column.as_borrowed(), |family, qualifier| {
            slf.get().add(slf.py(), (family, Some(qualifier)), |own| Reach::UpTo(ts.map_or(own, |ts| ts.0)))
        })?;
        Ok(slf)
    }

    /// Delete all versions of all columns of a family up to `ts`, by default up to the delete's own timestamp,
    /// otherwise up to now.
    #[pyo3(signature = (family, ts=None, **others), text_signature = "($self, family, ts=None)")]
    fn add_family<'py>(
        slf: Bound<'py, Self>,
        family: &Bound<'py, PyAny>,
        ts: Option<Timestamp>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        refuse(slf.py(), "Delete.add_family", others)?;
        with_column(family.as_borrowed(), |family, _| {
            slf.get().add(slf.py(), (family, None), |own| Reach::UpTo(ts.map_or(own, |ts| ts.0)))
        })?;
        Ok(slf)
    }

    /// Delete the versions of exactly `ts` in all columns of a family.
    fn add_family_version<'py>(
        slf: Bound<'py, Self>,
        family: &Bound<'py, PyAny>,
        ts: Timestamp,
    ) -> PyResult<Bound<'py, Self>> {
        with_column(family.as_borrowed(), |family, _| {
            slf.get().add(slf.py(), (family, None), |_| Reach::Exactly(ts.0))
        })?;
        Ok(slf)
    }

    /// The row key.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.0.lock().mutation.row)
    }

    /// The markers; empty if the whole row is deleted.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let cells = self.0.lock().mutation.cells.clone();
        cell_list(py, &cells)
    }

    /// The durability: "USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL" or "FSYNC_WAL".
    #[getter]
    fn durability(&self) -> &'static str {
        durability_name(self.0.lock().mutation.durability)
    }

    /// The timestamp up to which the whole row is deleted; 2**63 - 1 stands for the time of the write.
    #[getter]
    fn timestamp(&self) -> i64 {
        self.0.lock().mutation.timestamp
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mutation = self.0.lock().mutation.clone();
        Ok(format!("Delete({})", show::mutation(py, &mutation)?))
    }
}
