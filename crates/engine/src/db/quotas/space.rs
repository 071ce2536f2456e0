//! Limits on space: usage of tables according to the manifest, and its consequences. Sources: `QuotaObserverChore`,
//! `SnapshotQuotaObserverChore`. They run every minute; here usage is checked at each change of files.
//!
//! Writes are refused at once. `hbase:quota` and the states of tables are updated when the call that changed files
//! ends, or after a background flush.

use super::super::admin::switch_table;
use super::{stored, write};
use crate::db::state::quota_book::WrittenUsage;
use crate::db::state::shared::Shared;
use crate::db::state::space::{snapshot_bytes, standings_in, table_bytes, Standings};
use crate::db::state::tables::TableHandle;
use rowstone_model::quota::{space_error, SpacePolicy, SpaceUse};
use rowstone_model::schema::{TableName, TableState};
use rowstone_model::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Policy name in errors while no policy is in force.
const BEFORE: &str = "BulkLoadVerifying";

/// Current usage and limits.
pub(in crate::db) fn standings(shared: &Shared) -> Standings {
    standings_in(&shared.state(), &shared.quotas.owners())
}

/// Bytes of the files of each table.
pub(in crate::db) fn sizes(shared: &Shared) -> Vec<(TableName, u64)> {
    let state = shared.state();
    let names = state.tables.keys().filter(|name| !name.is_system());
    names.map(|name| (name.clone(), table_bytes(&state, name))).collect()
}

/// Refuses files that would exceed the limit. Source: `DefaultViolationPolicyEnforcement`.
pub(in crate::db) fn check_bulk_load(
    shared: &Shared,
    table: &TableHandle,
    files: &[(Vec<u8>, PathBuf)],
    bytes: u64,
) -> Result<()> {
    if !shared.quotas.is_counting.load(Ordering::Relaxed) {
        return Ok(());
    }
    let Some(standing) = standings(shared).tables.remove(table.name()) else { return Ok(()) };
    if standing.usage_bytes.saturating_add(bytes) <= standing.limit_bytes {
        return Ok(());
    }
    let paths: Vec<String> = files.iter().map(|(_, path)| path.display().to_string()).collect();
    let (policy, paths) = (standing.policy.map_or(BEFORE, SpacePolicy::name), paths.join(", "));
    let why = "is disallowed because the file(s) exceed the limits of a space quota.";
    Err(space_error(policy, format_args!("Bulk load of [{paths}] {why}")))
}

/// Writes the current usage to `hbase:quota`, and disables and enables tables with the policy `Disable`.
pub(super) fn apply_usage(shared: &Shared, waits: bool) -> Result<()> {
    let ddl = if waits { Some(shared.begin_schema_change()?) } else { shared.ddl.try_lock() };
    if ddl.is_none() {
        return Ok(());
    }
    let mut written = shared.quotas.written.lock();
    shared.quotas.is_stale.store(false, Ordering::Release);
    let outcome = write_usage(shared, &mut written);
    if outcome.is_err() {
        shared.quotas.is_stale.store(true, Ordering::Release);
    }
    outcome
}

fn write_usage(shared: &Shared, written: &mut WrittenUsage) -> Result<()> {
    shared.check_open()?;
    let state = shared.state();
    let now = standings_in(&state, &shared.quotas.owners()).tables;
    let is_off = |standing: Option<&SpaceUse>| standing.and_then(|one| one.policy) == Some(SpacePolicy::Disable);
    let names: BTreeSet<TableName> =
        now.keys().chain(written.standings.keys()).chain(&written.disabled).cloned().collect();
    for name in names {
        let (old, new) = (written.standings.get(&name), now.get(&name));
        if old != new {
            write(shared, stored::standing(&name, new))?;
        }
        if written.disabled.contains(&name) != is_off(new) {
            let wanted = if is_off(new) { TableState::Disabled } else { TableState::Enabled };
            follow(shared, &name, wanted)?;
        }
    }
    let snapshots = now.keys().flat_map(|name| {
        snapshot_bytes(&state, name).into_iter().map(|(snapshot, bytes)| ((name.clone(), snapshot), bytes))
    });
    let snapshots: BTreeMap<(TableName, String), u64> = snapshots.collect();
    let names: BTreeSet<_> = snapshots.keys().chain(written.snapshots.keys()).cloned().collect();
    for key in names {
        let new = snapshots.get(&key);
        if written.snapshots.get(&key) != new {
            write(shared, stored::snapshot_size(&key.0, &key.1, new.copied()))?;
        }
    }
    let disabled = now.iter().filter(|(_, standing)| is_off(Some(standing))).map(|(name, _)| name.clone()).collect();
    *written = WrittenUsage { standings: now, snapshots, disabled };
    Ok(())
}

/// Disables or enables a table unless it already is. The caller holds the schema lock.
fn follow(shared: &Shared, name: &TableName, wanted: TableState) -> Result<()> {
    match shared.tables.find(name) {
        Ok(handle) if handle.is_enabled() != (wanted == TableState::Enabled) => switch_table(shared, &handle, wanted),
        _ => Ok(()),
    }
}
