//! Snapshots: the contents of a table at one moment, under a name. Sources: HBase's `SnapshotManager`,
//! `CloneSnapshotProcedure`, `RestoreSnapshotProcedure`.
//!
//! A snapshot is an entry of the manifest that names the table's files. For each region these are the files after
//! one flush of all its families, so that no row is torn; the caller may skip the flush. Regions are captured one
//! after another, as in HBase. No file is copied: a file is retained until neither a table nor a snapshot names it
//! ([`crate::manifest::State::live_paths`]).
//!
//! A clone is a new table of new regions over the same files; a restore gives the table such regions. New regions
//! have new names, so log records of the old ones do not apply to them. Their sequence ids continue after those of
//! the files.

use super::super::Database;
use super::create::check_disabled;
use super::namespaces::check_quota;
use crate::db::operations::witness::add_table;
use crate::db::state::required_observer::check_way_around;
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::manifest::{new_region, Edit, FileEntry, RegionEntry, SnapshotEntry, TableEntry};
use crate::region::{Quiet, Region};
use crate::store::Services;
use rowstone_model::admin::{SnapshotInfo, SnapshotKind};
use rowstone_model::codec::listed;
use rowstone_model::schema::{check_snapshot_name, TableDescriptor, TableName, TableState};
use rowstone_model::switches::Switch;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

impl Database {
    pub(super) fn do_take_snapshot(
        &self,
        owner: &str,
        name: &str,
        table: &TableName,
        flush: bool,
        ttl_seconds: i64,
    ) -> Result<()> {
        self.shared.check_changeable()?;
        check_snapshot_name(name)?;
        let _ddl = self.shared.begin_schema_change()?;
        remove_expired(&self.shared)?;
        if self.shared.state().snapshots.contains_key(name) {
            let message = format!("snapshot '{name}' exists already (SnapshotExistsException)");
            return Err(Error::new(ErrorKind::SnapshotExists, message));
        }
        let handle = self.shared.tables.find(table)?;
        // A compaction may replace a file between the flush that captured it and the edit that names it.
        let pin = self.shared.pin_files();
        let kind = match (handle.is_enabled(), flush) {
            (false, _) => SnapshotKind::Disabled,
            (true, true) => SnapshotKind::Flush,
            (true, false) => SnapshotKind::SkipFlush,
        };
        // A disabled table is always flushed, because in HBase it has nothing in memory.
        let regions = match kind {
            SnapshotKind::SkipFlush => self.table_entry(table)?.regions.clone(),
            SnapshotKind::Flush | SnapshotKind::Disabled => self.flush_and_capture(table, &handle)?,
        };
        let snapshot = SnapshotEntry {
            name: name.to_string(),
            created_ms: self.shared.system.clock.now_ms(),
            ttl_seconds,
            owner: owner.to_string(),
            kind,
            descriptor: self.table_entry(table)?.descriptor.clone(),
            regions,
        };
        // If the outcome is unknown, the manifest may name the files after all. They are retained until the next
        // open decides.
        self.shared.commit_change(vec![Edit::PutSnapshot { snapshot }], || std::mem::forget(pin))
    }

    /// Flushes each region and captures its files, all families as of one sequence id. Without that, a flush of one
    /// family between the first region's flush and the edit would put newer cells of only that family into the
    /// snapshot.
    fn flush_and_capture(&self, table: &TableName, handle: &TableHandle) -> Result<Vec<RegionEntry>> {
        let capture = |region: &Arc<Region>| {
            let name = &region.info().encoded_name;
            let entry = self.table_entry(table)?;
            let found = entry.regions.iter().find(|entry| entry.info.encoded_name == *name).cloned();
            found.ok_or_else(|| Error::internal(format!("the manifest has no region {name}")))
        };
        handle.regions().iter().map(|region| region.flush_and_capture(|| capture(region))).collect()
    }

    fn table_entry(&self, table: &TableName) -> Result<Arc<TableEntry>> {
        let entry = self.shared.state().tables.get(table).cloned();
        entry.ok_or_else(|| Error::internal(format!("the manifest has no table '{table}'")))
    }

    pub(super) fn do_list_snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        self.shared.check_open()?;
        let now_ms = self.shared.system.clock.now_ms();
        let state = self.shared.state();
        let alive = state.snapshots.values().filter(|snapshot| !snapshot.is_expired(now_ms));
        let info = |snapshot: &Arc<SnapshotEntry>| SnapshotInfo {
            name: snapshot.name.clone(),
            table: snapshot.descriptor.name.to_string(),
            kind: snapshot.kind,
            created_ms: snapshot.created_ms,
            ttl_seconds: snapshot.ttl_seconds,
            owner: snapshot.owner.clone(),
        };
        Ok(alive.map(info).collect())
    }

    pub(super) fn do_delete_snapshot(&self, name: &str) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        remove_expired(&self.shared)?;
        let snapshot = self.find_snapshot(name)?;
        remove(&self.shared, &[snapshot])
    }

    pub(super) fn do_clone_snapshot(&self, name: &str, target: &TableName) -> Result<()> {
        self.shared.check_changeable()?;
        if target.is_system() {
            let message = format!("table '{target}': the namespace 'hbase' is for system tables");
            return Err(Error::new(ErrorKind::Constraint, message));
        }
        let _ddl = self.shared.begin_schema_change()?;
        remove_expired(&self.shared)?;
        let snapshot = self.find_snapshot(name)?;
        self.find_namespace(target.namespace())?;
        let state = self.shared.state();
        if state.tables.contains_key(target) {
            let message = format!("table '{target}' exists already (TableExistsException)");
            return Err(Error::new(ErrorKind::TableExists, message));
        }
        check_quota(&state, target.namespace(), 1, snapshot.regions.len())?;
        let table = self.table_of(&snapshot, target);
        let regions = self.open_all(&table)?;
        let TableEntry { descriptor, regions: entries, .. } = table;
        let edit = Edit::CreateTable { descriptor: descriptor.clone(), regions: entries };
        self.shared.commit_change(vec![edit], || ())?;
        self.make_directories(target);
        add_table(&self.shared, TableHandle::new(descriptor, regions, true));
        self.compact_halves(target)
    }

    pub(super) fn do_restore_snapshot(&self, name: &str) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        remove_expired(&self.shared)?;
        let snapshot = self.find_snapshot(name)?;
        let target = &snapshot.descriptor.name;
        let handle = self.shared.tables.find(target)?;
        check_disabled(&handle, "restored")?;
        check_way_around(&handle.descriptor(), "restoring a snapshot")?;
        check_way_around(&snapshot.descriptor, "restoring a snapshot")?;
        let old = handle.regions();
        let more = snapshot.regions.len().saturating_sub(old.len());
        if more > 0 {
            check_quota(&self.shared.state(), target.namespace(), 0, more)?;
        }
        let table = self.table_of(&snapshot, target);
        let regions = self.open_all(&table)?;
        let TableEntry { descriptor, regions: entries, .. } = table;
        let quiet: Vec<Quiet<'_>> = old.iter().map(|region| region.quiesce()).collect();
        let alter = Edit::AlterTable { descriptor: descriptor.clone() };
        let edits = vec![alter, Edit::SetRegions { table: target.clone(), regions: entries }];
        self.shared.commit_change(edits, || ())?;
        self.make_directories(target);
        handle.set_descriptor(descriptor);
        handle.set_regions(regions);
        self.discard_regions(&old, &quiet);
        self.compact_halves(target)
    }

    pub(super) fn find_snapshot(&self, name: &str) -> Result<Arc<SnapshotEntry>> {
        let state = self.shared.state();
        state.snapshots.get(name).cloned().ok_or_else(|| {
            let known = listed(state.snapshots.keys());
            let message = format!("no snapshot '{name}' (SnapshotDoesNotExistException); existing snapshots: {known}");
            Error::new(ErrorKind::SnapshotNotFound, message)
        })
    }

    /// The snapshot's table under the name `target`, with new region names.
    fn table_of(&self, snapshot: &SnapshotEntry, target: &TableName) -> TableEntry {
        let region_id = self.shared.state().next_region_id(self.shared.system.clock.now_ms());
        let region = |old: &RegionEntry| {
            let (start, end) = (old.info.start_key.clone(), old.info.end_key.clone());
            let files = old.stores.values().flat_map(|store| &store.files);
            let highest = files.map(|file| file.max_sequence_id).max().unwrap_or(0);
            RegionEntry {
                info: new_region(target, start, end, region_id),
                stores: old.stores.clone(),
                last_sequence_id: old.last_sequence_id.max(highest),
                last_write_ms: old.last_write_ms,
                // The parent belonged to another region.
                split: None,
            }
        };
        let descriptor = TableDescriptor { name: target.clone(), ..snapshot.descriptor.clone() };
        let regions = snapshot.regions.iter().map(region).collect();
        TableEntry { descriptor, state: TableState::Enabled, regions }
    }

    /// Requests compactions of the half files that a split left, as after the split.
    fn compact_halves(&self, name: &TableName) -> Result<()> {
        for region in self.shared.tables.find(name)?.regions().iter().filter(|region| region.has_references()) {
            self.shared.request(crate::store::Work::Compact(region.info().encoded_name.clone()));
        }
        Ok(())
    }
}

/// Removes snapshots whose time to live has expired. Does nothing while the schema is being changed; the next tick
/// removes them.
pub(in crate::db) fn remove_expired_snapshots(shared: &Shared) -> Result<()> {
    if !shared.switches.is_on(Switch::SnapshotCleanup) {
        return Ok(());
    }
    match shared.ddl.try_lock() {
        Some(_ddl) if !shared.is_read_only() => shared.check_open().and_then(|()| remove_expired(shared)),
        _ => Ok(()),
    }
}

/// Removes expired snapshots. The caller holds the schema lock.
pub(super) fn remove_expired(shared: &Shared) -> Result<()> {
    let now_ms = shared.system.clock.now_ms();
    let state = shared.state();
    let expired: Vec<_> = state.snapshots.values().filter(|entry| entry.is_expired(now_ms)).cloned().collect();
    if expired.is_empty() {
        Ok(())
    } else {
        remove(shared, &expired)
    }
}

/// Removes snapshots, and the files that only they named.
fn remove(shared: &Shared, snapshots: &[Arc<SnapshotEntry>]) -> Result<()> {
    let edit = |snapshot: &Arc<SnapshotEntry>| Edit::DropSnapshot { name: snapshot.name.clone() };
    shared.commit(snapshots.iter().map(edit).collect())?;
    let files = snapshots.iter().flat_map(|snapshot| snapshot.files()).flat_map(FileEntry::paths);
    let files: Vec<String> = files.map(String::from).collect();
    shared.remove_files(&files);
    Ok(())
}
