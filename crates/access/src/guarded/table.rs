//! Access control for reads and writes of a table. If only some columns of a read are allowed, it becomes a read of
//! those, so that not even a filter sees the others. A write is allowed or denied as a whole.

use super::super::cells::asking_cells;
use super::super::control::{denied, Control};
use super::super::decide::{Decision, Target, Verdict};
use super::super::operations::Operation;
use super::super::stored;
use super::cells::{operation_of, with_own_permissions, Covered, Shown};
use super::columns::{all_of, has_own_permissions, of_mutation};
use super::hidden::{without_permissions, Hidden};
use rowstone_model::access::Caller;
use rowstone_model::backend::{ScannerBackend, TableBackend};
use rowstone_model::operations::{
    Action, ActionResult, CellBatch, CellGuard, CheckAndMutate, CheckResult, ColumnSelection, Condition, Get, Guard,
    MultiRowMutation, Mutation, ReadOptions, RowGuard, RowMutations, Scan,
};
use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::Result;
use std::borrow::Cow;
use std::sync::Arc;

/// A table restricted to one user.
pub struct GuardedTable {
    control: Arc<Control>,
    caller: Arc<Caller>,
    name: TableName,
    inner: Arc<dyn TableBackend>,
}

impl GuardedTable {
    pub fn new(control: Arc<Control>, caller: Arc<Caller>, name: TableName, inner: Arc<dyn TableBackend>) -> Self {
        GuardedTable { control, caller, name, inner }
    }

    /// Whether it is the grant table.
    pub fn holds_grants(&self) -> bool {
        stored::is_table(&self.name)
    }

    fn all_families(&self) -> Result<ColumnSelection> {
        Ok(all_of(&self.control.inner().admin().describe_table(&self.name)?))
    }

    /// The permitted form of a read: unchanged, or restricted.
    fn check_read<'a>(&self, operation: Operation, options: &'a ReadOptions) -> Result<Cow<'a, ReadOptions>> {
        let whole = Target::table(&self.name);
        if self.control.passes(&self.caller, operation, &whole) {
            return Ok(Cow::Borrowed(options));
        }
        let all = if options.columns.is_all() { Some(self.all_families()?) } else { None };
        let wanted = all.as_ref().unwrap_or(&options.columns);
        let target = Target::Columns(&self.name, wanted);
        let decision = self.look_with_cells(operation, &target)?;
        self.control.report(&self.caller, operation, &target, &decision);
        match decision.verdict {
            Verdict::Allowed => Ok(Cow::Borrowed(options)),
            Verdict::CellByCell => {
                let columns = self.control.readable(&self.caller, &self.name, wanted);
                let guard = Guard(Arc::new(Shown { caller: Arc::clone(&self.caller), columns }) as Arc<dyn CellGuard>);
                // All cells of a row are needed to know which families are visible.
                let load_families_on_demand = false;
                Ok(Cow::Owned(ReadOptions { guard: Some(guard), load_families_on_demand, ..options.clone() }))
            }
            Verdict::Narrowed(columns) if options.raw && columns.families.values().any(Option::is_some) => {
                let user = &self.caller.name;
                Err(denied(format!(
                    "user '{user}' may read only some columns of table '{}', and a raw scan reads whole families; grant \
                     READ on the families, or scan without raw",
                    self.name
                )))
            }
            Verdict::Narrowed(columns) => Ok(Cow::Owned(ReadOptions { columns, ..options.clone() })),
            Verdict::Denied(message) => Err(denied(message)),
        }
    }

    fn check_get<'a>(&self, operation: Operation, get: &'a Get) -> Result<Cow<'a, Get>> {
        Ok(match self.check_read(operation, &get.options)? {
            Cow::Borrowed(_) => Cow::Borrowed(get),
            Cow::Owned(options) => Cow::Owned(Get::new(&get.row, options)),
        })
    }

    fn check_gets(&self, operation: Operation, gets: &[Get]) -> Result<Vec<Get>> {
        gets.iter().map(|get| Ok(self.check_get(operation, get)?.into_owned())).collect()
    }

    /// Decides, leaving the decision to per-cell permissions if they count.
    fn look_with_cells(&self, operation: Operation, target: &Target<'_>) -> Result<Decision> {
        let decision = self.control.evaluate(&self.caller, operation, target);
        // In HBase, per-cell permissions would then open system tables to everyone.
        if decision.verdict == Verdict::Allowed || self.name.is_system() {
            return Ok(decision);
        }
        let table = self.control.inner().admin().describe_table(&self.name)?;
        Ok(if self.control.settings().asks_cells_of(&table) { asking_cells(operation, decision) } else { decision })
    }

    /// The guard that checks per-cell permissions of a row before a change or a condition.
    fn row_guard(&self) -> Guard<dyn RowGuard> {
        let (control, caller) = (Arc::clone(&self.control), Arc::clone(&self.caller));
        Covered { control, caller, table: self.name.clone() }.guard()
    }

    /// Authorizes a mutation as a whole. `with_cells` allows a guard for the permissions of covered cells.
    pub fn prepared(&self, mut mutation: Mutation, with_cells: bool) -> Result<Mutation> {
        let operation = operation_of(&mutation);
        if has_own_permissions(&mutation) && !self.control.is_superuser(&self.caller) {
            return Err(denied("Mutation contains cell with reserved type tag".to_string()));
        }
        if !self.control.passes(&self.caller, operation, &Target::table(&self.name)) {
            let columns = of_mutation(&mutation, || self.control.inner().admin().describe_table(&self.name))?;
            let may_ask = self.require_or_ask(operation, &columns, with_cells)?;
            mutation.guard = may_ask.then(|| self.row_guard());
        }
        with_own_permissions(mutation)
    }

    /// Whether the permissions of cells must be checked later; an error if that cannot help.
    fn require_or_ask(&self, operation: Operation, columns: &ColumnSelection, with_cells: bool) -> Result<bool> {
        let target = Target::Columns(&self.name, columns);
        if with_cells && self.look_with_cells(operation, &target)?.verdict == Verdict::CellByCell {
            // Audited when the cells are checked.
            return Ok(true);
        }
        self.control.require(&self.caller, operation, &target).map(|()| false)
    }

    fn all_prepared(&self, mutations: Vec<Mutation>) -> Result<Vec<Mutation>> {
        mutations.into_iter().map(|mutation| self.prepared(mutation, true)).collect()
    }

    fn row_prepared(&self, row: RowMutations) -> Result<RowMutations> {
        Ok(RowMutations { mutations: self.all_prepared(row.mutations)?, row: row.row })
    }

    /// Authorizes a condition: it is a read, because it reveals stored data to the writer. Returns whether the
    /// permissions of its cell must be checked later.
    fn check_condition(&self, condition: &Condition, with_cells: bool) -> Result<bool> {
        let (family, qualifier) = match condition {
            Condition::Value(condition) => (&condition.family, &condition.qualifier),
            Condition::Compared(condition) => (&condition.family, &condition.qualifier),
            Condition::Matches { .. } => {
                if self.control.passes(&self.caller, Operation::Get, &Target::table(&self.name)) {
                    return Ok(false);
                }
                let all = self.all_families()?;
                let target = Target::Columns(&self.name, &all);
                return self.control.require(&self.caller, Operation::Get, &target).map(|()| false);
            }
        };
        let mut columns = ColumnSelection::default();
        columns.add_column(family, qualifier);
        self.require_or_ask(Operation::CheckAndMutate, &columns, with_cells)
    }

    /// A result as the caller may see it.
    fn redact(&self, found: CellBatch) -> CellBatch {
        if self.control.is_superuser(&self.caller) {
            found
        } else {
            without_permissions(found)
        }
    }

    /// Reloads the grants after a write to the grant table.
    fn written<T>(&self, outcome: Result<T>) -> Result<T> {
        if self.holds_grants() {
            self.control.reload()?;
        }
        outcome
    }
}

impl TableBackend for GuardedTable {
    fn get(&self, get: &Get) -> Result<CellBatch> {
        self.inner.get(&*self.check_get(Operation::Get, get)?).map(|found| self.redact(found))
    }

    fn get_at_once(&self, row: &[u8], options: &ReadOptions, out: &mut CellBatch) -> Result<bool> {
        let whole = Target::table(&self.name);
        // Anything beyond a check of the grants is left to a call that may block.
        let decision = self.control.evaluate(&self.caller, Operation::Get, &whole);
        if decision.verdict != Verdict::Allowed {
            out.clear();
            return Ok(false);
        }
        let is_read = self.inner.get_at_once(row, options, out)?;
        if is_read {
            self.control.report(&self.caller, Operation::Get, &whole, &decision);
            *out = self.redact(std::mem::take(out));
        }
        Ok(is_read)
    }

    fn exists(&self, get: &Get) -> Result<bool> {
        self.inner.exists(&*self.check_get(Operation::Exists, get)?)
    }

    fn get_many(&self, gets: &[Get]) -> Result<CellBatch> {
        self.inner.get_many(&self.check_gets(Operation::Get, gets)?).map(|found| self.redact(found))
    }

    fn exists_many(&self, gets: &[Get]) -> Result<Vec<bool>> {
        self.inner.exists_many(&self.check_gets(Operation::Exists, gets)?)
    }

    fn mutate(&self, mutation: Mutation) -> Result<CellBatch> {
        let mutation = self.prepared(mutation, true)?;
        self.written(self.inner.mutate(mutation)).map(|cells| self.redact(cells))
    }

    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        let mut allowed = Vec::with_capacity(mutations.len());
        let prepared = mutations.into_iter().map(|mutation| self.prepared(mutation, true));
        let checks = prepared.map(|prepared| prepared.map(|mutation| allowed.push(mutation))).collect();
        let done = self.inner.mutate_many(allowed);
        self.placed(checks, done)
    }

    fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch> {
        let mutations = self.row_prepared(mutations)?;
        self.written(self.inner.mutate_row(mutations)).map(|cells| self.redact(cells))
    }

    fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult> {
        let guard = self.check_condition(&check.condition, true)?.then(|| self.row_guard());
        let mutations = self.row_prepared(check.mutations)?;
        let done = self.written(self.inner.check_and_mutate(CheckAndMutate { mutations, guard, ..check }))?;
        Ok(CheckResult { cells: self.redact(done.cells), ..done })
    }

    fn mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        for (_, condition) in &change.conditions {
            self.check_condition(condition, false)?;
        }
        let mutations = self.all_prepared(change.mutations)?;
        self.written(self.inner.mutate_rows(MultiRowMutation { mutations, ..change }))
    }

    fn touch(&self, row: &[u8]) -> Result<()> {
        self.control.require(&self.caller, Operation::Put, &Target::table(&self.name))?;
        self.inner.touch(row)
    }

    fn multi(&self, actions: Vec<Action>) -> Vec<Result<ActionResult>> {
        let mut checks = Vec::with_capacity(actions.len());
        let mut allowed = Vec::with_capacity(actions.len());
        for action in actions {
            let checked = match action {
                Action::Get(get) => self.check_get(Operation::Get, &get).map(Cow::into_owned).map(Action::Get),
                Action::Mutate(mutation) => self.prepared(mutation, true).map(Action::Mutate),
                Action::MutateRow(row) => self.row_prepared(row).map(Action::MutateRow),
            };
            checks.push(checked.map(|action| allowed.push(action)));
        }
        let done = self.inner.multi(allowed).into_iter().map(|result| match result? {
            ActionResult::Row(row) => Ok(ActionResult::Row(self.redact(row))),
            done => Ok(done),
        });
        self.placed(checks, done.collect())
    }

    fn check_invoke(&self) -> Result<()> {
        if self.control.settings().exec_checks {
            self.control.require(&self.caller, Operation::Invoke, &Target::table(&self.name))
        } else {
            Ok(())
        }
    }

    fn syncs_by_default(&self) -> bool {
        self.inner.syncs_by_default()
    }

    /// Always allowed: region locations are in `hbase:meta`, which every client reads.
    fn region_at(&self, row: &[u8]) -> Result<RegionInfo> {
        self.inner.region_at(row)
    }

    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>> {
        let options = self.check_read(Operation::Scan, &scan.options)?.into_owned();
        let scanner = self.inner.scan(Scan { options, ..scan })?;
        Ok(if self.control.is_superuser(&self.caller) { scanner } else { Box::new(Hidden(scanner)) })
    }
}

impl GuardedTable {
    /// Merges the results of the allowed actions with the errors of the denied ones, in the original order.
    fn placed<T>(&self, checks: Vec<Result<()>>, done: Vec<Result<T>>) -> Vec<Result<T>> {
        let mut done = done.into_iter();
        let missing = || Err(rowstone_model::Error::internal("a batch has fewer results than actions"));
        let placed = checks.into_iter().map(|check| match check {
            Ok(()) => done.next().unwrap_or_else(missing),
            Err(error) => Err(error),
        });
        let placed: Vec<Result<T>> = placed.collect();
        match self.written(Ok(())) {
            Ok(()) => placed,
            Err(error) => placed.into_iter().map(|one| one.and_then(|_| Err(error.clone()))).collect(),
        }
    }
}
