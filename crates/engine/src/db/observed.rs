//! Tables with an observer, which is called before and after their operations. Source: HBase's
//! `RegionCoprocessorHost`.
//!
//! A table without an observer pays only for checking a flag.

use super::shared::Shared;
use super::table::Table;
use super::together::{grouped, planned, same_table};
use crate::region::{rows_of, Witness, Write};
use rowstone_model::cell::CellBuffer;
use rowstone_model::observe::{Before, Companion, Hooks, TableObserver};
use rowstone_model::operations::{
    CellBatch, CellGuard, CheckAndMutate, CheckResult, Get, Guard, MultiRowMutation, Mutation, ReadOptions,
    RowMutations, Scan,
};
use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::{Arc, Weak};

/// Table attribute that forbids writes which bypass its observer.
const OBSERVED: &str = "OBSERVED";

/// Hooks of single mutations.
const EACH: Hooks = Hooks::MUTATE.and(Hooks::MUTATED);

/// Whether a table's description requires an observer.
pub(super) fn wants_observer(table: &rowstone_model::schema::TableDescriptor) -> bool {
    table.attributes.get(OBSERVED).is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

/// Error for a write to a table whose required observer is missing.
pub(super) fn unseen(table: &TableName) -> Error {
    let message = format!(
        "table '{table}' has OBSERVED => 'true': indexes or constraints watch its writes, and nobody does in this process; \
         rowstone.connect and rowstone serve load them"
    );
    Error::new(ErrorKind::Unsupported, message)
}

/// Refuses operations that would bring cells into a table without its observer seeing them.
pub(super) fn check_way_around(table: &rowstone_model::schema::TableDescriptor, what: &str) -> Result<()> {
    if !wants_observer(table) {
        return Ok(());
    }
    let message = format!(
        "{what} would bring cells into table '{}' past its indexes or constraints (OBSERVED => 'true'); drop those first, and make \
         them again",
        table.name
    );
    Err(Error::new(ErrorKind::Unsupported, message))
}

/// Read options chosen by an observer, with the guard of the original read.
fn guarded(options: ReadOptions, guard: Option<Guard<dyn CellGuard>>) -> ReadOptions {
    ReadOptions { guard, ..options }
}

/// The observer in front of an operation that it hooks.
pub(super) struct Observed<'t> {
    pub(super) table: &'t Table,
    pub(super) observer: Arc<dyn TableObserver>,
}

impl Observed<'_> {
    fn listens(&self, hook: Hooks) -> bool {
        self.observer.hooks().has(hook)
    }

    pub(super) fn get(&self, get: Get) -> Result<CellBatch> {
        let guard = get.options.guard.clone();
        match self.observer.pre_get(get)? {
            Before::Bypass(found) => Ok(found),
            Before::Go(wanted) => {
                let get = Get { options: guarded(wanted.options, guard), ..wanted };
                let found = self.table.do_get(&get)?;
                self.observer.post_get(&get, found)
            }
        }
    }

    pub(super) fn scan(&self, scan: Scan) -> Result<Box<dyn rowstone_model::backend::ScannerBackend>> {
        let guard = scan.options.guard.clone();
        let wanted = self.observer.pre_scan(scan)?;
        let scan = Scan { options: guarded(wanted.options, guard), ..wanted };
        let scanner = self.table.do_scan(scan.clone())?;
        self.observer.post_scan(&scan)?;
        Ok(scanner)
    }

    fn pre(&self, mutation: Mutation) -> Result<Before<Mutation, CellBatch>> {
        if !self.listens(Hooks::MUTATE) {
            return Ok(Before::Go(mutation));
        }
        let guard = mutation.guard.clone();
        Ok(match self.observer.pre_mutate(mutation)? {
            Before::Go(wanted) => Before::Go(Mutation { guard, ..wanted }),
            bypass => bypass,
        })
    }

    fn post(&self, mutation: &Mutation, result: &CellBatch) -> Result<()> {
        match self.listens(Hooks::MUTATED) {
            true => self.observer.post_mutate(mutation, result),
            false => Ok(()),
        }
    }

    pub(super) fn mutate(&self, mutation: Mutation) -> Result<CellBatch> {
        if !self.listens(EACH) {
            return self.table.do_mutate(mutation);
        }
        match self.pre(mutation)? {
            Before::Bypass(result) => Ok(result),
            Before::Go(mutation) if !self.listens(Hooks::MUTATED) => self.table.do_mutate(mutation),
            Before::Go(mutation) => {
                let result = self.table.do_mutate(mutation.clone())?;
                self.post(&mutation, &result)?;
                Ok(result)
            }
        }
    }

    /// Applies each mutation on its own, as without an observer. A veto becomes the result of that mutation.
    pub(super) fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        if !self.listens(EACH) {
            return self.table.do_mutate_many(mutations);
        }
        let mut results = Vec::with_capacity(mutations.len());
        let (mut places, mut rest) = (Vec::new(), Vec::new());
        for (place, mutation) in mutations.into_iter().enumerate() {
            results.push(match self.pre(mutation) {
                Err(error) => Err(error),
                Ok(Before::Bypass(_)) => Ok(()),
                Ok(Before::Go(mutation)) => {
                    places.push(place);
                    rest.push(mutation);
                    Ok(())
                }
            });
        }
        let written = self.table.do_mutate_many(rest.clone());
        for ((place, mutation), result) in places.into_iter().zip(&rest).zip(written) {
            let told = result.and_then(|()| self.post(mutation, &CellBatch::default()));
            if let Some(slot) = results.get_mut(place) {
                *slot = told;
            }
        }
        results
    }

    /// The mutations of an atomic change after the observer changed them. Those that it bypasses are left out.
    fn before_all(&self, mutations: Vec<Mutation>) -> Result<Vec<Mutation>> {
        if !self.listens(Hooks::MUTATE) {
            return Ok(mutations);
        }
        let mut rest = Vec::with_capacity(mutations.len());
        for mutation in mutations {
            if let Before::Go(mutation) = self.pre(mutation)? {
                rest.push(mutation);
            }
        }
        Ok(rest)
    }

    fn after_all(&self, mutations: &[Mutation], result: &CellBatch) -> Result<()> {
        mutations.iter().try_for_each(|mutation| self.post(mutation, result))
    }

    pub(super) fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch> {
        let RowMutations { row, mutations } = mutations;
        let mutations = self.before_all(mutations)?;
        if mutations.is_empty() {
            return Ok(CellBatch::default());
        }
        let result = self.table.do_mutate_row(RowMutations { row, mutations: mutations.clone() })?;
        self.after_all(&mutations, &result)?;
        Ok(result)
    }

    pub(super) fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult> {
        let CheckAndMutate { condition, mut mutations, guard } = check;
        if self.listens(Hooks::CHECK) {
            let each = mutations.mutations.iter().find_map(|mutation| mutation.guard.clone());
            mutations = match self.observer.pre_check(mutations)? {
                Before::Bypass(success) => return Ok(CheckResult { success, cells: CellBatch::default() }),
                Before::Go(mutations) => mutations,
            };
            mutations.mutations.iter_mut().for_each(|mutation| mutation.guard.clone_from(&each));
        }
        mutations.mutations = self.before_all(mutations.mutations)?;
        let result =
            self.table.do_check_and_mutate(CheckAndMutate { condition, mutations: mutations.clone(), guard })?;
        if result.success {
            self.after_all(&mutations.mutations, &result.cells)?;
        }
        if self.listens(Hooks::CHECK) {
            self.observer.post_check(&mutations, result.success)?;
        }
        Ok(result)
    }

    pub(super) fn mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        let MultiRowMutation { conditions, mutations } = change;
        let mutations = self.before_all(mutations)?;
        let is_met = self.table.do_mutate_rows(MultiRowMutation { conditions, mutations: mutations.clone() })?;
        if is_met {
            self.after_all(&mutations, &CellBatch::default())?;
        }
        Ok(is_met)
    }
}

/// Calls a table's observer for the writes, flushes and compactions of its regions.
struct TableWitness {
    shared: Weak<Shared>,
    table: TableName,
    observer: Arc<dyn TableObserver>,
}

/// Witness of a table's regions, if its observer hooks their writes, flushes or compactions.
pub(super) fn witness(
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
pub(super) fn companions(shared: &Shared, table: &TableName, cells: &CellBuffer) -> Result<Vec<Companion>> {
    let Some(observer) = shared.tables.find(table)?.observer().filter(|known| known.hooks().has(Hooks::BATCH)) else {
        return Ok(Vec::new());
    };
    observer.pre_batch(&rows_of(cells), cells)
}

/// Notifies a table's observer that `cells` were written.
pub(super) fn was_written(shared: &Shared, table: &TableName, cells: &CellBuffer) -> Result<()> {
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
        match write.cells().is_empty() {
            true => Ok(()),
            false => self.observer.post_batch(write.cells()),
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
        match self.observer.hooks().has(Hooks::COMPACT) {
            true => self.observer.pre_compact(region, family, is_major),
            false => Ok(()),
        }
    }

    fn post_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()> {
        match self.observer.hooks().has(Hooks::COMPACT) {
            true => self.observer.post_compact(region, family, is_major),
            false => Ok(()),
        }
    }
}
