//! Opening a cluster.

use crate::arguments::{integer, text_of};
use crate::call::interruptible;
use crate::database::{settings, Database};
use crate::errors::invalid;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_rpc::{open, OpenOptions};

fn timeout_ms(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    integer(name, value, 1, i64::MAX).map(|ms| Some(ms as u64))
}

/// The options that are given; an unknown name is an error.
fn options_of(given: &Bound<'_, PyDict>) -> PyResult<OpenOptions> {
    let mut options = OpenOptions::default();
    for (name, value) in given {
        let name = text_of("option", name.as_borrowed())?;
        match name.as_str() {
            "user" => options.user = Some(text_of("user", value.as_borrowed())?),
            "operation_timeout_ms" => options.operation_timeout_ms = timeout_ms(&name, &value)?,
            "rpc_timeout_ms" => options.rpc_timeout_ms = timeout_ms(&name, &value)?,
            "connect_timeout_ms" => options.connect_timeout_ms = timeout_ms(&name, &value)?,
            "hosts" => options.hosts = settings(Some(value.cast::<PyDict>()?))?,
            _ => return Err(invalid(given.py(), format!("a cluster has no option '{name}'"))),
        }
    }
    Ok(options)
}

/// Opens the cluster at `url`.
#[pyfunction]
pub fn open_cluster(py: Python<'_>, url: String, options: &Bound<'_, PyDict>) -> PyResult<Database> {
    let options = options_of(options)?;
    let backend = interruptible(py, move || open(&url, options))?;
    Ok(Database::new(backend))
}
