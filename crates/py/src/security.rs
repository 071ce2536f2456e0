//! Authentication: objects of `rowstone.server.security` behind the protocol's traits, for user databases and Kerberos.

use crate::errors::error_of;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowstone_model::Result;
use rowstone_rpc::{Acceptor, AuditEvent, Authority, Initiator, SecurityContext};
use std::net::IpAddr;

/// Calls into Python from a thread that is not attached to the interpreter.
fn attached<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T> {
    Python::attach(|py| work(py).map_err(|raised| error_of(py, raised)))
}

/// A Python object that authenticates users.
pub struct PyAuthority(pub Py<PyAny>);

impl Authority for PyAuthority {
    fn check_password(&self, user: &str, password: &str) -> Result<Option<String>> {
        attached(|py| self.0.bind(py).call_method1("check_password", (user, password))?.extract())
    }

    fn recall_password(&self, user: &str, password: &str) -> Result<Option<String>> {
        attached(|py| self.0.bind(py).call_method1("recall_password", (user, password))?.extract())
    }

    fn may_impersonate(&self, real: &str, effective: &str, address: IpAddr) -> Result<bool> {
        attached(|py| {
            self.0.bind(py).call_method1("may_impersonate", (real, effective, address.to_string()))?.extract()
        })
    }

    fn groups_of(&self, user: &str) -> Result<Vec<String>> {
        attached(|py| self.0.bind(py).call_method1("groups_of", (user,))?.extract())
    }

    fn audit(&self, event: &AuditEvent) {
        let written = attached(|py| {
            let who = (event.method.name(), &event.user, &event.real_user);
            let what = (event.is_success, who.0, who.1, who.2, event.address.to_string(), &event.reason);
            self.0.bind(py).call_method1("audit", what).map(drop)
        });
        // A failing log must not fail a login, and there is no caller to report it to.
        drop(written);
    }
}

/// One side of a Kerberos exchange.
struct PyContext(Py<PyAny>);

impl SecurityContext for PyContext {
    fn step(&mut self, token: &[u8]) -> Result<Vec<u8>> {
        attached(|py| self.0.bind(py).call_method1("step", (PyBytes::new(py, token),))?.extract())
    }

    fn is_complete(&self) -> Result<bool> {
        attached(|py| self.0.bind(py).call_method0("is_complete")?.extract())
    }

    fn peer(&self) -> Result<String> {
        attached(|py| self.0.bind(py).call_method0("peer")?.extract())
    }

    fn seal(&mut self, bytes: &[u8], encrypts: bool) -> Result<Vec<u8>> {
        attached(|py| self.0.bind(py).call_method1("seal", (PyBytes::new(py, bytes), encrypts))?.extract())
    }

    fn open(&mut self, token: &[u8]) -> Result<(Vec<u8>, bool)> {
        attached(|py| self.0.bind(py).call_method1("open", (PyBytes::new(py, token),))?.extract())
    }
}

/// A Python object that starts Kerberos exchanges.
pub struct PyInitiator(pub Py<PyAny>);

impl Initiator for PyInitiator {
    fn initiate(&self, host: &str) -> Result<Box<dyn SecurityContext>> {
        let context = attached(|py| self.0.bind(py).call_method1("initiate", (host,)).map(Bound::unbind))?;
        Ok(Box::new(PyContext(context)))
    }
}

/// A Python object that accepts Kerberos exchanges.
pub struct PyAcceptor {
    object: Py<PyAny>,
    principal: String,
}

impl PyAcceptor {
    /// Wraps `object`.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(PyAcceptor { principal: object.getattr("principal")?.extract()?, object: object.clone().unbind() })
    }
}

impl Acceptor for PyAcceptor {
    fn accept(&self) -> Result<Box<dyn SecurityContext>> {
        let context = attached(|py| self.object.bind(py).call_method0("accept").map(Bound::unbind))?;
        Ok(Box::new(PyContext(context)))
    }

    fn principal(&self) -> &str {
        &self.principal
    }
}
