//! Opening of a region.

use super::shared::Shared;
use crate::manifest::{RegionEntry, TableEntry};
use crate::region::Region;
use crate::store::{Services, Store, Stores};
use rowstone_model::Result;
use std::sync::Arc;

/// Opens a region over the files that the manifest names.
pub(in crate::db) fn open_region(shared: &Arc<Shared>, table: &TableEntry, entry: &RegionEntry) -> Result<Arc<Region>> {
    let services: Arc<dyn Services> = Arc::clone(shared) as Arc<dyn Services>;
    let settings = shared.settings.overridden_by(&table.descriptor.settings())?;
    let mut last_id = entry.last_sequence_id;
    let mut stores = Vec::new();
    for family in table.descriptor.family_options()? {
        let family_settings = match table.descriptor.families.get(&family.name) {
            Some(descriptor) => settings.overridden_by(&descriptor.settings())?,
            None => settings.clone(),
        };
        let known = entry.stores.get(&family.name);
        let files = known.map_or(&[][..], |store| store.files.as_slice());
        let flushed = known.map_or(0, |store| store.flushed_sequence_id);
        last_id = files.iter().map(|file| file.max_sequence_id).max().unwrap_or(0).max(flushed).max(last_id);
        let store = Store::open(&entry.info, family, &family_settings, files, flushed, Arc::clone(&services))?;
        stores.push(Arc::new(store));
    }
    let stores = Stores::new(stores);
    let region = Region::new(entry.info.clone(), &table.descriptor, stores, last_id, settings, services)?;
    region.continue_time(entry.last_write_ms);
    shared.clock_watch.note(entry.last_write_ms.unwrap_or(i64::MIN));
    Ok(Arc::new(region))
}
