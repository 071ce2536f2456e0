//! Connecting to a cluster, and the trace headers of calls to it.

use crate::arguments::{integer, text_of};
use crate::call::interruptible;
use crate::configuration::settings;
use crate::database::Database;
use crate::errors::{invalid, raise};
use crate::security::PyInitiator;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_rpc::{open, Credentials, OpenOptions, PlainMessage, Protection, TlsOptions};
use std::path::PathBuf;
use std::sync::Arc;

fn timeout_ms(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    integer(name, value, 1, i64::MAX).map(|ms| Some(ms as u64))
}

/// Converts the given options; an unknown name is an error.
fn options_of(given: &Bound<'_, PyDict>) -> PyResult<OpenOptions> {
    let mut options = OpenOptions::default();
    for (name, value) in given {
        let name = text_of("option", name.as_borrowed())?;
        match name.as_str() {
            "user" => options.user = Some(text_of("user", value.as_borrowed())?),
            "password" => options.credentials = password_of(&value)?,
            "kerberos" => options.credentials = kerberos_of(&value)?,
            "impersonate" => options.impersonate = Some(text_of("impersonate", value.as_borrowed())?),
            "operation_timeout_ms" => options.operation_timeout_ms = timeout_ms(&name, &value)?,
            "rpc_timeout_ms" => options.rpc_timeout_ms = timeout_ms(&name, &value)?,
            "connect_timeout_ms" => options.connect_timeout_ms = timeout_ms(&name, &value)?,
            "compression" => options.compression = Some(text_of("compression", value.as_borrowed())?),
            "tls" => options.tls = Some(tls_of(&value)?),
            "hosts" => options.hosts = settings(Some(value.cast::<PyDict>()?))?,
            _ => return Err(invalid(given.py(), format!("a cluster has no option '{name}'"))),
        }
    }
    Ok(options)
}

/// TLS files: (trusted certificates, own certificate, own key).
fn tls_of(value: &Bound<'_, PyAny>) -> PyResult<TlsOptions> {
    let (ca, certificate, key): (PathBuf, Option<PathBuf>, Option<PathBuf>) = value.extract()?;
    Ok(TlsOptions { ca, identity: certificate.zip(key) })
}

/// A pair (user, password).
fn password_of(value: &Bound<'_, PyAny>) -> PyResult<Credentials> {
    let (user, password) = value.extract()?;
    Ok(Credentials::Password(PlainMessage { user, password }))
}

/// The Kerberos initiator, and the acceptable levels of protection.
fn kerberos_of(value: &Bound<'_, PyAny>) -> PyResult<Credentials> {
    let (initiator, protections): (Bound<'_, PyAny>, String) = value.extract()?;
    let protections = Protection::parse_list(&protections).map_err(|error| raise(value.py(), &error))?;
    Ok(Credentials::Kerberos(Arc::new(PyInitiator(initiator.unbind())), protections))
}

/// Connects to the cluster at `url`.
#[pyfunction]
pub fn open_cluster(py: Python<'_>, url: String, options: &Bound<'_, PyDict>) -> PyResult<Database> {
    let options = options_of(options)?;
    let backend = interruptible(py, move || open(&url, options))?;
    Ok(Database::new(backend))
}

/// Sets the trace headers of this thread's calls to a cluster; returns the previous ones.
#[pyfunction]
pub fn set_trace_headers(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    rowstone_rpc::set_trace_headers(headers)
}
