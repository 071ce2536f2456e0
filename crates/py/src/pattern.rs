//! Regular expressions of callers.

use crate::call::detached;
use crate::errors::raise;
use pyo3::prelude::*;
use rowstone_model::filter::{flags, Charset, Pattern as ModelPattern};

/// A regular expression in Java's dialect with bounded matching: Python's `re` may backtrack forever while it holds
/// the interpreter. With `unicode`, classes such as `\\d` and line ends are those of Python's `re`.
#[pyclass(frozen, module = "rowstone._native")]
pub struct Pattern(ModelPattern);

#[pymethods]
impl Pattern {
    #[new]
    #[pyo3(signature = (pattern, *, whole = true, unicode = false))]
    fn new(py: Python<'_>, pattern: &str, whole: bool, unicode: bool) -> PyResult<Self> {
        let flags = if unicode { flags::UNIX_LINES | flags::UNICODE_CHARACTER_CLASS } else { 0 };
        let make = if whole { ModelPattern::whole } else { ModelPattern::new };
        make(pattern, flags, Charset::Utf8).map(Pattern).map_err(|error| raise(py, &error))
    }

    /// Whether the text matches. Raises `InvalidArgument` if that takes too many steps.
    fn matches(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        detached(py, || self.0.is_in(text.as_bytes()))
    }
}
