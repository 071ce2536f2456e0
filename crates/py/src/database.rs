//! Opening and closing a database.

use crate::access::watched;
use crate::admin::Admin;
use crate::arguments::{integer, text_of, DurabilityName, Name};
use crate::call::{detached, interruptible};
use crate::clock::ManualClock;
use crate::cluster_admin::ClusterAdmin;
use crate::errors::{raise, wrong_type};
use crate::fork::Guarded;
use crate::observers::{companions_of, SchemaHost, TableHost};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_access::settings::{AccessSettings, KEYS};
use rowstone_engine::db::{open as open_engine, OpenOptions};
use rowstone_engine::settings::{list, Level, Settings};
use rowstone_engine::sys::Clock;
use rowstone_model::access::Caller;
use rowstone_model::backend::Backend;
use rowstone_model::observe::{SchemaObserver, TableObserver};
use rowstone_model::operations::Durability;
use rowstone_model::schema::TableName;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// An open database: what `rowstone.Database` holds.
#[pyclass(frozen, weakref, module = "rowstone._native")]
pub struct Database {
    backend: Guarded<Arc<dyn Backend>>,
    is_closed: AtomicBool,
}

impl Database {
    /// The database that `backend` is.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Database { backend: Guarded::new(backend), is_closed: AtomicBool::new(false) }
    }

    /// The engine's side of the database.
    pub fn backend(&self, py: Python<'_>) -> PyResult<&Arc<dyn Backend>> {
        self.backend.get(py)
    }
}

#[pymethods]
impl Database {
    /// Schema, maintenance, statistics.
    fn admin(&self, py: Python<'_>) -> PyResult<Admin> {
        Ok(Admin::new(Arc::clone(self.backend(py)?)))
    }

    /// Regions, snapshots, servers.
    fn cluster_admin(&self, py: Python<'_>) -> PyResult<ClusterAdmin> {
        Ok(ClusterAdmin::new(Arc::clone(self.backend(py)?)))
    }

    /// Finishes what runs and gives the directory free. A second call does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let backend = Arc::clone(self.backend(py)?);
        self.is_closed.store(true, Ordering::Relaxed);
        interruptible(py, move || backend.close())
    }

    /// Lets the functions of `host` be called around the operations of a table; None lets nobody.
    fn observe_table(&self, py: Python<'_>, name: Name, host: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let host = host.as_ref().map(TableHost::new).transpose()?;
        let observer = host.map(|host| Arc::new(host) as Arc<dyn TableObserver>);
        let backend = self.backend(py)?;
        detached(py, || backend.observe_table(&TableName::parse(&name.0)?, observer))
    }

    /// Lets the functions of `host` be called around changes of the schema; None lets nobody.
    fn observe_schema(&self, py: Python<'_>, host: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let host = host.as_ref().map(SchemaHost::new).transpose()?;
        let backend = self.backend(py)?;
        detached(py, || backend.observe_schema(host.map(|host| Arc::new(host) as Arc<dyn SchemaObserver>)))
    }

    /// The database as a user in groups may use it; None where nobody's rights are looked at.
    fn as_user(&self, py: Python<'_>, user: String, groups: Vec<String>) -> PyResult<Option<Database>> {
        let backend = self.backend(py)?;
        let caller = Caller { groups, ..Caller::new(user) };
        let view = detached(py, || backend.as_user(&caller))?;
        Ok(view.map(Database::new))
    }

    /// Puts and deletes of several tables, pairs (table, mutation), in one record of the log.
    fn mutate_together(&self, changes: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = changes.py();
        let backend = self.backend(py)?;
        let changes = companions_of(changes)?;
        detached(py, || backend.mutate_together(changes))
    }

    /// The name that a directory keeps, a UUID; None of a cluster, which is asked by other ways.
    #[getter]
    fn id(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.backend(py)?.id())
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Whether this process opened it; false in the child of a fork.
    #[getter]
    fn is_ours(&self) -> bool {
        self.backend.is_ours()
    }
}

/// Settings as text: HBase's configuration knows nothing else.
pub fn settings(object: Option<&Bound<'_, PyDict>>) -> PyResult<BTreeMap<String, String>> {
    let mut settings = BTreeMap::new();
    for (name, value) in object.into_iter().flatten() {
        let name = text_of("setting name", name.as_borrowed())?;
        let text = match value.extract::<bool>() {
            Ok(flag) => flag.to_string(),
            Err(_) => value.str()?.to_string(),
        };
        settings.insert(name, text);
    }
    Ok(settings)
}

/// Every setting as (key, level, default, value): the value that `configuration` gives it. Level is one of `"database"`,
/// `"table"` and `"family"`.
#[pyfunction]
pub fn describe_settings(
    py: Python<'_>,
    configuration: &Bound<'_, PyDict>,
) -> PyResult<Vec<(&'static str, &'static str, String, String)>> {
    let mut given = settings(Some(configuration))?;
    let access: Vec<_> = KEYS
        .iter()
        .map(|(key, default)| (*key, given.get(*key).cloned().unwrap_or_else(|| default.to_string()), *default))
        .collect();
    AccessSettings::take(&mut given).map_err(|error| raise(py, &error))?;
    let settings = Settings::parse(&given).map_err(|error| raise(py, &error))?;
    let level = |level| match level {
        Level::Database => "database",
        Level::Table => "table",
        Level::Family => "family",
    };
    let own = list(&settings).into_iter().map(|(key, at, default, value)| (key, level(at), default, value));
    let of_access = access.into_iter().map(|(key, value, default)| (key, "database", default.to_string(), value));
    Ok(own.chain(of_access).collect())
}

fn clock_of(object: &Bound<'_, PyAny>) -> PyResult<Arc<dyn Clock>> {
    match object.cast::<ManualClock>() {
        Ok(clock) => Ok(Arc::clone(&clock.get().0) as Arc<dyn Clock>),
        Err(_) => Err(wrong_type("clock", "a rowstone.testing.ManualClock", object)),
    }
}

fn limit(what: &str, bytes: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    bytes.map(|bytes| integer(what, bytes, 1, i64::MAX).map(|bytes| bytes as u64)).transpose()
}

/// Opens the database in `directory`, or one in memory where it is `None`.
#[pyfunction]
#[pyo3(signature = (directory, *, read_only, create, durability, clock, configuration, cache_bytes, memstore_bytes, audit=None))]
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
        clock: clock.as_ref().map(clock_of).transpose()?,
        ..OpenOptions::default()
    };
    let backend = interruptible(py, move || watched(open_engine(options)?, access, audit))?;
    Ok(Database::new(backend))
}
