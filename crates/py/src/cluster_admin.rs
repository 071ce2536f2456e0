//! Regions, snapshots and the state of a cluster. Values cross as plain tuples; `rowstone.admin` names their
//! fields.

use crate::access::{grant_of, parts_of, query_of, scope_of, ScopeParts};
use crate::arguments::{bytes_of, to_bytes, Name};
use crate::fork::Guarded;
use crate::quotas::Quotas;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use rowstone_model::access::Permissions;
use rowstone_model::admin::{AdminBackend, ServerStatus};
use rowstone_model::backend::Backend;
use rowstone_model::heat::HeatWindow;
use rowstone_model::schema::TableName;
use rowstone_model::switches::Switch;
use rowstone_model::Result;
use std::path::PathBuf;
use std::sync::Arc;

/// Name, number of regions, requests per second, heap used, maximum heap, store files, their bytes, memstore bytes.
type Server = (String, u64, u64, u64, u64, u64, u64, u64);
/// Name, table, creation time in ms, time to live in s, owner.
type Snapshot = (String, String, i64, i64, String);
/// Version, id, master, standby masters, servers, dead servers, regions in transition, whether the balancer is on.
type Status = (String, String, String, Vec<String>, Vec<Server>, Vec<String>, Vec<String>, bool);

/// Administration of regions, snapshots, servers and permissions; wrapped by `rowstone.Admin`.
#[pyclass(frozen, module = "rowstone._native")]
pub struct ClusterAdmin(Guarded<Arc<dyn Backend>>);

impl ClusterAdmin {
    /// Creates the administration of `backend`.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        ClusterAdmin(Guarded::new(backend))
    }

    /// Runs a call so that Ctrl-C can interrupt it: every call here may block.
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&dyn AdminBackend) -> Result<T> + Send + 'static,
    ) -> PyResult<T> {
        self.0.long(py, move |backend| work(backend.admin()))
    }
}

fn owned(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    bytes_of(what, object.as_borrowed()).map(|bytes| bytes.into_owned())
}

#[pymethods]
impl ClusterAdmin {
    /// Quotas on requests and on space.
    fn quotas(&self, py: Python<'_>) -> PyResult<Quotas> {
        Ok(Quotas::new(Arc::clone(self.0.get(py)?)))
    }

    /// The regions as ((table, start key, end key, region id, encoded name, region name), server).
    fn region_locations<'py>(&self, py: Python<'py>, name: Name) -> PyResult<Bound<'py, PyList>> {
        let locations = self.run(py, move |admin| admin.region_locations(&TableName::parse(&name.0)?))?;
        let rows = locations.into_iter().map(|(region, server)| {
            let keys = (to_bytes(py, &region.start_key), to_bytes(py, &region.end_key));
            let name = to_bytes(py, &region.region_name());
            ((region.table.to_string(), keys.0, keys.1, region.region_id, region.encoded_name, name), server)
        });
        PyList::new(py, rows)
    }

    /// The stores as ((table, start key, end key, region id, encoded name, region name), family, numbers).
    fn store_loads<'py>(&self, py: Python<'py>, name: Name) -> PyResult<Bound<'py, PyList>> {
        let loads = self.run(py, move |admin| admin.store_loads(&TableName::parse(&name.0)?))?;
        let rows = loads.into_iter().map(|load| {
            let region = load.region;
            let keys = (to_bytes(py, &region.start_key), to_bytes(py, &region.end_key));
            let name = to_bytes(py, &region.region_name());
            let family = load.family.map(|family| to_bytes(py, &family));
            let region = (region.table.to_string(), keys.0, keys.1, region.region_id, region.encoded_name, name);
            (region, family, load.numbers)
        });
        PyList::new(py, rows)
    }

    /// Reads and writes: each a list of (start ms, width ms, number of rows, sample of row keys).
    fn heat<'py>(&self, py: Python<'py>, name: Name) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
        let map = self.run(py, move |admin| admin.heat(&TableName::parse(&name.0)?))?;
        let windows = |windows: Vec<HeatWindow>| {
            let items = windows.into_iter().map(|window| {
                let rows: Vec<_> = window.rows.iter().map(|row| to_bytes(py, row)).collect();
                (window.start_ms, window.width_ms, window.total, rows)
            });
            PyList::new(py, items.collect::<Vec<_>>())
        };
        Ok((windows(map.reads)?, windows(map.writes)?))
    }

    fn split_region(&self, region: &Bound<'_, PyAny>, row: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (name, row) = (owned("region", region)?, row.map(|row| owned("row", row)).transpose()?);
        self.run(region.py(), move |admin| admin.split_region(&name, row.as_deref()))
    }

    fn merge_regions(&self, regions: &Bound<'_, PyAny>, force: bool) -> PyResult<()> {
        let names = regions.try_iter()?.map(|region| owned("region", &region?)).collect::<PyResult<Vec<_>>>()?;
        self.run(regions.py(), move |admin| admin.merge_regions(&names, force))
    }

    /// Returns the number of splits and merges.
    fn normalize(&self, py: Python<'_>, name: Name) -> PyResult<u64> {
        self.run(py, move |admin| admin.normalize(&TableName::parse(&name.0)?))
    }

    fn move_region(&self, region: &Bound<'_, PyAny>, server: Option<String>) -> PyResult<()> {
        let name = owned("region", region)?;
        self.run(region.py(), move |admin| admin.move_region(&name, server.as_deref()))
    }

    fn assign_region(&self, region: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = owned("region", region)?;
        self.run(region.py(), move |admin| admin.assign_region(&name))
    }

    fn unassign_region(&self, region: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = owned("region", region)?;
        self.run(region.py(), move |admin| admin.unassign_region(&name))
    }

    fn truncate_region(&self, region: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = owned("region", region)?;
        self.run(region.py(), move |admin| admin.truncate_region(&name))
    }

    fn flush_region(&self, region: &Bound<'_, PyAny>, family: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let name = owned("region", region)?;
        let family = family.map(|family| owned("family", family)).transpose()?;
        self.run(region.py(), move |admin| admin.flush_region(&name, family.as_deref()))
    }

    /// HBase's name for the state.
    fn compaction_state(&self, region: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let name = owned("region", region)?;
        Ok(self.run(region.py(), move |admin| admin.compaction_state(&name))?.name())
    }

    fn compact_region(
        &self,
        region: &Bound<'_, PyAny>,
        family: Option<&Bound<'_, PyAny>>,
        major: bool,
    ) -> PyResult<()> {
        let name = owned("region", region)?;
        let family = family.map(|family| owned("family", family)).transpose()?;
        self.run(region.py(), move |admin| admin.compact_region(&name, family.as_deref(), major))
    }

    fn take_snapshot(&self, py: Python<'_>, snapshot: String, table: Name, flush: bool, ttl: i64) -> PyResult<()> {
        self.run(py, move |admin| admin.take_snapshot(&snapshot, &TableName::parse(&table.0)?, flush, ttl))
    }

    fn export_snapshot(&self, py: Python<'_>, snapshot: String, folder: PathBuf) -> PyResult<()> {
        self.run(py, move |admin| admin.export_snapshot(&snapshot, &folder))
    }

    fn import_snapshot(&self, py: Python<'_>, snapshot: String, folder: PathBuf) -> PyResult<()> {
        self.run(py, move |admin| admin.import_snapshot(&snapshot, &folder))
    }

    /// All snapshots.
    fn snapshots(&self, py: Python<'_>) -> PyResult<Vec<Snapshot>> {
        let all = self.run(py, |admin| admin.list_snapshots())?;
        let parts = all.into_iter().map(|one| (one.name, one.table, one.created_ms, one.ttl_seconds, one.owner));
        Ok(parts.collect())
    }

    fn delete_snapshot(&self, py: Python<'_>, snapshot: String) -> PyResult<()> {
        self.run(py, move |admin| admin.delete_snapshot(&snapshot))
    }

    fn clone_snapshot(&self, py: Python<'_>, snapshot: String, table: Name) -> PyResult<()> {
        self.run(py, move |admin| admin.clone_snapshot(&snapshot, &TableName::parse(&table.0)?))
    }

    fn restore_snapshot(&self, py: Python<'_>, snapshot: String) -> PyResult<()> {
        self.run(py, move |admin| admin.restore_snapshot(&snapshot))
    }

    fn cluster_status(&self, py: Python<'_>) -> PyResult<Status> {
        let status = self.run(py, |admin| admin.cluster_status())?;
        let servers = status.servers.into_iter().map(server).collect();
        let (dead, moving) = (status.dead_servers, status.regions_in_transition);
        let names = (status.hbase_version, status.cluster_id, status.master);
        Ok((names.0, names.1, names.2, status.backup_masters, servers, dead, moving, status.is_balancer_on))
    }

    /// The state of a switch, or its previous state if `on` sets it.
    fn switch(&self, py: Python<'_>, name: &str, on: Option<bool>) -> PyResult<bool> {
        let switch = Switch::from_name(name).map_err(|error| crate::errors::raise(py, &error))?;
        self.run(py, move |admin| on.map_or_else(|| admin.switch(switch), |on| admin.set_switch(switch, on)))
    }

    fn set_balancer(&self, py: Python<'_>, on: bool) -> PyResult<bool> {
        self.run(py, move |admin| admin.set_balancer(on))
    }

    fn balance(&self, py: Python<'_>) -> PyResult<bool> {
        self.run(py, |admin| admin.balance())
    }

    /// Whether access control is enabled.
    fn has_authorization(&self, py: Python<'_>) -> PyResult<bool> {
        self.run(py, |admin| Ok(admin.has_authorization()))
    }

    fn grant(&self, py: Python<'_>, user: String, letters: String, scope: ScopeParts, merge: bool) -> PyResult<()> {
        self.run(py, move |admin| admin.grant(&grant_of(user, &letters, scope)?, merge))
    }

    fn revoke(&self, py: Python<'_>, user: String, letters: String, scope: ScopeParts) -> PyResult<()> {
        self.run(py, move |admin| admin.revoke(&grant_of(user, &letters, scope)?))
    }

    /// The grants as (user, letters, namespace, table, family, qualifier).
    fn grants<'py>(&self, py: Python<'py>, scope: ScopeParts, user: Option<String>) -> PyResult<Bound<'py, PyList>> {
        let found = self.run(py, move |admin| admin.grants(&query_of(scope, user)?))?;
        PyList::new(py, found.iter().map(|grant| parts_of(py, grant)))
    }

    fn has_permissions(
        &self,
        py: Python<'_>,
        user: Option<String>,
        letters: String,
        scope: ScopeParts,
    ) -> PyResult<bool> {
        self.run(py, move |admin| {
            admin.has_permissions(user.as_deref(), &scope_of(scope)?, Permissions::parse(&letters)?)
        })
    }

    /// Calls a service of a cluster; request and response are JSON.
    fn call_service(
        &self,
        py: Python<'_>,
        service: String,
        method: String,
        server: Option<String>,
        request: String,
    ) -> PyResult<String> {
        self.run(py, move |admin| admin.call_service(&service, &method, server.as_deref(), &request))
    }

    /// Encodes the JSON text of a message.
    fn encoded_message<'py>(&self, py: Python<'py>, kind: String, text: String) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.run(py, move |admin| admin.encoded_message(&kind, &text))?))
    }

    /// Decodes a message that a cluster stored, to JSON.
    fn stored_message(&self, py: Python<'_>, kind: String, data: Vec<u8>) -> PyResult<String> {
        self.run(py, move |admin| admin.stored_message(&kind, &data))
    }
}

fn server(status: ServerStatus) -> Server {
    let (used, most) = status.heap_bytes;
    let files = (status.store_files, status.store_file_bytes);
    let (regions, requests) = (status.region_count, status.requests_per_second);
    (status.name, regions, requests, used, most, files.0, files.1, status.memstore_bytes)
}
