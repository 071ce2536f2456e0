//! Writes with results or reads: increments and appends, newest versions, conditions.

use crate::arguments::{to_bytes, DurabilityName, Operator, Range, Value};
use crate::call::detached;
use crate::columns::{for_each_column, is_single, with_full_column};
use crate::delete::{add_marker, delete_mutation, Reach};
use crate::errors::{raise_named, wrong_type};
use crate::filters::filter_of;
use crate::handle::Handle;
use crate::mutations::row_mutations;
use crate::row::Row;
use crate::writes::{add_change, add_changes, WriteArguments};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use pyo3::Borrowed;
use rowstone_model::backend::TableBackend;
use rowstone_model::cell::LATEST_TIMESTAMP;
use rowstone_model::operations::{
    CheckAndMutate, ColumnSelection, Condition, Get, Mutation, MutationKind, ReadOptions, RowMutations, TimeRange,
    ValueCondition,
};
use std::sync::Arc;

type Backend = Arc<dyn TableBackend>;

/// Runs an increment or append: returns the new value if one column was named, otherwise the row of new values.
pub fn change<'py>(
    backend: &Backend,
    row: &[u8],
    (kind, arguments): (MutationKind, WriteArguments),
    (column, change): (&Bound<'py, PyAny>, Option<&Bound<'py, PyAny>>),
) -> PyResult<Bound<'py, PyAny>> {
    let py = column.py();
    let mut mutation = arguments.mutation(py, kind, row)?;
    match change {
        Some(change) => add_change(&mut mutation, column.as_borrowed(), change.as_borrowed())?,
        None if is_single(column.as_borrowed()) => return Err(wrong_type("value", "bytes or str", py.None().bind(py))),
        None => add_changes(&mut mutation, column.as_borrowed())?,
    }
    let result = detached(py, || backend.mutate(mutation))?;
    if change.is_none() {
        return Ok(Row::single(result, || to_bytes(py, row)).into_object(py)?.into_any());
    }
    let value = result.cells.iter().next().map(|cell| cell.value()).unwrap_or_default();
    match (kind, <[u8; 8]>::try_from(value)) {
        (MutationKind::Increment, Ok(number)) => Ok(PyInt::new(py, i64::from_be_bytes(number)).into_any()),
        _ => Ok(to_bytes(py, value).into_any()),
    }
}

/// The mutation of a delete from a table; `None` if there is no version to delete.
pub fn delete_of(
    py: Python<'_>,
    handle: &Handle,
    row: &[u8],
    (columns, (reach, durability)): (Option<Borrowed<'_, '_, PyAny>>, (Reach, Option<DurabilityName>)),
) -> PyResult<Option<Mutation>> {
    match (columns, reach) {
        (_, Reach::Newest) => newest_markers(py, &handle.table, row, (columns, durability)),
        (None, Reach::Exactly(_)) => {
            let families = handle.families(py)?;
            delete_mutation(py, row, Some(families.as_borrowed()), (reach, durability)).map(Some)
        }
        _ => delete_mutation(py, row, columns, (reach, durability)).map(Some),
    }
}

/// Markers that delete the newest version of each column in `columns`; families are read to find their columns. Empty
/// if the row has none of them.
fn newest_markers(
    py: Python<'_>,
    backend: &Backend,
    row: &[u8],
    (columns, durability): (Option<Borrowed<'_, '_, PyAny>>, Option<DurabilityName>),
) -> PyResult<Option<Mutation>> {
    let mut mutation = delete_mutation(py, row, None, (Reach::UpTo(LATEST_TIMESTAMP), durability))?;
    let mut families = ColumnSelection::default();
    if let Some(columns) = columns {
        for_each_column(columns, |family, qualifier| {
            match qualifier {
                None => families.add_family(family),
                Some(_) => add_marker(&mut mutation, family, qualifier, Reach::Newest)
                    .map_err(|error| crate::errors::raise(py, &error))?,
            }
            Ok(())
        })?;
    }
    if columns.is_none() || !families.is_all() {
        let options = ReadOptions { columns: families, ..ReadOptions::default() };
        let get = Get::new(row, options);
        for cell in &detached(py, || backend.get(&get))?.cells {
            add_marker(&mut mutation, cell.family(), Some(cell.qualifier()), Reach::Newest)
                .map_err(|error| crate::errors::raise(py, &error))?;
        }
    }
    Ok((!mutation.cells.is_empty()).then_some(mutation))
}

/// The result of a check-and-mutate; true if the condition held.
#[pyclass(frozen, name = "CheckResult", module = "rowstone")]
pub struct CheckOutcome {
    success: bool,
    row: Py<Row>,
}

#[pymethods]
impl CheckOutcome {
    /// Whether the condition held and the mutations were applied.
    #[getter]
    fn success(&self) -> bool {
        self.success
    }

    /// The new values of increments and appends; an empty row for other mutations.
    #[getter]
    fn row(&self, py: Python<'_>) -> Py<Row> {
        self.row.clone_ref(py)
    }

    fn __bool__(&self) -> bool {
        self.success
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let success = if self.success { "True" } else { "False" };
        Ok(format!("CheckResult(success={success}, row={})", self.row.bind(py).repr()?))
    }
}

/// A comparison: column, operator and value. `None` as the value tests whether the column is absent or empty.
pub type Comparison<'a, 'py> = (Option<Borrowed<'a, 'py, PyAny>>, Option<Operator>, Option<Value<'a>>);

/// The condition of a check-and-mutate: a comparison, or a filter that must pass a cell of the row.
pub fn condition_of(
    py: Python<'_>,
    (column, operator, value): Comparison<'_, '_>,
    filter: Option<&Bound<'_, PyAny>>,
    time_range: Option<Range>,
) -> PyResult<Condition> {
    let time_range = time_range.map_or(TimeRange::ALL, |range| range.0);
    match (column, operator, filter) {
        (None, None, Some(filter)) if value.is_none() => {
            let filter = filter_of(filter, &mut ColumnSelection::default())?;
            Ok(Condition::Matches { filter, time_range })
        }
        (Some(column), Some(operator), None) => with_full_column(column, |family, qualifier| {
            Ok(Condition::Value(ValueCondition {
                family: family.to_vec(),
                qualifier: qualifier.to_vec(),
                operator: operator.0,
                value: value.map(|value| value.0.into_owned()),
                time_range,
            }))
        }),
        _ => Err(raise_named(py, "InvalidType", "a check needs column, operator and value, or filter")),
    }
}

/// The mutations to apply if the check holds.
pub fn mutations_of(py: Python<'_>, row: &[u8], mutation: Option<&Bound<'_, PyAny>>) -> PyResult<RowMutations> {
    match mutation {
        Some(mutation) => row_mutations(row, mutation.as_borrowed()),
        None => Err(raise_named(py, "InvalidType", "a check needs a mutation to apply if it holds")),
    }
}

/// Runs a check-and-mutate.
pub fn check_and_mutate(py: Python<'_>, backend: &Backend, check: CheckAndMutate) -> PyResult<CheckOutcome> {
    let key = check.mutations.row.clone();
    let result = detached(py, || backend.check_and_mutate(check))?;
    let row = Row::single(result.cells, || to_bytes(py, &key)).into_object(py)?;
    Ok(CheckOutcome { success: result.success, row: row.unbind() })
}
