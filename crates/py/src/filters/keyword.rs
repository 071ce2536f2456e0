//! The keyword argument `filter=`: a filter, an expression, or text of the filter language.

use super::convert::{filter, is_a};
use crate::arguments::{bytes_of, to_bytes};
use crate::columns::is_single;
use crate::errors::{raise, wrong_type};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rowstone_model::filter::{language, Filter};
use rowstone_model::operations::{ColumnSelection, ReadOptions};
use std::sync::Arc;

/// A family and a qualifier.
type Column = (Vec<u8>, Vec<u8>);

/// Sets the filter in `options`. An expression may test columns that the caller did not request: they are read too,
/// but omitted from the results.
#[cold]
pub fn read_filter(options: &mut ReadOptions, object: &Bound<'_, PyAny>) -> PyResult<()> {
    options.filter = Some(filter_of(object, &mut options.columns)?);
    Ok(())
}

/// Converts `object` to a filter, for a read of `columns`.
pub fn filter_of(object: &Bound<'_, PyAny>, columns: &mut ColumnSelection) -> PyResult<Arc<Filter>> {
    if is_single(object.as_borrowed()) {
        let text = bytes_of("filter", object.as_borrowed())?;
        return language::parse(&text).map(Arc::new).map_err(|error| raise(object.py(), &error));
    }
    if is_a(object, "Filter")? {
        return filter(object).map(Arc::new);
    }
    if !is_a(object, "Expression")? {
        return Err(wrong_type("filter", "a filter, an expression, or text of the filter language", object));
    }
    let made = object.call_method1("_compile", (selection(object.py(), columns)?,))?;
    let (made, tested): (Bound<'_, PyAny>, Vec<Column>) = made.extract()?;
    for (family, qualifier) in tested {
        columns.add_column(&family, &qualifier);
    }
    filter(&made).map(Arc::new)
}

/// The columns of a read as pairs (family, qualifiers or `None` for all); `None` if every family is read.
fn selection<'py>(py: Python<'py>, columns: &ColumnSelection) -> PyResult<Option<Bound<'py, PyList>>> {
    if columns.is_all() {
        return Ok(None);
    }
    let mut pairs = Vec::with_capacity(columns.families.len());
    for (family, qualifiers) in &columns.families {
        let qualifiers =
            qualifiers.as_ref().map(|qualifiers| PyList::new(py, qualifiers.iter().map(|q| to_bytes(py, q))));
        let pair = (to_bytes(py, family), qualifiers.transpose()?);
        pairs.push(PyTuple::new(py, [pair.0.into_any(), pair.1.into_pyobject(py)?])?);
    }
    PyList::new(py, pairs).map(Some)
}
