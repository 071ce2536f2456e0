//! Keywords of calls, as a dict: which a call has none of, and the error for an unknown one.

use crate::errors::raise_named;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keywords that a call has no parameters for.
pub type Keywords<'a, 'py> = Option<&'a Bound<'py, PyDict>>;

/// Raises `InvalidType` if a hot `function` was called with one of these names of other clients.
///
/// Each such name is a parameter that the text signature leaves out. A misspelt keyword gets PyO3's error, without a hint.
/// `**others` would give it one, but costs a tuple and a dict for each call. A get would take 420 ns instead of 390, and
/// 580 instead of 450 with a keyword. A put into a batch with a timestamp would take 600 ns instead of 445.
#[inline]
pub fn refuse_names(py: Python<'_>, function: &str, names: &[(&str, bool)]) -> PyResult<()> {
    match names.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => Err(unexpected(py, function, name)),
    }
}

/// Raises `InvalidType` if `function`, such as `Table.batch`, was called with keywords that it does not have.
#[inline]
pub fn refuse(py: Python<'_>, function: &str, keywords: Keywords<'_, '_>) -> PyResult<()> {
    match keywords.and_then(|keywords| keywords.keys().iter().next()) {
        None => Ok(()),
        Some(name) => Err(unexpected(py, function, name.extract::<&str>()?)),
    }
}

/// `InvalidType` for the keyword `name`, which `function` does not have, with the name that was probably meant.
#[cold]
pub fn unexpected(py: Python<'_>, function: &str, name: &str) -> PyErr {
    let message = py
        .import("rowstone._base.options.groups")
        .and_then(|groups| groups.call_method1("describe_unexpected", (function, name)))
        .and_then(|message| message.extract::<String>());
    match message {
        Ok(message) => raise_named(py, "InvalidType", &message),
        Err(problem) => problem,
    }
}
