//! Opening and closing a database.

use crate::access::watched;
use crate::admin::Admin;
use crate::arguments::{integer, DurabilityName, Name};
use crate::call::{detached, interruptible};
use crate::clock::ManualClock;
use crate::cluster_admin::ClusterAdmin;
use crate::configuration::settings;
use crate::errors::{raise, wrong_type};
use crate::fork::Guarded;
use crate::observers::{companions_of, SchemaHost, TableHost};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_access::settings::AccessSettings;
use rowstone_engine::db::{open as open_engine, OpenOptions};
use rowstone_engine::sys::Clock;
use rowstone_model::access::Caller;
use rowstone_model::backend::Backend;
use rowstone_model::observe::{SchemaObserver, TableObserver};
use rowstone_model::operations::Durability;
use rowstone_model::schema::TableName;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// An open database; wrapped by `rowstone.Database`.
#[pyclass(frozen, weakref, module = "rowstone._native")]
pub struct Database {
    backend: Guarded<Arc<dyn Backend>>,
    is_closed: AtomicBool,
}

impl Database {
    /// Wraps `backend`.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Database { backend: Guarded::new(backend), is_closed: AtomicBool::new(false) }
    }

    /// The engine's database.
    pub fn backend(&self, py: Python<'_>) -> PyResult<&Arc<dyn Backend>> {
        self.backend.get(py)
    }
}

#[pymethods]
impl Database {
    /// Administration: schema, maintenance, statistics.
    fn admin(&self, py: Python<'_>) -> PyResult<Admin> {
        Ok(Admin::new(Arc::clone(self.backend(py)?)))
    }

    /// Administration of regions, snapshots and servers.
    fn cluster_admin(&self, py: Python<'_>) -> PyResult<ClusterAdmin> {
        Ok(ClusterAdmin::new(Arc::clone(self.backend(py)?)))
    }

    /// Finish running work and release the directory. A second call waits for the first, and has its outcome.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let backend = Arc::clone(self.backend(py)?);
        self.is_closed.store(true, Ordering::Relaxed);
        interruptible(py, move || backend.close())
    }

    /// Register the hook functions of `host` for operations of a table; None removes them.
    fn observe_table(&self, py: Python<'_>, name: Name, host: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let host = host.as_ref().map(TableHost::new).transpose()?;
        let observer = host.map(|host| Arc::new(host) as Arc<dyn TableObserver>);
        let backend = self.backend(py)?;
        detached(py, || backend.observe_table(&TableName::parse(&name.0)?, observer))
    }

    /// Register the hook functions of `host` for schema changes; None removes them.
    fn observe_schema(&self, py: Python<'_>, host: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let host = host.as_ref().map(SchemaHost::new).transpose()?;
        let backend = self.backend(py)?;
        detached(py, || backend.observe_schema(host.map(|host| Arc::new(host) as Arc<dyn SchemaObserver>)))
    }

    /// A view of the database restricted to the permissions of a user in groups; None if access control is off.
    fn as_user(&self, py: Python<'_>, user: String, groups: Vec<String>) -> PyResult<Option<Database>> {
        let backend = self.backend(py)?;
        let caller = Caller { groups, ..Caller::new(user) };
        let view = detached(py, || backend.as_user(&caller))?;
        Ok(view.map(Database::new))
    }

    /// Apply puts and deletes of several tables, pairs (table, mutation), in one log record.
    fn mutate_together(&self, changes: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = changes.py();
        let backend = self.backend(py)?;
        let changes = companions_of(changes)?;
        detached(py, || backend.mutate_together(changes))
    }

    /// The persistent id of a directory, a UUID; None for a cluster, whose id is read in another way.
    #[getter]
    fn id(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.backend(py)?.id())
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Whether this process opened it; false in a forked child.
    #[getter]
    fn is_ours(&self) -> bool {
        self.backend.is_ours()
    }
}

fn clock_of(object: &Bound<'_, PyAny>) -> PyResult<Arc<dyn Clock>> {
    match object.cast::<ManualClock>() {
        Ok(clock) => Ok(Arc::clone(&clock.get().0) as Arc<dyn Clock>),
        Err(_) => Err(wrong_type("clock", "a rowstone.testing.ManualClock", object)),
    }
}

pub(crate) fn limit(what: &str, bytes: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    bytes.map(|bytes| integer(what, bytes, 1, i64::MAX).map(|bytes| bytes as u64)).transpose()
}

/// Opens the database in `directory`, or a new one in memory for `None`.
#[pyfunction]
#[pyo3(signature = (directory, *, read_only, create, durability, clock, configuration, cache_bytes, memstore_bytes, dedicated=false, audit=None))]
#[expect(clippy::too_many_arguments, reason = "the options of connect, each under its name")]
pub fn open(
    py: Python<'_>,
    directory: Option<PathBuf>,
    read_only: bool,
    create: bool,
    durability: Option<DurabilityName>,
    clock: Option<Bound<'_, PyAny>>,
    configuration: Option<Bound<'_, PyDict>>,
    cache_bytes: Option<Bound<'_, PyAny>>,
    memstore_bytes: Option<Bound<'_, PyAny>>,
    dedicated: bool,
    audit: Option<Py<PyAny>>,
) -> PyResult<Database> {
    let mut configuration = settings(configuration.as_ref())?;
    let access = AccessSettings::take(&mut configuration).map_err(|error| raise(py, &error))?;
    let options = OpenOptions {
        directory,
        read_only,
        create,
        durability: durability.map_or(Durability::UseDefault, |durability| durability.0),
        configuration,
        block_cache_bytes: limit("cache_bytes", cache_bytes.as_ref())?,
        memstore_bytes: limit("memstore_bytes", memstore_bytes.as_ref())?,
        is_dedicated: dedicated,
        clock: clock.as_ref().map(clock_of).transpose()?,
        ..OpenOptions::default()
    };
    let backend = interruptible(py, move || watched(open_engine(options)?, access, audit))?;
    Ok(Database::new(backend))
}
