//! Repair: copies all readable data of a damaged database to a new directory. The damaged one is not changed.
//!
//! * An intact store file is copied. From a damaged one, the cells of the valid blocks are written to a new file.
//!   If several regions refer to it, as after a split or a clone, each gets its own file with its own rows.
//! * A cell whose value was in an unreadable part of a MOB file is dropped.
//! * Records of the logs are written to a new log, with their sequence ids. If a hole lost writes of a region, the
//!   region's later writes are skipped, so that the result is a prefix of its writes. `past_damage` includes them
//!   anyway.
//! * A damaged manifest is rebuilt from folders and files, as far as possible (`rebuild`).

use super::copy::{copy_parts, finish, Facts};
use super::identity::{compare, Standing};
use super::inspect::{guess, inspect};
use super::logs::{needed_logs, regions_of, Followed};
use super::mob::{self, is_whole, mob_files, Saved, SavedFiles};
use super::rebuild::rebuild;
use super::report::{Finding, Problem, Report};
use super::target::{check_outside, check_target, Target};
use super::{take_lock, Progress};
use crate::cache::BlockCache;
use crate::hfile::format::file_info::names;
use crate::hfile::{salvage, FileFacts, Reader, ReaderOptions, Salvaged, Writer, WriterOptions};
use crate::manifest::{store_directory, FileEntry, LogEntry, State};
use crate::mob::References;
use crate::sys::lock::Mutex;
use crate::sys::{make_folders, random_hex, System};
use crate::wal::{self, Entry, LogEnd, LogPiece, LogRegister, Part, Record, RegionKey, ReplayReport, Wal, WalOptions};
use rowstone_model::cell::Cell;
use rowstone_model::operations::Durability;
use rowstone_model::schema::{FamilyDescriptor, RegionInfo};
use rowstone_model::{Error, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

/// Length of the random part of a store file's name; the suffix shows the file's origin.
const HEX_DIGITS: usize = 32;

/// Options of a repair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RepairOptions {
    /// Whether to include writes after a hole in the log: a region may then have later writes and lack earlier
    /// ones.
    pub past_damage: bool,
}

/// Result of a repair.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Findings in the damaged directory, including the losses.
    pub found: Report,
    /// Whether the manifest was rebuilt from folders and files.
    pub is_manifest_rebuilt: bool,
    /// Tables in the copy.
    pub tables: u64,
    /// Number of intact store files that were copied.
    pub copied_files: u64,
    /// Number of store files that were rewritten.
    pub rewritten_files: u64,
    /// Number of store files without any readable cell.
    pub lost_files: u64,
    /// Cells in the store files of the copy.
    pub cells: u64,
    /// Records in its log.
    pub records: u64,
    /// Readable records that were skipped.
    pub skipped_records: u64,
}

struct Saving<'a> {
    system: &'a System,
    directory: &'a Path,
    out: &'a Path,
    /// Checksum of the database id, which the logs contain; `None` if the manifest is unreadable.
    database: Option<u32>,
    done: Repaired,
    mob: SavedFiles,
}

/// Saves all readable data of `directory` to the new directory `out`.
///
/// # Errors
/// `DatabaseLocked`, `NotADatabase`; `Unsupported` for a directory or a file of another format version;
/// `InvalidArgument` if `out` is not empty; `Io`, `DiskFull`.
pub fn repair(
    system: &System,
    directory: &Path,
    out: &Path,
    options: RepairOptions,
    progress: Progress<'_>,
) -> Result<Repaired> {
    check_outside(directory, out)?;
    check_target(&*system.files, out)?;
    let _lock = take_lock(system, directory)?;
    let (done, mob) = (Repaired::default(), SavedFiles::default());
    let mut saving = Saving { system, directory, out, database: None, done, mob };
    let known = inspect(system, directory, &mut saving.done.found, progress)?;
    saving.database = known.as_ref().map(State::tag);
    let manifest = directory.join("MANIFEST").display().to_string();
    let is_bad =
        saving.done.found.findings.iter().any(|finding| finding.problem.is_damage() && finding.place.file == manifest);
    saving.done.is_manifest_rebuilt = is_bad;
    let state = match (is_bad, known) {
        (false, Some(state)) => state,
        (_, known) => rebuild(system, directory, known.as_ref())?,
    };
    let target = Target { system, directory: out, links: false };
    target.fill(|| {
        let mut saved = saving.save_files(&state, &target, progress)?;
        saved.logs = saving.save_logs(&saved, options)?;
        saving.done.tables = saved.tables.len() as u64;
        finish(&target, &saved)
    })?;
    Ok(saving.done)
}

/// Register of the copy's logs. They are added to its manifest, which is written last.
#[derive(Default)]
struct NewLogs(Mutex<BTreeMap<u64, LogEntry>>);

impl LogRegister for NewLogs {
    fn add(&self, log: &LogEnd) -> Result<u64> {
        let entry = LogEntry { number: log.number, checksum: log.checksum, synced_bytes: log.length };
        self.0.lock().insert(log.number, entry);
        Ok(0)
    }

    fn remove_before(&self, number: u64) -> Result<u64> {
        self.0.lock().retain(|known, _| *known >= number);
        Ok(0)
    }
}

impl Saving<'_> {
    /// Saves the store files. Returns the state with the files of the copy.
    fn save_files(&mut self, state: &State, target: &Target<'_>, progress: Progress<'_>) -> Result<State> {
        self.save_mob_files(state)?;
        let mut saved = state.clone();
        let mut copied: BTreeMap<String, u64> = BTreeMap::new();
        // Paths of the files that cannot be copied.
        let mut spoilt: BTreeSet<&str> = BTreeSet::new();
        for (name, table) in &state.tables {
            let Some(saved) = saved.tables.get_mut(name).map(Arc::make_mut) else { continue };
            for (region, saved) in table.regions.iter().zip(&mut saved.regions) {
                for (family, store) in &region.stores {
                    let Some(descriptor) = table.descriptor.families.get(family) else { continue };
                    let mut files = Vec::new();
                    for entry in &store.files {
                        progress(&entry.path, 0, 0);
                        let file = self.save_file(&region.info, descriptor, entry)?;
                        match &file {
                            Some(file) if file.path == entry.path => {
                                copied.insert(file.path.clone(), file.size_bytes);
                            }
                            _ => drop(spoilt.insert(&entry.path)),
                        }
                        files.extend(file);
                    }
                    if let Some(store) = saved.stores.get_mut(family) {
                        store.files = files;
                    }
                }
                if !saved.has_references() {
                    saved.split = None;
                }
            }
        }
        // A snapshot is either unchanged or dropped: one with a lost or rewritten file is dropped.
        let is_intact = |entry: &FileEntry| {
            let has_all = self.mob.are_whole(entry) && !spoilt.contains(entry.path.as_str());
            has_all && self.verifies(&self.directory.join(&entry.path), entry)
        };
        saved.snapshots.retain(|_, snapshot| snapshot.files().all(is_intact));
        let files = saved.snapshots.values().flat_map(|snapshot| snapshot.files());
        copied.extend(files.map(|file| (file.path.clone(), file.size_bytes)));
        let copied = copied.iter().map(|(path, size_bytes)| (path.as_str(), *size_bytes)).chain(self.mob.whole());
        // Their blocks were verified above.
        let copied = copied.map(|(path, size_bytes)| (path, Facts { size_bytes, checksum: None }));
        copy_parts(self.system, self.directory, &copied.collect(), target, progress)?;
        Ok(saved)
    }

    /// Saves the MOB files. Intact ones are copied later; the readable parts of others are rewritten.
    fn save_mob_files(&mut self, state: &State) -> Result<()> {
        for (path, named) in mob_files(state)? {
            let name = named.entry.name().to_string();
            let saved = if is_whole(&*self.system.files, &self.directory.join(&path), &named.entry) {
                Saved::Whole(named.entry)
            } else {
                mob::save(self.system, self.directory, self.out, &named)?
            };
            match saved {
                Saved::Whole(_) => self.done.copied_files += 1,
                Saved::Rewritten(..) => self.done.rewritten_files += 1,
                Saved::Lost => self.done.lost_files += 1,
            }
            self.mob.insert(&name, saved);
        }
        Ok(())
    }

    /// Saves a store file and returns its entry in the copy: with the same path if it is intact, with a new one if it
    /// was rewritten. `None` if it has no cells left.
    fn save_file(
        &mut self,
        region: &RegionInfo,
        family: &FamilyDescriptor,
        entry: &FileEntry,
    ) -> Result<Option<FileEntry>> {
        let (files, path) = (&*self.system.files, self.directory.join(&entry.path));
        if !files.exists(&path) {
            self.done.lost_files += 1;
            return Ok(None);
        }
        let standing = compare(files, &path, entry.digest.as_ref())?;
        if standing == Standing::Another {
            self.done.lost_files += 1;
            return Ok(None);
        }
        let (mut own, mut has_values, mut references) = (0, true, References::default());
        let salvaged = salvage(files, &path, &guess(family), &mut |cell| {
            let has_value = self.mob.has_value(cell);
            has_values &= has_value;
            own += u64::from(has_value && belongs(region, family, cell));
            references.add_cell(cell);
            Ok(())
        })?;
        let is_own = own == salvaged.cells || entry.reference.is_some();
        if is_own && has_values && standing == Standing::Same && self.verifies(&path, entry) {
            self.done.copied_files += 1;
            self.done.cells += salvaged.cells;
            let mob_files = self.mob.entries_of(entry, &references);
            return Ok(Some(FileEntry { mob_files, ..entry.clone() }));
        }
        if own == 0 {
            self.done.lost_files += 1;
            return Ok(None);
        }
        let written = self.rewrite(region, family, entry, &salvaged)?;
        self.done.rewritten_files += 1;
        self.done.cells += written.entry_count;
        Ok(Some(written))
    }

    fn verifies(&self, path: &Path, entry: &FileEntry) -> bool {
        let cache = Arc::new(BlockCache::new(1 << 20));
        let opened = Reader::open(&*self.system.files, path, cache, ReaderOptions::default());
        opened.is_ok_and(|reader| {
            let is_named = reader.check_named(entry.size_bytes, entry.entry_count, entry.digest.as_ref()).is_ok();
            is_named && reader.verify().is_ok_and(|counts| counts.cells == entry.entry_count)
        })
    }

    fn rewrite(
        &self,
        region: &RegionInfo,
        family: &FamilyDescriptor,
        entry: &FileEntry,
        salvaged: &Salvaged,
    ) -> Result<FileEntry> {
        // The path is new, because other regions may refer to the old one, to all of it or to its other half.
        let suffix = entry.path.rsplit('/').next().and_then(|name| name.get(HEX_DIGITS..)).unwrap_or_default();
        let name = format!("{}{suffix}", random_hex(self.system.entropy.as_ref()));
        let path = format!("{}/{name}", store_directory(region, &family.name));
        let (files, to) = (&*self.system.files, self.out.join(&path));
        let folder = to.parent().unwrap_or(self.out);
        make_folders(files, folder).map_err(|error| Error::io("make directory", folder.display(), &error))?;
        let options = WriterOptions {
            include_tags: salvaged.has_tags,
            ..WriterOptions::for_family(&family.options()?, self.system.clock.now_ms())
        };
        let mut writer = Writer::create(files, &to, options)?;
        let mut references = References::default();
        salvage(files, &self.directory.join(&entry.path), &guess(family), &mut |cell| {
            if self.mob.has_value(cell) && belongs(region, family, cell) {
                references.add_cell(cell);
                writer.append(cell)?;
            }
            Ok(())
        })?;
        let kept = salvaged.keeps_sequence_ids.then(|| (names::KEEPS_SEQUENCE_IDS.to_vec(), vec![1]));
        let referred = (!references.is_empty()).then(|| references.info());
        let facts = FileFacts {
            max_sequence_id: entry.max_sequence_id,
            extra_info: kept.into_iter().chain(referred).collect(),
            ..FileFacts::default()
        };
        let summary = writer.finish(&facts.with_name(&name))?;
        files.sync_dir(folder).map_err(|error| Error::io("sync directory", folder.display(), &error))?;
        let (size_bytes, entry_count, digest) = (summary.size_bytes, summary.entry_count, Some(summary.digest));
        let mob_files = self.mob.entries_of(entry, &references);
        let rest = FileEntry { is_major: false, reference: None, ..entry.clone() };
        Ok(FileEntry { path, size_bytes, entry_count, mob_files, digest, ..rest })
    }

    /// Writes the readable records of the logs to new logs, and returns those.
    fn save_logs(&mut self, state: &State, options: RepairOptions) -> Result<BTreeMap<u64, LogEntry>> {
        let mut regions = regions_of(state);
        // A rebuilt manifest does not say which logs should exist.
        let needed = (!self.done.is_manifest_rebuilt).then(|| needed_logs(state));
        let new_logs = Arc::new(NewLogs::default());
        let known: std::collections::HashSet<RegionKey> = regions.keys().copied().collect();
        let log_options = WalOptions { database: state.tag(), has_background: false, ..WalOptions::default() };
        let (mut none, folder) = (ReplayReport::default(), self.out.join("WALs"));
        let log =
            Wal::open(self.system, &folder, log_options, &mut none, Arc::clone(&new_logs) as Arc<dyn LogRegister>)?;
        let mut has_hole = false;
        let from = self.directory.join("WALs");
        let is_region = |key: &RegionKey| known.contains(key);
        wal::salvage(&*self.system.files, &from, needed.as_deref(), self.database, &is_region, &mut |piece| {
            match piece {
                LogPiece::Hole(hole) => has_hole |= !hole.is_torn_tail,
                LogPiece::End(_) => {}
                LogPiece::Record(record) => {
                    let parts = select_parts(&record, &mut regions, has_hole && !options.past_damage);
                    if write(&log, &record, &parts)? {
                        self.done.records += 1
                    } else {
                        self.done.skipped_records += 1
                    }
                }
            }
            Ok(())
        })?;
        log.close()?;
        let logs = std::mem::take(&mut *new_logs.0.lock());
        Ok(logs)
    }
}

/// Whether the cell belongs to that region and family. The file at the path may be that of another store.
fn belongs(region: &RegionInfo, family: &FamilyDescriptor, cell: &Cell<'_>) -> bool {
    region.contains(cell.row()) && cell.family() == family.name
}

/// Selects the parts of a record to write: those of known regions, and after a hole only those that directly follow
/// the previous write.
fn select_parts<'a>(
    record: &Record<'a>,
    regions: &mut HashMap<RegionKey, Followed>,
    is_careful: bool,
) -> Vec<(RegionKey, u64, &'a [u8])> {
    let mut parts = Vec::new();
    for part in &record.parts {
        let Some(region) = regions.get_mut(&part.region) else { continue };
        // The region's last sequence id does not advance past the gap, so that no later write follows it.
        if is_careful && region.lacks_before(part.sequence_id) {
            continue;
        }
        region.last = region.last.max(part.sequence_id);
        parts.push((part.region, part.sequence_id, part.cells));
    }
    parts
}

fn write(log: &Wal, record: &Record<'_>, chosen: &[(RegionKey, u64, &[u8])]) -> Result<bool> {
    if chosen.is_empty() {
        return Ok(false);
    }
    let parts: Vec<Part<'_>> = chosen.iter().map(|(region, _, cells)| Part { region: *region, cells }).collect();
    let entry = Entry {
        parts: &parts,
        write_time_ms: record.write_time_ms,
        nonce_group: record.nonce_group,
        nonce: record.nonce,
        origin: record.origin,
    };
    log.append(Durability::AsyncWal, &entry, &mut |index| chosen.get(index).map_or(0, |part| part.1))?;
    Ok(true)
}

impl Repaired {
    /// Whether all of the database is in the copy.
    pub fn is_complete(&self) -> bool {
        // Writes in a log's hole are unknown if their regions have no later record.
        let is_loss = |finding: &Finding| {
            let is_log = finding.problem == Problem::Damaged && finding.place.file.ends_with(".wal");
            is_log || finding.problem == Problem::Missing || !finding.losses.is_empty()
        };
        self.skipped_records == 0 && !self.found.findings.iter().any(is_loss)
    }
}
