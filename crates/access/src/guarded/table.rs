//! Reads and writes of a table for one user. A read of which only some columns are allowed becomes a read of those, so that not
//! even a filter looks at the others; a write is allowed or refused as a whole.

use super::super::control::{denied, Control};
use super::super::decide::{Target, Verdict};
use super::super::operations::Operation;
use super::super::stored;
use super::columns::{all_of, has_own_rights, of_mutation};
use rowstone_model::access::Caller;
use rowstone_model::backend::{ScannerBackend, TableBackend};
use rowstone_model::operations::{
    Action, ActionResult, CellBatch, CheckAndMutate, CheckResult, ColumnSelection, Condition, Get, MultiRowMutation,
    Mutation, MutationKind, ReadOptions, RowMutations, Scan,
};
use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::Result;
use std::borrow::Cow;
use std::sync::Arc;

/// A table for one user.
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

    /// Whether it is the table in which the grants are.
    pub fn holds_grants(&self) -> bool {
        stored::is_table(&self.name)
    }

    fn all_families(&self) -> Result<ColumnSelection> {
        Ok(all_of(&self.control.inner().admin().describe_table(&self.name)?))
    }

    /// What of a read may be done: as it is, or less.
    fn check_read<'a>(&self, operation: Operation, options: &'a ReadOptions) -> Result<Cow<'a, ReadOptions>> {
        let whole = Target::table(&self.name);
        if self.control.passes(&self.caller, operation, &whole) {
            return Ok(Cow::Borrowed(options));
        }
        let all = if options.columns.is_all() { Some(self.all_families()?) } else { None };
        let target = Target::Columns(&self.name, all.as_ref().unwrap_or(&options.columns));
        match self.control.decide(&self.caller, operation, &target).verdict {
            Verdict::Allowed => Ok(Cow::Borrowed(options)),
            Verdict::Narrowed(columns) => Ok(Cow::Owned(ReadOptions { columns, ..options.clone() })),
            Verdict::Denied(message) => Err(denied(message)),
        }
    }

    fn check_get<'a>(&self, operation: Operation, get: &'a Get) -> Result<Cow<'a, Get>> {
        Ok(match self.check_read(operation, &get.options)? {
            Cow::Borrowed(_) => Cow::Borrowed(get),
            Cow::Owned(options) => Cow::Owned(Get { row: get.row.clone(), options }),
        })
    }

    fn check_gets(&self, operation: Operation, gets: &[Get]) -> Result<Vec<Get>> {
        gets.iter().map(|get| Ok(self.check_get(operation, get)?.into_owned())).collect()
    }

    /// Whether all of a mutation is allowed.
    pub fn check_mutation(&self, mutation: &Mutation) -> Result<()> {
        let operation = match mutation.kind {
            MutationKind::Put => Operation::Put,
            MutationKind::Delete => Operation::Delete,
            MutationKind::Increment => Operation::Increment,
            MutationKind::Append => Operation::Append,
        };
        if has_own_rights(mutation) && !self.control.is_superuser(&self.caller) {
            return Err(denied("Mutation contains cell with reserved type tag".to_string()));
        }
        let whole = Target::table(&self.name);
        if self.control.passes(&self.caller, operation, &whole) {
            return Ok(());
        }
        let columns = of_mutation(mutation, || self.control.inner().admin().describe_table(&self.name))?;
        self.control.require(&self.caller, operation, &Target::Columns(&self.name, &columns))
    }

    fn check_mutations(&self, mutations: &[Mutation]) -> Result<()> {
        mutations.iter().try_for_each(|mutation| self.check_mutation(mutation))
    }

    /// A condition is a read of what it looks at, and tells whoever writes what is there.
    fn check_condition(&self, condition: &Condition) -> Result<()> {
        let (family, qualifier) = match condition {
            Condition::Value(condition) => (&condition.family, &condition.qualifier),
            Condition::Compared(condition) => (&condition.family, &condition.qualifier),
            Condition::Matches { .. } => {
                if self.control.passes(&self.caller, Operation::Get, &Target::table(&self.name)) {
                    return Ok(());
                }
                let all = self.all_families()?;
                return self.control.require(&self.caller, Operation::Get, &Target::Columns(&self.name, &all));
            }
        };
        let mut columns = ColumnSelection::default();
        columns.add_column(family, qualifier);
        self.control.require(&self.caller, Operation::CheckAndMutate, &Target::Columns(&self.name, &columns))
    }

    /// Lets a write that was done be followed by what it means here.
    fn written<T>(&self, outcome: Result<T>) -> Result<T> {
        if self.holds_grants() {
            self.control.reload()?;
        }
        outcome
    }
}

impl TableBackend for GuardedTable {
    fn get(&self, get: &Get) -> Result<CellBatch> {
        self.inner.get(&*self.check_get(Operation::Get, get)?)
    }

    fn get_at_once(&self, row: &[u8], options: &ReadOptions) -> Option<Result<CellBatch>> {
        let whole = Target::table(&self.name);
        // What is more than a look into the grants is left to who may wait.
        let decision = self.control.look(&self.caller, Operation::Get, &whole);
        if decision.verdict != Verdict::Allowed {
            return None;
        }
        let found = self.inner.get_at_once(row, options)?;
        self.control.tell(&self.caller, Operation::Get, &whole, &decision);
        Some(found)
    }

    fn exists(&self, get: &Get) -> Result<bool> {
        self.inner.exists(&*self.check_get(Operation::Exists, get)?)
    }

    fn get_many(&self, gets: &[Get]) -> Result<CellBatch> {
        self.inner.get_many(&self.check_gets(Operation::Get, gets)?)
    }

    fn exists_many(&self, gets: &[Get]) -> Result<Vec<bool>> {
        self.inner.exists_many(&self.check_gets(Operation::Exists, gets)?)
    }

    fn mutate(&self, mutation: Mutation) -> Result<CellBatch> {
        self.check_mutation(&mutation)?;
        self.written(self.inner.mutate(mutation))
    }

    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        let checks: Vec<Result<()>> = mutations.iter().map(|mutation| self.check_mutation(mutation)).collect();
        let allowed = mutations.into_iter().zip(&checks).filter(|(_, check)| check.is_ok());
        let done = self.inner.mutate_many(allowed.map(|(mutation, _)| mutation).collect());
        self.placed(checks, done)
    }

    fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch> {
        self.check_mutations(&mutations.mutations)?;
        self.written(self.inner.mutate_row(mutations))
    }

    fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult> {
        self.check_condition(&check.condition)?;
        self.check_mutations(&check.mutations.mutations)?;
        self.written(self.inner.check_and_mutate(check))
    }

    fn mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        change.conditions.iter().try_for_each(|(_, condition)| self.check_condition(condition))?;
        self.check_mutations(&change.mutations)?;
        self.written(self.inner.mutate_rows(change))
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
                Action::Mutate(mutation) => self.check_mutation(&mutation).map(|()| Action::Mutate(mutation)),
                Action::MutateRow(row) => self.check_mutations(&row.mutations).map(|()| Action::MutateRow(row)),
            };
            checks.push(checked.map(|action| allowed.push(action)));
        }
        let done = self.inner.multi(allowed);
        self.placed(checks, done)
    }

    fn check_invoke(&self) -> Result<()> {
        match self.control.settings().exec_checks {
            true => self.control.require(&self.caller, Operation::Invoke, &Target::table(&self.name)),
            false => Ok(()),
        }
    }

    /// Where regions are stands in `hbase:meta`, which everybody reads.
    fn region_at(&self, row: &[u8]) -> Result<RegionInfo> {
        self.inner.region_at(row)
    }

    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>> {
        match self.check_read(Operation::Scan, &scan.options)? {
            Cow::Borrowed(_) => {}
            Cow::Owned(options) => return self.inner.scan(Scan { options, ..scan }),
        }
        self.inner.scan(scan)
    }
}

impl GuardedTable {
    /// What was done of what was allowed, each in its place.
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
