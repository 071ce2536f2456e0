//! Building a manifest from folders and files, if the real one is damaged.
//!
//! Tables, families and regions in the readable part of the manifest are used as they are. For the rest:
//!
//! * `data/<namespace>/<table>/<region>/<family>` shows the tables, regions and families. A family without further
//!   information keeps every version, so that no default loses data.
//! * A region's range is not stored anywhere else: it begins at the first row of its files, or at the end of the
//!   previous region. If two regions overlap, the later one's files go to the earlier one.
//! * Every readable file counts as alive. A file may come back although a compaction had just replaced it. That
//!   only changes answers for cells that the compaction had dropped for good.

use super::identity::digest_file;
use super::inspect::guess;
use super::mob::referred;
use crate::hfile::salvage;
use crate::manifest::{is_store_file, new_region, FileEntry, RegionEntry, State, StoreEntry, TableEntry};
use crate::mob::References;
use crate::sys::{FileSystem, System};
use rowstone_model::schema::{
    FamilyDescriptor, NamespaceDescriptor, RegionInfo, TableDescriptor, TableName, TableState,
};
use rowstone_model::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file in a store's folder.
struct FoundFile {
    region: String,
    family: Vec<u8>,
    entry: FileEntry,
    rows: (Vec<u8>, Vec<u8>),
    create_time_ms: i64,
    form: Option<(String, String)>,
}

/// First row, last row, and creation time of the oldest file.
type Range = (Vec<u8>, Vec<u8>, i64);

/// Extends the state in `known` with the contents of the folders.
pub(super) fn rebuild(system: &System, directory: &Path, known: Option<&State>) -> Result<State> {
    let files = &*system.files;
    let mut state = known.cloned().unwrap_or_else(|| State::new(crate::sys::random_hex(system.entropy.as_ref())));
    let live: BTreeSet<String> = state.live_paths().into_iter().map(String::from).collect();
    for namespace in folders(files, &directory.join("data"))? {
        for table in folders(files, &namespace)? {
            let Ok(name) = TableName::new(&name_of(&namespace), &name_of(&table)) else { continue };
            let mut found = find_files(files, directory, &table, state.tables.get(&name).map(Arc::as_ref))?;
            // This folder may contain files that this table no longer uses, only a snapshot or a clone.
            let own = state.tables.get(&name).map(|table| table.paths()).unwrap_or_default();
            found.retain(|file| own.contains(file.entry.path.as_str()) || !live.contains(&file.entry.path));
            let entry = match state.tables.get(&name) {
                Some(entry) => refill(entry, found),
                None => make_table(&name, found),
            };
            let Some(entry) = entry else { continue };
            let highest = entry.regions.iter().map(|region| region.info.region_id).max().unwrap_or(0);
            state.last_region_id = state.last_region_id.max(highest);
            let space = name.namespace().to_string();
            let made = || NamespaceDescriptor { name: space.clone(), properties: BTreeMap::new() };
            state.namespaces.entry(space.clone()).or_insert_with(made);
            state.tables.insert(name, Arc::new(entry));
        }
    }
    Ok(state)
}

fn find_files(
    files: &dyn FileSystem,
    directory: &Path,
    table: &Path,
    known: Option<&TableEntry>,
) -> Result<Vec<FoundFile>> {
    let mut found = Vec::new();
    for region in folders(files, table)? {
        for family in folders(files, &region)? {
            let name = unescaped(&name_of(&family));
            let descriptor = known.and_then(|known| known.descriptor.families.get(&name).cloned());
            let descriptor = descriptor.unwrap_or_else(|| FamilyDescriptor::new(name.clone()));
            for path in list(files, &family)?.into_iter().filter(|path| is_store_file(&name_of(path))) {
                found.extend(describe(files, directory, &path, &descriptor, &name_of(&region))?);
            }
        }
    }
    Ok(found)
}

/// The file as the manifest would name it; `None` if none of its cells can be read.
fn describe(
    files: &dyn FileSystem,
    directory: &Path,
    path: &Path,
    family: &FamilyDescriptor,
    region: &str,
) -> Result<Option<FoundFile>> {
    let mut references = References::default();
    let salvaged = salvage(files, path, &guess(family), &mut |cell| {
        references.add_cell(cell);
        Ok(())
    })?;
    let Some(rows) = salvaged.rows else { return Ok(None) };
    let relative = path.strip_prefix(directory).unwrap_or(path).to_string_lossy().into_owned();
    let name = name_of(path);
    let loaded = name.split_once("_SeqId_").and_then(|(_, id)| id.trim_end_matches('_').parse::<u64>().ok());
    let size_bytes =
        files.open(path).and_then(|file| file.len()).map_err(|error| Error::io("read", path.display(), &error))?;
    let entry = FileEntry {
        path: relative,
        size_bytes,
        max_sequence_id: loaded.map_or(salvaged.max_sequence_id, |id| id + u64::from(salvaged.keeps_sequence_ids)),
        entry_count: salvaged.cells,
        is_major: salvaged.is_major,
        is_bulk_loaded: loaded.is_some(),
        reference: None,
        mob_files: referred(files, directory, family, &references)?,
        digest: digest_file(files, path).ok(),
    };
    let form = salvaged.form.map(|(compression, encoding)| (compression.name().into(), encoding.name().into()));
    let (region, family) = (region.to_string(), family.name.clone());
    Ok(Some(FoundFile { region, family, entry, rows, create_time_ms: salvaged.create_time_ms, form }))
}

/// The table with the files in its folders.
fn refill(known: &TableEntry, found: Vec<FoundFile>) -> Option<TableEntry> {
    let mut table = known.clone();
    let paths: BTreeSet<String> = known.paths().into_iter().map(String::from).collect();
    // A cloned table also uses files in other tables' folders. Existing files keep their entries, including which
    // half of them is used.
    let folder = format!("data/{}/{}/", table.descriptor.name.namespace(), table.descriptor.name.qualifier());
    let there: BTreeSet<&str> = found.iter().map(|file| file.entry.path.as_str()).collect();
    for store in table.regions.iter_mut().flat_map(|region| region.stores.values_mut()) {
        store.files.retain(|file| !file.path.starts_with(&folder) || there.contains(file.path.as_str()));
    }
    for file in found.iter().filter(|file| !paths.contains(&file.entry.path)) {
        // An unknown region was created by a change that is lost. Its rows belong to the regions that have them
        // now.
        let by_name: Vec<usize> =
            (0..table.regions.len()).filter(|at| table.regions[*at].info.encoded_name == file.region).collect();
        let overlaps = |at: &usize| table.regions.get(*at).is_some_and(|region| touches(&region.info, &file.rows));
        let by_rows = || (0..table.regions.len()).filter(overlaps).collect();
        for at in if by_name.is_empty() { by_rows() } else { by_name } {
            let Some(region) = table.regions.get_mut(at) else { continue };
            let Some(store) = region.stores.get_mut(&file.family) else { continue };
            add(store, &mut region.last_sequence_id, file.entry.clone());
        }
    }
    Some(table)
}

/// Whether the region has rows between the first and the last of these.
fn touches(info: &RegionInfo, rows: &(Vec<u8>, Vec<u8>)) -> bool {
    info.start_key <= rows.1 && (info.end_key.is_empty() || rows.0 < info.end_key)
}

fn add(store: &mut StoreEntry, last_sequence_id: &mut u64, file: FileEntry) {
    let covered = if file.is_bulk_loaded { 0 } else { file.max_sequence_id };
    store.flushed_sequence_id = store.flushed_sequence_id.max(covered);
    *last_sequence_id = file.max_sequence_id.max(*last_sequence_id);
    store.files.push(file);
}

/// Builds a table of which only files are left.
fn make_table(name: &TableName, mut found: Vec<FoundFile>) -> Option<TableEntry> {
    let mut descriptor = TableDescriptor::new(name.clone());
    for file in &found {
        let mut family = FamilyDescriptor::new(file.family.clone());
        family.attributes.insert("VERSIONS".into(), i32::MAX.to_string());
        if let Some((compression, encoding)) = &file.form {
            family.attributes.insert("COMPRESSION".into(), compression.clone());
            family.attributes.insert("DATA_BLOCK_ENCODING".into(), encoding.clone());
        }
        if found.iter().any(|other| other.family == file.family && !other.entry.mob_files.is_empty()) {
            family.attributes.insert("IS_MOB".into(), "true".into());
        }
        descriptor = descriptor.with_family(family);
    }
    if found.is_empty() {
        return None;
    }
    let mut ranges: BTreeMap<String, Range> = BTreeMap::new();
    for file in &found {
        let (first, last) = file.rows.clone();
        let range = ranges.entry(file.region.clone()).or_insert((first.clone(), last.clone(), file.create_time_ms));
        *range = (range.0.clone().min(first), range.1.clone().max(last), range.2.min(file.create_time_ms));
    }
    let mut ordered: Vec<_> = ranges.into_iter().collect();
    ordered.sort_by(|left, right| left.1.cmp(&right.1));
    let mut kept: Vec<(String, Range)> = Vec::new();
    for (region, range) in ordered {
        match kept.last_mut().filter(|(_, before)| before.1 >= range.0) {
            Some((into, before)) => {
                before.1 = before.1.clone().max(range.1);
                let into = into.clone();
                found.iter_mut().filter(|file| file.region == region).for_each(|file| file.region.clone_from(&into));
            }
            None => kept.push((region, range)),
        }
    }
    let starts: Vec<Vec<u8>> = kept.iter().skip(1).map(|(_, range)| range.0.clone()).collect();
    let mut regions: Vec<RegionEntry> = Vec::new();
    for (index, (encoded_name, range)) in kept.iter().enumerate() {
        let start = index.checked_sub(1).and_then(|before| starts.get(before).cloned()).unwrap_or_default();
        let end = starts.get(index).cloned().unwrap_or_default();
        let mut info = new_region(name, start, end, range.2.max(1));
        info.encoded_name.clone_from(encoded_name);
        let mut region = RegionEntry::new(info, &descriptor);
        for file in found.iter().filter(|file| file.region == *encoded_name) {
            if let Some(store) = region.stores.get_mut(&file.family) {
                add(store, &mut region.last_sequence_id, file.entry.clone());
            }
        }
        regions.push(region);
    }
    Some(TableEntry { descriptor, state: TableState::Enabled, regions })
}

fn list(files: &dyn FileSystem, folder: &Path) -> Result<Vec<PathBuf>> {
    files.list(folder).map_err(|error| Error::io("list", folder.display(), &error))
}

fn folders(files: &dyn FileSystem, folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(list(files, folder)?.into_iter().filter(|path| files.is_dir(path) && name_of(path) != ".tmp").collect())
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Decodes a name that is written with `\\xNN`.
fn unescaped(name: &str) -> Vec<u8> {
    let (bytes, mut out) = (name.as_bytes(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        let hex = name
            .get(at..at + 4)
            .and_then(|text| text.strip_prefix("\\x"))
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(hex.unwrap_or(bytes[at]));
        at += if hex.is_some() { 4 } else { 1 };
    }
    out
}
