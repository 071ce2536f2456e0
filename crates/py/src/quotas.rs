//! Quotas, of a directory and of a cluster. Values cross as plain tuples; `rowstone.admin` names their
//! fields.

use crate::arguments::Name;
use crate::fork::Guarded;
use pyo3::prelude::*;
use rowstone_model::backend::Backend;
use rowstone_model::quota::{
    QuotaChange, QuotaOwner, QuotaScope, Quotas as Limits, SpaceLimit, SpacePolicy, SpaceUse, ThrottleKind, TimeUnit,
    TimedLimit,
};
use rowstone_model::schema::TableName;
use rowstone_model::{ErrorKind, Result};
use rowstone_quotas::stored::{self, Entry};
use std::sync::Arc;

/// Owner argument: user, table, namespace, server.
type OwnerParts = (Option<String>, Option<Name>, Option<String>, Option<String>);
/// Owner in results: the same.
type Owner = (Option<String>, Option<String>, Option<String>, Option<String>);
/// Kind, limit, unit, scope.
type Throttle = (&'static str, u64, &'static str, Option<&'static str>);
/// Owner, limits on requests, whether the limits of other owners are bypassed, (bytes, policy).
type Parts = (Owner, Vec<Throttle>, Option<bool>, Option<(u64, &'static str)>);
/// Table, bytes used, maximum bytes, policy in force.
type Use = (String, u64, u64, Option<&'static str>);

/// Quotas of a database; wrapped by `rowstone.Admin`.
#[pyclass(frozen, module = "rowstone._native")]
pub struct Quotas(Guarded<Arc<dyn Backend>>);

impl Quotas {
    /// Creates the quotas of `backend`.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Quotas(Guarded::new(backend))
    }

    fn set(&self, py: Python<'_>, owner: OwnerParts, change: impl FnOnce() -> Result<QuotaChange>) -> PyResult<()> {
        let change = change().map_err(|error| crate::errors::raise(py, &error))?;
        self.0.long(py, move |backend| backend.admin().set_quota(&owner_of(owner)?, &change))
    }

    /// All entries of `hbase:quota`; empty if the table does not exist.
    fn entries(&self, py: Python<'_>) -> PyResult<Vec<Entry>> {
        self.0.long(py, |backend| {
            let found = backend.table(&stored::table()?).and_then(|table| stored::entries(&*table));
            match found {
                Err(error) if error.kind() == ErrorKind::TableNotFound => Ok(Vec::new()),
                other => other,
            }
        })
    }
}

fn owner_of((user, table, namespace, server): OwnerParts) -> Result<QuotaOwner> {
    let table = table.map(|name| TableName::parse(&name.0)).transpose()?;
    QuotaOwner::of(user, table, namespace, server)
}

fn timed((limit, unit, scope): (u64, String, Option<String>)) -> Result<TimedLimit> {
    let scope = scope.map(|scope| QuotaScope::parse(&scope)).transpose()?;
    Ok(TimedLimit { unit: TimeUnit::parse(&unit)?, limit, scope })
}

fn parts_of(owner: &QuotaOwner, limits: &Limits) -> Parts {
    let (user, table, namespace, server) = owner.names();
    let owned = |name: Option<&str>| name.map(str::to_string);
    let owner = (owned(user), table.map(TableName::to_string), owned(namespace), owned(server));
    let throttle = |(kind, limit): (&ThrottleKind, &TimedLimit)| {
        (kind.name(), limit.limit, limit.unit.name(), limit.scope.map(QuotaScope::name))
    };
    let space = limits.space.map(|space| (space.limit_bytes, space.policy.name()));
    (owner, limits.throttle.iter().map(throttle).collect(), limits.bypass_globals, space)
}

fn use_of(table: &TableName, usage: &SpaceUse) -> Use {
    (table.to_string(), usage.usage_bytes, usage.limit_bytes, usage.policy.map(SpacePolicy::name))
}

#[pymethods]
impl Quotas {
    /// Sets a limit on requests, (limit, unit, scope), or removes it; without a kind it removes all of them.
    fn set_throttle(
        &self,
        py: Python<'_>,
        owner: OwnerParts,
        kind: Option<String>,
        limit: Option<(u64, String, Option<String>)>,
    ) -> PyResult<()> {
        self.set(py, owner, || {
            let limit = limit.map(timed).transpose()?;
            Ok(match kind {
                Some(kind) => QuotaChange::Throttle(ThrottleKind::parse(&kind)?, limit),
                None => QuotaChange::Unthrottle,
            })
        })
    }

    fn set_bypass(&self, py: Python<'_>, owner: OwnerParts, bypass: bool) -> PyResult<()> {
        self.set(py, owner, || Ok(QuotaChange::Bypass(bypass)))
    }

    /// Sets the limit on space, (bytes, policy), or removes it.
    fn set_space(&self, py: Python<'_>, owner: OwnerParts, limit: Option<(u64, String)>) -> PyResult<()> {
        self.set(py, owner, || {
            let space = |(limit_bytes, policy): (u64, String)| {
                SpacePolicy::parse(&policy).map(|policy| SpaceLimit { limit_bytes, policy })
            };
            Ok(QuotaChange::Space(limit.map(space).transpose()?))
        })
    }

    /// All limits, in the order of `hbase:quota`.
    fn all(&self, py: Python<'_>) -> PyResult<Vec<Parts>> {
        let limits = |entry: &Entry| match entry {
            Entry::Limits(owner, limits) => Some(parts_of(owner, limits)),
            _ => None,
        };
        Ok(self.entries(py)?.iter().filter_map(limits).collect())
    }

    /// Space usage of tables with a space quota, as stored in `hbase:quota`.
    fn space_uses(&self, py: Python<'_>) -> PyResult<Vec<Use>> {
        let standing = |entry: &Entry| match entry {
            Entry::Standing(table, usage) => Some(use_of(table, usage)),
            _ => None,
        };
        Ok(self.entries(py)?.iter().filter_map(standing).collect())
    }

    /// Snapshots with the bytes that only they retain, as stored in `hbase:quota`.
    fn snapshot_sizes(&self, py: Python<'_>) -> PyResult<Vec<(String, u64)>> {
        let size = |entry: Entry| match entry {
            Entry::Snapshot(_, name, bytes) => Some((name, bytes)),
            _ => None,
        };
        Ok(self.entries(py)?.into_iter().filter_map(size).collect())
    }

    /// Tables with the size of their files in bytes.
    fn space_sizes(&self, py: Python<'_>) -> PyResult<Vec<(String, u64)>> {
        let sizes = self.0.long(py, |backend| backend.admin().space_sizes())?;
        Ok(sizes.into_iter().map(|(name, bytes)| (name.to_string(), bytes)).collect())
    }
}
