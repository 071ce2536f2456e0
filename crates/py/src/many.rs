//! Operations on many rows in one call. They run in portions, and Ctrl-C is handled after each.

use crate::arguments::to_bytes;
use crate::call::{detached, detached_many};
use crate::errors::{exception, wrong_type};
use crate::mutations::action_of;
use crate::row::Row;
use pyo3::prelude::*;
use pyo3::types::PyList;
use rowstone_model::backend::TableBackend;
use rowstone_model::operations::{Action, ActionResult, CellBatch, Get};
use std::sync::Arc;

type Backend = Arc<dyn TableBackend>;

/// Reads or actions per portion: some milliseconds of work.
const PORTION: usize = 4096;

/// Gets the rows in the order of `gets`.
pub fn get_many<'py>(backend: &Backend, py: Python<'py>, gets: &[Get]) -> PyResult<Bound<'py, PyList>> {
    let mut rows = Vec::with_capacity(gets.len());
    for portion in gets.chunks(PORTION) {
        let batch = Arc::new(detached(py, || backend.get_many(portion))?);
        for (get, range) in portion.iter().zip(&batch.rows) {
            let row = match range.cell_count {
                0 => Row::missing(to_bytes(py, &get.row)),
                _ => Row::new(Arc::clone(&batch), *range),
            };
            rows.push(row.into_object(py)?);
        }
        py.check_signals()?;
    }
    PyList::new(py, rows)
}

/// Whether each of `gets` would return a cell.
pub fn exists_many(backend: &Backend, py: Python<'_>, gets: &[Get]) -> PyResult<Vec<bool>> {
    let mut found = Vec::with_capacity(gets.len());
    for portion in gets.chunks(PORTION) {
        found.extend(detached(py, || backend.exists_many(portion))?);
        py.check_signals()?;
    }
    Ok(found)
}

fn row_of(action: &Action) -> &[u8] {
    match action {
        Action::Get(get) => &get.row,
        Action::Mutate(mutation) => &mutation.row,
        Action::MutateRow(mutations) => &mutations.row,
    }
}

/// Runs the actions of a multi.
pub fn multi<'py>(backend: &Backend, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let py = actions.py();
    let iterator =
        actions.try_iter().map_err(|_| wrong_type("actions", "an iterable of mutations and gets", actions))?;
    let mut actions = iterator.map(|action| action_of(action?.as_borrowed())).collect::<PyResult<Vec<Action>>>()?;
    let mut objects = Vec::with_capacity(actions.len());
    let row = |batch: CellBatch, key: &[u8]| Ok(Row::single(batch, || to_bytes(py, key)).into_object(py)?.into_any());
    while !actions.is_empty() {
        let rest = actions.split_off(actions.len().min(PORTION));
        let keys: Vec<Vec<u8>> = actions.iter().map(|action| row_of(action).to_vec()).collect();
        let results = detached_many(py, || backend.multi(actions))?;
        let portion = results.into_iter().zip(&keys).map(|(result, key)| match result {
            Ok(ActionResult::Row(batch)) => row(batch, key),
            Ok(ActionResult::Done) => Ok(py.None().into_bound(py)),
            Err(error) => Ok(exception(py, &error)),
        });
        objects.extend(portion.collect::<PyResult<Vec<_>>>()?);
        actions = rest;
        py.check_signals()?;
    }
    PyList::new(py, objects)
}
