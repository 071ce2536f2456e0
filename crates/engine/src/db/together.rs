//! Atomic changes of several tables: grouping by region.

use super::observed::{companions, was_written};
use super::shared::Shared;
use super::tables::{while_moving, TableHandle};
use crate::region::{write_all, Planned, Region};
use crate::store::Services;
use rowstone_model::observe::{Before, Companion, Hooks};
use rowstone_model::operations::{CellBatch, Mutation};
use rowstone_model::schema::TableName;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// Mutations grouped by region.
pub(super) type Grouped = Vec<(Arc<Region>, Vec<Mutation>)>;

/// Groups changes by region. Each region has room for its group.
///
/// # Errors
/// `TableNotFound`, `TableNotEnabled`, and the errors of waiting for room in memory.
pub(super) fn grouped(shared: &Shared, changes: Vec<Companion>) -> Result<Grouped> {
    let mut groups: Grouped = Vec::new();
    let mut known: Option<(TableName, Arc<TableHandle>)> = None;
    for (table, mutation) in changes {
        let handle = match &known {
            Some((name, handle)) if *name == table => Arc::clone(handle),
            _ => {
                let handle = shared.tables.find(&table)?;
                handle.check_enabled()?;
                handle.check_seen()?;
                known = Some((table, Arc::clone(&handle)));
                handle
            }
        };
        handle.check_space(std::slice::from_ref(&mutation))?;
        let region = handle.region_of(&mutation.row)?;
        match groups.iter_mut().find(|(known, _)| Arc::ptr_eq(known, &region)) {
            Some((_, mutations)) => mutations.push(mutation),
            None => groups.push((region, vec![mutation])),
        }
    }
    groups.iter().try_for_each(|(region, _)| region.wait_for_room())?;
    Ok(groups)
}

/// Locks and plans `groups` in the order of tables and rows, so that two changes cannot deadlock. Returns the plans
/// in the order of `groups`.
pub(super) fn planned(groups: &Grouped, now: Option<i64>) -> Result<Vec<Planned<'_>>> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by(|left, right| {
        let key = |index: usize| groups.get(index).map(|(region, _)| (&region.info().table, &region.info().start_key));
        key(*left).cmp(&key(*right))
    });
    let mut plans: Vec<Option<Planned<'_>>> = groups.iter().map(|_| None).collect();
    for index in order {
        let (Some((region, mutations)), Some(plan)) = (groups.get(index), plans.get_mut(index)) else { continue };
        *plan = Some(region.plan(mutations, now)?);
    }
    Ok(plans.into_iter().flatten().collect())
}

/// Applies all of `changes` or none, as modified by the observers of their tables.
pub(super) fn mutate_together(shared: &Arc<Shared>, changes: Vec<Companion>) -> Result<()> {
    shared.check_writable()?;
    let mut wanted = Vec::with_capacity(changes.len());
    let mut heard = Vec::new();
    for (table, mutation) in changes {
        let observer = shared.tables.find(&table)?.observer();
        let before = match observer.as_ref().filter(|observer| observer.hooks().has(Hooks::MUTATE)) {
            Some(observer) => observer.pre_mutate(mutation)?,
            None => Before::Go(mutation),
        };
        let Before::Go(mutation) = before else { continue };
        if let Some(observer) = observer.filter(|observer| observer.hooks().has(Hooks::MUTATED)) {
            heard.push((observer, mutation.clone()));
        }
        wanted.push((table, mutation));
    }
    while_moving(|| write(shared, wanted.clone()))?;
    heard.iter().try_for_each(|(observer, mutation)| observer.post_mutate(mutation, &CellBatch::default()))
}

fn write(shared: &Arc<Shared>, changes: Vec<Companion>) -> Result<()> {
    let groups = grouped(shared, changes)?;
    let plans = planned(&groups, None)?;
    let now = shared.system.clock.now_ms();
    let own: Vec<_> =
        groups.iter().zip(&plans).map(|((region, _), plan)| (&region.info().table, plan.cells().clone())).collect();
    let mut more = Vec::new();
    for (table, cells) in &own {
        more.extend(companions(shared, table, cells)?);
    }
    let more_groups = grouped(shared, more)?;
    check_others(&groups, &more_groups)?;
    let mut all = planned(&more_groups, Some(now))?;
    all.extend(plans);
    write_all(&all, now)?;
    own.iter().try_for_each(|(table, cells)| was_written(shared, table, cells))
}

/// Refuses rows whose locks this write already holds.
fn check_others(own: &Grouped, others: &Grouped) -> Result<()> {
    let shared = others.iter().find(|(other, _)| own.iter().any(|(region, _)| Arc::ptr_eq(region, other)));
    shared.map_or(Ok(()), |(region, _)| Err(same_table(&region.info().table)))
}

pub(super) fn same_table(table: &TableName) -> Error {
    Error::invalid(format!(
        "an observer wants to change table '{table}' together with a write of that table itself; it may change others"
    ))
}
