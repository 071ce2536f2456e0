//! Importing a snapshot: its files are copied under new names, then one edit names them all.

use super::messages::{read_description, read_manifest, Manifest, NamedFile, RegionFiles, LAYOUT_VERSION};
use super::{sequence_id_in, snapshot_folder, DESCRIPTION, MANIFEST, OUTSIDE};
use crate::db::admin::snapshots::{check_name, remove_expired};
use crate::db::Database;
use crate::hfile::format::Damage;
use crate::manifest::{store_directory, Edit, FileEntry, RegionEntry, SnapshotEntry};
use crate::store::{copy_file, Services};
use crate::sys::{make_folders, random_hex, FileSystem};
use rowstone_model::codec::printable;
use rowstone_model::schema::{TableDescriptor, TableName};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders where HBase stores the files of tables: in an export, and in a root directory.
const PLACES: [&str; 2] = ["archive/data", "data"];

/// Copied files by source path, with their names in the database. Both halves of a file share one copy.
#[derive(Default)]
struct Copies {
    by_source: BTreeMap<PathBuf, FileEntry>,
}

impl Database {
    pub(in crate::db::admin) fn do_import_snapshot(&self, name: &str, folder: &Path) -> Result<()> {
        self.shared.check_changeable()?;
        check_name(name)?;
        let _ddl = self.shared.begin_schema_change()?;
        remove_expired(&self.shared)?;
        if self.shared.state().snapshots.contains_key(name) {
            let message = format!("snapshot '{name}' exists already (SnapshotExistsException)");
            return Err(Error::new(ErrorKind::SnapshotExists, message));
        }
        let place = snapshot_folder(folder, name);
        let description = read(&place.join(DESCRIPTION)).map_err(|error| not_there(error, folder, name))?;
        let description = understood(read_description(&description), &place.join(DESCRIPTION))?;
        if description.version != LAYOUT_VERSION {
            let message = format!("snapshot '{name}' has layout {}, not {LAYOUT_VERSION}", description.version);
            return Err(Error::invalid(message));
        }
        let path = place.join(MANIFEST);
        let manifest = understood(read_manifest(&read(&path)?), &path)??;
        let regions = regions_of(&manifest, name)?;
        let mut copies = Copies::default();
        let mut is_in_doubt = false;
        let taken = self.import_regions(&manifest.descriptor, &regions, folder, &mut copies).and_then(|regions| {
            let snapshot = SnapshotEntry {
                name: name.to_string(),
                created_ms: description.created_ms,
                ttl_seconds: description.ttl_seconds,
                owner: description.owner.clone(),
                descriptor: manifest.descriptor.clone(),
                regions,
            };
            self.shared.commit_change(vec![Edit::PutSnapshot { snapshot }], || is_in_doubt = true)
        });
        // If the outcome is unknown, the manifest may name the copies after all. They stay, and the next open decides.
        if taken.is_err() && !is_in_doubt {
            let paths: Vec<String> = copies.by_source.into_values().map(|file| file.path).collect();
            self.shared.remove_files(&paths);
        }
        taken
    }

    fn import_regions(
        &self,
        table: &TableDescriptor,
        regions: &[&RegionFiles],
        folder: &Path,
        copies: &mut Copies,
    ) -> Result<Vec<RegionEntry>> {
        let mut entries = Vec::new();
        for region in regions {
            let mut entry = RegionEntry::new(region.info.clone(), table);
            for (family, files) in &region.families {
                for file in files {
                    let known = self.import_file(region, family, file, folder, copies)?;
                    let store = entry.stores.entry(family.clone()).or_default();
                    store.flushed_sequence_id = store.flushed_sequence_id.max(known.max_sequence_id);
                    entry.last_sequence_id = entry.last_sequence_id.max(known.max_sequence_id);
                    store.files.push(FileEntry { reference: file.half.clone(), ..known });
                }
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    fn import_file(
        &self,
        region: &RegionFiles,
        family: &[u8],
        file: &NamedFile,
        folder: &Path,
        copies: &mut Copies,
    ) -> Result<FileEntry> {
        let meant = meaning_of(region, file)?;
        let source = find(folder, &meant, family)?;
        if let Some(known) = copies.by_source.get(&source) {
            return Ok(known.clone());
        }
        let directory = store_directory(&region.info, family);
        let path = self.shared.root.join(&directory);
        let files = &*self.shared.system.files;
        make_folders(files, &path).map_err(|error| Error::io("make directory", path.display(), &error))?;
        let mut entry = FileEntry {
            path: format!("{directory}/{}", random_hex(self.shared.system.entropy.as_ref())),
            ..FileEntry::default()
        };
        let loaded_at = sequence_id_in(&meant.file);
        if let Some(sequence_id) = loaded_at {
            entry.path = format!("{}_SeqId_{sequence_id}_", entry.path);
        }
        let target = self.shared.root.join(&entry.path);
        copies.by_source.insert(source.clone(), entry.clone());
        let (size_bytes, whole) = copy_file(&OUTSIDE, &source, files, &target)?;
        files.sync_dir(&path).map_err(|error| Error::io("sync directory", path.display(), &error))?;
        let reader = self.shared.open_outside(files, &target)?;
        let info = reader.info();
        entry.size_bytes = size_bytes;
        entry.digest = Some(reader.digest(whole)?);
        (entry.entry_count, entry.is_major, entry.is_bulk_loaded) =
            (info.entry_count, info.is_major, loaded_at.is_some());
        entry.max_sequence_id = match loaded_at {
            Some(sequence_id) => sequence_id + u64::from(info.keeps_sequence_ids),
            None => info.max_sequence_id,
        };
        copies.by_source.insert(source, entry.clone());
        Ok(entry)
    }
}

/// Returns the regions that have rows, in key order. Rejects MOB families, unknown families, and regions with gaps
/// or overlaps.
fn regions_of<'a>(manifest: &'a Manifest, snapshot: &str) -> Result<Vec<&'a RegionFiles>> {
    let table = &manifest.descriptor;
    let mut regions: Vec<&RegionFiles> = manifest.regions.iter().filter(|region| !region.is_shadow).collect();
    regions.sort_by(|left, right| left.info.start_key.cmp(&right.info.start_key));
    let refuse = |what: String| Err(Error::invalid(format!("snapshot '{snapshot}' of table '{}': {what}", table.name)));
    for family in table.families.values() {
        if family.attribute("IS_MOB").is_some_and(|flag| flag.eq_ignore_ascii_case("true")) {
            return refuse(format!("family '{}' has MOB files, which cannot be imported", printable(&family.name)));
        }
    }
    let mut end: &[u8] = b"";
    for (index, region) in regions.iter().enumerate() {
        if region.info.start_key != end || (index > 0 && end.is_empty()) {
            return refuse(format!("region {} does not start where the previous one ends", region.info.encoded_name));
        }
        let is_known = |family: &Vec<u8>| table.families.contains_key(family);
        if let Some((family, _)) = region.families.iter().find(|(family, _)| !is_known(family)) {
            return refuse(format!("the table has no family '{}', but a region has files of it", printable(family)));
        }
        end = &region.info.end_key;
    }
    if regions.is_empty() || !end.is_empty() {
        refuse("its regions do not extend to the end of the table".to_string())
    } else {
        Ok(regions)
    }
}

/// The store file that a name in a manifest refers to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Meant {
    pub table: TableName,
    pub region: String,
    pub file: String,
}

/// Parses a name: `file`, a link `table=region-file`, or either with `namespace=` in front. A half has `.region`
/// appended.
pub(super) fn meaning_of(region: &RegionFiles, named: &NamedFile) -> Result<Meant> {
    let strange = || Error::invalid(format!("'{}' is not the name of a store file", named.name));
    let (name, parent) = match named.half {
        Some(_) => named.name.rsplit_once('.').map(|(name, parent)| (name, Some(parent))).ok_or_else(strange)?,
        None => (named.name.as_str(), None),
    };
    let meant = match name.rsplit_once('=') {
        None => {
            let region_name = parent.unwrap_or(&region.info.encoded_name);
            Meant { table: region.info.table.clone(), region: region_name.to_string(), file: name.to_string() }
        }
        Some((table, rest)) => {
            let (region, file) = rest.split_once('-').ok_or_else(strange)?;
            let (namespace, qualifier) = table.split_once('=').unwrap_or(("default", table));
            Meant { table: TableName::new(namespace, qualifier)?, region: region.to_string(), file: file.to_string() }
        }
    };
    // These names become part of a path.
    let is_plain =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_plain(&meant.region) && is_plain(&meant.file) {
        Ok(meant)
    } else {
        Err(strange())
    }
}

/// Finds the file in one of the folders in [`PLACES`].
fn find(folder: &Path, meant: &Meant, family: &[u8]) -> Result<PathBuf> {
    let table = Path::new(meant.table.namespace()).join(meant.table.qualifier());
    let inside = table.join(&meant.region).join(printable(family)).join(&meant.file);
    let found = PLACES.iter().map(|place| folder.join(place).join(&inside)).find(|path| OUTSIDE.exists(path));
    found.ok_or_else(|| {
        let missing = folder.join(PLACES[0]).join(&inside);
        Error::io("read", missing.display(), &std::io::ErrorKind::NotFound.into())
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    OUTSIDE.read(path).map_err(|error| Error::io("read", path.display(), &error))
}

fn not_there(error: Error, folder: &Path, name: &str) -> Error {
    let known = OUTSIDE.list(&folder.join(".hbase-snapshot")).unwrap_or_default();
    let known: Vec<String> = known.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into())).collect();
    if known.iter().any(|known| known == name) {
        return error;
    }
    let known = if known.is_empty() { "no snapshot".to_string() } else { known.join(", ") };
    let message = format!("no snapshot '{name}' in {}; there is: {known}", folder.display());
    Error::new(ErrorKind::SnapshotNotFound, message)
}

fn understood<T>(read: Result<T, Damage>, path: &Path) -> Result<T> {
    read.map_err(|damage| damage.at(path, 0))
}
