//! Quotas. Limits on requests are stored in `hbase:quota` and enforced by a server; limits on space are enforced
//! here. Without `hbase.quota.enabled` there are none. Source: `MasterQuotaManager`.

mod rules;
mod space;

pub(super) use space::{check_bulk_load, check_enabling, check_writes, enforce, sizes, standings};

use super::shared::Shared;
use super::table::Table;
use super::tables::TableHandle;
use super::Database;
use crate::settings::Settings;
use crate::sys::lock::Mutex;
use crate::sys::Clock;
use rowstone_model::admin::without_quotas;
use rowstone_model::operations::Mutation;
use rowstone_model::quota::{QuotaBoard, QuotaChange, QuotaOwner, RequestQuotas, SpacePolicy, SpaceUse};
use rowstone_model::schema::TableName;
use rowstone_model::switches::Switch;
use rowstone_model::{ErrorKind, Result};
use rowstone_quotas::change::check_may_exceed;
use rowstone_quotas::stored::{self, Entry};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Space usage as last written to `hbase:quota`.
#[derive(Default, PartialEq)]
struct Told {
    standings: BTreeMap<TableName, SpaceUse>,
    snapshots: BTreeMap<(TableName, String), u64>,
    /// Tables that were disabled because of their limits. Also remembered after a limit's whole row was removed.
    disabled: BTreeSet<TableName>,
}

/// The quotas of a database.
pub(super) struct QuotaBook {
    is_enabled: bool,
    board: Arc<QuotaBoard>,
    /// Whether any space limit exists. Without one, sizes are not computed.
    is_counting: AtomicBool,
    /// Whether sizes have changed since they were last written to `hbase:quota`.
    is_stale: AtomicBool,
    /// Serialises changes and reads of the quota table.
    changing: Mutex<()>,
    told: Mutex<Told>,
    /// Serialises enforcement, so that an older computation does not overwrite a newer one.
    enforcing: Mutex<()>,
}

impl QuotaBook {
    /// Starts without quotas; `clock` drives the limits on requests.
    pub(super) fn new(settings: &Settings, clock: Arc<dyn Clock>) -> Self {
        QuotaBook {
            is_enabled: settings.flag("hbase.quota.enabled"),
            board: Arc::new(QuotaBoard::with_rules(rules::rules(settings), move || clock.now_ms())),
            is_counting: AtomicBool::new(false),
            is_stale: AtomicBool::new(false),
            changing: Mutex::new(()),
            told: Mutex::default(),
            enforcing: Mutex::new(()),
        }
    }

    /// The limits that a server enforces; `None` if quotas are disabled.
    pub(super) fn board(&self) -> Option<Arc<QuotaBoard>> {
        self.is_enabled.then(|| Arc::clone(&self.board))
    }

    /// Notes that files were added or removed. Returns whether any space limit exists.
    #[inline]
    pub(super) fn note_files(&self) -> bool {
        let is_counting = self.is_counting.load(Ordering::Relaxed);
        if is_counting {
            self.is_stale.store(true, Ordering::Release);
        }
        is_counting
    }

    fn owners(&self) -> Arc<RequestQuotas> {
        self.board.read().1
    }

    fn check_enabled(&self) -> Result<()> {
        match self.is_enabled {
            true => Ok(()),
            false => Err(without_quotas()),
        }
    }

    /// Switches enforcement of the current limits on or off.
    fn keep(&self, are_kept: bool) {
        let quotas = RequestQuotas::clone(&self.owners());
        self.board.store(RequestQuotas { are_kept, ..quotas });
    }
}

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
    // Usage written meanwhile would be forgotten.
    let mut place = book.told.lock();
    let mut quotas = RequestQuotas { are_kept: shared.switches.is_on(Switch::RpcThrottle), ..Default::default() };
    let mut told = Told::default();
    for entry in stored::entries(&table)? {
        match entry {
            Entry::Limits(owner, own) => drop(quotas.owners.insert(owner, own)),
            Entry::MayExceed(on) => quotas.may_exceed = on,
            Entry::Standing(table, usage) => drop(told.standings.insert(table, usage)),
            Entry::Snapshot(table, name, bytes) => drop(told.snapshots.insert((table, name), bytes)),
        }
    }
    let is_counting = quotas.owners.values().any(|own| own.space.is_some());
    book.board.store(quotas);
    // Usage of removed limits has to be cleared in the table.
    let is_off = |usage: &SpaceUse| usage.policy == Some(SpacePolicy::Disable);
    told.disabled = told.standings.iter().filter(|(_, usage)| is_off(usage)).map(|(name, _)| name.clone()).collect();
    told.disabled.append(&mut place.disabled);
    let is_stale = is_counting || told != Told::default();
    *place = told;
    drop(place);
    book.is_counting.store(is_counting, Ordering::Relaxed);
    book.is_stale.store(is_stale, Ordering::Release);
    enforce(shared);
    Ok(())
}

/// Updates `hbase:quota` and the states of tables to the current sizes. Without `waits`, it is postponed while the
/// schema is being changed.
pub(super) fn settle(shared: &Shared, waits: bool) -> Result<()> {
    if shared.quotas.is_stale.load(Ordering::Acquire) && !shared.is_read_only() {
        space::settle(shared, waits)?;
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
            other => other.and_then(|()| settle(&self.shared, true)),
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
        settle(&self.shared, true)
    }

    /// Removes the limits of a dropped table or namespace. Source: `MasterQuotasObserver`.
    pub(super) fn forget_quotas(&self, owner: &QuotaOwner) -> Result<()> {
        match self.shared.quotas.owners().owners.contains_key(owner) {
            true => self.do_set_quota(owner, &QuotaChange::RemoveAll),
            false => settle(&self.shared, true),
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
        Ok(match self.shared.quotas.is_enabled {
            true => sizes(&self.shared),
            false => Vec::new(),
        })
    }
}
