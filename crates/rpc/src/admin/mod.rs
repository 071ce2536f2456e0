//! Schema and maintenance: requests to the master, and waiting for their completion.

mod maintain;
mod master;
mod namespaces;
mod operate;
mod permissions;
mod polling;
mod regions;
mod snapshots;
mod statistics;
mod status;
mod tables;

use crate::cluster::Cluster;
use crate::convert::{from_table_name, to_set_quota};
use crate::proto;
use rowstone_model::access::{Grant, GrantQuery, Permissions, Scope};
use rowstone_model::admin::{
    ClusterAdmin, ClusterStatus, CompactionState, PermissionAdmin, QuotaAdmin, RegionAdmin, RegionLocation,
    SchemaAdmin, SnapshotAdmin, SnapshotInfo, Statistics, StoreAdmin, StoreFileInfo, StoreLoad,
};
use rowstone_model::heat::HeatMap;
use rowstone_model::quota::{QuotaChange, QuotaOwner};
use rowstone_model::schema::{NamespaceDescriptor, RegionInfo, TableDescriptor, TableName, TableState};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

/// The administration of a cluster.
pub struct Admin {
    cluster: Arc<Cluster>,
    user: String,
}

impl Admin {
    /// The administration of `cluster` as `user`.
    pub fn new(cluster: Arc<Cluster>, user: String) -> Self {
        Admin { cluster, user }
    }
}

impl SchemaAdmin for Admin {
    fn create_table(&self, table: TableDescriptor, splits: Vec<Vec<u8>>) -> Result<()> {
        self.create(&table, splits)
    }

    fn alter_table(&self, table: TableDescriptor) -> Result<()> {
        self.alter(&table)
    }

    fn replace_table(&self, old: &TableDescriptor, new: TableDescriptor) -> Result<()> {
        self.replace(old, &new)
    }

    fn describe_table(&self, name: &TableName) -> Result<TableDescriptor> {
        crate::convert::from_schema(&self.schema(name)?)
    }

    fn table_state(&self, name: &TableName) -> Result<TableState> {
        self.state(name)
    }

    fn set_table_state(&self, name: &TableName, state: TableState) -> Result<()> {
        self.set_state(name, state)
    }

    fn drop_table(&self, name: &TableName) -> Result<()> {
        self.delete(name)
    }

    fn truncate_table(&self, name: &TableName, preserve_splits: bool) -> Result<()> {
        self.truncate(name, preserve_splits)
    }

    fn list_tables(&self, namespace: Option<&str>) -> Result<Vec<TableName>> {
        self.list(namespace)
    }

    fn create_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        self.make_namespace("CreateNamespace", &namespace)
    }

    fn alter_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        self.make_namespace("ModifyNamespace", &namespace)
    }

    fn drop_namespace(&self, name: &str) -> Result<()> {
        self.remove_namespace(name)
    }

    fn list_namespaces(&self) -> Result<Vec<NamespaceDescriptor>> {
        self.namespaces()
    }

    fn namespace_names(&self) -> Result<Vec<String>> {
        self.names_of_namespaces()
    }

    fn describe_namespace(&self, name: &str) -> Result<NamespaceDescriptor> {
        self.namespace(name)
    }
}

impl StoreAdmin for Admin {
    fn flush(&self, name: Option<&TableName>) -> Result<()> {
        match name {
            Some(name) => self.flush_table(name),
            // A table that is dropped or disabled meanwhile need not be flushed.
            None => self.list(None)?.iter().try_for_each(|name| match self.flush_table(name) {
                Err(error) if matches!(error.kind(), ErrorKind::TableNotFound | ErrorKind::TableNotEnabled) => Ok(()),
                outcome => outcome,
            }),
        }
    }

    fn compact(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()> {
        self.compact_table(name, family, major)
    }

    fn store_files(&self, _name: &TableName) -> Result<Vec<StoreFileInfo>> {
        let message = "a cluster does not expose its store files; stats() has their number and size";
        Err(Error::new(ErrorKind::Unsupported, message))
    }

    fn statistics(&self, name: Option<&TableName>) -> Result<Statistics> {
        self.numbers(name)
    }

    fn store_loads(&self, name: &TableName) -> Result<Vec<StoreLoad>> {
        self.region_loads(name)
    }

    fn heat(&self, name: &TableName) -> Result<HeatMap> {
        self.cluster.check_open()?;
        Ok(self.cluster.table(name).heat.map())
    }
}

impl RegionAdmin for Admin {
    fn regions(&self, name: &TableName) -> Result<Vec<RegionInfo>> {
        let rows = self.region_rows(name)?;
        Ok(rows.into_iter().map(|location| location.info.clone()).collect())
    }

    fn region_locations(&self, name: &TableName) -> Result<Vec<RegionLocation>> {
        self.locations(name)
    }

    fn split_region(&self, region: &[u8], row: Option<&[u8]>) -> Result<()> {
        self.split(region, row)
    }

    fn merge_regions(&self, regions: &[Vec<u8>], force: bool) -> Result<()> {
        self.merge(regions, force)
    }

    fn truncate_region(&self, region: &[u8]) -> Result<()> {
        self.truncate_one(region)
    }

    fn flush_region(&self, region: &[u8], family: Option<&[u8]>) -> Result<()> {
        self.flush_one(region, family)
    }

    fn compact_region(&self, region: &[u8], family: Option<&[u8]>, major: bool) -> Result<()> {
        let location = self.find_region(region)?;
        self.compact_one(&location, family, major)?;
        self.await_compaction(&location)
    }

    fn compaction_state(&self, region: &[u8]) -> Result<CompactionState> {
        self.state_of_compaction(&self.find_region(region)?)
    }

    fn move_region(&self, region: &[u8], server: Option<&str>) -> Result<()> {
        self.move_to(region, server)
    }

    fn assign_region(&self, region: &[u8]) -> Result<()> {
        self.assign(region)
    }

    fn unassign_region(&self, region: &[u8]) -> Result<()> {
        self.unassign(region)
    }
}

impl SnapshotAdmin for Admin {
    fn take_snapshot(&self, snapshot: &str, table: &TableName, flush: bool, ttl_seconds: i64) -> Result<()> {
        self.snapshot(snapshot, table, flush, ttl_seconds)
    }

    fn list_snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        self.snapshots()
    }

    fn delete_snapshot(&self, snapshot: &str) -> Result<()> {
        self.remove_snapshot(snapshot)
    }

    fn clone_snapshot(&self, snapshot: &str, table: &TableName) -> Result<()> {
        self.restore(snapshot, Some(table))
    }

    fn restore_snapshot(&self, snapshot: &str) -> Result<()> {
        self.restore(snapshot, None)
    }
}

impl PermissionAdmin for Admin {
    fn grant(&self, grant: &Grant, merge: bool) -> Result<()> {
        self.give(grant, merge)
    }

    fn revoke(&self, grant: &Grant) -> Result<()> {
        self.take_back(grant)
    }

    fn grants(&self, query: &GrantQuery) -> Result<Vec<Grant>> {
        self.list_grants(query)
    }

    fn has_permissions(&self, user: Option<&str>, scope: &Scope, permissions: Permissions) -> Result<bool> {
        self.has(user, scope, permissions)
    }
}

impl QuotaAdmin for Admin {
    fn set_quota(&self, owner: &QuotaOwner, change: &QuotaChange) -> Result<()> {
        self.call::<proto::Empty>("SetQuota", &to_set_quota(owner, change)).map(drop)
    }

    fn space_sizes(&self) -> Result<Vec<(TableName, u64)>> {
        let answer: proto::TableSizes = self.call("GetSpaceQuotaRegionSizes", &proto::Empty {})?;
        let sizes = answer.sizes.iter().filter_map(|one| Some((one.table_name.as_ref()?, one.size.unwrap_or(0))));
        sizes.map(|(name, bytes)| Ok((from_table_name(name)?, bytes))).collect()
    }
}

impl ClusterAdmin for Admin {
    fn cluster_status(&self) -> Result<ClusterStatus> {
        self.status()
    }

    fn set_balancer(&self, on: bool) -> Result<bool> {
        self.switch_balancer(on)
    }

    fn balance(&self) -> Result<bool> {
        self.run_balancer()
    }

    fn call_service(&self, service: &str, method: &str, server: Option<&str>, request: &str) -> Result<String> {
        self.ask_by_name(service, method, server, request)
    }

    fn encoded_message(&self, kind: &str, text: &str) -> Result<Vec<u8>> {
        operate::encoded(kind, text)
    }

    fn stored_message(&self, kind: &str, bytes: &[u8]) -> Result<String> {
        operate::stored_text(kind, bytes)
    }
}
