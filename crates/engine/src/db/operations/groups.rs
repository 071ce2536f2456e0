//! Mutations of several tables, grouped by region.

use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::region::{Planned, Region};
use rowstone_model::observe::Companion;
use rowstone_model::operations::Mutation;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// Mutations grouped by region.
pub(in crate::db) type Grouped = Vec<(Arc<Region>, Vec<Mutation>)>;

/// Groups changes by region, and waits until each region has room for writes.
///
/// # Errors
/// `TableNotFound`, `TableNotEnabled`, and the errors of waiting for room in memory.
pub(in crate::db) fn grouped(shared: &Shared, changes: Vec<Companion>) -> Result<Grouped> {
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
    groups.iter().try_for_each(|(region, _)| region.wait_for_memory())?;
    Ok(groups)
}

/// Locks and plans `groups` in the order of tables and rows, so that two changes cannot deadlock. Returns the plans
/// in the order of `groups`.
pub(in crate::db) fn planned(groups: &Grouped, now: Option<i64>) -> Result<Vec<Planned<'_>>> {
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

/// Error for an observer that adds mutations of a table that the write itself changes.
pub(in crate::db) fn same_table(table: &TableName) -> Error {
    Error::invalid(format!(
        "an observer cannot add mutations of table '{table}' to a write of the same table; it may change other tables"
    ))
}
