//! Space usage of tables according to the manifest, and the writes that a policy forbids.

use crate::manifest::{FileEntry, State};
use rowstone_model::operations::{Mutation, MutationKind};
use rowstone_model::quota::{space_error, QuotaOwner, RequestQuotas, SpaceLimit, SpacePolicy, SpaceUse};
use rowstone_model::schema::TableName;
use rowstone_model::Result;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of the files in a table's own folder. As in HBase, three kinds do not count here: files that a clone
/// borrows belong to its snapshot, halves of a split to their parent, and MOB files are separate.
pub(in crate::db) fn table_bytes(state: &State, name: &TableName) -> u64 {
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
pub(in crate::db) fn snapshot_bytes(state: &State, name: &TableName) -> BTreeMap<String, u64> {
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
    pub(in crate::db) tables: BTreeMap<TableName, SpaceUse>,
    pub(in crate::db) namespaces: BTreeMap<String, SpaceUse>,
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
pub(in crate::db) fn standings_in(state: &State, quotas: &RequestQuotas) -> Standings {
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
