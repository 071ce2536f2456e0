//! Atomic changes of several tables.

use super::groups::{grouped, planned, same_table, Grouped};
use super::witness::{companions, was_written};
use crate::db::state::shared::Shared;
use crate::db::state::tables::while_moving;
use crate::region::write_all;
use crate::store::Services;
use rowstone_model::observe::{Before, Companion, Hooks};
use rowstone_model::operations::CellBatch;
use rowstone_model::Result;
use std::sync::Arc;

/// Applies all of `changes` or none, as modified by the observers of their tables.
pub(in crate::db) fn mutate_together(shared: &Arc<Shared>, changes: Vec<Companion>) -> Result<()> {
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

/// Rejects additional mutations of a region in which this write has already locked rows.
fn check_others(own: &Grouped, others: &Grouped) -> Result<()> {
    let shared = others.iter().find(|(other, _)| own.iter().any(|(region, _)| Arc::ptr_eq(region, other)));
    shared.map_or(Ok(()), |(region, _)| Err(same_table(&region.info().table)))
}
