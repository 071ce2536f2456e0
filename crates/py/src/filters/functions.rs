//! Functions called by the Python classes: normal form, text form, and parsing.

use super::convert::{comparator, filter, filter_object, object};
use crate::arguments::{to_bytes, Value};
use crate::errors::raise;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rowstone_model::filter::{language, Comparator, Filter, Part};
use rowstone_rpc::filter::from_bytes;

/// The fields of the comparator `object`, in their normal form.
#[pyfunction]
pub fn comparator_fields<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let value = comparator(object)?;
    fields(object.py(), Comparator::fields(value.name()), value.parts())
}

/// The fields of the filter `object`, in their normal form, without those that contain filters.
#[pyfunction]
pub fn filter_fields<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let value = filter(object)?;
    fields(object.py(), Filter::fields(value.name()), value.parts())
}

fn fields<'py>(py: Python<'py>, names: Option<&[&str]>, parts: Vec<Part>) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for (name, part) in names.unwrap_or_default().iter().zip(parts) {
        let holds_filters = match &part {
            Part::Filter(_) => true,
            Part::List(parts) => matches!(parts.first(), Some(Part::Filter(_))),
            _ => false,
        };
        if !holds_filters {
            fields.set_item(name, object(py, part)?)?;
        }
    }
    Ok(fields)
}

/// Formats the filter `object` in HBase's filter language.
#[pyfunction]
pub fn filter_text<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let text = language::print(&filter(object)?).map_err(|error| raise(object.py(), &error))?;
    Ok(to_bytes(object.py(), &text))
}

/// Parses `text` in HBase's filter language.
#[pyfunction]
pub fn parse_filter<'py>(py: Python<'py>, text: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    let filter = language::parse(&text.0).map_err(|error| raise(py, &error))?;
    filter_object(py, &filter)
}

/// Decodes a filter from HBase's message.
#[pyfunction]
pub fn unpack_filter<'py>(py: Python<'py>, message: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    let filter = from_bytes(&message.0).map_err(|error| raise(py, &error))?;
    filter_object(py, &filter)
}

/// The names of all filters and comparators, each with its field names.
#[pyfunction]
pub fn filter_classes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let classes = PyDict::new(py);
    let filters = Filter::NAMES.iter().map(|name| (name, Filter::fields(name)));
    let comparators = Comparator::NAMES.iter().map(|name| (name, Comparator::fields(name)));
    for (name, fields) in filters.chain(comparators) {
        classes.set_item(name, fields.unwrap_or_default().to_vec())?;
    }
    Ok(classes)
}
