//! What the log still holds, back into memory: record by record, straight into the regions. Where memory fills up, regions
//! are flushed on the way, so that a long log takes no more memory than writing it did.

use super::shared::Shared;
use crate::manifest::region_key;
use crate::region::Region;
use crate::wal::{replay, Record, RegionKey, ReplayReport, Wal};
use rowstone_model::operations::Nonce;
use rowstone_model::Result;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Replays the logs into the open regions. With `from`, beside a writer: from the log of that number on.
pub(super) fn replay_logs(shared: &Shared, directory: &Path, from: Option<u64>) -> Result<ReplayReport> {
    let regions = regions(shared)?;
    let files = shared.system.files.as_ref();
    let report = replay(files, directory, from, &mut |record| recover(shared, &regions, &record))?;
    regions.values().for_each(|region| region.end_replay());
    Ok(report)
}

fn regions(shared: &Shared) -> Result<HashMap<RegionKey, Arc<Region>>> {
    let tables = shared.tables.all();
    let all = tables.iter().flat_map(|table| Vec::clone(&table.regions()));
    all.map(|region| Ok((region_key(region.info())?, region))).collect()
}

fn recover(shared: &Shared, regions: &HashMap<RegionKey, Arc<Region>>, record: &Record<'_>) -> Result<()> {
    if let Some(nonce) = Nonce::new(record.nonce_group, record.nonce) {
        shared.nonces.note(record.write_time_ms, nonce, shared.system.clock.now_ms());
    }
    for part in &record.parts {
        // Regions that the manifest does not name were dropped after the write.
        if let Some(region) = regions.get(&part.region) {
            region.replay(part);
        }
    }
    let (bytes, limit) = shared.memory();
    if bytes <= limit / 2 || shared.is_read_only() {
        return Ok(());
    }
    match regions.values().max_by_key(|region| region.memstore_bytes()) {
        Some(largest) => largest.flush_replayed(),
        None => Ok(()),
    }
}

/// Tells the new log which of the old ones nobody needs: their regions are gone, or in files.
pub(super) fn tell_log(shared: &Shared, wal: &Wal, report: &ReplayReport) {
    let Ok(regions) = regions(shared) else { return };
    let gone = report.logs.iter().flat_map(|log| log.regions.keys()).filter(|key| !regions.contains_key(*key));
    let flushed = regions.iter().map(|(key, region)| (*key, region.flushed_sequence_id()));
    // Where an old log cannot be put away now, that is tried again after the next flush.
    let _ = wal.all_flushed(flushed.chain(gone.map(|key| (*key, u64::MAX))));
}
