//! Quotas. Limits on requests are stored in `hbase:quota` and enforced by a server; limits on space are enforced
//! here. `hbase.quota.enabled` enables both. Source: `MasterQuotaManager`.

mod space;

pub(super) use space::{check_bulk_load, sizes, standings};

use super::operations::table::Table;
use super::state::quota_book::WrittenUsage;
use super::state::shared::Shared;
use super::state::tables::TableHandle;
use super::Database;
use rowstone_model::operations::Mutation;
use rowstone_model::quota::{QuotaChange, QuotaOwner, RequestQuotas, SpacePolicy, SpaceUse};
use rowstone_model::schema::TableName;
use rowstone_model::switches::Switch;
use rowstone_model::{ErrorKind, Result};
use rowstone_quotas::change::check_may_exceed;
use rowstone_quotas::stored::{self, Entry};
use std::sync::atomic::Ordering;
use std::sync::Arc;

fn quota_table(shared: &Shared) -> Result<Arc<TableHandle>> {
    shared.tables.find(&stored::table()?)
}

/// Writes to the quota table without waiting for memory: the caller may be the thread that flushes.
fn write(shared: &Shared, mut mutation: Mutation) -> Result<()> {
    let row = mutation.row.clone();
    quota_table(shared)?.in_region(&row, |region| region.mutate(&mut mutation)).map(drop)
}

/// Loads the quotas from the table.
fn load(shared: &Arc<Shared>) -> Result<()> {
    let book = &shared.quotas;
    let table = Table::new(Arc::clone(shared), quota_table(shared)?);
    // Locked before the table is read: usage that is written meanwhile would be lost.
    let mut place = book.written.lock();
    let mut quotas = RequestQuotas { are_kept: shared.switches.is_on(Switch::RpcThrottle), ..Default::default() };
    let mut written = WrittenUsage::default();
    for entry in stored::entries(&table)? {
        match entry {
            Entry::Limits(owner, own) => drop(quotas.owners.insert(owner, own)),
            Entry::MayExceed(on) => quotas.may_exceed = on,
            Entry::Standing(table, usage) => drop(written.standings.insert(table, usage)),
            Entry::Snapshot(table, name, bytes) => drop(written.snapshots.insert((table, name), bytes)),
        }
    }
    let is_counting = quotas.owners.values().any(|own| own.space.is_some());
    book.board.store(quotas);
    // Usage of removed limits has to be cleared in the table.
    let is_off = |usage: &SpaceUse| usage.policy == Some(SpacePolicy::Disable);
    written.disabled =
        written.standings.iter().filter(|(_, usage)| is_off(usage)).map(|(name, _)| name.clone()).collect();
    written.disabled.append(&mut place.disabled);
    let is_stale = is_counting || written != WrittenUsage::default();
    *place = written;
    drop(place);
    book.is_counting.store(is_counting, Ordering::Relaxed);
    book.is_stale.store(is_stale, Ordering::Release);
    shared.quotas.enforce(&shared.tables, || shared.state());
    Ok(())
}

/// Updates `hbase:quota` and the states of tables to the current sizes. Without `waits`, it is postponed while the
/// schema is being changed.
pub(super) fn update_quotas(shared: &Shared, waits: bool) -> Result<()> {
    if shared.quotas.is_stale.load(Ordering::Acquire) && !shared.is_read_only() {
        space::apply_usage(shared, waits)?;
    }
    Ok(())
}

impl Database {
    /// Creates the quota table if it is missing, and loads it.
    pub(super) fn open_quotas(&self) -> Result<()> {
        if !self.shared.quotas.is_enabled {
            return Ok(());
        }
        if !self.shared.is_read_only() {
            self.make_system_table(stored::descriptor()?)?;
        }
        match load(&self.shared) {
            Err(error) if error.kind() == ErrorKind::TableNotFound => Ok(()),
            other => other.and_then(|()| update_quotas(&self.shared, true)),
        }
    }

    pub(super) fn do_set_quota(&self, owner: &QuotaOwner, change: &QuotaChange) -> Result<()> {
        let book = &self.shared.quotas;
        book.check_enabled()?;
        self.shared.check_changeable()?;
        let changing = book.changing.lock();
        let old = book.owners().owners.get(owner).cloned().unwrap_or_default();
        let new = rowstone_quotas::changed(owner, &old, change)?;
        write(&self.shared, stored::limits(owner, new.as_ref()))?;
        load(&self.shared)?;
        drop(changing);
        update_quotas(&self.shared, true)
    }

    /// Removes the limits of a dropped table or namespace. Source: `MasterQuotasObserver`.
    pub(super) fn forget_quotas(&self, owner: &QuotaOwner) -> Result<()> {
        if self.shared.quotas.owners().owners.contains_key(owner) {
            self.do_set_quota(owner, &QuotaChange::RemoveAll)
        } else {
            update_quotas(&self.shared, true)
        }
    }

    /// Reads or sets a quota switch; `None` for other switches. If quotas are disabled, the switches are always
    /// off.
    pub(super) fn quota_switch(&self, switch: Switch, on: Option<bool>) -> Result<Option<bool>> {
        let book = &self.shared.quotas;
        let is_of_quotas = matches!(switch, Switch::RpcThrottle | Switch::ExceedThrottleQuota);
        if !is_of_quotas || !book.is_enabled {
            return Ok(is_of_quotas.then_some(false));
        }
        let _changing = book.changing.lock();
        let quotas = book.owners();
        let before = if switch == Switch::RpcThrottle { quotas.are_kept } else { quotas.may_exceed };
        match on.filter(|on| *on != before) {
            None => {}
            Some(on) if switch == Switch::RpcThrottle => {
                self.do_set_switch(switch, on)?;
                book.keep(on);
            }
            Some(on) => {
                if on {
                    check_may_exceed(&quotas.owners)?;
                }
                write(&self.shared, stored::may_exceed(on))?;
                load(&self.shared)?;
            }
        }
        Ok(Some(before))
    }

    pub(super) fn list_space_uses(&self) -> Result<Vec<(QuotaOwner, SpaceUse)>> {
        self.shared.check_open()?;
        Ok(standings(&self.shared).into_owners())
    }

    pub(super) fn list_space_sizes(&self) -> Result<Vec<(TableName, u64)>> {
        self.shared.check_open()?;
        Ok(if self.shared.quotas.is_enabled { sizes(&self.shared) } else { Vec::new() })
    }
}
