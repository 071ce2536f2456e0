//! Operations of one table, each routed to the region that holds its row.

use super::observed::Observed;
use super::read_ahead::ReadAhead;
use super::scanner::TableScanner;
use crate::db::state::shared::Shared;
use crate::db::state::tables::{while_moving, TableHandle};
use crate::region::Region;
use arc_swap::ArcSwapOption;
use rowstone_model::backend::{ScannerBackend, TableBackend};
use rowstone_model::observe::Hooks;
use rowstone_model::operations::{
    Action, ActionResult, CellBatch, CheckAndMutate, CheckResult, Get, MultiRowMutation, Mutation, MutationKind,
    ReadOptions, RowMutations, RowRange, Scan,
};
use rowstone_model::schema::RegionInfo;
use rowstone_model::{Error, Result};
use std::borrow::Cow;
use std::sync::Arc;

/// The hooks of writes.
const WRITES: Hooks = Hooks::MUTATE.and(Hooks::MUTATED).and(Hooks::CHECK);

/// A handle on a table of a directory.
pub(in crate::db) struct Table {
    pub(super) shared: Arc<Shared>,
    handle: Arc<TableHandle>,
    /// The table of the same name that was created after `handle`'s was dropped.
    successor: ArcSwapOption<TableHandle>,
}

impl Table {
    pub(in crate::db) fn new(shared: Arc<Shared>, handle: Arc<TableHandle>) -> Self {
        Table { shared, handle, successor: ArcSwapOption::empty() }
    }

    /// The current table of this name. A table that was dropped and created again is found again.
    #[inline]
    pub(super) fn handle(&self) -> Result<Cow<'_, Arc<TableHandle>>> {
        self.shared.check_open()?;
        if self.handle.is_dropped() {
            return self.find_successor().map(Cow::Owned);
        }
        self.handle.check_enabled()?;
        Ok(Cow::Borrowed(&self.handle))
    }

    #[cold]
    fn find_successor(&self) -> Result<Arc<TableHandle>> {
        let known = self.successor.load_full().filter(|handle| !handle.is_dropped());
        let found = match known {
            Some(handle) => handle,
            None => self.shared.tables.find(self.handle.name())?,
        };
        self.successor.store(Some(Arc::clone(&found)));
        found.check_enabled()?;
        Ok(found)
    }

    #[inline]
    pub(super) fn note_read(&self, handle: &TableHandle, row: &[u8]) {
        handle.heat().read(row, || self.shared.system.clock.now_ms());
    }

    /// Counts a completed write of `row`.
    #[inline]
    fn note_write(&self, row: &[u8]) {
        if let Ok(handle) = self.handle() {
            handle.heat().write(row, || self.shared.system.clock.now_ms());
        }
    }

    /// The observer, if it hooks these operations.
    ///
    /// # Errors
    /// `Unsupported` for writes to a table that requires an observer and has none.
    #[inline]
    pub(super) fn observed(&self, hooks: Hooks) -> Result<Option<Observed<'_>>> {
        let handle = self.handle()?;
        if handle.is_observed() {
            self.find_observer(&handle, hooks)
        } else {
            Ok(None)
        }
    }

    #[cold]
    fn find_observer(&self, handle: &TableHandle, hooks: Hooks) -> Result<Option<Observed<'_>>> {
        if hooks == WRITES {
            handle.check_seen()?;
        }
        let observer = handle.observer().filter(|observer| observer.hooks().has(hooks));
        Ok(observer.map(|observer| Observed { table: self, observer }))
    }

    /// Returns the region of `row` once it has room for writes. Fails if a space limit forbids these mutations.
    fn region_for_write(&self, row: &[u8], mutations: &[Mutation]) -> Result<Arc<Region>> {
        let handle = self.handle()?;
        handle.check_space(mutations)?;
        let region = handle.region_of(row)?;
        region.wait_for_room(mutations)?;
        Ok(region)
    }
}

impl TableBackend for Table {
    fn get(&self, get: &Get) -> Result<CellBatch> {
        match self.observed(Hooks::GET)? {
            None => self.do_get(get),
            Some(observed) => observed.get(get.clone()),
        }
    }

    fn get_at_once(&self, row: &[u8], options: &ReadOptions, out: &mut CellBatch) -> Result<bool> {
        out.clear();
        let handle = self.handle()?;
        if handle.is_observed() {
            // An observer may have to wait.
            return Ok(false);
        }
        let is_read = handle.in_region(row, |region| region.get_at_once(row, options, out))?;
        if is_read {
            self.note_read(&handle, row);
        }
        Ok(is_read)
    }

    fn exists(&self, get: &Get) -> Result<bool> {
        match self.observed(Hooks::GET)? {
            None => {
                let handle = self.handle()?;
                self.note_read(&handle, &get.row);
                handle.in_region(&get.row, |region| region.exists(get))
            }
            Some(observed) => Ok(!observed.get(get.clone())?.cells.is_empty()),
        }
    }

    fn get_many(&self, gets: &[Get]) -> Result<CellBatch> {
        if let Some(observed) = self.observed(Hooks::GET)? {
            let found = gets.iter().map(|get| observed.get(get.clone())).collect::<Result<Vec<_>>>()?;
            return Ok(joined(&found));
        }
        self.do_get_many(gets)
    }

    fn mutate(&self, mutation: Mutation) -> Result<CellBatch> {
        match self.observed(WRITES)? {
            None => self.do_mutate(mutation),
            Some(observed) => observed.mutate(mutation),
        }
    }

    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        match self.observed(WRITES) {
            Ok(None) => self.do_mutate_many(mutations),
            Ok(Some(observed)) => observed.mutate_many(mutations),
            Err(error) => mutations.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch> {
        match self.observed(WRITES)? {
            None => self.do_mutate_row(mutations),
            Some(observed) => observed.mutate_row(mutations),
        }
    }

    fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult> {
        match self.observed(WRITES)? {
            None => self.do_check_and_mutate(check),
            Some(observed) => observed.check_and_mutate(check),
        }
    }

    fn mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        match self.observed(WRITES)? {
            None => self.do_mutate_rows(change),
            Some(observed) => observed.mutate_rows(change),
        }
    }

    fn touch(&self, row: &[u8]) -> Result<()> {
        rowstone_model::cell::check_row(row)?;
        while_moving(|| self.region_for_write(row, &[])?.touch(row))?;
        self.note_write(row);
        Ok(())
    }

    fn multi(&self, actions: Vec<Action>) -> Vec<Result<ActionResult>> {
        let mut results = Vec::with_capacity(actions.len());
        // Adjacent puts and deletes go to the log together, and adjacent gets read files together. One of both is empty.
        let (mut writes, mut reads) = (Vec::new(), Vec::new());
        for action in actions {
            match action {
                Action::Get(get) => {
                    self.finish_writes(&mut writes, &mut results);
                    reads.push(get);
                }
                Action::Mutate(mutation) if matches!(mutation.kind, MutationKind::Put | MutationKind::Delete) => {
                    self.finish_reads(&mut reads, &mut results);
                    writes.push(mutation);
                }
                Action::Mutate(mutation) => {
                    self.finish_writes(&mut writes, &mut results);
                    self.finish_reads(&mut reads, &mut results);
                    results.push(self.mutate(mutation).map(ActionResult::Row));
                }
                Action::MutateRow(mutations) => {
                    self.finish_writes(&mut writes, &mut results);
                    self.finish_reads(&mut reads, &mut results);
                    results.push(self.mutate_row(mutations).map(ActionResult::Row));
                }
            }
        }
        self.finish_writes(&mut writes, &mut results);
        self.finish_reads(&mut reads, &mut results);
        results
    }

    fn syncs_by_default(&self) -> bool {
        let syncs = |handle: &TableHandle| handle.regions().iter().any(|region| region.syncs_by_default());
        self.handle().is_ok_and(|handle| syncs(&handle))
    }

    fn region_at(&self, row: &[u8]) -> Result<RegionInfo> {
        self.handle()?.with_region(row, |region| Ok(region.info().clone()))
    }

    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>> {
        match self.observed(Hooks::SCAN)? {
            None => self.do_scan(scan),
            Some(observed) => observed.scan(scan),
        }
    }
}

/// Operations without an observer in front of them.
impl Table {
    pub(in crate::db) fn do_get(&self, get: &Get) -> Result<CellBatch> {
        let mut batch = CellBatch::default();
        let handle = self.handle()?;
        self.note_read(&handle, &get.row);
        handle.in_region(&get.row, |region| region.get(get, &mut batch))?;
        Ok(batch)
    }

    pub(in crate::db) fn do_mutate(&self, mut mutation: Mutation) -> Result<CellBatch> {
        let region = |mutation: &Mutation| self.region_for_write(&mutation.row, std::slice::from_ref(mutation));
        let cells = while_moving(|| region(&mutation)?.mutate(&mut mutation))?;
        self.note_write(&mutation.row);
        Ok(cells)
    }

    pub(in crate::db) fn do_mutate_row(&self, mutations: RowMutations) -> Result<CellBatch> {
        if let Some(other) = mutations.mutations.iter().find(|mutation| mutation.row[..] != mutations.row[..]) {
            return Err(Error::invalid(format!(
                "row mutations of row '{}' include one of row '{}'",
                rowstone_model::codec::printable(&mutations.row),
                rowstone_model::codec::printable(&other.row)
            )));
        }
        let cells = while_moving(|| {
            let region = self.region_for_write(&mutations.row, &mutations.mutations)?;
            region.mutate_row(&mutations.row, &mutations.mutations)
        })?;
        self.note_write(&mutations.row);
        Ok(cells)
    }

    pub(in crate::db) fn do_check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult> {
        if check.mutations.mutations.iter().any(|mutation| mutation.row[..] != check.mutations.row[..]) {
            return Err(Error::invalid("the mutations of a check must be of the checked row"));
        }
        let done = while_moving(|| {
            self.region_for_write(&check.mutations.row, &check.mutations.mutations)?.check_and_mutate(&check)
        })?;
        if done.success {
            self.note_write(&check.mutations.row);
        }
        Ok(done)
    }

    pub(in crate::db) fn do_mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        let Some(first) = change.mutations.first() else { return Ok(true) };
        let is_done = while_moving(|| self.region_for_write(&first.row, &change.mutations)?.mutate_rows(&change))?;
        if is_done {
            self.note_write(&first.row);
        }
        Ok(is_done)
    }

    pub(in crate::db) fn do_scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>> {
        let handle = self.handle()?.into_owned();
        let shared = Arc::clone(&self.shared);
        if shared.workers.count() == 0 {
            return Ok(Box::new(TableScanner::open(shared, handle, scan)?));
        }
        Ok(Box::new(ReadAhead::open(shared, handle, scan)?))
    }

    fn finish_writes(&self, writes: &mut Vec<Mutation>, results: &mut Vec<Result<ActionResult>>) {
        if !writes.is_empty() {
            let done = self.mutate_many(std::mem::take(writes));
            results.extend(done.into_iter().map(|result| result.map(|()| ActionResult::Done)));
        }
    }

    fn finish_reads(&self, reads: &mut Vec<Get>, results: &mut Vec<Result<ActionResult>>) {
        results.extend(self.get_each(reads));
        reads.clear();
    }
}

/// Joins the rows of several gets. A get that found nothing has an empty range.
fn joined(found: &[CellBatch]) -> CellBatch {
    let mut all = CellBatch::default();
    for one in found {
        let start = all.cells.byte_len();
        all.cells.extend_from(&one.cells);
        let (end, cell_count) = (all.cells.byte_len(), one.cells.iter().count() as u32);
        all.rows.push(RowRange { start, end, cell_count, is_partial: false });
    }
    all
}
