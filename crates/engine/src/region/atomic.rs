//! Operations that read before they write: increments, appends, "delete the newest version", conditions. Each runs
//! under the exclusive lock of its row. Sources: HBase's `HRegion.reckonDeltas`, `prepareDeleteTimestamps`,
//! `checkAndMutateInternal`.

use super::plan::WritePlan;
use super::Region;
use crate::scan::filter::{holds, is_empty};
use rowstone_model::cell::{
    find_tag, iterate_tags, write_tag, Cell, CellBuffer, CellParts, CellType, ACL_TAG, CELL_TTL_TAG, LATEST_TIMESTAMP,
};
use rowstone_model::codec::printable;
use rowstone_model::operations::{
    CellBatch, CheckAndMutate, CheckResult, CompareOperator, ComparedCondition, Condition, Get, MobValues,
    MultiRowMutation, Mutation, MutationKind, ReadOptions, ValueCondition,
};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Result of a condition.
struct Verdict {
    holds: bool,
    /// Timestamp of the cell that was checked.
    newest: Option<i64>,
}

impl Region {
    /// Applies all of `mutations` of `row` or none, and returns the new cells of its increments and appends. They
    /// see the row as it was before.
    pub fn mutate_row(&self, row: &[u8], mutations: &[Mutation]) -> Result<CellBatch> {
        self.check_mutations(mutations)?;
        let _lock = self.locks.exclusive(row)?;
        let now = self.now();
        self.apply_atomic(mutations, now, now)
    }

    /// Atomically applies the mutations if the condition holds.
    pub fn check_and_mutate(&self, check: &CheckAndMutate) -> Result<CheckResult> {
        let CheckAndMutate { condition, mutations, guard } = check;
        self.check_mutations(&mutations.mutations)?;
        self.check_condition(condition)?;
        let _lock = self.locks.exclusive(&mutations.row)?;
        if let Some(guard) = guard {
            self.ask_before_condition(guard, &mutations.row, condition)?;
        }
        let Verdict { holds, newest } = self.verdict(&mutations.row, condition)?;
        if !holds {
            return Ok(CheckResult { success: false, cells: CellBatch::default() });
        }
        let now = self.now();
        // A put must not hide behind the cell that was checked, even if the clock went back.
        let put_time = newest.map_or(now, |newest| now.max(newest));
        let cells = self.apply_atomic(&mutations.mutations, now, put_time)?;
        Ok(CheckResult::applied(cells))
    }

    /// Atomically applies changes of rows of this region if all conditions hold. Returns whether they did.
    pub fn mutate_rows(&self, change: &MultiRowMutation) -> Result<bool> {
        let MultiRowMutation { conditions, mutations } = change;
        self.check_mutations(mutations)?;
        conditions.iter().try_for_each(|(_, condition)| self.check_condition(condition))?;
        let conditioned = conditions.iter().map(|(row, _)| row.as_slice());
        let rows = mutations.iter().map(|mutation| mutation.row.as_slice()).chain(conditioned);
        if let Some(row) = rows.clone().find(|row| !self.info().contains(row)) {
            let message = format!("row '{}' is not in the region of the first row", printable(row));
            return Err(Error::invalid(message));
        }
        let _locks = self.locks.exclusive_many(rows)?;
        let now = self.now();
        let mut put_time = now;
        for (row, condition) in conditions {
            let Verdict { holds, newest } = self.verdict(row, condition)?;
            if !holds {
                return Ok(false);
            }
            put_time = put_time.max(newest.unwrap_or(now));
        }
        self.apply_atomic(mutations, now, put_time).map(|_| true)
    }

    fn check_condition(&self, condition: &Condition) -> Result<()> {
        match condition {
            Condition::Value(ValueCondition { family, .. }) | Condition::Compared(ComparedCondition { family, .. }) => {
                self.check_family(family)
            }
            Condition::Matches { .. } => Ok(()),
        }
    }

    /// Evaluates a condition on a locked row.
    fn verdict(&self, row: &[u8], condition: &Condition) -> Result<Verdict> {
        let stored = self.looked_at(row, condition)?;
        let newest = stored.cells.iter().next();
        let value = newest.as_ref().map(Cell::value);
        let holds = match condition {
            Condition::Value(condition) => condition.holds(value),
            Condition::Compared(ComparedCondition { operator, comparator, .. }) => match value {
                _ if is_empty(comparator) => {
                    (*operator == CompareOperator::NotEqual) != value.is_none_or(<[u8]>::is_empty)
                }
                Some(value) => holds(comparator, *operator, value)?,
                None => false,
            },
            Condition::Matches { .. } => newest.is_some(),
        };
        Ok(Verdict { holds, newest: newest.map(|cell| cell.timestamp()) })
    }

    /// Plans all mutations of the locked row, then writes them as one record.
    fn apply_atomic(&self, mutations: &[Mutation], now: i64, put_time: i64) -> Result<CellBatch> {
        let nonce = mutations.iter().find_map(|mutation| mutation.nonce);
        let mut plan = WritePlan { nonce, ..WritePlan::default() };
        let mut results = CellBuffer::new();
        for mutation in mutations {
            let start = plan.cells.byte_len();
            match mutation.kind {
                MutationKind::Put => {
                    plan.add_put(mutation, self.effective_durability(mutation.durability), put_time);
                    self.ask_before_write(mutation, &plan.cells, start, now)?;
                }
                MutationKind::Delete => {
                    self.plan_delete(&mut plan, mutation, now)?;
                    self.ask_before_write(mutation, &plan.cells, start, now)?;
                }
                MutationKind::Increment | MutationKind::Append => {
                    self.ask_before_write(mutation, &mutation.cells, 0, now)?;
                    let new_cells = self.new_values(mutation, now)?;
                    for cell in &new_cells {
                        plan.cells.push_cell(&cell);
                        if mutation.returns_values {
                            results.push_cell(&cell);
                        }
                    }
                    plan.durability = plan.durability.max(self.effective_durability(mutation.durability));
                }
            }
        }
        self.check_cells(&plan.cells)?;
        self.write(&plan, now)?;
        Ok(CellBatch::of_row(results))
    }

    /// Plans a delete: a row delete becomes a marker per family, "the newest version" becomes that version.
    pub(super) fn plan_delete(&self, plan: &mut WritePlan, delete: &Mutation, now: i64) -> Result<()> {
        plan.durability = plan.durability.max(self.effective_durability(delete.durability));
        let start = plan.cells.byte_len();
        if delete.cells.is_empty() {
            for store in self.stores().iter() {
                plan.cells.push(CellParts {
                    row: &delete.row,
                    family: store.family_name(),
                    qualifier: &[],
                    timestamp: delete.timestamp,
                    cell_type: CellType::DeleteFamily,
                    value: &[],
                    tags: &[],
                });
            }
        } else {
            let mut met: BTreeMap<(&[u8], &[u8]), u32> = BTreeMap::new();
            for marker in &delete.cells {
                let is_newest = marker.cell_type() == CellType::Delete && marker.timestamp() == LATEST_TIMESTAMP;
                let timestamp = if is_newest {
                    let count = met.entry((marker.family(), marker.qualifier())).or_insert(0);
                    *count += 1;
                    let options =
                        ReadOptions { versions: *count, mob_values: MobValues::References, ..ReadOptions::default() };
                    let found = self.newest(&delete.row, marker.family(), marker.qualifier(), options)?;
                    found.cells.iter().nth(*count as usize - 1).map_or(now, |cell| cell.timestamp())
                } else {
                    marker.timestamp()
                };
                plan.cells.push(CellParts {
                    row: &delete.row,
                    family: marker.family(),
                    qualifier: marker.qualifier(),
                    timestamp,
                    cell_type: marker.cell_type(),
                    value: &[],
                    tags: marker.tags(),
                });
            }
        }
        plan.cells.fill_timestamps_from(start, now);
        Ok(())
    }

    /// The cells that a condition checks: the newest version of its column, or the cells of the row that pass its
    /// filter.
    fn looked_at(&self, row: &[u8], condition: &Condition) -> Result<CellBatch> {
        match condition {
            Condition::Value(ValueCondition { family, qualifier, time_range, .. })
            | Condition::Compared(ComparedCondition { family, qualifier, time_range, .. }) => {
                let options = ReadOptions { time_range: *time_range, ..ReadOptions::default() };
                self.newest(row, family, qualifier, options)
            }
            Condition::Matches { filter, time_range } => {
                let (filter, time_range) = (Some(Arc::clone(filter)), *time_range);
                let options = ReadOptions { filter, time_range, ..ReadOptions::default() };
                let mut batch = CellBatch::default();
                self.get(&Get::new(row, options), &mut batch)?;
                Ok(batch)
            }
        }
    }

    /// The newest visible versions of a column, as many as `options` ask for.
    fn newest(&self, row: &[u8], family: &[u8], qualifier: &[u8], mut options: ReadOptions) -> Result<CellBatch> {
        options.columns.add_column(family, qualifier);
        let mut batch = CellBatch::default();
        self.get(&Get::new(row, options), &mut batch)?;
        Ok(batch)
    }

    /// Computes the cells that an increment or append writes, family by family.
    fn new_values(&self, mutation: &Mutation, now: i64) -> Result<CellBuffer> {
        let mut options = ReadOptions { time_range: mutation.time_range, ..ReadOptions::default() };
        for delta in &mutation.cells {
            options.columns.add_column(delta.family(), delta.qualifier());
        }
        let mut present = CellBatch::default();
        self.get(&Get::new(&mutation.row, options), &mut present)?;
        let mut deltas: Vec<Cell<'_>> = mutation.cells.iter().collect();
        deltas.sort_by_key(|delta| (delta.family(), delta.qualifier()));
        let mut cells = CellBuffer::new();
        for delta in deltas {
            let is_same = |cell: &Cell<'_>| (cell.family(), cell.qualifier()) == (delta.family(), delta.qualifier());
            let current = present.cells.iter().find(is_same);
            let value = match (mutation.kind, &current) {
                (MutationKind::Increment, current) => incremented(&delta, current.as_ref())?,
                (_, Some(current)) => [current.value(), delta.value()].concat(),
                (_, None) => delta.value().to_vec(),
            };
            let timestamp = match &current {
                Some(current) => now.max(current.timestamp().saturating_add(1)),
                None if delta.timestamp() == LATEST_TIMESTAMP => now,
                None => delta.timestamp(),
            };
            let tags = carried_tags(&delta, current.as_ref(), mutation.ttl_ms);
            cells.push(CellParts {
                row: &mutation.row,
                family: delta.family(),
                qualifier: delta.qualifier(),
                timestamp,
                cell_type: CellType::Put,
                value: &value,
                tags: &tags,
            });
        }
        Ok(cells)
    }
}

/// The sum as 8 big-endian bytes. It wraps around as Java's does.
fn incremented(delta: &Cell<'_>, current: Option<&Cell<'_>>) -> Result<Vec<u8>> {
    let amount = long(delta)?;
    let sum = match current {
        Some(current) => long(current)?.wrapping_add(amount),
        None => amount,
    };
    Ok(sum.to_be_bytes().to_vec())
}

fn long(cell: &Cell<'_>) -> Result<i64> {
    let bytes: [u8; 8] = cell.value().try_into().map_err(|_| {
        Error::new(ErrorKind::NotALong, format!("Field is not a long, it's {} bytes wide", cell.value().len()))
    })?;
    Ok(i64::from_be_bytes(bytes))
}

/// Merges the tags of the delta and of the current cell. A time to live of the mutation replaces theirs, and an ACL
/// tag of the delta replaces that of the current cell.
fn carried_tags(delta: &Cell<'_>, current: Option<&Cell<'_>>, ttl_ms: Option<i64>) -> Vec<u8> {
    let mut tags = Vec::new();
    let has_acl = find_tag(delta.tags(), ACL_TAG).is_some();
    let present = iterate_tags(current.map_or(&[], |cell| cell.tags()));
    let kept = present.filter(|(kind, _)| *kind != ACL_TAG || !has_acl);
    for (kind, value) in iterate_tags(delta.tags()).chain(kept) {
        if kind != CELL_TTL_TAG || ttl_ms.is_none() {
            write_tag(&mut tags, kind, value);
        }
    }
    if let Some(ttl) = ttl_ms {
        write_tag(&mut tags, CELL_TTL_TAG, &ttl.to_be_bytes());
    }
    tags
}
