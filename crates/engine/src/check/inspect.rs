//! Checking a directory: manifest, store files, logs, and all other files.

use super::identity::{compare, Standing};
use super::logs;
use super::mob::look_at_mob_files;
use super::report::{Finding, Loss, Problem, Report};
use super::{take_lock, Progress};
use crate::cache::BlockCache;
use crate::hfile::{salvage, Guess, Hole, Reader, ReaderOptions, Salvaged};
use crate::manifest::{self, is_mob_file, is_store_file, FileEntry, RegionEntry, State};
use crate::sys::{FileSystem, System};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const CACHE_BYTES: u64 = 4 << 20;
/// Top-level names of a database, except its data.
const OWN_NAMES: [&str; 11] = [
    "LOCK",
    "MANIFEST",
    "MANIFEST.tmp",
    "RESERVE",
    "RESERVE.tmp",
    "HEAT",
    "HEAT.new",
    "WALs",
    "oldWALs",
    "archive",
    ".tmp",
];
/// Folders of its data: store files and MOB files.
const DATA_NAMES: [&str; 2] = ["data", "mobdir"];

/// Checks the database in `directory`. Nothing is changed; the database must not be open for writing.
///
/// # Errors
/// `DatabaseLocked`, `NotADatabase`; `Unsupported` for a directory or a file of another format version; `Io` if the
/// machine fails. Damage is not an error: it is in the report.
pub fn check(system: &System, directory: &Path, progress: Progress<'_>) -> Result<Report> {
    let _lock = take_lock(system, directory)?;
    let mut report = Report::default();
    inspect(system, directory, &mut report, progress)?;
    Ok(report)
}

/// A store file's location: table, region and family.
pub(super) struct StoreLocation<'a> {
    pub table: &'a TableDescriptor,
    pub region: &'a RegionEntry,
    pub family: &'a FamilyDescriptor,
}

/// [`check`] with the lock already taken. Returns the manifest's state as far as it can be read.
pub(super) fn inspect(
    system: &System,
    directory: &Path,
    report: &mut Report,
    progress: Progress<'_>,
) -> Result<Option<State>> {
    let files = &*system.files;
    let salvaged = manifest::salvage(files, directory);
    let path = directory.join("MANIFEST");
    let (mut damage, state) = (salvaged.damage, salvaged.state);
    if let (None, Some(state)) = (&damage, &state) {
        damage = logs::later_manifest(files, directory, state)?;
    }
    if let Some(error) = &damage {
        let effect = match &state {
            Some(_) => "changes of tables and files after this offset; repair uses the files in the folders",
            None => "the list of tables and files; repair rebuilds it from the folders",
        };
        let problem = if files.exists(&path) { Problem::Damaged } else { Problem::Missing };
        report
            .findings
            .push(Finding { problem, ..Finding::of(error, &path.display().to_string()) }.costs(effect, Vec::new()));
    } else if salvaged.torn_bytes > 0 {
        let found = format!("{} more bytes", salvaged.torn_bytes);
        let finding = Finding::new(Problem::TornTail, path.display().to_string(), "the end", found);
        let effect = "an unacknowledged change, left by a crash";
        report.findings.push(finding.at(salvaged.valid_bytes).costs(effect, Vec::new()));
    }
    logs::inspect(system, directory, state.as_ref(), damage.is_none(), report)?;
    let there = all_files(files, directory)?;
    let all_bytes = there
        .iter()
        .filter(|(_, path)| DATA_NAMES.iter().any(|name| path.starts_with(name)))
        .map(|(bytes, _)| *bytes)
        .sum();
    if let Some(state) = &state {
        report.tables = state.tables.len() as u64;
        each_file(state, &mut |location, entry| {
            progress(&entry.path, report.bytes, all_bytes);
            look_at_file(files, directory, location, entry, report)
        })?;
        look_at_mob_files(files, directory, state, report)?;
    }
    report.regions = state.iter().flat_map(|state| state.tables.values()).map(|table| table.regions.len() as u64).sum();
    let live = state.as_ref().map(State::live_paths).unwrap_or_default();
    for (bytes, path) in there {
        let name = path.to_string_lossy().into_owned();
        if !live.contains(name.as_str()) {
            look_at_other(&path, bytes, damage.is_some(), directory, report);
        }
    }
    Ok(state)
}

/// Visits every store file that `state` names.
pub(super) fn each_file(
    state: &State,
    visit: &mut dyn FnMut(&StoreLocation<'_>, &FileEntry) -> Result<()>,
) -> Result<()> {
    for table in state.tables.values() {
        for region in &table.regions {
            for (name, store) in &region.stores {
                let Some(family) = table.descriptor.families.get(name) else { continue };
                let location = StoreLocation { table: &table.descriptor, region, family };
                store.files.iter().try_for_each(|entry| visit(&location, entry))?;
            }
        }
    }
    let of_tables = state.tables.values().flat_map(|table| &table.regions).flat_map(|region| region.stores.values());
    let mut seen: BTreeSet<&str> = of_tables.flat_map(|store| &store.files).map(|file| file.path.as_str()).collect();
    for snapshot in state.snapshots.values() {
        for region in &snapshot.regions {
            for (name, store) in &region.stores {
                let Some(family) = snapshot.descriptor.families.get(name) else { continue };
                let location = StoreLocation { table: &snapshot.descriptor, region, family };
                let new = store.files.iter().filter(|entry| seen.insert(entry.path.as_str()));
                new.into_iter().try_for_each(|entry| visit(&location, entry))?;
            }
        }
    }
    Ok(())
}

/// Bytes and relative paths of all files below `directory`.
pub(super) fn all_files(files: &dyn FileSystem, directory: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let mut found = Vec::new();
    let mut folders = vec![directory.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = files.list(&folder).map_err(|error| Error::io("list", folder.display(), &error))?;
        for path in entries {
            if files.is_dir(&path) {
                folders.push(path);
                continue;
            }
            let bytes = files.open(&path).and_then(|file| file.len()).unwrap_or(0);
            let relative = path.strip_prefix(directory).unwrap_or(&path).to_path_buf();
            found.push((bytes, relative));
        }
    }
    found.sort_by(|left, right| left.1.cmp(&right.1));
    Ok(found)
}

fn look_at_other(path: &Path, bytes: u64, is_lost: bool, directory: &Path, report: &mut Report) {
    let first =
        path.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = directory.join(path).display().to_string();
    let is_ours = match first.as_str() {
        "data" => is_store_file(&name),
        "mobdir" => is_mob_file(&name),
        _ => false,
    };
    let found = format!("{bytes} bytes");
    if is_ours {
        let effect = if is_lost {
            "nothing if it belongs to the lost part of the manifest: repair includes it"
        } else {
            "nothing: a crash or a compaction left it; the next open moves it to archive/"
        };
        let finding = Finding::new(Problem::Unreachable, file, "a file that the manifest names", found);
        report.findings.push(finding.costs(effect, Vec::new()));
    } else if DATA_NAMES.contains(&first.as_str()) || !OWN_NAMES.contains(&first.as_str()) {
        report
            .findings
            .push(Finding::new(Problem::Unknown, file, "files of a database", found).costs("nothing", Vec::new()));
    }
}

/// Properties that a file's family implies, for files that do not record them.
pub(super) fn guess(family: &FamilyDescriptor) -> Guess {
    Guess { compression: family.options().ok().map(|options| options.compression), family: Some(family.name.clone()) }
}

fn loss(location: &StoreLocation<'_>) -> Loss {
    let bound = |key: &Vec<u8>| Some(key.clone()).filter(|key| !key.is_empty());
    Loss {
        table: Some(location.table.name.to_string()),
        region: Some(location.region.info.encoded_name.clone()),
        family: Some(location.family.name.clone()),
        first_row: bound(&location.region.info.start_key),
        last_row: bound(&location.region.info.end_key),
        ..Loss::default()
    }
}

fn look_at_file(
    files: &dyn FileSystem,
    directory: &Path,
    location: &StoreLocation<'_>,
    entry: &FileEntry,
    report: &mut Report,
) -> Result<()> {
    let path = directory.join(&entry.path);
    let name = path.display().to_string();
    let lost = loss(location);
    report.store_files += 1;
    report.bytes += entry.size_bytes;
    if !files.exists(&path) {
        let finding = Finding::new(Problem::Missing, name, format!("{} bytes", entry.size_bytes), "no file");
        let effect = format!("{} cells; the database cannot be opened", entry.entry_count);
        report.findings.push(finding.costs(effect, vec![Loss { cells: Some(entry.entry_count), ..lost }]));
        return Ok(());
    }
    let standing = compare(files, &path, entry.digest.as_ref())?;
    if standing == Standing::Another {
        report.findings.push(different_file(&name, entry, lost));
        return Ok(());
    }
    let salvaged = salvage(files, &path, &guess(location.family), &mut |_| Ok(()))?;
    report.cells += salvaged.cells;
    let before = report.findings.len();
    if let Some(error) = &salvaged.refusal {
        refuse_intact(error, standing)?;
        let missing = entry.entry_count.saturating_sub(salvaged.cells);
        let effect = format!("{missing} of {} cells; the database cannot be opened", entry.entry_count);
        let losses = if missing > 0 { vec![Loss { cells: Some(missing), ..lost.clone() }] } else { Vec::new() };
        report.findings.push(Finding::of(error, &name).costs(effect, losses));
    }
    let count = salvaged.entry_count.unwrap_or(entry.entry_count).max(entry.entry_count);
    let missing = count.saturating_sub(salvaged.cells);
    let is_only_one = salvaged.holes.len() == 1;
    for hole in &salvaged.holes {
        report.findings.push(damaged_range(hole, &name, &lost, missing, is_only_one));
    }
    if report.findings.len() == before {
        report.findings.extend(inconsistency(files, &path, location, entry, &salvaged)?);
    }
    if report.findings.len() == before && standing == Standing::Damaged {
        let expected = "the file checksum stored in the manifest";
        let finding = Finding::new(Problem::Damaged, name, expected, "another checksum, although every block is valid");
        report
            .findings
            .push(finding.costs("cells whose blocks were replaced by blocks of other files", vec![loss(location)]));
    }
    Ok(())
}

/// Refuses a file that is as it was written, but not readable by this program: it is of another format version. A repair
/// would take it for damaged, and drop its cells.
///
/// # Errors
/// `Unsupported`.
pub(super) fn refuse_intact(error: &Error, standing: Standing) -> Result<()> {
    match error.kind() {
        ErrorKind::Unsupported if standing == Standing::Same => Err(error.clone()),
        _ => Ok(()),
    }
}

/// A finding for a different file in place of ours. All cells of ours are lost, and none of its cells belong to the
/// table.
fn different_file(name: &str, entry: &FileEntry, lost: Loss) -> Finding {
    let expected = format!("the file of {} cells that the manifest names", entry.entry_count);
    let finding = Finding::new(Problem::Damaged, name, expected, "another, intact file");
    let effect = format!("{} cells; the database cannot be opened", entry.entry_count);
    finding.costs(effect, vec![Loss { cells: Some(entry.entry_count), ..lost }])
}

fn damaged_range(hole: &Hole, name: &str, lost: &Loss, missing: u64, is_only_one: bool) -> Finding {
    let finding = Finding::new(Problem::Damaged, name, hole.expected.as_str(), hole.found.as_str()).at(hole.offset);
    let bytes = hole.end - hole.offset;
    if missing == 0 || !hole.has_cells() {
        return finding
            .costs(format!("no cells: {bytes} bytes of index or Bloom filters; some reads fail"), Vec::new());
    }
    let cells = Some(missing).filter(|_| is_only_one);
    let effect = match cells {
        Some(cells) => format!("{cells} cells in {bytes} bytes; reads of their rows fail"),
        None => format!("cells in {bytes} bytes, {missing} in all holes of the file; reads of their rows fail"),
    };
    let first_row = hole.row_before.clone().or_else(|| lost.first_row.clone());
    let last_row = hole.row_after.clone().or_else(|| lost.last_row.clone());
    finding.costs(effect, vec![Loss { first_row, last_row, cells, ..lost.clone() }])
}

/// Checks the consistency of a file whose blocks are all valid.
fn inconsistency(
    files: &dyn FileSystem,
    path: &Path,
    location: &StoreLocation<'_>,
    entry: &FileEntry,
    salvaged: &Salvaged,
) -> Result<Option<Finding>> {
    let name = path.display().to_string();
    let verified = Reader::open(files, path, Arc::new(BlockCache::new(CACHE_BYTES)), ReaderOptions::default())
        .and_then(|reader| Ok((reader.info().size_bytes, reader.verify()?.cells)));
    let (size, cells) = match verified {
        Ok(found) => found,
        Err(error) if matches!(error.kind(), ErrorKind::Corruption | ErrorKind::Unsupported) => {
            return Ok(Some(Finding::of(&error, &name).costs("no cells; some reads fail or miss cells", Vec::new())));
        }
        Err(error) => return Err(error),
    };
    if (size, cells) != (entry.size_bytes, entry.entry_count) {
        let expected = format!("{} bytes with {} cells, as the manifest says", entry.size_bytes, entry.entry_count);
        let finding = Finding::new(Problem::Damaged, name, expected, format!("{size} with {cells}"));
        let losses = vec![loss(location)];
        return Ok(Some(finding.costs("it is another file; the database cannot be opened", losses)));
    }
    let info = &location.region.info;
    // Half of a file, after a split, is only read up to the split row.
    let outside = salvaged
        .rows
        .as_ref()
        .filter(|rows| entry.reference.is_none() && !(info.contains(&rows.0) && info.contains(&rows.1)));
    Ok(outside.map(|(first, last)| {
        let expected = format!("rows from '{}' to before '{}'", logs::text(&info.start_key), logs::text(&info.end_key));
        let finding = Finding::new(
            Problem::Damaged,
            name,
            expected,
            format!("'{}' to '{}'", logs::text(first), logs::text(last)),
        );
        finding.costs("rows that belong to another region", Vec::new())
    }))
}
