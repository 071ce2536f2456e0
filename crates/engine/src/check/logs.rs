//! Checking the logs: the readable records, and the missing writes of every region.

use super::report::{Finding, Loss, Problem, Report};
use crate::manifest::{region_key, LogEntry, RegionEntry, State};
use crate::sys::{FileSystem, System};
use crate::wal::{find_unknown, replay, salvage, LogEnd, LogHole, LogPiece, Needed, Record, RegionKey};
use rowstone_model::codec::printable;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::path::Path;

/// State of a region while its log records are read.
pub(super) struct Followed {
    pub table: String,
    pub encoded_name: String,
    /// Sequence id of the region's last record read so far. Initially the id up to which all families are in files.
    pub last: u64,
    /// Sequence ids that flushes allocated: no record has them.
    flushes: Vec<u64>,
    /// Number of holes before the last record of the region.
    holes_seen: usize,
}

impl Followed {
    /// Whether a write between the last one and this id is missing.
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

/// The logs that the manifest names.
pub fn needed_logs(state: &State) -> Vec<LogEnd> {
    let end = |log: &LogEntry| LogEnd { number: log.number, length: log.synced_bytes, checksum: log.checksum };
    state.logs.values().map(end).collect()
}

/// Checks whether the logs belong to a later manifest. If so, returns the error for the existing one.
///
/// # Errors
/// `Io`; `Unsupported` for a log of another format version.
pub(super) fn later_manifest(files: &dyn FileSystem, directory: &Path, state: &State) -> Result<Option<Error>> {
    let (folder, logs) = (directory.join("WALs"), needed_logs(state));
    let needed = Needed { database: state.tag(), logs: &logs, commits: state.commits, ..Needed::default() };
    let is_later = |expected: String| {
        let found = format!("{} commits: it is an older copy, or lost its end", state.commits);
        Some(Error::corruption(directory.join("MANIFEST").display(), 0, expected, found))
    };
    if let Some(log) = find_unknown(files, &folder, &needed)?.iter().find(|log| log.is_own && log.is_used) {
        return Ok(is_later(format!("{} in its list of logs", log.path.display())));
    }
    match replay(files, &folder, &needed, &mut |_| Ok(())) {
        Ok(report) if report.commits > state.commits => {
            Ok(is_later(format!("{} commits, as recorded in the logs", report.commits)))
        }
        Err(error) if matches!(error.kind(), ErrorKind::Io | ErrorKind::Unsupported) => Err(error),
        _ => Ok(None),
    }
}

/// Checks the logs. Missing logs are not detected if the manifest is incomplete.
pub(super) fn inspect(
    system: &System,
    directory: &Path,
    state: Option<&State>,
    is_complete: bool,
    report: &mut Report,
) -> Result<()> {
    let (files, logs) = (&*system.files, directory.join("WALs"));
    let mut regions = state.map(regions_of).unwrap_or_default();
    let known: std::collections::HashSet<RegionKey> = regions.keys().copied().collect();
    // Without a manifest, any region key may be valid.
    let is_region = |key: &RegionKey| known.is_empty() || known.contains(key);
    let needed = is_complete.then(|| state.map(needed_logs)).flatten();
    let mut holes: Vec<usize> = Vec::new();
    salvage(files, &logs, needed.as_deref(), state.map(State::tag), &is_region, &mut |piece| {
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
            LogPiece::End(_) => report.logs += 1,
        }
        Ok(())
    })?;
    if let (Some(state), Some(logs_of_state)) = (state, &needed) {
        let needed = Needed { database: state.tag(), logs: logs_of_state, commits: state.commits, ..Needed::default() };
        let unknown = find_unknown(files, &logs, &needed)?;
        report.findings.extend(unknown.iter().filter(|log| !log.is_own).map(|log| unrelated_log(&log.path)));
    }
    Ok(())
}

/// A log of another database. Opening fails because of it, but no data is lost.
fn unrelated_log(path: &Path) -> Finding {
    let finding =
        Finding::new(Problem::Damaged, path.display().to_string(), "a log that the manifest names", "another");
    finding
        .costs("nothing if it belongs to another database; the database cannot be opened while it exists", Vec::new())
}

fn finding(hole: &LogHole) -> Finding {
    let file = hole.path.display().to_string();
    let problem = if hole.is_torn_tail { Problem::TornTail } else { Problem::Damaged };
    if hole.end == 0 {
        let found = Finding::new(Problem::Missing, file, hole.expected.as_str(), hole.found.as_str());
        return found.costs("all records in it; the database cannot be opened", Vec::new());
    }
    let found = Finding::new(problem, file, hole.expected.as_str(), hole.found.as_str()).at(hole.offset);
    let bytes = hole.end.saturating_sub(hole.offset);
    if hole.is_torn_tail {
        found.costs(format!("{bytes} bytes of unacknowledged writes, left by a crash"), Vec::new())
    } else {
        found.costs(format!("records in {bytes} bytes; the database cannot be opened"), Vec::new())
    }
}

/// Detects lost writes: if the first record of a region after a hole does not follow its last record before the
/// hole, the hole contained some.
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

/// Printable form of a key.
pub(super) fn text(key: &[u8]) -> String {
    printable(key)
}
