//! Split of one region into two. Source: HBase's `SplitTableRegionProcedure`, `RegionSplitPolicy.getSplitPoint`.

use super::policy::SplitPolicy;
use super::{entry_of, exchange, files_within, is_allowed, refuse, region_over, tidy, EVERYTHING};
use crate::db::admin::check_quota;
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::manifest::{new_region, Edit, Split};
use crate::region::Region;
use rowstone_model::codec::printable;
use rowstone_model::switches::Switch;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// Splits `region` at `row`, or where its policy would. The caller holds the schema lock.
///
/// # Errors
/// `TableNotEnabled`; `Constraint` if the table's SPLIT_ENABLED is false, its policy never splits, the region has
/// halves of an earlier split, or no row is suitable; `InvalidArgument` for a row outside the region or at its
/// start; `QuotaExceeded`. Nothing was changed.
pub(in crate::db) fn split(
    shared: &Arc<Shared>,
    table: &TableHandle,
    region: &Arc<Region>,
    row: Option<&[u8]>,
) -> Result<()> {
    let (descriptor, name) = (table.descriptor(), &region.info().encoded_name);
    table.check_enabled()?;
    if !shared.switches.is_on(Switch::Split) {
        let name = printable(&region.info().region_name());
        return refuse(format!("Split region {name} failed due to split switch off"));
    }
    if !is_allowed(&descriptor, "SPLIT_ENABLED") {
        return refuse(format!("region {name} is not split: table '{}' has SPLIT_ENABLED => false", table.name()));
    }
    if region.has_references() {
        return refuse(format!(
            "region {name} is not splittable: it has halves of files of an earlier split; compact it"
        ));
    }
    let policy = SplitPolicy::of(&descriptor, &shared.settings, region.info())?;
    if policy.is_never() {
        let table = table.name();
        return refuse(format!(
            "region {name} is not splittable: table '{table}' has DisabledRegionSplitPolicy; give it another SPLIT_POLICY"
        ));
    }
    let row = match row {
        Some(row) => policy.restrict(row.to_vec()),
        None => match best_row_now(region, &policy)? {
            Some(row) => row,
            None => {
                return refuse(format!(
                    "region {name} is not splittable: it has no row to split at, maybe it is too small; name a row"
                ))
            }
        },
    };
    check_row(region, &row)?;
    check_quota(&shared.state(), table.name().namespace(), 0, 1)?;
    split_at(shared, table, region, row)
}

fn check_row(region: &Region, row: &[u8]) -> Result<()> {
    rowstone_model::cell::check_row(row)?;
    let info = region.info();
    if info.start_key == row {
        return Err(Error::invalid(format!(
            "split row '{}' is the start key of region {}",
            printable(row),
            info.encoded_name
        )));
    }
    if !info.contains(row) {
        return Err(Error::invalid(format!(
            "split row '{}' is not inside region {}, from '{}' to '{}'",
            printable(row),
            info.encoded_name,
            printable(&info.start_key),
            printable(&info.end_key)
        )));
    }
    Ok(())
}

fn split_at(shared: &Arc<Shared>, table: &TableHandle, region: &Arc<Region>, row: Vec<u8>) -> Result<()> {
    shared.counts.split_asked();
    let (descriptor, parent) = (table.descriptor(), region.info());
    // Flush most of it before writers have to wait.
    region.flush()?;
    let id = shared.state().next_region_id(shared.system.clock.now_ms());
    let bottom = new_region(&parent.table, parent.start_key.clone(), row.clone(), id);
    let top = new_region(&parent.table, row, parent.end_key.clone(), id);
    let split = Split { parent: parent.clone(), bottom: bottom.clone(), top: top.clone() };
    let old = [Arc::clone(region)];
    let halted = region.halt(true)?;
    let last_id = halted.last_sequence_id();
    let heir = |info| {
        let files_of = |family: &[u8]| files_within(&old, family, &info);
        region_over(shared, &descriptor, info.clone(), &old, last_id, files_of)
    };
    let new = [heir(bottom)?, heir(top)?];
    let add = new.iter().map(|region| entry_of(region, last_id, Some(split.clone()))).collect();
    let edit = Edit::ReplaceRegions { table: parent.table.clone(), remove: vec![parent.encoded_name.clone()], add };
    exchange(shared, table, vec![halted], vec![edit], &new, EVERYTHING)?;
    tidy(shared, &old, &new);
    shared.counts.split_done();
    Ok(())
}

/// The best split row of the region. If its files do not give one, the region is flushed first.
fn best_row_now(region: &Region, policy: &SplitPolicy) -> Result<Option<Vec<u8>>> {
    if let Some(row) = best_row(region, policy)? {
        return Ok(Some(row));
    }
    region.flush()?;
    best_row(region, policy)
}

/// The middle row of the largest file of the largest store that has one, shortened by the policy.
fn best_row(region: &Region, policy: &SplitPolicy) -> Result<Option<Vec<u8>>> {
    let mut best: Option<(u64, Vec<u8>)> = None;
    for store in region.stores().iter() {
        let bytes = store.file_bytes();
        if best.as_ref().is_none_or(|(most, _)| bytes > *most) {
            if let Some(row) = store.middle_row()? {
                best = Some((bytes, row));
            }
        }
    }
    Ok(best.map(|(_, row)| policy.restrict(policy.cut(row))).filter(|row| !row.is_empty()))
}

/// Splits the named region if its policy finds it too large and it can be split.
pub(in crate::db) fn split_if_due(shared: &Arc<Shared>, name: &str) -> Result<()> {
    if !is_due(shared, name)? {
        return Ok(());
    }
    // Another schema change may be running, and may have changed the region.
    let _ddl = shared.begin_schema_change()?;
    if !is_due(shared, name)? {
        return Ok(());
    }
    let (table, region) = shared.tables.find_region(name.as_bytes())?;
    let policy = SplitPolicy::of(&table.descriptor(), &shared.settings, region.info())?;
    match best_row(&region, &policy)?.filter(|row| check_row(&region, row).is_ok()) {
        Some(row) => {
            check_quota(&shared.state(), table.name().namespace(), 0, 1)?;
            split_at(shared, &table, &region, row)
        }
        None => Ok(()),
    }
}

fn is_due(shared: &Shared, name: &str) -> Result<bool> {
    let Ok((table, region)) = shared.tables.find_region(name.as_bytes()) else { return Ok(false) };
    let descriptor = table.descriptor();
    let stores = region.stores();
    let is_ready = table.is_enabled()
        && shared.switches.is_on(Switch::Split)
        && is_allowed(&descriptor, "SPLIT_ENABLED")
        && !region.has_references()
        && !stores.iter().any(|store| store.has_too_many_files(1));
    let count = table.regions().len();
    if !is_ready || count as u64 >= shared.settings.size("hbase.regionserver.regionSplitLimit") {
        return Ok(false);
    }
    let bytes: Vec<u64> = stores.iter().map(|store| store.file_bytes()).collect();
    Ok(SplitPolicy::of(&descriptor, &shared.settings, region.info())?.is_due(&bytes, count))
}
