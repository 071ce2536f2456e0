//! Quotas: those on requests are kept in `hbase:quota` and shown to a server, those on space are enforced here. Without
//! `hbase.quota.enabled` there are none. Source: `MasterQuotaManager`.

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
use rowstone_model::backend::without_quotas;
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

/// What `hbase:quota` says of space.
#[derive(Default, PartialEq)]
struct Told {
    standings: BTreeMap<TableName, SpaceUse>,
    snapshots: BTreeMap<(TableName, String), u64>,
    /// Tables that were disabled because of their limits: remembered also where a limit went with its whole row.
    disabled: BTreeSet<TableName>,
}

/// The quotas of a database.
pub(super) struct QuotaBook {
    is_enabled: bool,
    board: Arc<QuotaBoard>,
    /// Whether somebody's space is limited: else nobody looks at sizes.
    is_counting: AtomicBool,
    /// Whether sizes have changed since `hbase:quota` was told.
    is_stale: AtomicBool,
    /// Held while the table is changed and read.
    changing: Mutex<()>,
    told: Mutex<Told>,
    /// Held while tables are given what they are to refuse: who looked earlier does not have the last word.
    enforcing: Mutex<()>,
}

impl QuotaBook {
    /// No quotas yet; `clock` is what limits on requests run by.
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

    /// What a server keeps; `None` where there are no quotas.
    pub(super) fn board(&self) -> Option<Arc<QuotaBoard>> {
        self.is_enabled.then(|| Arc::clone(&self.board))
    }

    /// Notes that files came or went; whether somebody's space is limited.
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

    /// Shows the same limits, kept or not.
    fn keep(&self, are_kept: bool) {
        let quotas = RequestQuotas::clone(&self.owners());
        self.board.store(RequestQuotas { are_kept, ..quotas });
    }
}

fn quota_table(shared: &Shared) -> Result<Arc<TableHandle>> {
    shared.tables.find(&stored::table()?)
}

/// Writes to the table of quotas, without waiting for memory: who flushes may be who writes.
fn write(shared: &Shared, mut mutation: Mutation) -> Result<()> {
    let row = mutation.row.clone();
    quota_table(shared)?.in_region(&row, |region| region.mutate(&mut mutation)).map(drop)
}

/// Takes what the table says for what holds.
fn load(shared: &Arc<Shared>) -> Result<()> {
    let book = &shared.quotas;
    let table = Table::new(Arc::clone(shared), quota_table(shared)?);
    // What is told meanwhile would be forgotten.
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
    // What was told of limits that are gone has to be taken back.
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

/// Lets `hbase:quota` and the states of tables follow the sizes. Without `waits`, another time where the schema is being changed.
pub(super) fn settle(shared: &Shared, waits: bool) -> Result<()> {
    if shared.quotas.is_stale.load(Ordering::Acquire) && !shared.is_read_only() {
        space::settle(shared, waits)?;
    }
    Ok(())
}

impl Database {
    /// Makes the table of quotas where there is none, and reads it.
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

    /// Forgets the limits of a table or a namespace that is gone. Source: `MasterQuotasObserver`.
    pub(super) fn forget_quotas(&self, owner: &QuotaOwner) -> Result<()> {
        match self.shared.quotas.owners().owners.contains_key(owner) {
            true => self.do_set_quota(owner, &QuotaChange::RemoveAll),
            false => settle(&self.shared, true),
        }
    }

    /// Whether a switch of quotas is on; `None` for other switches. Without quotas they are off, and stay it.
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
