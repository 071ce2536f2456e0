//! Observers of writes, flushes and compactions of a table's regions, and their registration.

use super::groups::{grouped, planned, same_table};
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::region::{rows_of, Witness, Write};
use rowstone_model::cell::CellBuffer;
use rowstone_model::observe::{Companion, Hooks, TableObserver};
use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::{Arc, Weak};

/// Sets the observer of a table from now on.
pub(in crate::db) fn observe(shared: &Arc<Shared>, table: &TableName, observer: Option<Arc<dyn TableObserver>>) {
    let mut observers = shared.observers.lock();
    match &observer {
        Some(observer) => observers.insert(table.clone(), Arc::clone(observer)),
        None => observers.remove(table),
    };
    if let Ok(handle) = shared.tables.find(table) {
        let witness = witness(&Arc::downgrade(shared), table, observer.as_ref());
        handle.set_observer(observer, witness);
    }
}

/// Adds a created table and attaches its observer, if one is registered.
pub(in crate::db) fn add_table(shared: &Arc<Shared>, handle: TableHandle) {
    let observers = shared.observers.lock();
    if let Some(observer) = observers.get(handle.name()) {
        let witness = witness(&Arc::downgrade(shared), handle.name(), Some(observer));
        handle.set_observer(Some(Arc::clone(observer)), witness);
    }
    shared.tables.insert(Arc::new(handle));
    drop(observers);
    shared.count_space();
}

/// Calls a table's observer for the writes, flushes and compactions of its regions.
struct TableWitness {
    shared: Weak<Shared>,
    table: TableName,
    observer: Arc<dyn TableObserver>,
}

/// Witness of a table's regions, if its observer hooks their writes, flushes or compactions.
pub(in crate::db) fn witness(
    shared: &Weak<Shared>,
    table: &TableName,
    observer: Option<&Arc<dyn TableObserver>>,
) -> Option<Arc<dyn Witness>> {
    let observer = observer?;
    let hooks = observer.hooks();
    let listens = hooks.has(Hooks::BATCH) || hooks.has(Hooks::FLUSH) || hooks.has(Hooks::COMPACT);
    listens.then(|| {
        let (shared, table, observer) = (Weak::clone(shared), table.clone(), Arc::clone(observer));
        Arc::new(TableWitness { shared, table, observer }) as Arc<dyn Witness>
    })
}

/// Mutations that a table's observer adds to a write of `cells`.
pub(in crate::db) fn companions(shared: &Shared, table: &TableName, cells: &CellBuffer) -> Result<Vec<Companion>> {
    let Some(observer) = shared.tables.find(table)?.observer().filter(|known| known.hooks().has(Hooks::BATCH)) else {
        return Ok(Vec::new());
    };
    observer.pre_batch(&rows_of(cells), cells)
}

/// Notifies a table's observer that `cells` were written.
pub(in crate::db) fn was_written(shared: &Shared, table: &TableName, cells: &CellBuffer) -> Result<()> {
    match shared.tables.find(table)?.observer().filter(|known| known.hooks().has(Hooks::BATCH)) {
        Some(observer) => observer.post_batch(cells),
        None => Ok(()),
    }
}

impl Witness for TableWitness {
    fn write(&self, write: &Write<'_>) -> Result<()> {
        if !self.observer.hooks().has(Hooks::BATCH) {
            return write.alone();
        }
        let changes = self.observer.pre_batch(&write.rows(), write.cells())?;
        if changes.is_empty() {
            // Later changes of the observer may depend on the cells it sees here, so they must be in the log.
            write.alone_logged()?;
        } else {
            if changes.iter().any(|(table, _)| *table == self.table) {
                return Err(same_table(&self.table));
            }
            let Some(shared) = self.shared.upgrade() else {
                return Err(Error::new(ErrorKind::DatabaseClosed, "the database was closed meanwhile"));
            };
            let groups = grouped(&shared, changes)?;
            let plans = planned(&groups, Some(write.now()))?;
            write.with(&plans)?;
        }
        if write.cells().is_empty() {
            Ok(())
        } else {
            self.observer.post_batch(write.cells())
        }
    }

    fn pre_flush(&self, region: &RegionInfo) -> Result<()> {
        if self.observer.hooks().has(Hooks::FLUSH) {
            self.observer.pre_flush(region)
        } else {
            Ok(())
        }
    }

    fn post_flush(&self, region: &RegionInfo) -> Result<()> {
        if self.observer.hooks().has(Hooks::FLUSH) {
            self.observer.post_flush(region)
        } else {
            Ok(())
        }
    }

    fn pre_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()> {
        if self.observer.hooks().has(Hooks::COMPACT) {
            self.observer.pre_compact(region, family, is_major)
        } else {
            Ok(())
        }
    }

    fn post_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()> {
        if self.observer.hooks().has(Hooks::COMPACT) {
            self.observer.post_compact(region, family, is_major)
        } else {
            Ok(())
        }
    }
}
