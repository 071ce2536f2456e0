//! MOB files in checks, repairs and manifest rebuilds.

use super::identity::{compare, digest_file, Standing};
use super::inspect::{each_file, guess, refuse_intact};
use super::report::{Finding, Loss, Problem, Report};
use crate::cache::BlockCache;
use crate::hfile::{salvage, FileFacts, Reader, ReaderOptions, Writer, WriterOptions};
use crate::manifest::{mob_directory, FileEntry, MobEntry, State};
use crate::mob::References;
use crate::sys::{make_folders, FileSystem, System};
use rowstone_model::cell::Cell;
use rowstone_model::schema::{BloomFilter, FamilyDescriptor, TableName};
use rowstone_model::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

const CACHE_BYTES: u64 = 1 << 20;

/// A MOB file with the location of a store file whose cells refer to it.
pub(super) struct Named {
    pub entry: MobEntry,
    table: TableName,
    family: FamilyDescriptor,
}

/// Every MOB file that `state` names, by path.
pub(super) fn mob_files(state: &State) -> Result<BTreeMap<String, Named>> {
    let mut found = BTreeMap::new();
    each_file(state, &mut |place, file| {
        for entry in &file.mob_files {
            found.entry(entry.path.clone()).or_insert_with(|| Named {
                entry: entry.clone(),
                table: place.table.name.clone(),
                family: place.family.clone(),
            });
        }
        Ok(())
    })?;
    Ok(found)
}

/// Checks every MOB file that `state` names.
pub(super) fn look_at_mob_files(
    files: &dyn FileSystem,
    directory: &Path,
    state: &State,
    report: &mut Report,
) -> Result<()> {
    for named in mob_files(state)?.into_values() {
        report.store_files += 1;
        report.bytes += named.entry.size_bytes;
        report.findings.extend(finding(files, directory, &named)?);
    }
    Ok(())
}

/// Checks a MOB file.
fn finding(files: &dyn FileSystem, directory: &Path, named: &Named) -> Result<Option<Finding>> {
    let (entry, path) = (&named.entry, directory.join(&named.entry.path));
    let name = path.display().to_string();
    let lost = |cells: u64| Loss {
        table: Some(named.table.to_string()),
        family: Some(named.family.name.clone()),
        cells: Some(cells),
        ..Loss::default()
    };
    if !files.exists(&path) {
        let finding = Finding::new(Problem::Missing, name, format!("{} bytes", entry.size_bytes), "no file");
        let effect = format!("up to {} large values; reads of them fail", entry.entry_count);
        return Ok(Some(finding.costs(effect, vec![lost(entry.entry_count)])));
    }
    if is_whole(files, &path, entry) {
        return Ok(None);
    }
    let standing = compare(files, &path, entry.digest.as_ref())?;
    if standing == Standing::Another {
        let finding = Finding::new(Problem::Damaged, name, "the file that the manifest names", "another, intact file");
        let effect = format!("{0} of {0} large values; reads of them fail", entry.entry_count);
        return Ok(Some(finding.costs(effect, vec![lost(entry.entry_count)])));
    }
    let salvaged = salvage(files, &path, &guess(&named.family), &mut |_| Ok(()))?;
    let missing = entry.entry_count.saturating_sub(salvaged.cells);
    if let Some(error) = &salvaged.refusal {
        refuse_intact(error, standing)?;
    }
    let effect = format!("{missing} of {} large values; reads of them fail", entry.entry_count);
    let losses = if missing > 0 { vec![lost(missing)] } else { Vec::new() };
    let finding = match (&salvaged.refusal, salvaged.holes.first()) {
        (Some(error), _) => Finding::of(error, &name),
        (None, Some(hole)) => {
            Finding::new(Problem::Damaged, name, hole.expected.as_str(), hole.found.as_str()).at(hole.offset)
        }
        (None, None) => {
            let expected = format!("{} bytes with {} cells, as the manifest says", entry.size_bytes, entry.entry_count);
            Finding::new(Problem::Damaged, name, expected, format!("a file of {} cells", salvaged.cells))
        }
    };
    Ok(Some(finding.costs(effect, losses)))
}

/// Whether the file can be opened, is the one that the manifest names, and has only valid blocks.
pub(super) fn is_whole(files: &dyn FileSystem, path: &Path, entry: &MobEntry) -> bool {
    let opened = Reader::open(files, path, Arc::new(BlockCache::new(CACHE_BYTES)), ReaderOptions::default());
    opened.is_ok_and(|reader| {
        let is_named = reader.check_named(entry.size_bytes, entry.entry_count, entry.digest.as_ref()).is_ok();
        is_named && reader.verify().is_ok_and(|counts| counts.cells == entry.entry_count)
    })
}

/// The part of a MOB file that was saved.
pub(super) enum Saved {
    /// All of it.
    Whole(MobEntry),
    /// The cells with these keys, in a new file.
    Rewritten(MobEntry, BTreeSet<Vec<u8>>),
    /// Nothing.
    Lost,
}

/// The saved parts of a directory's MOB files, by name.
#[derive(Default)]
pub(super) struct SavedFiles(BTreeMap<String, Saved>);

impl SavedFiles {
    pub(super) fn insert(&mut self, name: &str, saved: Saved) {
        self.0.insert(name.to_string(), saved);
    }

    /// Paths and sizes of the intact files.
    pub(super) fn whole(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.values().filter_map(|saved| match saved {
            Saved::Whole(entry) => Some((entry.path.as_str(), entry.size_bytes)),
            _ => None,
        })
    }

    /// Whether the value of `cell` is readable. True if it is not in one of these files.
    pub(super) fn has_value(&self, cell: &Cell<'_>) -> bool {
        match References::name_of(cell).and_then(|name| self.0.get(name)) {
            None | Some(Saved::Whole(_)) => true,
            Some(Saved::Rewritten(_, keys)) => keys.contains(cell.key()),
            Some(Saved::Lost) => false,
        }
    }

    /// Whether all files to which `entry` refers are intact.
    pub(super) fn are_whole(&self, entry: &FileEntry) -> bool {
        entry.mob_files.iter().all(|file| matches!(self.0.get(file.name()), Some(Saved::Whole(_))))
    }

    /// The copy's MOB files to which the cells of a store file refer.
    pub(super) fn entries_of(&self, file: &FileEntry, references: &References) -> Vec<MobEntry> {
        let counts: BTreeMap<&str, u64> = references.iter().map(|(_, name, count)| (name, count)).collect();
        let entry = |file: &MobEntry| {
            let references = *counts.get(file.name())?;
            match self.0.get(file.name())? {
                Saved::Whole(entry) | Saved::Rewritten(entry, _) => Some(MobEntry { references, ..entry.clone() }),
                Saved::Lost => None,
            }
        };
        file.mob_files.iter().filter_map(entry).collect()
    }
}

/// Writes the readable part of a damaged MOB file to the same path below `out`.
pub(super) fn save(system: &System, directory: &Path, out: &Path, named: &Named) -> Result<Saved> {
    let files = &*system.files;
    let (from, to) = (directory.join(&named.entry.path), out.join(&named.entry.path));
    let is_lost = !files.exists(&from) || compare(files, &from, named.entry.digest.as_ref())? == Standing::Another;
    if is_lost || salvage(files, &from, &guess(&named.family), &mut |_| Ok(()))?.cells == 0 {
        return Ok(Saved::Lost);
    }
    let folder = to.parent().unwrap_or(out);
    make_folders(files, folder).map_err(|error| Error::io("make directory", folder.display(), &error))?;
    let options = WriterOptions {
        include_tags: true,
        bloom: BloomFilter::None,
        ..WriterOptions::for_family(&named.family.options()?, system.clock.now_ms())
    };
    let mut writer = Writer::create(files, &to, options)?;
    let mut keys = BTreeSet::new();
    let salvaged = salvage(files, &from, &guess(&named.family), &mut |cell| {
        if cell.family() == named.family.name {
            writer.append(cell)?;
            keys.insert(cell.key().to_vec());
        }
        Ok(())
    })?;
    let facts = FileFacts { max_sequence_id: salvaged.max_sequence_id, ..FileFacts::default() };
    let facts = facts.with_name(&named.entry.path);
    let summary = writer.finish(&facts)?;
    files.sync_dir(folder).map_err(|error| Error::io("sync directory", folder.display(), &error))?;
    let (size_bytes, entry_count, digest) = (summary.size_bytes, summary.entry_count, Some(summary.digest));
    Ok(Saved::Rewritten(MobEntry { size_bytes, entry_count, digest, ..named.entry.clone() }, keys))
}

/// The MOB files of a store file of which only the cells are known: those that exist at the paths that the cells
/// imply.
pub(super) fn referred(
    files: &dyn FileSystem,
    directory: &Path,
    family: &FamilyDescriptor,
    references: &References,
) -> Result<Vec<MobEntry>> {
    let mut entries = Vec::new();
    for (table, name, count) in references.iter() {
        let Ok(table) = TableName::parse(table) else { continue };
        let path = format!("{}/{name}", mob_directory(&table, &family.name));
        let full = directory.join(&path);
        if !files.exists(&full) {
            continue;
        }
        let size_bytes =
            files.open(&full).and_then(|file| file.len()).map_err(|error| Error::io("read", full.display(), &error))?;
        let salvaged = salvage(files, &full, &guess(family), &mut |_| Ok(()))?;
        let entry_count = salvaged.entry_count.unwrap_or(salvaged.cells);
        entries.push(MobEntry {
            path,
            size_bytes,
            entry_count,
            references: count,
            digest: digest_file(files, &full).ok(),
        });
    }
    Ok(entries)
}
