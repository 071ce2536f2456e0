//! The quotas in force.

use super::quota_rules::rules;
use super::space::standings_in;
use super::tables::Tables;
use crate::manifest::State;
use crate::settings::Settings;
use crate::sys::lock::Mutex;
use crate::sys::Clock;
use rowstone_model::admin::without_quotas;
use rowstone_model::quota::{QuotaBoard, RequestQuotas, SpaceUse};
use rowstone_model::schema::TableName;
use rowstone_model::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Space usage as last written to `hbase:quota`.
#[derive(Default, PartialEq)]
pub(in crate::db) struct WrittenUsage {
    pub(in crate::db) standings: BTreeMap<TableName, SpaceUse>,
    pub(in crate::db) snapshots: BTreeMap<(TableName, String), u64>,
    /// Tables that were disabled because of their limits. Also remembered after a limit's whole row was removed.
    pub(in crate::db) disabled: BTreeSet<TableName>,
}

/// The quotas of a database.
pub(in crate::db) struct QuotaBook {
    pub(in crate::db) is_enabled: bool,
    pub(in crate::db) board: Arc<QuotaBoard>,
    /// Whether any space limit exists. Without one, sizes are not computed.
    pub(in crate::db) is_counting: AtomicBool,
    /// Whether sizes have changed since they were last written to `hbase:quota`.
    pub(in crate::db) is_stale: AtomicBool,
    /// Serializes changes and reads of the quota table.
    pub(in crate::db) changing: Mutex<()>,
    pub(in crate::db) written: Mutex<WrittenUsage>,
    /// Serializes enforcement, so that an older computation does not overwrite a newer one.
    enforcing: Mutex<()>,
}

impl QuotaBook {
    /// Starts without quotas; `clock` drives the limits on requests.
    pub(in crate::db) fn new(settings: &Settings, clock: Arc<dyn Clock>) -> Self {
        QuotaBook {
            is_enabled: settings.flag("hbase.quota.enabled"),
            board: Arc::new(QuotaBoard::with_rules(rules(settings), move || clock.now_ms())),
            is_counting: AtomicBool::new(false),
            is_stale: AtomicBool::new(false),
            changing: Mutex::new(()),
            written: Mutex::default(),
            enforcing: Mutex::new(()),
        }
    }

    /// The limits that a server enforces; `None` if quotas are disabled.
    pub(in crate::db) fn board(&self) -> Option<Arc<QuotaBoard>> {
        self.is_enabled.then(|| Arc::clone(&self.board))
    }

    /// Notes that files were added or removed. Returns whether any space limit exists.
    #[inline]
    pub(in crate::db) fn note_files(&self) -> bool {
        let is_counting = self.is_counting.load(Ordering::Relaxed);
        if is_counting {
            self.is_stale.store(true, Ordering::Release);
        }
        is_counting
    }

    pub(in crate::db) fn owners(&self) -> Arc<RequestQuotas> {
        self.board.read().1
    }

    pub(in crate::db) fn check_enabled(&self) -> Result<()> {
        if self.is_enabled {
            Ok(())
        } else {
            Err(without_quotas())
        }
    }

    /// Switches enforcement of the current limits on or off.
    pub(in crate::db) fn keep(&self, are_kept: bool) {
        let quotas = RequestQuotas::clone(&self.owners());
        self.board.store(RequestQuotas { are_kept, ..quotas });
    }

    /// Makes tables refuse the writes that their limits now forbid. The state is read under the lock.
    pub(in crate::db) fn enforce(&self, tables: &Tables, state: impl FnOnce() -> Arc<State>) {
        let _enforcing = self.enforcing.lock();
        let standings = standings_in(&state(), &self.owners()).tables;
        for table in tables.all() {
            table.set_space_policy(standings.get(table.name()).and_then(|standing| standing.policy));
        }
    }
}
