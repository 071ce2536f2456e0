//! The logs: what can be read of them, and what every region lacks.

use super::ends::Ends;
use super::report::{Finding, Loss, Problem, Report};
use crate::manifest::{region_key, RegionEntry, State};
use crate::sys::System;
use crate::wal::{salvage, LogHole, LogPiece, Record, RegionKey};
use rowstone_model::codec::printable;
use rowstone_model::Result;
use std::collections::HashMap;
use std::path::Path;

/// A region as the logs see it.
pub(super) struct Followed {
    pub table: String,
    pub encoded_name: String,
    /// The last write that was met in the logs, or up to which all families are in files.
    pub last: u64,
    /// Sequence ids that flushes took: no record has them.
    flushes: Vec<u64>,
    /// The hole before which it was last met.
    holes_seen: usize,
}

impl Followed {
    /// Whether a write is missing between the last one and the one with this id.
    pub fn lacks_before(&self, sequence_id: u64) -> bool {
        let taken = self.flushes.iter().filter(|id| (self.last + 1..sequence_id).contains(*id)).count() as u64;
        sequence_id > self.last + 1 + taken
    }
}

/// The regions of `state` by their keys.
pub(super) fn regions_of(state: &State) -> HashMap<RegionKey, Followed> {
    let all =
        state.tables.values().flat_map(|table| table.regions.iter().map(|region| (&table.descriptor.name, region)));
    let followed = all.filter_map(|(name, region): (_, &RegionEntry)| {
        let mut flushes: Vec<u64> = region.stores.values().map(|store| store.flushed_sequence_id).collect();
        flushes.sort_unstable();
        flushes.dedup();
        let (table, encoded_name) = (name.to_string(), region.info.encoded_name.clone());
        let last = flushes.first().copied().unwrap_or(0);
        let entry = Followed { table, encoded_name, last, flushes, holes_seen: 0 };
        Some((region_key(&region.info).ok()?, entry))
    });
    followed.collect()
}

/// Looks through the logs.
pub(super) fn look(system: &System, directory: &Path, state: Option<&State>, report: &mut Report) -> Result<()> {
    let (files, logs) = (&*system.files, directory.join("WALs"));
    let mut regions = state.map(regions_of).unwrap_or_default();
    let known: std::collections::HashSet<RegionKey> = regions.keys().copied().collect();
    // Without a manifest every region may be one.
    let is_region = |key: &RegionKey| known.is_empty() || known.contains(key);
    let (mut ends, mut holes): (Vec<_>, Vec<usize>) = (Vec::new(), Vec::new());
    salvage(files, &logs, &is_region, &mut |piece| {
        match piece {
            LogPiece::Record(record) => {
                report.records += 1;
                follow(&record, &mut regions, &holes, report);
            }
            LogPiece::Hole(hole) => {
                if !hole.is_torn_tail {
                    holes.push(report.findings.len());
                }
                report.findings.push(finding(&hole));
            }
            LogPiece::End(end) => {
                report.logs += 1;
                ends.push(end);
            }
        }
        Ok(())
    })?;
    let noted = Ends::read(system, directory);
    if let Some(error) = noted.filter(|_| holes.is_empty()).and_then(|noted| noted.check_logs(&logs, &ends).err()) {
        report.findings.push(Finding::of(&error, "WALs").costs("the last writes", Vec::new()));
    }
    Ok(())
}

fn finding(hole: &LogHole) -> Finding {
    let file = hole.path.display().to_string();
    let problem = if hole.is_torn_tail { Problem::TornTail } else { Problem::Damaged };
    let found = Finding::new(problem, file, hole.expected.as_str(), hole.found.as_str()).at(hole.offset);
    let bytes = hole.end.saturating_sub(hole.offset);
    match hole.is_torn_tail {
        true => {
            found.costs(format!("{bytes} bytes that no write was acknowledged for, as a crash leaves them"), Vec::new())
        }
        false => found.costs(format!("records in {bytes} bytes; the database cannot be opened"), Vec::new()),
    }
}

/// Where the first record of a region behind a hole does not follow on the last before it, the hole took some.
fn follow(record: &Record<'_>, regions: &mut HashMap<RegionKey, Followed>, holes: &[usize], report: &mut Report) {
    for part in &record.parts {
        let Some(region) = regions.get_mut(&part.region) else { continue };
        if region.holes_seen < holes.len() && region.lacks_before(part.sequence_id) {
            let lost = Loss {
                table: Some(region.table.clone()),
                region: Some(region.encoded_name.clone()),
                sequence_ids: Some((region.last + 1, part.sequence_id - 1)),
                ..Loss::default()
            };
            for hole in &holes[region.holes_seen..] {
                report.findings[*hole].losses.push(lost.clone());
            }
        }
        region.holes_seen = holes.len();
        region.last = region.last.max(part.sequence_id);
    }
}

/// The text of a key for people.
pub(super) fn text(key: &[u8]) -> String {
    printable(key)
}
