//! Keywords of calls, as a dict: which a call has none of, and the error for an unknown one.

use crate::errors::raise_named;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keywords that a call has no parameters for.
pub type Keywords<'a, 'py> = Option<&'a Bound<'py, PyDict>>;

/// Raises `InvalidType` if a hot `function` was called with one of these names, which other clients have for its keywords.
///
/// They are parameters of their own, left out of the text signature, so a misspelt keyword gets PyO3's error, without a
/// hint. `**others` would make the call take a tuple and a dict: a get of 390 ns takes 420 ns then, one with a keyword 580
/// in place of 450, and a put into a batch with a timestamp 600 in place of 445.
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
