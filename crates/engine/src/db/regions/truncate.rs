//! Truncation: a region loses its data and keeps its name. Source: HBase's `TruncateRegionProcedure`.

use super::{exchange, region_over, tidy};
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::manifest::Edit;
use crate::region::Region;
use rowstone_model::Result;
use std::sync::Arc;

/// Removes all data of `region`, or none. The caller holds the schema lock.
///
/// # Errors
/// `TableNotEnabled`; `Io`, `DiskFull`. After the latter two, the region may or may not be truncated when the
/// database is opened again.
pub(in crate::db) fn truncate(shared: &Arc<Shared>, table: &TableHandle, region: &Arc<Region>) -> Result<()> {
    table.check_enabled()?;
    let old = [Arc::clone(region)];
    let halted = region.halt(false)?;
    let last_id = halted.last_sequence_id();
    // Log records of the region up to this id count as flushed, so they are not replayed.
    let edit = |store: &Arc<crate::store::Store>| Edit::ReplaceFiles {
        region: region.info().encoded_name.clone(),
        family: store.family_name().to_vec(),
        remove: store.files().iter().map(|file| file.entry.path.clone()).collect(),
        add: Vec::new(),
        flushed_sequence_id: Some(last_id),
        last_write_ms: region.last_now(),
    };
    let edits = region.stores().iter().map(edit).collect();
    let new = [region_over(shared, &table.descriptor(), region.info().clone(), &old, last_id, |_| Vec::new())?];
    exchange(shared, table, vec![halted], edits, &new, last_id)?;
    tidy(shared, &old, &new);
    Ok(())
}
