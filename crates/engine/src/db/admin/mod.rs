//! Schema, maintenance, statistics. Each schema change is one commit of the manifest, made before anything in memory
//! changes.

mod alter;
mod announce;
mod backup;
mod create;
mod exchange;
mod export;
mod load;
mod maintain;
mod meta_scanner;
mod meta_view;
mod namespaces;
mod snapshots;
mod switches;

pub(super) use alter::switch_table;
pub use exchange::fetch_snapshot;
pub(super) use meta_view::MetaView;
pub(super) use namespaces::check_quota;
pub(super) use snapshots::remove_expired_snapshots;

use super::quotas::update_quotas;
use super::{regions, Database};
use rowstone_model::access::Intent;
use rowstone_model::admin::{
    BackupInfo, ClusterAdmin, CompactionState, MemoryLimits, PermissionAdmin, QuotaAdmin, RegionAdmin, SchemaAdmin,
    SnapshotAdmin, SnapshotInfo, Statistics, StoreAdmin, StoreFileInfo, StoreLoad,
};
use rowstone_model::heat::HeatMap;
use rowstone_model::observe::SchemaChange;
use rowstone_model::quota::{QuotaChange, QuotaOwner, SpacePolicy, SpaceUse};
use rowstone_model::schema::{NamespaceDescriptor, RegionInfo, TableDescriptor, TableName, TableState};
use rowstone_model::switches::Switch;
use rowstone_model::{Error, Result};
use std::path::{Path, PathBuf};

impl SchemaAdmin for Database {
    fn create_table(&self, table: TableDescriptor, splits: Vec<Vec<u8>>) -> Result<()> {
        let announced = self.announce(|| SchemaChange::described("create_table", &table))?;
        self.do_create_table(table, splits)?;
        update_quotas(&self.shared, true)?;
        announced.done()
    }

    fn alter_table(&self, table: TableDescriptor) -> Result<()> {
        let announced = self.announce(|| SchemaChange::described("modify_table", &table))?;
        self.do_alter_table(None, table)?;
        announced.done()
    }

    fn replace_table(&self, old: &TableDescriptor, new: TableDescriptor) -> Result<()> {
        let announced = self.announce(|| SchemaChange::described("modify_table", &new))?;
        self.do_alter_table(Some(old), new)?;
        announced.done()
    }

    fn describe_table(&self, name: &TableName) -> Result<TableDescriptor> {
        self.shared.check_open()?;
        Ok(TableDescriptor::clone(&*self.shared.tables.find(name)?.descriptor()))
    }

    fn table_state(&self, name: &TableName) -> Result<TableState> {
        self.shared.check_open()?;
        let is_enabled = name.is_meta() || self.shared.tables.find(name)?.is_enabled();
        Ok(if is_enabled { TableState::Enabled } else { TableState::Disabled })
    }

    fn set_table_state(&self, name: &TableName, state: TableState) -> Result<()> {
        let action = if state == TableState::Enabled { "enable_table" } else { "disable_table" };
        let announced = self.announce(|| SchemaChange::of_table(action, name))?;
        self.do_set_table_state(name, state)?;
        announced.done()
    }

    fn drop_table(&self, name: &TableName) -> Result<()> {
        let announced = self.announce(|| SchemaChange::of_table("delete_table", name))?;
        self.do_drop_table(name)?;
        self.forget_quotas(&QuotaOwner::Table(name.clone()))?;
        announced.done()
    }

    fn truncate_table(&self, name: &TableName, preserve_splits: bool) -> Result<()> {
        let announced = self.announce(|| SchemaChange::of_table("truncate_table", name))?;
        self.do_truncate_table(name, preserve_splits)?;
        update_quotas(&self.shared, true)?;
        announced.done()
    }

    fn list_tables(&self, namespace: Option<&str>) -> Result<Vec<TableName>> {
        self.shared.check_open()?;
        if let Some(namespace) = namespace {
            self.find_namespace(namespace)?;
        }
        let names = self.shared.tables.all().into_iter().map(|table| table.name().clone());
        Ok(names.filter(|name| namespace.is_none_or(|namespace| namespace == name.namespace())).collect())
    }

    fn create_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        let announced = self.announce(|| SchemaChange::named("create_namespace", &namespace.name))?;
        self.do_create_namespace(namespace)?;
        announced.done()
    }

    fn alter_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        let announced = self.announce(|| SchemaChange::named("modify_namespace", &namespace.name))?;
        self.do_alter_namespace(namespace)?;
        announced.done()
    }

    fn drop_namespace(&self, name: &str) -> Result<()> {
        let announced = self.announce(|| SchemaChange::named("delete_namespace", name))?;
        self.do_drop_namespace(name)?;
        self.forget_quotas(&QuotaOwner::Namespace(name.to_string()))?;
        announced.done()
    }

    fn list_namespaces(&self) -> Result<Vec<NamespaceDescriptor>> {
        self.shared.check_open()?;
        Ok(self.shared.state().namespaces.values().cloned().collect())
    }
}

impl StoreAdmin for Database {
    fn flush(&self, name: Option<&TableName>) -> Result<()> {
        self.do_flush(name)?;
        update_quotas(&self.shared, true)
    }

    fn compact(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()> {
        self.do_compact(name, family, major)?;
        update_quotas(&self.shared, true)
    }

    fn normalize(&self, name: &TableName) -> Result<u64> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        let table = self.shared.tables.find(name)?;
        regions::normalize(&self.shared, &table)
    }

    fn switch(&self, switch: Switch) -> Result<bool> {
        self.shared.check_open()?;
        Ok(self.quota_switch(switch, None)?.unwrap_or_else(|| self.shared.switches.is_on(switch)))
    }

    fn set_switch(&self, switch: Switch, on: bool) -> Result<bool> {
        self.shared.check_changeable()?;
        match self.quota_switch(switch, Some(on))? {
            Some(before) => Ok(before),
            None => self.do_set_switch(switch, on),
        }
    }

    fn store_files(&self, name: &TableName) -> Result<Vec<StoreFileInfo>> {
        self.list_store_files(name)
    }

    fn bulk_load(&self, name: &TableName, files: Vec<(Vec<u8>, PathBuf)>) -> Result<Vec<StoreFileInfo>> {
        let loaded = self.do_bulk_load(name, &files)?;
        update_quotas(&self.shared, true)?;
        Ok(loaded)
    }

    fn export_files(&self, name: &TableName, folder: &Path) -> Result<Vec<StoreFileInfo>> {
        self.do_export_files(name, folder)
    }

    fn backup(&self, out: &Path) -> Result<BackupInfo> {
        let copied = self.do_backup(out)?;
        Ok(BackupInfo {
            store_files: copied.store_files,
            logs: copied.logs,
            bytes: copied.bytes,
            linked_bytes: copied.linked_bytes,
        })
    }

    fn statistics(&self, name: Option<&TableName>) -> Result<Statistics> {
        self.gather_statistics(name)
    }

    fn memory_limits(&self) -> Result<MemoryLimits> {
        self.shared.check_open()?;
        Ok(self.shared.limits)
    }

    fn store_loads(&self, name: &TableName) -> Result<Vec<StoreLoad>> {
        self.list_store_loads(name)
    }

    fn heat(&self, name: &TableName) -> Result<HeatMap> {
        self.shared.check_open()?;
        Ok(self.shared.tables.find(name)?.heat().map())
    }
}

impl RegionAdmin for Database {
    fn regions(&self, name: &TableName) -> Result<Vec<RegionInfo>> {
        self.shared.check_open()?;
        if name.is_meta() {
            return Ok(vec![RegionInfo::meta()]);
        }
        Ok(self.shared.tables.find(name)?.regions().iter().map(|region| region.info().clone()).collect())
    }

    fn split_region(&self, region: &[u8], row: Option<&[u8]>) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        let (table, region) = self.shared.tables.find_region(region)?;
        regions::split(&self.shared, &table, &region, row)
    }

    fn merge_regions(&self, regions: &[Vec<u8>], force: bool) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        regions::merge(&self.shared, regions, force)
    }

    fn truncate_region(&self, region: &[u8]) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        let (table, region) = self.shared.tables.find_region(region)?;
        regions::truncate(&self.shared, &table, &region)
    }

    fn flush_region(&self, region: &[u8], family: Option<&[u8]>) -> Result<()> {
        self.shared.check_changeable()?;
        let (_, region) = self.shared.tables.find_region(region)?;
        match family {
            Some(family) => region.flush_family(family).map(|_| ())?,
            None => region.flush().map(|_| ())?,
        }
        update_quotas(&self.shared, true)
    }

    fn compact_region(&self, region: &[u8], family: Option<&[u8]>, major: bool) -> Result<()> {
        self.shared.check_changeable()?;
        let (table, region) = self.shared.tables.find_region(region)?;
        self.compact_rows(&table, region, family, major)?;
        update_quotas(&self.shared, true)
    }

    fn clear_block_cache(&self, region: &[u8]) -> Result<u64> {
        self.shared.check_open()?;
        let (_, region) = self.shared.tables.find_region(region)?;
        Ok(region.stores().iter().map(|store| store.evict_blocks()).sum())
    }

    fn compaction_state(&self, region: &[u8]) -> Result<CompactionState> {
        self.shared.check_open()?;
        Ok(self.shared.tables.find_region(region)?.1.compaction_state())
    }
}

impl SnapshotAdmin for Database {
    fn take_snapshot(&self, snapshot: &str, table: &TableName, flush: bool, ttl_seconds: i64) -> Result<()> {
        self.take_owned_snapshot("", snapshot, table, flush, ttl_seconds)
    }

    fn take_owned_snapshot(
        &self,
        owner: &str,
        snapshot: &str,
        table: &TableName,
        flush: bool,
        ttl_seconds: i64,
    ) -> Result<()> {
        let announced = self.announce(|| SchemaChange {
            name: Some(snapshot.to_string()),
            ..SchemaChange::of_table("snapshot", table)
        })?;
        self.do_take_snapshot(owner, snapshot, table, flush, ttl_seconds)?;
        update_quotas(&self.shared, true)?;
        announced.done()
    }

    fn list_snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        self.do_list_snapshots()
    }

    fn delete_snapshot(&self, snapshot: &str) -> Result<()> {
        let announced = self.announce(|| SchemaChange::named("delete_snapshot", snapshot))?;
        self.do_delete_snapshot(snapshot)?;
        update_quotas(&self.shared, true)?;
        announced.done()
    }

    fn clone_snapshot(&self, snapshot: &str, table: &TableName) -> Result<()> {
        let announced = self.announce(|| SchemaChange {
            name: Some(snapshot.to_string()),
            ..SchemaChange::of_table("clone_snapshot", table)
        })?;
        self.do_clone_snapshot(snapshot, table)?;
        update_quotas(&self.shared, true)?;
        announced.done()
    }

    fn restore_snapshot(&self, snapshot: &str) -> Result<()> {
        let announced = self.announce(|| SchemaChange::named("restore_snapshot", snapshot))?;
        self.do_restore_snapshot(snapshot)?;
        update_quotas(&self.shared, true)?;
        announced.done()
    }

    fn export_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        self.do_export_snapshot(snapshot, folder)
    }

    fn import_snapshot(&self, snapshot: &str, folder: &Path) -> Result<()> {
        self.do_import_snapshot(snapshot, folder)
    }
}

impl PermissionAdmin for Database {
    /// Refuses compactions that clients request if the database is read-only, or while a space policy forbids them. The
    /// process that opened the database may still compact under such a policy.
    fn check(&self, intent: Intent<'_>) -> Result<()> {
        let (name, is_exempt) = match intent {
            Intent::Compact(name) => (name, false),
            Intent::CompactDespitePolicy(name) => (name, true),
            Intent::Operate | Intent::Balance | Intent::Move(_) | Intent::Flush(_) => return Ok(()),
        };
        self.shared.check_changeable()?;
        let policy = self.shared.tables.find(name)?.space_policy();
        if policy == Some(SpacePolicy::NoWritesCompactions) && !is_exempt {
            return Err(Error::invalid("Compactions on this region are disabled due to a space quota violation."));
        }
        Ok(())
    }
}

impl QuotaAdmin for Database {
    fn set_quota(&self, owner: &QuotaOwner, change: &QuotaChange) -> Result<()> {
        self.do_set_quota(owner, change)
    }

    fn space_sizes(&self) -> Result<Vec<(TableName, u64)>> {
        self.list_space_sizes()
    }

    fn space_uses(&self) -> Result<Vec<(QuotaOwner, SpaceUse)>> {
        self.list_space_uses()
    }
}

impl ClusterAdmin for Database {}
