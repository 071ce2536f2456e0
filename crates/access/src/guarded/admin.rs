//! Access control for schema, namespace, region and permission operations of one user.

use super::super::control::denied;
use super::super::decide::Target;
use super::super::operations::Operation;
use super::super::stored;
use super::columns::all_of;
use super::Guarded;
use rowstone_model::access::{Grant, GrantQuery, Intent, Permissions, Scope};
use rowstone_model::admin::{
    AdminBackend, BackupInfo, ClusterAdmin, ClusterStatus, CompactionState, MemoryLimits, PermissionAdmin, QuotaAdmin,
    RegionAdmin, RegionLocation, SchemaAdmin, SnapshotAdmin, SnapshotInfo, Statistics, StoreAdmin, StoreFileInfo,
    StoreLoad,
};
use rowstone_model::codec::printable;
use rowstone_model::heat::HeatMap;
use rowstone_model::quota::{QuotaChange, QuotaOwner, SpaceUse};
use rowstone_model::schema::{NamespaceDescriptor, RegionInfo, TableDescriptor, TableName, TableState};
use rowstone_model::switches::Switch;
use rowstone_model::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

impl Guarded {
    pub(super) fn inner_admin(&self) -> &dyn AdminBackend {
        self.control.inner().admin()
    }

    fn require_table(&self, operation: Operation, name: &TableName) -> Result<()> {
        self.require(operation, &Target::table(name))
    }

    /// Fails unless the region's table allows the operation.
    fn require_region(&self, operation: Operation, region: &[u8]) -> Result<()> {
        let table = self.table_of_region(region)?;
        self.require_table(operation, &table)
    }

    /// The table of a region, given by its full name, `table,key,id.hash.`, or by its encoded name.
    fn table_of_region(&self, region: &[u8]) -> Result<TableName> {
        if let Some(end) = region.iter().position(|byte| *byte == b',') {
            return TableName::parse(&String::from_utf8_lossy(&region[..end]));
        }
        for name in self.inner_admin().list_tables(None)? {
            // The table may be dropped meanwhile.
            let regions = self.inner_admin().regions(&name).unwrap_or_default();
            if regions.iter().any(|info| info.encoded_name.as_bytes() == region) {
                return Ok(name);
            }
        }
        Err(Error::new(ErrorKind::RegionNotFound, format!("there is no region '{}'", printable(region))))
    }

    /// Indexes, constraints and observers of Python run with the server's permissions: they write to index tables and read other
    /// tables. So an alteration of a table that changes them needs more than permissions on that table.
    fn require_observers(&self, before: &TableDescriptor, after: &TableDescriptor) -> Result<()> {
        if observers(before).eq(observers(after)) {
            return Ok(());
        }
        self.require(Operation::Observe, &Target::Global)
    }

    fn refuse_grants(&self, name: &TableName, what: &str) -> Result<()> {
        if stored::is_table(name) {
            return Err(denied(format!("Not allowed to {what} {name} table with AccessController installed")));
        }
        Ok(())
    }
}

/// The attributes that declare indexes, constraints and observers of Python.
fn observers(table: &TableDescriptor) -> impl Iterator<Item = (&String, &String)> {
    table.attributes.iter().filter(|(key, value)| {
        let declares = ["index$", "constraint$"].iter().any(|start| key.starts_with(start)) || *key == "INDEX_OF";
        declares || key.starts_with("coprocessor$") && is_of_python(value)
    })
}

/// Whether a coprocessor's path names Python. All others are classes of Java, which nothing loads here.
fn is_of_python(coprocessor: &str) -> bool {
    let path = coprocessor.split('|').next().unwrap_or_default();
    // Python strips some control characters too.
    path.trim_matches(|letter: char| letter.is_whitespace() || letter.is_control()) == "python"
}

impl SchemaAdmin for Guarded {
    fn create_table(&self, table: TableDescriptor, splits: Vec<Vec<u8>>) -> Result<()> {
        let name = table.name.clone();
        self.require(Operation::CreateTable, &Target::NewTable(&name, &all_of(&table)))?;
        self.require_observers(&TableDescriptor::new(name.clone()), &table)?;
        self.inner_admin().create_table(table, splits)?;
        self.control.table_made(&self.caller, &name)
    }

    fn alter_table(&self, table: TableDescriptor) -> Result<()> {
        self.require_table(Operation::ModifyTable, &table.name)?;
        self.require_observers(&self.inner_admin().describe_table(&table.name)?, &table)?;
        self.inner_admin().alter_table(table)
    }

    fn replace_table(&self, old: &TableDescriptor, new: TableDescriptor) -> Result<()> {
        self.require_table(Operation::ModifyTable, &new.name)?;
        self.require_observers(old, &new)?;
        self.inner_admin().replace_table(old, new)
    }

    fn describe_table(&self, name: &TableName) -> Result<TableDescriptor> {
        // As in HBase, a missing table is reported before permissions are checked.
        let found = self.inner_admin().describe_table(name)?;
        self.require_table(Operation::GetTableDescriptors, name)?;
        Ok(found)
    }

    /// Always allowed: the state is in `hbase:meta`, which every client reads.
    fn table_state(&self, name: &TableName) -> Result<TableState> {
        self.inner_admin().table_state(name)
    }

    fn set_table_state(&self, name: &TableName, state: TableState) -> Result<()> {
        match state {
            TableState::Enabled => self.require_table(Operation::EnableTable, name)?,
            TableState::Disabled => {
                self.refuse_grants(name, "disable")?;
                self.require_table(Operation::DisableTable, name)?;
            }
        }
        self.inner_admin().set_table_state(name, state)
    }

    fn drop_table(&self, name: &TableName) -> Result<()> {
        self.refuse_grants(name, "drop")?;
        self.require_table(Operation::DeleteTable, name)?;
        self.inner_admin().drop_table(name)?;
        self.control.table_gone(name)
    }

    fn truncate_table(&self, name: &TableName, preserve_splits: bool) -> Result<()> {
        self.refuse_grants(name, "truncate")?;
        self.require_table(Operation::TruncateTable, name)?;
        self.inner_admin().truncate_table(name, preserve_splits)
    }

    /// The tables in which the user has any permission; system tables only if their namespace is requested.
    fn list_tables(&self, namespace: Option<&str>) -> Result<Vec<TableName>> {
        let mut names = self.inner_admin().list_tables(namespace)?;
        let may = |name: &TableName| self.may(Operation::GetTableNames, &Target::table(name));
        names.retain(|name| (namespace.is_some() || !name.is_system()) && may(name));
        Ok(names)
    }

    fn create_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        self.require(Operation::CreateNamespace, &Target::Namespace(&namespace.name))?;
        self.inner_admin().create_namespace(namespace)
    }

    fn alter_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        // As in HBase, which reads the old descriptor first.
        self.require(Operation::GetNamespaceDescriptor, &Target::Namespace(&namespace.name))?;
        self.require(Operation::ModifyNamespace, &Target::Namespace(&namespace.name))?;
        self.inner_admin().alter_namespace(namespace)
    }

    fn drop_namespace(&self, name: &str) -> Result<()> {
        self.require(Operation::DeleteNamespace, &Target::Namespace(name))?;
        self.inner_admin().drop_namespace(name)?;
        self.control.namespace_gone(name)
    }

    fn list_namespaces(&self) -> Result<Vec<NamespaceDescriptor>> {
        let mut found = self.inner_admin().list_namespaces()?;
        found.retain(|namespace| self.may(Operation::ListNamespaces, &Target::Namespace(&namespace.name)));
        Ok(found)
    }

    /// Always allowed, as in HBase: namespace names are not protected.
    fn namespace_names(&self) -> Result<Vec<String>> {
        self.inner_admin().namespace_names()
    }

    fn describe_namespace(&self, name: &str) -> Result<NamespaceDescriptor> {
        self.require(Operation::GetNamespaceDescriptor, &Target::Namespace(name))?;
        self.inner_admin().describe_namespace(name)
    }
}

impl StoreAdmin for Guarded {
    fn flush(&self, name: Option<&TableName>) -> Result<()> {
        match name {
            Some(name) => self.require_table(Operation::FlushTable, name)?,
            None => self.require(Operation::Operate, &Target::Global)?,
        }
        self.inner_admin().flush(name)
    }

    fn compact(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()> {
        self.require_table(Operation::Compact, name)?;
        self.inner_admin().compact(name, family, major)
    }

    fn normalize(&self, name: &TableName) -> Result<u64> {
        self.require_table(Operation::Normalize, name)?;
        self.inner_admin().normalize(name)
    }

    fn switch(&self, switch: Switch) -> Result<bool> {
        self.inner_admin().switch(switch)
    }

    fn set_switch(&self, switch: Switch, on: bool) -> Result<bool> {
        let operation = if switch == Switch::Balancer { Operation::BalanceSwitch } else { Operation::Operate };
        self.require(operation, &Target::Global)?;
        self.inner_admin().set_switch(switch, on)
    }

    fn store_files(&self, name: &TableName) -> Result<Vec<StoreFileInfo>> {
        self.require_table(Operation::ListStoreFiles, name)?;
        self.inner_admin().store_files(name)
    }

    fn bulk_load(&self, name: &TableName, files: Vec<(Vec<u8>, PathBuf)>) -> Result<Vec<StoreFileInfo>> {
        self.refuse_grants(name, "load files into")?;
        for (family, _) in &files {
            self.require(Operation::BulkLoad, &Target::Table { name, family: Some(family), qualifier: None })?;
        }
        self.inner_admin().bulk_load(name, files)
    }

    fn export_files(&self, name: &TableName, folder: &Path) -> Result<Vec<StoreFileInfo>> {
        self.require_table(Operation::ExportFiles, name)?;
        self.inner_admin().export_files(name, folder)
    }

    fn backup(&self, out: &Path) -> Result<BackupInfo> {
        self.require(Operation::Backup, &Target::Global)?;
        self.inner_admin().backup(out)
    }

    /// Always allowed: the state of the cluster is public, and these numbers are part of it.
    fn statistics(&self, name: Option<&TableName>) -> Result<Statistics> {
        self.inner_admin().statistics(name)
    }

    /// Always allowed, as above.
    fn memory_limits(&self) -> Result<MemoryLimits> {
        self.inner_admin().memory_limits()
    }

    fn store_loads(&self, name: &TableName) -> Result<Vec<StoreLoad>> {
        self.inner_admin().store_loads(name)
    }

    /// Restricted because it contains row keys.
    fn heat(&self, name: &TableName) -> Result<HeatMap> {
        self.require_table(Operation::Heat, name)?;
        self.inner_admin().heat(name)
    }
}

impl RegionAdmin for Guarded {
    fn regions(&self, name: &TableName) -> Result<Vec<RegionInfo>> {
        self.inner_admin().regions(name)
    }

    fn region_locations(&self, name: &TableName) -> Result<Vec<RegionLocation>> {
        self.inner_admin().region_locations(name)
    }

    fn split_region(&self, region: &[u8], row: Option<&[u8]>) -> Result<()> {
        self.require_region(Operation::Split, region)?;
        self.inner_admin().split_region(region, row)
    }

    fn merge_regions(&self, regions: &[Vec<u8>], force: bool) -> Result<()> {
        regions.iter().try_for_each(|region| self.require_region(Operation::MergeRegions, region))?;
        self.inner_admin().merge_regions(regions, force)
    }

    fn truncate_region(&self, region: &[u8]) -> Result<()> {
        self.refuse_grants(&self.table_of_region(region)?, "truncate")?;
        self.require_region(Operation::TruncateRegion, region)?;
        self.inner_admin().truncate_region(region)
    }

    fn flush_region(&self, region: &[u8], family: Option<&[u8]>) -> Result<()> {
        self.require_region(Operation::Flush, region)?;
        self.inner_admin().flush_region(region, family)
    }

    fn compact_region(&self, region: &[u8], family: Option<&[u8]>, major: bool) -> Result<()> {
        self.require_region(Operation::Compact, region)?;
        self.inner_admin().compact_region(region, family, major)
    }

    fn clear_block_cache(&self, region: &[u8]) -> Result<u64> {
        self.require(Operation::Operate, &Target::Global)?;
        self.inner_admin().clear_block_cache(region)
    }

    fn compaction_state(&self, region: &[u8]) -> Result<CompactionState> {
        self.inner_admin().compaction_state(region)
    }

    fn move_region(&self, region: &[u8], server: Option<&str>) -> Result<()> {
        self.require_region(Operation::Move, region)?;
        self.inner_admin().move_region(region, server)
    }

    fn assign_region(&self, region: &[u8]) -> Result<()> {
        self.require_region(Operation::Assign, region)?;
        self.inner_admin().assign_region(region)
    }

    fn unassign_region(&self, region: &[u8]) -> Result<()> {
        self.require_region(Operation::Unassign, region)?;
        self.inner_admin().unassign_region(region)
    }
}

/// Snapshots have owners: see `snapshots.rs`.
impl SnapshotAdmin for Guarded {
    fn take_snapshot(&self, snapshot: &str, table: &TableName, flush: bool, ttl_seconds: i64) -> Result<()> {
        self.do_take_snapshot(snapshot, table, flush, ttl_seconds)
    }

    fn list_snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        self.do_list_snapshots()
    }

    fn delete_snapshot(&self, snapshot: &str) -> Result<()> {
        self.require_snapshot(Operation::DeleteSnapshot, snapshot, None)?;
        self.inner_admin().delete_snapshot(snapshot)
    }

    fn clone_snapshot(&self, snapshot: &str, table: &TableName) -> Result<()> {
        self.require_snapshot(Operation::CloneSnapshot, snapshot, Some(table))?;
        self.inner_admin().clone_snapshot(snapshot, table)?;
        self.control.table_made(&self.caller, table)
    }

    fn restore_snapshot(&self, snapshot: &str) -> Result<()> {
        self.require_snapshot(Operation::RestoreSnapshot, snapshot, None)?;
        self.inner_admin().restore_snapshot(snapshot)
    }

    fn export_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        self.require_snapshot(Operation::ExportSnapshot, snapshot, None)?;
        self.inner_admin().export_snapshot(snapshot, folder)
    }

    fn import_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        self.require(Operation::ImportSnapshot, &Target::Global)?;
        self.inner_admin().import_snapshot(snapshot, folder)
    }
}

impl PermissionAdmin for Guarded {
    fn has_authorization(&self) -> bool {
        true
    }

    fn check(&self, intent: Intent<'_>) -> Result<()> {
        match intent {
            Intent::Operate => self.require(Operation::Operate, &Target::Global),
            Intent::Balance => self.require(Operation::Balance, &Target::Global),
            Intent::Flush(name) => self.require_table(Operation::FlushTable, name),
            Intent::Move(name) => self.require_table(Operation::Move, name),
            Intent::Compact(name) | Intent::CompactDespitePolicy(name) => {
                self.require_table(Operation::Compact, name)?;
                let is_exempt = self.control.is_superuser(&self.caller);
                let wanted = if is_exempt { Intent::CompactDespitePolicy(name) } else { Intent::Compact(name) };
                self.inner_admin().check(wanted)
            }
        }
    }

    fn grant(&self, grant: &Grant, merge: bool) -> Result<()> {
        self.control.grant(&self.caller, grant, merge)
    }

    fn revoke(&self, grant: &Grant) -> Result<()> {
        self.control.revoke(&self.caller, grant)
    }

    fn grants(&self, query: &GrantQuery) -> Result<Vec<Grant>> {
        self.control.grants(&self.caller, query)
    }

    fn has_permissions(&self, user: Option<&str>, scope: &Scope, permissions: Permissions) -> Result<bool> {
        self.control.has_permissions(&self.caller, user, scope, permissions)
    }
}

impl QuotaAdmin for Guarded {
    /// Quotas of a table, and of users in it, require permission to administer the table; all others require it
    /// globally.
    fn set_quota(&self, owner: &QuotaOwner, change: &QuotaChange) -> Result<()> {
        match owner.names().1 {
            Some(table) => self.require_table(Operation::SetTableQuota, table)?,
            None => self.require(Operation::SetQuota, &Target::Global)?,
        }
        self.inner_admin().set_quota(owner, change)
    }

    fn space_sizes(&self) -> Result<Vec<(TableName, u64)>> {
        self.inner_admin().space_sizes()
    }

    fn space_uses(&self) -> Result<Vec<(QuotaOwner, SpaceUse)>> {
        self.inner_admin().space_uses()
    }
}

impl ClusterAdmin for Guarded {
    fn cluster_status(&self) -> Result<ClusterStatus> {
        self.inner_admin().cluster_status()
    }

    fn set_balancer(&self, on: bool) -> Result<bool> {
        self.require(Operation::BalanceSwitch, &Target::Global)?;
        self.inner_admin().set_balancer(on)
    }

    fn balance(&self) -> Result<bool> {
        self.require(Operation::Balance, &Target::Global)?;
        self.inner_admin().balance()
    }

    fn call_service(&self, service: &str, method: &str, server: Option<&str>, request: &str) -> Result<String> {
        self.require(Operation::Operate, &Target::Global)?;
        self.inner_admin().call_service(service, method, server, request)
    }
}
