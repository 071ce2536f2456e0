//! The Delete class, with the four kinds of markers.

use crate::arguments::{to_bytes, DurabilityName, RowKey, Timestamp};
use crate::cell::cell_list;
use crate::columns::{with_column, with_full_column};
use crate::errors::{invalid, raise, wrong_type};
use crate::mutations::durability_name;
use crate::show;
use crate::writes::{add_marker, add_markers, Reach, WriteArguments};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use pyo3::Borrowed;
use rowstone_engine::sys::lock::Mutex;
use rowstone_model::cell::LATEST_TIMESTAMP;
use rowstone_model::operations::{Mutation, MutationKind};
use rowstone_model::Error;

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

/// Interprets the arguments `timestamp` and `version` of a delete.
pub fn reach_of(py: Python<'_>, timestamp: Option<Timestamp>, version: Option<&Bound<'_, PyAny>>) -> PyResult<Reach> {
    match (timestamp, version) {
        (None, None) => Ok(Reach::UpTo(LATEST_TIMESTAMP)),
        (Some(timestamp), None) => Ok(Reach::UpTo(timestamp.0)),
        (None, Some(version)) => match version.cast::<PyString>() {
            Ok(text) if text.to_str().is_ok_and(|text| text.eq_ignore_ascii_case("latest")) => Ok(Reach::Newest),
            Ok(_) => Err(wrong_type("version", "a timestamp or 'latest'", version)),
            Err(_) => Ok(Reach::Exactly(version.extract::<Timestamp>()?.0)),
        },
        (Some(_), Some(_)) => Err(invalid(py, "pass either timestamp (all versions up to it) or version (exactly it)")),
    }
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
    #[pyo3(signature = (row, columns=None, *, timestamp=None, version=None, durability=None))]
    fn new(
        py: Python<'_>,
        row: RowKey<'_>,
        columns: Option<Bound<'_, PyAny>>,
        timestamp: Option<Timestamp>,
        version: Option<Bound<'_, PyAny>>,
        durability: Option<DurabilityName>,
    ) -> PyResult<Self> {
        let reach = reach_of(py, timestamp, version.as_ref())?;
        let columns = columns.as_ref().map(|columns| columns.as_borrowed());
        let mutation = delete_mutation(py, &row.0, columns, (reach, durability))?;
        Ok(Delete(Mutex::new(State { mutation, is_used: false })))
    }

    /// Delete one version of a column: at `ts`, by default at the delete's own timestamp, otherwise the newest.
    #[pyo3(signature = (column, ts=None))]
    fn add_column<'py>(
        slf: Bound<'py, Self>,
        column: &Bound<'py, PyAny>,
        ts: Option<Timestamp>,
    ) -> PyResult<Bound<'py, Self>> {
        with_full_column(column.as_borrowed(), |family, qualifier| {
            slf.get().add(slf.py(), (family, Some(qualifier)), |own| match ts.map_or(own, |ts| ts.0) {
                LATEST_TIMESTAMP => Reach::Newest,
                timestamp => Reach::Exactly(timestamp),
            })
        })?;
        Ok(slf)
    }

    /// Delete all versions of a column up to `ts`, by default up to the delete's own timestamp, otherwise up to now.
    #[pyo3(signature = (column, ts=None))]
    fn add_columns<'py>(
        slf: Bound<'py, Self>,
        column: &Bound<'py, PyAny>,
        ts: Option<Timestamp>,
    ) -> PyResult<Bound<'py, Self>> {
        with_full_column(column.as_borrowed(), |family, qualifier| {
            slf.get().add(slf.py(), (family, Some(qualifier)), |own| Reach::UpTo(ts.map_or(own, |ts| ts.0)))
        })?;
        Ok(slf)
    }

    /// Delete all versions of all columns of a family up to `ts`, by default up to the delete's own timestamp,
    /// otherwise up to now.
    #[pyo3(signature = (family, ts=None))]
    fn add_family<'py>(
        slf: Bound<'py, Self>,
        family: &Bound<'py, PyAny>,
        ts: Option<Timestamp>,
    ) -> PyResult<Bound<'py, Self>> {
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
