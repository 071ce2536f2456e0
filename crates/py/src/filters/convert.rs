//! Conversion of Python filter objects to the model's filters and back, field by field.

use crate::arguments::{bytes_of, to_bytes};
use crate::errors::{invalid, raise, wrong_type};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};
use rowstone_model::filter::{Comparator, Decimal, Filter, Part};

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// The module `rowstone.filters`.
pub(super) fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    MODULE.get_or_try_init(py, || py.import("rowstone.filters").map(Bound::unbind)).map(|module| module.bind(py))
}

/// Whether `object` is an instance of class `name` in `rowstone.filters`.
pub(super) fn is_a(object: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    object.is_instance(&module(object.py())?.getattr(name)?)
}

/// Converts a Python `Filter`.
pub(super) fn filter(object: &Bound<'_, PyAny>) -> PyResult<Filter> {
    let name = class_name(object)?;
    let parts = parts(object, Filter::fields(&name))?;
    Filter::from_parts(&name, parts).map_err(|error| raise(object.py(), &error))
}

/// Converts a Python `Comparator`.
pub(super) fn comparator(object: &Bound<'_, PyAny>) -> PyResult<Comparator> {
    let name = class_name(object)?;
    let parts = parts(object, Comparator::fields(&name))?;
    Comparator::from_parts(&name, parts).map_err(|error| raise(object.py(), &error))
}

fn class_name(object: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(object.get_type().name()?.to_string())
}

fn parts(object: &Bound<'_, PyAny>, fields: Option<&[&str]>) -> PyResult<Vec<Part>> {
    fields.unwrap_or_default().iter().map(|field| part(&object.getattr(field)?)).collect()
}

fn part(object: &Bound<'_, PyAny>) -> PyResult<Part> {
    if object.is_none() {
        Ok(Part::None)
    } else if let Ok(value) = object.cast::<PyBool>() {
        Ok(Part::Bool(value.is_true()))
    } else if object.is_instance_of::<PyInt>() {
        let number = object.extract().map_err(|_| invalid(object.py(), format!("{object} does not fit 64 bits")))?;
        Ok(Part::Int(number))
    } else if object.is_instance_of::<PyFloat>() {
        Ok(Part::Float(object.extract()?))
    } else if object.is_instance_of::<PyString>() {
        Ok(Part::Text(String::from_utf8_lossy(&bytes_of("text", object.as_borrowed())?).into_owned()))
    } else if object.is_instance_of::<PyList>()
        || object.is_instance_of::<PyTuple>()
        || object.is_instance_of::<PySet>()
        || object.is_instance_of::<PyFrozenSet>()
    {
        object.try_iter()?.map(|item| part(&item?)).collect::<PyResult<_>>().map(Part::List)
    } else if is_a(object, "Filter")? {
        filter(object).map(Part::Filter)
    } else if is_a(object, "Comparator")? {
        comparator(object).map(Part::Comparator)
    } else if let Some(bytes) = decimal_bytes(object)? {
        Ok(Part::Decimal(Decimal::from_bytes(bytes).map_err(|error| raise(object.py(), &error))?))
    } else {
        let bytes = bytes_of("a field", object.as_borrowed());
        let wanted = "bytes, str, a number, a filter, a comparator or a list";
        bytes
            .map(|bytes| Part::Bytes(bytes.into_owned()))
            .map_err(|_| wrong_type("a field of a filter", wanted, object))
    }
}

/// A `decimal.Decimal` in HBase's encoding; `None` for other objects.
fn decimal_bytes(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    object.py().import("rowstone.filters._decimals")?.getattr("decimal_bytes")?.call1((object,))?.extract()
}

/// The Python object for a filter.
pub(super) fn filter_object<'py>(py: Python<'py>, filter: &Filter) -> PyResult<Bound<'py, PyAny>> {
    module(py)?.getattr(filter.name())?.call1(objects(py, filter.parts())?)
}

fn objects(py: Python<'_>, parts: Vec<Part>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, parts.into_iter().map(|part| object(py, part)).collect::<PyResult<Vec<_>>>()?)
}

/// The Python object for a field.
pub(super) fn object(py: Python<'_>, part: Part) -> PyResult<Bound<'_, PyAny>> {
    Ok(match part {
        Part::None => py.None().into_bound(py),
        Part::Bytes(bytes) => to_bytes(py, &bytes).into_any(),
        Part::Text(text) => PyString::new(py, &text).into_any(),
        Part::Int(number) => PyInt::new(py, number).into_any(),
        Part::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
        Part::Float(number) => PyFloat::new(py, number).into_any(),
        Part::Decimal(decimal) => py
            .import("rowstone.filters._decimals")?
            .getattr("decimal_of")?
            .call1((to_bytes(py, decimal.as_bytes()),))?,
        Part::Comparator(comparator) => {
            module(py)?.getattr(comparator.name())?.call1(objects(py, comparator.parts())?)?
        }
        Part::Filter(filter) => filter_object(py, &filter)?,
        Part::List(parts) => objects(py, parts)?.into_any(),
    })
}
