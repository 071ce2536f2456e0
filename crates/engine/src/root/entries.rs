//! Entries of the manifest for the files of a root. Each file is opened once to read its properties.

use super::messages::{read_compacted, Manifest, NamedFile, RegionFiles};
use super::names::{meaning_of, sequence_id_in, Meant};
use super::places::Places;
use super::snapshot::understood;
use crate::cache::BlockCache;
use crate::hfile::format::file_info::names;
use crate::hfile::{Info, Reader, ReaderOptions};
use crate::manifest::{mob_region, FileEntry, MobEntry, RegionEntry, StoreEntry, TableEntry};
use crate::mob::References;
use crate::sys::FileSystem;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName, TableState};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The index blocks of the files that are open at a time.
const CACHE_BYTES: u64 = 1 << 20;

/// Opens the files of tables, each once.
pub(super) struct Entries<'a> {
    files: &'a dyn FileSystem,
    root: &'a Path,
    places: Places<'a>,
    cache: Arc<BlockCache>,
    /// Known files, with the names of those that were compacted into them. Both halves of a file are one.
    known: BTreeMap<String, (FileEntry, Vec<String>)>,
    mob: BTreeMap<String, MobEntry>,
}

impl<'a> Entries<'a> {
    pub fn new(files: &'a dyn FileSystem, root: &'a Path) -> Self {
        let cache = Arc::new(BlockCache::new(CACHE_BYTES));
        Entries { files, root, places: Places::new(files, root), cache, known: BTreeMap::new(), mob: BTreeMap::new() }
    }

    /// The entry of a table.
    pub fn table(&mut self, table: &Manifest) -> Result<TableEntry> {
        let descriptor = table.descriptor.clone();
        let regions = table.regions.iter().map(|region| self.region(region, &descriptor)).collect::<Result<_>>()?;
        Ok(TableEntry { descriptor, state: TableState::Enabled, regions })
    }

    fn region(&mut self, region: &RegionFiles, table: &TableDescriptor) -> Result<RegionEntry> {
        let mut entry = RegionEntry::new(region.info.clone(), table);
        for (name, named) in &region.families {
            let Some(family) = table.families.get(name) else { continue };
            let store = self.store(region, family, named)?;
            entry.last_sequence_id = entry.last_sequence_id.max(store.flushed_sequence_id);
            entry.stores.insert(name.clone(), store);
        }
        Ok(entry)
    }

    fn store(&mut self, region: &RegionFiles, family: &FamilyDescriptor, named: &[NamedFile]) -> Result<StoreEntry> {
        let (mut store, mut found, mut compacted) = (StoreEntry::default(), Vec::new(), BTreeSet::new());
        for file in named {
            let meant = meaning_of(&region.info, &file.name, file.half.is_some())?;
            let Some((entry, replaced)) = self.file(&meant, family)? else { continue };
            store.flushed_sequence_id = store.flushed_sequence_id.max(entry.max_sequence_id);
            found.push((&file.name, FileEntry { reference: file.half.clone(), ..entry }));
            compacted.extend(replaced);
        }
        // Between a compaction's end and the removal of its input, a folder has both. The input may be links and
        // references, which have names of their own.
        found.retain(|(name, _)| !compacted.contains(*name));
        store.files = found.into_iter().map(|(_, entry)| entry).collect();
        Ok(store)
    }

    /// The entry of a file, and the names of those that were compacted into it. `None` for an empty file, which HBase
    /// ignores too.
    fn file(&mut self, meant: &Meant, family: &FamilyDescriptor) -> Result<Option<(FileEntry, Vec<String>)>> {
        let path = self.places.find(meant, &family.name)?;
        if let Some(known) = self.known.get(&path) {
            return Ok(Some(known.clone()));
        }
        if self.is_empty(&path)? {
            return Ok(None);
        }
        let info = self.open(&path)?;
        let mut entry = describe(path.clone(), &info);
        entry.mob_files = self.mob_files(meant, family, &info, &path)?;
        let compacted = match info.raw.get(names::COMPACTION_EVENT) {
            Some(bytes) => understood(read_compacted(bytes), &self.root.join(&path))?,
            None => Vec::new(),
        };
        self.known.insert(path, (entry.clone(), compacted.clone()));
        Ok(Some((entry, compacted)))
    }

    fn is_empty(&self, path: &str) -> Result<bool> {
        let path = self.root.join(path);
        let length = self.files.open(&path).and_then(|file| file.len());
        Ok(length.map_err(|error| Error::io("read", path.display(), &error))? == 0)
    }

    fn open(&self, path: &str) -> Result<Info> {
        let reader =
            Reader::open(self.files, &self.root.join(path), Arc::clone(&self.cache), ReaderOptions::default())?;
        Ok(reader.info().clone())
    }

    /// The files with large values that a store file refers to. A file without a list may refer to any.
    fn mob_files(
        &mut self,
        meant: &Meant,
        family: &FamilyDescriptor,
        info: &Info,
        path: &str,
    ) -> Result<Vec<MobEntry>> {
        let listed = match info.raw.get(names::MOB_FILE_REFS).map(References::parse) {
            Some(Some(listed)) => listed,
            Some(None) => {
                let found = "another value";
                return Err(Error::corruption(self.root.join(path).display(), 0, "names of MOB files", found));
            }
            None if family.attribute("IS_MOB").is_some_and(|flag| flag.eq_ignore_ascii_case("true")) => {
                let place = mob_file(&meant.table, "");
                self.places
                    .mob_names(&place, &family.name)?
                    .into_iter()
                    .map(|name| (meant.table.to_string(), name))
                    .collect()
            }
            None => Vec::new(),
        };
        listed.iter().map(|(table, name)| self.mob_file(table, name, family)).collect()
    }

    fn mob_file(&mut self, table: &str, name: &str, family: &FamilyDescriptor) -> Result<MobEntry> {
        let path = self.places.find_mob(&mob_file(&TableName::parse(table)?, name), &family.name)?;
        if let Some(known) = self.mob.get(&path) {
            return Ok(known.clone());
        }
        let mut entry = MobEntry { path: path.clone(), ..MobEntry::default() };
        // A missing or damaged file only loses its own values: reads of those fail.
        if self.files.exists(&self.root.join(&path)) {
            match self.open(&path) {
                Ok(info) => (entry.size_bytes, entry.entry_count) = (info.size_bytes, info.entry_count),
                Err(error) if error.kind() == ErrorKind::Corruption => {}
                Err(error) => return Err(error),
            }
        }
        self.mob.insert(path, entry.clone());
        Ok(entry)
    }
}

fn mob_file(table: &TableName, name: &str) -> Meant {
    Meant { table: table.clone(), region: mob_region(table).encoded_name, file: name.to_string() }
}

/// The entry of the file at `path`, without a digest and without MOB files.
pub fn describe(path: String, info: &Info) -> FileEntry {
    let loaded_at = sequence_id_in(path.rsplit('/').next().unwrap_or(&path));
    FileEntry {
        size_bytes: info.size_bytes,
        entry_count: info.entry_count,
        is_major: info.is_major,
        is_bulk_loaded: loaded_at.is_some(),
        max_sequence_id: match loaded_at {
            Some(sequence_id) => sequence_id + u64::from(info.keeps_sequence_ids),
            None => info.max_sequence_id,
        },
        path,
        ..FileEntry::default()
    }
}
