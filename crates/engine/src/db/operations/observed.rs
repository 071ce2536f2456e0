//! Tables with an observer, which is called before and after their operations. Source: HBase's
//! `RegionCoprocessorHost`.
//!
//! A table without an observer pays only for checking a flag.

use super::table::Table;
use rowstone_model::observe::{Before, Hooks, TableObserver};
use rowstone_model::operations::{
    CellBatch, CellGuard, CheckAndMutate, CheckResult, Get, Guard, MultiRowMutation, Mutation, ReadOptions,
    RowMutations, Scan,
};
use rowstone_model::Result;
use std::sync::Arc;

/// Hooks of single mutations.
const EACH: Hooks = Hooks::MUTATE.and(Hooks::MUTATED);

/// Read options chosen by an observer, with the guard of the original read.
fn guarded(options: ReadOptions, guard: Option<Guard<dyn CellGuard>>) -> ReadOptions {
    ReadOptions { guard, ..options }
}

/// The observer in front of an operation that it hooks.
pub(in crate::db) struct Observed<'t> {
    pub(in crate::db) table: &'t Table,
    pub(in crate::db) observer: Arc<dyn TableObserver>,
}

impl Observed<'_> {
    fn listens(&self, hook: Hooks) -> bool {
        self.observer.hooks().has(hook)
    }

    pub(in crate::db) fn get(&self, get: Get) -> Result<CellBatch> {
        let guard = get.options.guard.clone();
        match self.observer.pre_get(get)? {
            Before::Bypass(found) => Ok(found),
            Before::Go(wanted) => {
                let get = Get { options: guarded(Arc::unwrap_or_clone(wanted.options), guard).into(), row: wanted.row };
                let found = self.table.do_get(&get)?;
                self.observer.post_get(&get, found)
            }
        }
    }

    pub(in crate::db) fn scan(&self, scan: Scan) -> Result<Box<dyn rowstone_model::backend::ScannerBackend>> {
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
        if self.listens(Hooks::MUTATED) {
            self.observer.post_mutate(mutation, result)
        } else {
            Ok(())
        }
    }

    pub(in crate::db) fn mutate(&self, mutation: Mutation) -> Result<CellBatch> {
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
    pub(in crate::db) fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>> {
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

    pub(in crate::db) fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch> {
        let RowMutations { row, mutations } = mutations;
        let mutations = self.before_all(mutations)?;
        if mutations.is_empty() {
            return Ok(CellBatch::default());
        }
        let result = self.table.do_mutate_row(RowMutations { row, mutations: mutations.clone() })?;
        self.after_all(&mutations, &result)?;
        Ok(result)
    }

    pub(in crate::db) fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult> {
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

    pub(in crate::db) fn mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        let MultiRowMutation { conditions, mutations } = change;
        let mutations = self.before_all(mutations)?;
        let is_met = self.table.do_mutate_rows(MultiRowMutation { conditions, mutations: mutations.clone() })?;
        if is_met {
            self.after_all(&mutations, &CellBatch::default())?;
        }
        Ok(is_met)
    }
}
