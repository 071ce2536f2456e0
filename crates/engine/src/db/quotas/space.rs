//! Limits on space: usage of tables according to the manifest, and its consequences. Sources: `QuotaObserverChore`,
//! `SnapshotQuotaObserverChore`. They run every minute; here usage is checked at each change of files.
//!
//! Writes are refused at once. `hbase:quota` and the states of tables are updated when the call that changed files
//! ends, or after a background flush.

use super::super::admin::switch_table;
use super::super::shared::Shared;
use super::super::tables::TableHandle;
use super::{stored, write, Told};
use crate::manifest::{FileEntry, State};
use rowstone_model::operations::{Mutation, MutationKind};
use rowstone_model::quota::{space_error, QuotaOwner, RequestQuotas, SpaceLimit, SpacePolicy, SpaceUse};
use rowstone_model::schema::{TableName, TableState};
use rowstone_model::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Policy name in errors while no policy is in force.
const BEFORE: &str = "BulkLoadVerifying";

/// Bytes of the files in a table's own folder. As in HBase, three kinds do not count here: files that a clone
/// borrows belong to its snapshot, halves of a split to their parent, and MOB files are separate.
fn table_bytes(state: &State, name: &TableName) -> u64 {
    let folder = format!("data/{}/{}/", name.namespace(), name.qualifier());
    let own = |file: &&FileEntry| file.reference.is_none() && file.path.starts_with(&folder);
    table_files(state, name).filter(own).map(|file| file.size_bytes).sum()
}

fn table_files<'s>(state: &'s State, name: &TableName) -> impl Iterator<Item = &'s FileEntry> {
    let regions = state.tables.get(name).into_iter().flat_map(|table| &table.regions);
    regions.flat_map(|region| region.stores.values()).flat_map(|store| &store.files)
}

/// Bytes that each snapshot of a table retains and the table itself no longer needs. A file of several snapshots
/// counts for the first.
fn snapshot_bytes(state: &State, name: &TableName) -> BTreeMap<String, u64> {
    let mut seen: BTreeSet<&str> = table_files(state, name).map(|file| file.path.as_str()).collect();
    let mut sizes = BTreeMap::new();
    for snapshot in state.snapshots.values().filter(|snapshot| snapshot.descriptor.name == *name) {
        let kept = snapshot.files().filter(|file| seen.insert(&file.path)).map(|file| file.size_bytes).sum();
        sizes.insert(snapshot.name.clone(), kept);
    }
    sizes
}

/// Space usage of a table, with its snapshots.
fn usage(state: &State, name: &TableName) -> u64 {
    table_bytes(state, name) + snapshot_bytes(state, name).values().sum::<u64>()
}

/// Usage and limits of tables and namespaces.
#[derive(Default)]
pub(in crate::db) struct Standings {
    tables: BTreeMap<TableName, SpaceUse>,
    namespaces: BTreeMap<String, SpaceUse>,
}

impl Standings {
    /// All owners, tables first.
    pub(in crate::db) fn into_owners(self) -> Vec<(QuotaOwner, SpaceUse)> {
        let tables = self.tables.into_iter().map(|(name, standing)| (QuotaOwner::Table(name), standing));
        let spaces = self.namespaces.into_iter().map(|(name, standing)| (QuotaOwner::Namespace(name), standing));
        tables.chain(spaces).collect()
    }
}

fn stand(usage_bytes: u64, limit: &SpaceLimit) -> SpaceUse {
    let is_over = usage_bytes > limit.limit_bytes;
    SpaceUse { usage_bytes, limit_bytes: limit.limit_bytes, policy: is_over.then_some(limit.policy) }
}

/// Usage of each table that has a limit, or whose namespace has one. A table's own limit takes precedence over its
/// namespace's, unless only the namespace's is exceeded.
fn standings_in(state: &State, quotas: &RequestQuotas) -> Standings {
    let names = || state.tables.keys().filter(|name| !name.is_system());
    let mut found = Standings::default();
    for (owner, own) in &quotas.owners {
        if let (QuotaOwner::Namespace(namespace), Some(limit)) = (owner, &own.space) {
            let all = names().filter(|name| name.namespace() == namespace).map(|name| usage(state, name)).sum();
            found.namespaces.insert(namespace.clone(), stand(all, limit));
        }
    }
    for name in names() {
        let limit = quotas.owners.get(&QuotaOwner::Table(name.clone())).and_then(|own| own.space);
        let own = limit.map(|limit| stand(usage(state, name), &limit));
        let shared = found.namespaces.get(name.namespace()).copied();
        let is_over = |standing: &SpaceUse| standing.policy.is_some();
        let chosen = own.filter(is_over).or(shared.filter(is_over)).or(own).or(shared);
        found.tables.extend(chosen.map(|standing| (name.clone(), standing)));
    }
    found
}

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

/// Makes tables refuse the writes that their limits now forbid.
pub(in crate::db) fn enforce(shared: &Shared) {
    let _enforcing = shared.quotas.enforcing.lock();
    let standings = standings(shared).tables;
    for table in shared.tables.all() {
        table.set_space_policy(standings.get(table.name()).and_then(|standing| standing.policy));
    }
}

/// Refuses writes that the policy forbids. Source: `NoInsertsViolationPolicyEnforcement` and its siblings.
#[cold]
pub(in crate::db) fn check_writes(policy: SpacePolicy, mutations: &[Mutation]) -> Result<()> {
    let Some(first) = mutations.iter().find(|mutation| match policy {
        SpacePolicy::NoInserts => mutation.kind != MutationKind::Delete,
        _ => true,
    }) else {
        return Ok(());
    };
    if policy == SpacePolicy::Disable {
        return Err(space_error(policy.name(), "This table is disabled due to violating a space quota."));
    }
    let what = match first.kind {
        MutationKind::Put => "Puts",
        MutationKind::Delete => "Deletes",
        MutationKind::Increment => "Increments",
        MutationKind::Append => "Appends",
    };
    Err(space_error(policy.name(), format_args!("{what} are disallowed due to a space quota.")))
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
pub(super) fn settle(shared: &Shared, waits: bool) -> Result<()> {
    let ddl = if waits { Some(shared.begin_schema_change()?) } else { shared.ddl.try_lock() };
    if ddl.is_none() {
        return Ok(());
    }
    let mut told = shared.quotas.told.lock();
    shared.quotas.is_stale.store(false, Ordering::Release);
    let outcome = tell(shared, &mut told);
    if outcome.is_err() {
        shared.quotas.is_stale.store(true, Ordering::Release);
    }
    outcome
}

fn tell(shared: &Shared, told: &mut Told) -> Result<()> {
    shared.check_open()?;
    let state = shared.state();
    let now = standings_in(&state, &shared.quotas.owners()).tables;
    let is_off = |standing: Option<&SpaceUse>| standing.and_then(|one| one.policy) == Some(SpacePolicy::Disable);
    let names: BTreeSet<TableName> = now.keys().chain(told.standings.keys()).chain(&told.disabled).cloned().collect();
    for name in names {
        let (old, new) = (told.standings.get(&name), now.get(&name));
        if old != new {
            write(shared, stored::standing(&name, new))?;
        }
        if told.disabled.contains(&name) != is_off(new) {
            let wanted = if is_off(new) { TableState::Disabled } else { TableState::Enabled };
            follow(shared, &name, wanted)?;
        }
    }
    let snapshots = now.keys().flat_map(|name| {
        snapshot_bytes(&state, name).into_iter().map(|(snapshot, bytes)| ((name.clone(), snapshot), bytes))
    });
    let snapshots: BTreeMap<(TableName, String), u64> = snapshots.collect();
    let names: BTreeSet<_> = snapshots.keys().chain(told.snapshots.keys()).cloned().collect();
    for key in names {
        let new = snapshots.get(&key);
        if told.snapshots.get(&key) != new {
            write(shared, stored::snapshot_size(&key.0, &key.1, new.copied()))?;
        }
    }
    let disabled = now.iter().filter(|(_, standing)| is_off(Some(standing))).map(|(name, _)| name.clone()).collect();
    *told = Told { standings: now, snapshots, disabled };
    Ok(())
}

/// Disables or enables a table unless it already is. The caller holds the schema lock.
fn follow(shared: &Shared, name: &TableName, wanted: TableState) -> Result<()> {
    match shared.tables.find(name) {
        Ok(handle) if handle.is_enabled() != (wanted == TableState::Enabled) => switch_table(shared, &handle, wanted),
        _ => Ok(()),
    }
}

/// Refuses to enable a table that is disabled because it exceeds its space limit.
pub(in crate::db) fn check_enabling(handle: &TableHandle) -> Result<()> {
    if handle.space_policy() != Some(SpacePolicy::Disable) {
        return Ok(());
    }
    let message = format!("Enabling the table '{}' is disallowed due to a violated space quota.", handle.name());
    Err(Error::new(rowstone_model::ErrorKind::AccessDenied, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_refuse_what_they_say() {
        let all = [MutationKind::Put, MutationKind::Delete, MutationKind::Increment, MutationKind::Append];
        let refused = |policy| {
            let check = |kind| check_writes(policy, &[Mutation::new(kind, "row")]);
            all.iter().filter_map(|kind| check(*kind).err()).map(|error| error.message().to_string()).collect()
        };
        let texts: Vec<String> = refused(SpacePolicy::NoInserts);
        assert_eq!(texts.len(), 3);
        assert_eq!(texts[0], "NO_INSERTS Puts are disallowed due to a space quota.");
        for policy in [SpacePolicy::NoWrites, SpacePolicy::NoWritesCompactions, SpacePolicy::Disable] {
            let texts: Vec<String> = refused(policy);
            assert_eq!(texts.len(), 4, "{policy}");
            assert!(texts.iter().all(|text| text.starts_with(policy.name())), "{texts:?}");
        }
    }
}
