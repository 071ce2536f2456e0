//! A server for a database.

use crate::arguments::{integer, text_of};
use crate::call::interruptible;
use crate::database::Database;
use crate::errors::{invalid, raise};
use crate::fork::Guarded;
use crate::measured::{measured_of, slow_call_of, TracedCalls};
use crate::security::{PyAcceptor, PyAuthority};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_model::Error;
use rowstone_rpc::{
    Authentication, Protection, Server as RpcServer, ServerOptions, ServerTls, SlowLogOptions, Staging,
};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A running server; wrapped by `rowstone.Server`. It ends when it is stopped or garbage collected; the database
/// stays open.
#[pyclass(frozen, module = "rowstone._native")]
pub struct Server {
    server: Guarded<Arc<RpcServer>>,
    port: u16,
    zk_port: Option<u16>,
}

#[pymethods]
impl Server {
    /// The RPC port.
    #[getter]
    fn port(&self) -> u16 {
        self.port
    }

    /// The port of the ZooKeeper protocol, if enabled.
    #[getter]
    fn zk_port(&self) -> Option<u16> {
        self.zk_port
    }

    /// Set the port of the web UI, which clients can ask for.
    fn set_info_port(&self, py: Python<'_>, port: u16) -> PyResult<()> {
        self.server.get(py)?.set_info_port(port);
        Ok(())
    }

    /// Login counts: successes, failures, clients accepted without authentication, refused impersonations.
    fn logins(&self, py: Python<'_>) -> PyResult<[u64; 4]> {
        Ok(self.server.get(py)?.logins())
    }

    /// Metrics of calls since the start: dicts by name, times in nanoseconds.
    fn measured<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let server = Arc::clone(self.server.get(py)?);
        measured_of(py, py.detach(move || server.measured()))
    }

    /// The remembered slow and large calls, newest first.
    fn slow_calls<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let calls = self.server.get(py)?.slow_calls();
        calls.into_iter().map(|call| slow_call_of(py, call)).collect()
    }

    /// Clear the slow log.
    fn clear_slow_calls(&self, py: Python<'_>) -> PyResult<()> {
        self.server.get(py)?.clear_slow_calls();
        Ok(())
    }

    /// Finished calls, for tracing spans; the result may outlive the server.
    fn traced_calls(&self, py: Python<'_>) -> PyResult<TracedCalls> {
        Ok(TracedCalls(self.server.get(py)?.traced_calls()))
    }

    /// Close all connections, after a grace period for running calls. A second call does nothing.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        let server = Arc::clone(self.server.get(py)?);
        interruptible(py, move || {
            server.stop();
            Ok(())
        })
    }
}

fn port_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u16> {
    integer(name, value, 0, i64::from(u16::MAX)).map(|port| port as u16)
}

fn options_of(given: &Bound<'_, PyDict>) -> PyResult<ServerOptions> {
    let mut options = ServerOptions::default();
    for (name, value) in given {
        let name = text_of("option", name.as_borrowed())?;
        match name.as_str() {
            "host" => options.host = address_of(&value)?,
            "port" => options.port = port_of(&name, &value)?,
            "zk_port" if value.is_none() => options.zk_port = None,
            "zk_port" => options.zk_port = Some(port_of(&name, &value)?),
            "advertised" => options.advertised = Some(text_of("advertised", value.as_borrowed())?),
            "tls" => options.tls = Some(tls_of(&value)?),
            "authentication" => options.authentication = authentication_of(&value)?,
            "traces_calls" => options.traces_calls = value.extract()?,
            "staging" => options.staging = Some(staging_of(&value)?),
            "slow_log" => options.slow_log = slow_log_of(&value)?,
            "lease_ms" => options.lease = Duration::from_millis(integer(&name, &value, 1, 86_400_000)? as u64),
            "patience_ms" => options.patience = Duration::from_millis(integer(&name, &value, 1, 86_400_000)? as u64),
            "max_own_threads" => options.max_own_threads = integer(&name, &value, 0, 1 << 16)? as usize,
            "max_connections" => options.max_connections = integer(&name, &value, 1, 1 << 20)? as usize,
            "max_calls" => options.max_calls = integer(&name, &value, 1, 1 << 20)? as usize,
            "max_in_flight_bytes" => options.max_in_flight_bytes = integer(&name, &value, 1 << 20, 1 << 40)? as usize,
            "max_request_bytes" => options.max_request_bytes = integer(&name, &value, 1, 1 << 30)? as usize,
            _ => return Err(invalid(given.py(), format!("a server has no option '{name}'"))),
        }
    }
    Ok(options)
}

/// The staging directory, and that of the database, if it has one.
fn staging_of(value: &Bound<'_, PyAny>) -> PyResult<Staging> {
    let (folder, database): (PathBuf, Option<PathBuf>) = value.extract()?;
    Staging::new(&folder, database.as_deref()).map_err(|error| raise(value.py(), &error))
}

fn tls_of(value: &Bound<'_, PyAny>) -> PyResult<ServerTls> {
    let (certificate, key, client_ca, takes_plain_text) = value.extract()?;
    Ok(ServerTls { certificate, key, client_ca, takes_plain_text })
}

/// Authentication options: methods, certificate attribute, protections, user authority, Kerberos acceptor.
fn authentication_of(value: &Bound<'_, PyAny>) -> PyResult<Authentication> {
    type Given<'py> = (Vec<String>, String, String, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);
    let (methods, attribute, protections, authority, acceptor): Given<'_> = value.extract()?;
    let raised = |error: Error| raise(value.py(), &error);
    let has = |name: &str| methods.iter().any(|method| method == name);
    let acceptor = acceptor.map(|object| PyAcceptor::new(&object)).transpose()?;
    Ok(Authentication {
        simple: has("simple"),
        certificate: has("certificate").then_some(attribute),
        password: has("password"),
        kerberos: acceptor.map(|acceptor| Arc::new(acceptor) as Arc<_>),
        protections: Protection::parse_list(&protections).map_err(raised)?,
        authority: Some(Arc::new(PyAuthority(authority.unbind()))),
    })
}

/// Slow log options: whether it is on, thresholds in milliseconds and bytes, maximum number of entries.
fn slow_log_of(value: &Bound<'_, PyAny>) -> PyResult<SlowLogOptions> {
    let (is_on, slow_after_ms, large_after, most): (bool, Option<u64>, Option<u64>, usize) = value.extract()?;
    Ok(SlowLogOptions { is_on, slow_after: slow_after_ms.map(Duration::from_millis), large_after, most })
}

fn address_of(value: &Bound<'_, PyAny>) -> PyResult<IpAddr> {
    let text = text_of("host", value.as_borrowed())?;
    text.parse().map_err(|_| invalid(value.py(), format!("host '{text}' is not an IP address to listen on")))
}

/// Serves `database` until the server is stopped.
#[pyfunction]
pub fn serve(py: Python<'_>, database: &Bound<'_, Database>, options: &Bound<'_, PyDict>) -> PyResult<Server> {
    let options = options_of(options)?;
    let backend = Arc::clone(database.get().backend(py)?);
    let server = interruptible(py, move || RpcServer::start(backend, options))?;
    let (port, zk_port) = (server.address().port(), server.zk_address().map(|address| address.port()));
    Ok(Server { server: Guarded::new(Arc::new(server)), port, zk_port })
}
