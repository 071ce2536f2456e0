//! Flush of a store's recent cells to a file. The cells stay in memory until the file is permanent and open.

use super::services::FileChange;
use super::warm::Origin;
use super::{Config, Store, StoreFile};
use crate::compact::rewrite::rewrite;
use crate::hfile::{FileFacts, Writer, WriterOptions};
use crate::manifest::FileEntry;
use crate::memstore::Memstore;
use crate::mob::{mob_file_name, MobFile, MobPlace, MobRules, MobSet, MobWriter};
use crate::scan::{Expiry, Mode};
use crate::sys::raw::sync::atomic::AtomicBool;
use crate::sys::{random_hex, sync_folders};
use rowstone_model::cell::CellSource;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Instant;

/// Properties of a new file, in addition to its family's options.
pub(super) struct FileForm {
    /// Whether cells may have tags.
    pub(super) has_tags: bool,
    /// Approximate size of the file.
    pub(super) expected_bytes: u64,
    /// The MOB files to which its cells may refer.
    pub(super) mob: Option<Arc<MobSet>>,
    /// Names of the MOB files whose values are rewritten.
    pub(super) rewritten: BTreeSet<String>,
    /// Origin of the cells. Only compactions end early when the store is stopped.
    pub(super) origin: Origin,
}

/// A snapshot that was written to a file. Nothing refers to the file yet.
pub struct FlushedFile {
    file: Arc<StoreFile>,
    cut: u64,
}

impl Store {
    /// Sets all recent cells aside; they cover the family up to `sequence_id`. `false` if there is nothing to
    /// flush. The region ensures that no write is running, and that the snapshot is shown or taken back before the
    /// next one.
    pub fn take_snapshot(&self, sequence_id: u64) -> bool {
        let has_cells = self.memstore.snapshot().is_some();
        if !has_cells {
            self.note_if_empty(sequence_id);
        }
        has_cells
    }

    /// If the family has nothing in memory, notes that it is in files up to `sequence_id`. No write may be running.
    pub fn note_if_empty(&self, sequence_id: u64) {
        if self.memstore.is_empty() {
            self.flushed_id.fetch_max(sequence_id, Ordering::AcqRel);
        }
    }

    /// Turns the snapshot back into recent cells after a failed flush.
    pub fn take_snapshot_back(&self) {
        self.memstore.restore_snapshot();
    }

    /// Writes the snapshot to a file, synced and open. Nothing refers to the file yet.
    pub fn write_snapshot(&self, sequence_id: u64, smallest_read_point: u64) -> Result<FlushedFile> {
        let Some(source) = self.memstore.snapshot_source() else {
            return Err(Error::internal("there is no snapshot to write"));
        };
        let began = Instant::now();
        let config = self.config();
        let expiry = Expiry::new(self.services.system().clock.now_ms(), config.family.ttl_ms);
        let mode = Mode::KeepDeletes { cut: smallest_read_point };
        let facts = FileFacts { max_sequence_id: sequence_id, is_major: false, ..FileFacts::default() };
        let form = FileForm {
            has_tags: self.has_tags.load(Ordering::Relaxed),
            expected_bytes: self.memstore.snapshot_size().data_bytes as u64,
            mob: None,
            rewritten: BTreeSet::new(),
            origin: Origin::Flush,
        };
        let file = self.write_file(source, mode, expiry, facts, form)?;
        self.counters.flushed(began);
        Ok(FlushedFile { file, cut: smallest_read_point })
    }

    /// Change of the manifest that makes `flushed` permanent as of `sequence_id`. Without a file, it only records
    /// how far the family is flushed.
    pub fn flush_change(&self, flushed: Option<&FlushedFile>, sequence_id: u64) -> FileChange {
        FileChange {
            region: self.region.clone(),
            family: self.family.clone(),
            remove: Vec::new(),
            add: flushed.iter().map(|flushed| flushed.file.entry.clone()).collect(),
            flushed_sequence_id: Some(if flushed.is_some() { sequence_id } else { self.flushed_sequence_id() }),
            last_write_ms: None,
        }
    }

    /// Shows the file, which is now permanent, to readers instead of the snapshot. Cannot fail.
    pub fn show(&self, flushed: FlushedFile, sequence_id: u64) {
        self.swap_files(flushed.cut, |files| files.push(flushed.file), Memstore::drop_snapshot);
        self.flushed_id.fetch_max(sequence_id, Ordering::AcqRel);
    }

    /// Removes a file that did not become permanent, if that is certain.
    pub fn discard(&self, flushed: &FlushedFile, error: &Error) {
        self.discard_file(&flushed.file, error);
    }

    /// After any other error than these two, the manifest may turn out to name the file when it is read again.
    pub(super) fn discard_file(&self, file: &StoreFile, error: &Error) {
        if matches!(error.kind(), ErrorKind::Internal | ErrorKind::DatabaseClosed) {
            self.services.remove_files(&file.paths().collect::<Vec<_>>());
        }
    }

    /// Writes a new file of this store, synced and open, but not yet named by the manifest. Also writes MOB files
    /// if the family has them.
    pub(super) fn write_file(
        &self,
        source: impl CellSource,
        mode: Mode,
        expiry: Expiry,
        facts: FileFacts,
        form: FileForm,
    ) -> Result<Arc<StoreFile>> {
        let config = self.config();
        let system = self.services.system();
        let relative = format!("{}/{}", self.directory, random_hex(system.entropy.as_ref()));
        let path = self.services.path(&relative);
        self.make_folder()?;
        let options = self.writer_options(&config, &form, expiry.now_ms);
        let place = MobPlace {
            files: system.files.as_ref(),
            path: &|relative| self.services.path(relative),
            new_path: &|| self.new_mob_path(expiry.now_ms),
            table: &self.table,
            options: WriterOptions { expected_bytes: 0, ..options.clone() },
        };
        let rules = MobRules {
            threshold: config.family.mob_threshold,
            known: form.mob.clone(),
            rewritten: form.rewritten,
            max_file_bytes: config.max_mob_file_bytes,
        };
        let mut mob = MobWriter::new(rules, place, &facts);
        let may_stop = matches!(form.origin, Origin::Compaction { .. });
        let written = (|| {
            let mut writer = Writer::create(system.files.as_ref(), &path, options)?;
            rewrite(source, &config.family, mode, expiry, |cell| {
                if may_stop && self.is_stopping.load(Ordering::Relaxed) {
                    return Err(self.stopped());
                }
                mob.append(cell, &mut writer)
            })?;
            let (mob_files, mob_info) = mob.finish()?;
            let mut facts = facts.clone().with_name(&relative);
            facts.extra_info.extend(mob_info);
            let summary = writer.finish(&facts)?;
            self.sync_folder(&self.services.path(&self.directory))?;
            if !mob.begun().is_empty() {
                self.sync_folder(&self.services.path(&self.mob_directory))?;
            }
            let entry = FileEntry {
                path: relative.clone(),
                size_bytes: summary.size_bytes,
                max_sequence_id: facts.max_sequence_id,
                is_major: facts.is_major,
                entry_count: summary.entry_count,
                mob_files,
                digest: Some(summary.digest),
                ..FileEntry::default()
            };
            let file = self.open_new(entry, form.mob.as_ref(), mob.begun())?;
            self.warm(&file, form.origin);
            Ok(file)
        })();
        if written.is_err() {
            // The partial file is useless. If it cannot be removed now, the next open sweeps it away.
            let begun = mob.begun().iter().cloned();
            self.services.remove_files(&std::iter::once(relative).chain(begun).collect::<Vec<_>>());
        }
        written
    }

    /// Opens a new file before anything refers to it: every permanent file must be readable.
    fn open_new(&self, entry: FileEntry, known: Option<&Arc<MobSet>>, new_mob: &[String]) -> Result<Arc<StoreFile>> {
        let known: Vec<Arc<MobFile>> = known.iter().flat_map(|known| known.files()).cloned().collect();
        let file = Arc::new(StoreFile::open(entry, &self.config().family, &known, &self.services)?);
        for new in file.mob.iter().filter(|file| new_mob.iter().any(|path| path == file.path())) {
            new.reader()?;
        }
        Ok(file)
    }

    fn writer_options(&self, config: &Config, form: &FileForm, now_ms: i64) -> WriterOptions {
        let has_mob = config.family.mob_threshold.is_some() || form.mob.is_some();
        WriterOptions {
            compression: match form.origin {
                Origin::Compaction { is_major: true } => config.family.major_compression,
                Origin::Compaction { is_major: false } => config.family.minor_compression,
                _ => config.family.compression,
            },
            include_tags: form.has_tags || has_mob,
            // The share of MOB files is unknown.
            expected_bytes: if has_mob { 0 } else { form.expected_bytes },
            ..WriterOptions::for_family(&config.family, now_ms)
        }
    }

    /// Path of a new MOB file. Its folder exists.
    fn new_mob_path(&self, now_ms: i64) -> Result<String> {
        self.make_folder_at(&self.mob_directory, &self.has_mob_folder)?;
        let random = random_hex(self.services.system().entropy.as_ref());
        Ok(format!("{}/{}", self.mob_directory, mob_file_name(&self.rows.0, now_ms, &random, &self.region)))
    }

    fn stopped(&self) -> Error {
        let message = format!("compaction of region {} cancelled: the region is being closed or changed", self.region);
        Error::new(ErrorKind::TableNotEnabled, message)
    }

    /// Creates the folder of the files. The first time, also syncs all folders above it.
    pub(super) fn make_folder(&self) -> Result<()> {
        self.make_folder_at(&self.directory, &self.has_folder)
    }

    fn make_folder_at(&self, relative: &str, is_made: &AtomicBool) -> Result<()> {
        if is_made.load(Ordering::Acquire) {
            return Ok(());
        }
        let (root, folder) = (self.services.path(""), self.services.path(relative));
        let files = self.services.system().files.as_ref();
        let made = files.create_dir_all(&folder).and_then(|()| sync_folders(files, &root, &folder));
        made.map_err(|error| Error::io("make directory", folder.display(), &error))?;
        is_made.store(true, Ordering::Release);
        Ok(())
    }

    pub(super) fn sync_folder(&self, folder: &Path) -> Result<()> {
        let synced = self.services.system().files.sync_dir(folder);
        synced.map_err(|error| Error::io("sync directory", folder.display(), &error))
    }
}
