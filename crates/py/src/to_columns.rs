//! A scan as lists of Python objects, column by column.

use crate::arguments::to_bytes;
use crate::row::Row;
use crate::scanner::Scanner;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;

/// The rest of the scan as (row keys, {column: values}), with `None` where a row lacks a column.
pub fn to_columns<'py>(py: Python<'py>, scanner: &Scanner) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>)> {
    let (keys, columns) = (PyList::empty(py), PyDict::new(py));
    while let Some((batch, range)) = scanner.advance(py)? {
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
