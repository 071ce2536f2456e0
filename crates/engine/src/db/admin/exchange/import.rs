//! Importing a snapshot: its files are copied under new names, then one edit names them all.

use super::{refuse_mob, OUTSIDE};
use crate::db::admin::snapshots::remove_expired;
use crate::db::Database;
use crate::manifest::{store_directory, Edit, FileEntry, RegionEntry, SnapshotEntry};
use crate::root::messages::{Manifest, NamedFile, RegionFiles};
use crate::root::{describe, meaning_of, read_snapshot, sequence_id_in, Places};
use crate::store::{copy_file, Services};
use crate::sys::{make_folders, random_hex};
use rowstone_model::admin::SnapshotKind;
use rowstone_model::schema::check_snapshot_name;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Copied files by source path, with their names in the database. Both halves of a file share one copy.
struct Copies<'a> {
    places: Places<'a>,
    by_source: BTreeMap<PathBuf, FileEntry>,
}

impl Database {
    pub(in crate::db::admin) fn do_import_snapshot(&self, name: &str, folder: &Path) -> Result<()> {
        self.shared.check_changeable()?;
        check_snapshot_name(name)?;
        let _ddl = self.shared.begin_schema_change()?;
        remove_expired(&self.shared)?;
        if self.shared.state().snapshots.contains_key(name) {
            let message = format!("snapshot '{name}' exists already (SnapshotExistsException)");
            return Err(Error::new(ErrorKind::SnapshotExists, message));
        }
        let (description, manifest) = read_snapshot(&OUTSIDE, folder, name)?;
        refuse_mob(&manifest.descriptor, name, "imported")?;
        let mut copies = Copies { places: Places::new(&OUTSIDE, folder), by_source: BTreeMap::new() };
        let mut is_in_doubt = false;
        let taken = self.import_regions(&manifest, folder, &mut copies).and_then(|regions| {
            let snapshot = SnapshotEntry {
                name: name.to_string(),
                created_ms: description.created_ms,
                ttl_seconds: description.ttl_seconds,
                owner: description.owner.clone(),
                kind: SnapshotKind::default(),
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

    fn import_regions(&self, manifest: &Manifest, folder: &Path, copies: &mut Copies<'_>) -> Result<Vec<RegionEntry>> {
        let mut entries = Vec::new();
        for region in &manifest.regions {
            let mut entry = RegionEntry::new(region.info.clone(), &manifest.descriptor);
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
        copies: &mut Copies<'_>,
    ) -> Result<FileEntry> {
        let meant = meaning_of(&region.info, &file.name, file.half.is_some())?;
        let source = folder.join(copies.places.find(&meant, family)?);
        if let Some(known) = copies.by_source.get(&source) {
            return Ok(known.clone());
        }
        let directory = store_directory(&region.info, family);
        let path = self.shared.root.join(&directory);
        let files = &*self.shared.system.files;
        make_folders(files, &path).map_err(|error| Error::io("make directory", path.display(), &error))?;
        // Before it is copied, so that an error names the damaged file.
        self.shared.open_outside(&OUTSIDE, &source)?.verify()?;
        let mut entry = FileEntry {
            path: format!("{directory}/{}", random_hex(self.shared.system.entropy.as_ref())),
            ..FileEntry::default()
        };
        if let Some(sequence_id) = sequence_id_in(&meant.file) {
            entry.path = format!("{}_SeqId_{sequence_id}_", entry.path);
        }
        let target = self.shared.root.join(&entry.path);
        copies.by_source.insert(source.clone(), entry.clone());
        let (_, whole) = copy_file(&OUTSIDE, &source, files, &target)?;
        files.sync_dir(&path).map_err(|error| Error::io("sync directory", path.display(), &error))?;
        let reader = self.shared.open_outside(files, &target)?;
        entry = FileEntry { digest: Some(reader.digest(whole)?), ..describe(entry.path, reader.info()) };
        copies.by_source.insert(source, entry.clone());
        Ok(entry)
    }
}
