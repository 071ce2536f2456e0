//! Replacing regions by others while the table is in use: split, merge, truncation. Sources: HBase's
//! `SplitTableRegionProcedure`, `MergeTableRegionsProcedure`, `TruncateRegionProcedure`.
//!
//! | file | duty |
//! |---|---|
//! | `split`, `merge`, `truncate` | preconditions, and the resulting regions |
//! | `policy` | when a region is too large, and where it may be cut: pure functions |
//! | `normalize` | selects regions to split and to merge, so that their sizes are similar |
//!
//! The first three take the same steps ([`exchange`]):
//!
//! 1. The old regions are halted, with all their cells flushed to files.
//! 2. The new ones are opened over those files, limited to the rows of each.
//! 3. One edit of the manifest replaces the old ones by the new.
//! 4. The table routes to the new ones. The old ones refuse requests, and late callers look up the region again.
//!
//! No file is written except by the last flush. A file that lies completely in one new region is simply named by it
//! (HBase has an `HFileLink` for that). One that a split row cuts is named by both, marked as a half (HBase's
//! `Reference`), until each has compacted it.

mod merge;
mod normalize;
mod policy;
mod split;
mod truncate;

pub(super) use merge::merge;
pub(super) use normalize::normalize;
pub(super) use policy::check_policy;
pub(super) use split::{split, split_if_due};
pub(super) use truncate::truncate;

use super::state::shared::Shared;
use super::state::tables::TableHandle;
use crate::manifest::{store_directory, Edit, RegionEntry, Split, StoreEntry};
use crate::region::{Halted, Region};
use crate::store::{Services, Store, StoreFile, Stores, Work};
use rowstone_model::schema::{RegionInfo, TableDescriptor};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Sequence id for a removed region: the log need not retain anything of it.
const EVERYTHING: u64 = u64::MAX;

/// Whether the table's attribute `name`, such as `SPLIT_ENABLED`, permits the operation.
fn is_allowed(table: &TableDescriptor, name: &str) -> bool {
    table.attributes.get(name).is_none_or(|text| text.eq_ignore_ascii_case("true"))
}

fn refuse<T>(message: String) -> Result<T> {
    Err(Error::new(ErrorKind::Constraint, message))
}

/// Opens a region for `info` with the files that `files_of` returns for each family. Sequence ids continue after
/// `last_id`, and times after those of the halted regions `old`.
fn region_over(
    shared: &Arc<Shared>,
    table: &TableDescriptor,
    info: RegionInfo,
    old: &[Arc<Region>],
    last_id: u64,
    files_of: impl Fn(&[u8]) -> Vec<Arc<StoreFile>>,
) -> Result<Arc<Region>> {
    let services = || Arc::clone(shared) as Arc<dyn Services>;
    let settings = shared.settings.overridden_by(&table.settings())?;
    let mut stores = Vec::new();
    for family in table.family_options()? {
        let settings = match table.families.get(&family.name) {
            Some(descriptor) => settings.overridden_by(&descriptor.settings())?,
            None => settings.clone(),
        };
        let files = files_of(&family.name);
        stores.push(Arc::new(Store::over(&info, family, &settings, files, last_id, services())));
    }
    let region = Region::new(info, table, Stores::new(stores), last_id, settings, services())?;
    old.iter().for_each(|old| region.continue_time(old.last_now()));
    Ok(Arc::new(region))
}

/// The files of `parents` in `family` that have rows of `info`.
fn files_within(parents: &[Arc<Region>], family: &[u8], info: &RegionInfo) -> Vec<Arc<StoreFile>> {
    let stores = parents.iter().filter_map(|parent| parent.stores().get(family).cloned());
    stores.flat_map(|store| store.files().iter().filter_map(|file| file.within(info)).collect::<Vec<_>>()).collect()
}

/// Manifest entry of a new region.
fn entry_of(region: &Region, last_id: u64, split: Option<Split>) -> RegionEntry {
    let entry = |store: &Arc<Store>| {
        let files = store.files().iter().map(|file| file.entry.clone()).collect();
        (store.family_name().to_vec(), StoreEntry { files, flushed_sequence_id: store.flushed_sequence_id() })
    };
    let stores = region.stores().iter().map(entry).collect();
    let (info, last_write_ms) = (region.info().clone(), region.last_now());
    let mut entry = RegionEntry { info, stores, last_sequence_id: last_id, last_write_ms, split };
    if !entry.has_references() {
        entry.split = None;
    }
    entry
}

/// Replaces the halted regions by `new`; `edits` record it in the manifest. If that fails, nothing has changed.
fn exchange(
    shared: &Shared,
    table: &TableHandle,
    halted: Vec<Halted<'_>>,
    edits: Vec<Edit>,
    new: &[Arc<Region>],
    flushed: u64,
) -> Result<()> {
    shared.commit_change(edits, || halted.iter().for_each(Halted::doubt))?;
    let mut regions = Vec::clone(&table.regions());
    regions.retain(|region| !halted.iter().any(|old| old.is(region)));
    for region in new {
        regions.push(Arc::clone(region));
    }
    regions.sort_by(|left, right| left.info().start_key.cmp(&right.info().start_key));
    // The order matters: a caller that is refused must find the new regions.
    table.set_regions(regions);
    halted.into_iter().for_each(|old| old.retire(flushed));
    Ok(())
}

/// Creates the folders of the new regions, removes unused files and folders of the old ones, and requests
/// compactions of halves.
fn tidy(shared: &Shared, old: &[Arc<Region>], new: &[Arc<Region>]) {
    for region in new {
        for store in region.stores().iter() {
            // They only serve users who list the folder; the first file of a store creates its own directory.
            let _ = shared.system.files.create_dir_all(&shared.path(store.directory()));
        }
        if region.has_references() {
            shared.request(Work::Compact(region.info().encoded_name.clone()));
        }
    }
    for region in old {
        let stores = region.stores();
        let files = stores.iter().flat_map(|store| {
            store.files().iter().flat_map(|file| file.paths().collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        shared.remove_files(&files.collect::<Vec<_>>());
        for store in stores.iter() {
            shared.remove_folder_of_gone(&store_directory(region.info(), store.family_name()));
        }
    }
}

#[cfg(test)]
mod tests;
