//! Merge of several regions into one. Source: HBase's `MergeTableRegionsProcedure`.
//!
//! The files of the old regions hold different rows, so the merged region takes all of them as they are. Nothing is
//! cut, and it can be split or merged again at once. (HBase marks the files as references first, and waits for a
//! compaction.) The order of files from one old region is preserved; the order between files of two old regions is
//! irrelevant. Sequence ids continue after the largest of all.

use super::{entry_of, exchange, files_within, is_allowed, refuse, region_over, tidy, EVERYTHING};
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::manifest::{new_region, Edit};
use crate::region::{Halted, Region};
use rowstone_model::codec::printable;
use rowstone_model::switches::Switch;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// Merges the named regions into one. With `force`, includes the regions between them. The caller holds the schema
/// lock.
///
/// # Errors
/// `RegionNotFound`; `TableNotEnabled`; `InvalidArgument` for fewer than two regions, a region named twice, regions
/// of two tables, or, without `force`, regions that are not adjacent; `Constraint` if the table's MERGE_ENABLED is
/// false, or a region has halves of an earlier split. Nothing was changed.
pub(in crate::db) fn merge(shared: &Arc<Shared>, names: &[Vec<u8>], force: bool) -> Result<()> {
    let (table, old) = select_regions(shared, names, force)?;
    let descriptor = table.descriptor();
    table.check_enabled()?;
    if !shared.switches.is_on(Switch::Merge) {
        let names: Vec<&str> = old.iter().map(|region| region.info().encoded_name.as_str()).collect();
        return refuse(format!("Merge of [{}] failed because merge switch is off", names.join(", ")));
    }
    if !is_allowed(&descriptor, "MERGE_ENABLED") {
        return refuse(format!("regions are not merged: table '{}' has MERGE_ENABLED => false", table.name()));
    }
    if let Some(region) = old.iter().find(|region| region.has_references()) {
        let name = &region.info().encoded_name;
        return refuse(format!("region {name} is not mergeable: it has halves of files from a split; compact it"));
    }
    let (Some(first), Some(last)) = (old.first(), old.last()) else {
        return Err(Error::internal("no regions to merge"));
    };
    // Flush most cells now, so that writers wait less while the regions are halted.
    old.iter().try_for_each(|region| region.flush().map(|_| ()))?;
    let id = shared.state().next_region_id(shared.system.clock.now_ms());
    let info = new_region(table.name(), first.info().start_key.clone(), last.info().end_key.clone(), id);
    let halted = old.iter().map(|region| region.halt(true)).collect::<Result<Vec<Halted<'_>>>>()?;
    let last_id = halted.iter().map(Halted::last_sequence_id).max().unwrap_or(0);
    let files_of = |family: &[u8]| files_within(&old, family, &info);
    let new = [region_over(shared, &descriptor, info.clone(), &old, last_id, files_of)?];
    let remove = old.iter().map(|region| region.info().encoded_name.clone()).collect();
    let add = vec![entry_of(&new[0], last_id, None)];
    let edit = Edit::ReplaceRegions { table: table.name().clone(), remove, add };
    exchange(shared, &table, halted, vec![edit], &new, EVERYTHING)?;
    tidy(shared, &old, &new);
    Ok(())
}

/// Selects the regions to merge, in key order, without gaps.
fn select_regions(shared: &Shared, names: &[Vec<u8>], force: bool) -> Result<(Arc<TableHandle>, Vec<Arc<Region>>)> {
    let mut found = names.iter().map(|name| shared.tables.find_region(name)).collect::<Result<Vec<_>>>()?;
    found.sort_by(|left, right| left.1.info().start_key.cmp(&right.1.info().start_key));
    let Some((table, _)) = found.first().filter(|_| found.len() > 1).cloned() else {
        return Err(Error::invalid(format!("a merge needs at least two regions, not {}", names.len())));
    };
    if let Some((other, _)) = found.iter().find(|(other, _)| !Arc::ptr_eq(other, &table)) {
        return Err(Error::invalid(format!(
            "regions of two tables cannot be merged: '{}', '{}'",
            table.name(),
            other.name()
        )));
    }
    for pair in found.windows(2) {
        let (left, right) = (pair[0].1.info(), pair[1].1.info());
        if left.encoded_name == right.encoded_name {
            return Err(Error::invalid(format!("region {} is named twice", left.encoded_name)));
        }
        if left.end_key != right.start_key && !force {
            return Err(Error::invalid(format!(
                "regions {} (to '{}') and {} (from '{}') are not adjacent; with force, the regions between them are \
                 merged too",
                left.encoded_name,
                printable(&left.end_key),
                right.encoded_name,
                printable(&right.start_key)
            )));
        }
    }
    let is = |region: &Arc<Region>, found: Option<&(Arc<TableHandle>, Arc<Region>)>| {
        found.is_some_and(|(_, wanted)| Arc::ptr_eq(wanted, region))
    };
    let regions = table.regions();
    let first = regions.iter().position(|region| is(region, found.first()));
    let last = regions.iter().position(|region| is(region, found.last()));
    match (first, last) {
        (Some(first), Some(last)) => Ok((table, regions[first..=last].to_vec())),
        _ => Err(Error::internal("a region is not among its table's")),
    }
}
