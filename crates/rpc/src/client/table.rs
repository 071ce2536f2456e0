//! A table of a cluster, as the binding uses it.

use super::check::{check_get, check_mutation, check_mutations};
use super::multi::{read_atomic, Answer, Item};
use super::scan::TableScanner;
use crate::cluster::{now_ms, Cluster, TableCache};
use crate::convert::append_result;
use crate::wire::Malformed;
use rowstone_model::backend::{ScannerBackend, TableBackend};
use rowstone_model::operations::{
    Action, ActionResult, CellBatch, CheckAndMutate, CheckResult, Get, Mutation, MutationKind, RowMutations, RowRange,
    Rows, Scan,
};
use rowstone_model::Result;
use std::sync::Arc;

/// A handle on a table of a cluster.
pub struct Table {
    pub(super) cluster: Arc<Cluster>,
    pub(super) cache: Arc<TableCache>,
}

impl Table {
    /// Creates a handle on the table of `cache`.
    pub fn new(cluster: Arc<Cluster>, cache: Arc<TableCache>) -> Self {
        Table { cluster, cache }
    }
}

impl TableBackend for Table {
    fn get(&self, get: &Get) -> Result<CellBatch> {
        self.cache.heat.read(&get.row, now_ms);
        self.get_row(get)
    }

    fn exists(&self, get: &Get) -> Result<bool> {
        self.cache.heat.read(&get.row, now_ms);
        self.row_exists(get)
    }

    fn get_many(&self, gets: &[Get]) -> Result<CellBatch> {
        gets.iter().try_for_each(check_get)?;
        self.note_gets(gets);
        let items: Vec<Item<'_>> = gets.iter().map(Item::Get).collect();
        let nothing = RowRange { start: 0, end: 0, cell_count: 0, is_partial: false };
        let mut batch = CellBatch { rows: Rows::with_capacity(gets.len()), ..CellBatch::default() };
        let mut ranges = vec![nothing; gets.len()];
        let mut failed = None;
        self.run_items(&items, (0..gets.len()).collect(), &mut |index, answer| {
            match answer {
                Answer::One(result, block) => {
                    batch.cells.reserve(block.remaining());
                    append_result(result, block, &mut batch)?;
                    ranges[index] = batch.rows.pop().unwrap_or(nothing);
                }
                Answer::Group(..) => return Err(Malformed("a group where a row was requested")),
                Answer::Failed(error) => failed = Some(error),
            }
            Ok(())
        })?;
        batch.rows = ranges.into();
        failed.map_or(Ok(batch), Err)
    }

    fn exists_many(&self, gets: &[Get]) -> Result<Vec<bool>> {
        gets.iter().try_for_each(check_get)?;
        self.note_gets(gets);
        let items: Vec<Item<'_>> = gets.iter().map(Item::Exists).collect();
        let mut found = vec![false; gets.len()];
        let mut failed = None;
        self.run_items(&items, (0..gets.len()).collect(), &mut |index, answer| {
            match answer {
                Answer::One(result, block) => {
                    found[index] = result.exists.unwrap_or(false);
                    block.skip(usize::try_from(result.associated_cell_count.unwrap_or(0)).unwrap_or(0))?;
                }
                Answer::Group(..) => return Err(Malformed("a group where a row was requested")),
                Answer::Failed(error) => failed = Some(error),
            }
            Ok(())
        })?;
        failed.map_or(Ok(found), Err)
    }

    fn mutate(&self, mutation: Mutation) -> Result<CellBatch> {
        let cells = self.mutate_one(&mutation)?;
        self.cache.heat.write(&mutation.row, now_ms);
        Ok(cells)
    }

    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        let mut results: Vec<Result<()>> = mutations.iter().map(check_mutation).collect();
        let items: Vec<Item<'_>> =
            mutations.iter().map(|mutation| Item::Mutation(mutation, self.nonce_for(mutation.kind))).collect();
        let sound = (0..items.len()).filter(|index| results[*index].is_ok()).collect();
        let run = self.run_items(&items, sound, &mut |index, answer| {
            match answer {
                Answer::One(result, block) => {
                    block.skip(usize::try_from(result.associated_cell_count.unwrap_or(0)).unwrap_or(0))?;
                }
                Answer::Group(..) => return Err(Malformed("a group where a row was changed")),
                Answer::Failed(error) => results[index] = Err(error),
            }
            Ok(())
        });
        if let Err(error) = run {
            return results.iter().map(|_| Err(error.clone())).collect();
        }
        let done = mutations.iter().zip(&results).filter(|(_, result)| result.is_ok());
        done.for_each(|(mutation, _)| self.cache.heat.write(&mutation.row, now_ms));
        results
    }

    fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch> {
        let cells = self.mutate_atomically(&mutations)?;
        self.cache.heat.write(&mutations.row, now_ms);
        Ok(cells)
    }

    fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult> {
        let done = self.check_row_and_mutate(&check)?;
        if done.success {
            self.cache.heat.write(&check.mutations.row, now_ms);
        }
        Ok(done)
    }

    fn multi(&self, actions: Vec<Action>) -> Vec<Result<ActionResult>> {
        let items: Vec<Item<'_>> = actions.iter().map(|action| self.item(action)).collect();
        let mut results: Vec<Result<ActionResult>> =
            actions.iter().map(|action| check_action(action).map(|()| ActionResult::Done)).collect();
        let sound = (0..items.len()).filter(|index| results[*index].is_ok()).collect();
        let run = self.run_items(&items, sound, &mut |index, answer| {
            results[index] = match answer {
                Answer::Failed(error) => Err(error),
                Answer::Group(result, block) => {
                    let mut batch = CellBatch::default();
                    read_atomic(result, block, &mut batch)
                        .map(|()| ActionResult::Row(batch))
                        .map_err(|failure| failure.error)
                }
                Answer::One(result, block) => {
                    let mut batch = CellBatch::default();
                    append_result(result, block, &mut batch)?;
                    batch.rows.retain(|row| row.cell_count > 0);
                    match &actions[index] {
                        Action::Mutate(mutation) if !returns_cells(mutation) => Ok(ActionResult::Done),
                        _ => Ok(ActionResult::Row(batch)),
                    }
                }
            };
            Ok(())
        });
        if let Err(error) = run {
            return results.iter().map(|_| Err(error.clone())).collect();
        }
        self.note_actions(&actions, &results);
        results
    }

    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>> {
        self.cluster.check_open()?;
        scan.check()?;
        Ok(Box::new(TableScanner::new(Arc::clone(&self.cluster), Arc::clone(&self.cache), scan)))
    }
}

impl Table {
    /// Counts what was read, and what was written without an error.
    fn note_actions(&self, actions: &[Action], results: &[Result<ActionResult>]) {
        for (action, result) in actions.iter().zip(results) {
            match action {
                Action::Get(get) => self.cache.heat.read(&get.row, now_ms),
                Action::Mutate(mutation) if result.is_ok() => self.cache.heat.write(&mutation.row, now_ms),
                Action::MutateRow(mutations) if result.is_ok() => self.cache.heat.write(&mutations.row, now_ms),
                Action::Mutate(_) | Action::MutateRow(_) => {}
            }
        }
    }

    fn note_gets(&self, gets: &[Get]) {
        self.cache.heat.read_many(gets.len(), |index| Some(&gets[index].row[..]), now_ms);
    }

    fn item<'a>(&self, action: &'a Action) -> Item<'a> {
        match action {
            Action::Get(get) => Item::Get(get),
            Action::Mutate(mutation) => Item::Mutation(mutation, self.nonce_for(mutation.kind)),
            Action::MutateRow(mutations) => {
                let nonces = mutations.mutations.iter().map(|mutation| self.nonce_for(mutation.kind)).collect();
                Item::Row(mutations, nonces)
            }
        }
    }
}

fn returns_cells(mutation: &Mutation) -> bool {
    matches!(mutation.kind, MutationKind::Increment | MutationKind::Append)
}

fn check_action(action: &Action) -> Result<()> {
    match action {
        Action::Get(get) => check_get(get),
        Action::Mutate(mutation) => check_mutation(mutation),
        Action::MutateRow(mutations) => check_mutations(mutations),
    }
}
