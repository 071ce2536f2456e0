//! Recent cells into a file. A snapshot that was taken stays until its file is visible, however often writing it fails.

use super::services::FileChange;
use super::{Store, StoreFile};
use crate::compact::rewrite::rewrite;
use crate::hfile::{FileFacts, Writer, WriterOptions};
use crate::manifest::FileEntry;
use crate::scan::{Expiry, Mode};
use crate::sys::random_hex;
use rowstone_model::cell::CellSource;
use rowstone_model::{Error, Result};
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// What a new file is like, beside what its family's options say.
pub(super) struct FileForm {
    /// Whether a cell may carry tags.
    pub(super) has_tags: bool,
    /// About how large it will be.
    pub(super) expected_bytes: u64,
}

impl Store {
    /// Puts everything so far aside; it covers the family up to `sequence_id`. `false` where there is nothing to flush.
    /// The region sees to it that no write is under way.
    pub fn take_snapshot(&self, sequence_id: u64) -> bool {
        let mut waiting = self.snapshot_id.lock();
        if waiting.is_none() {
            if self.memstore.snapshot().is_none() {
                // Nothing of the family is in memory: all of it is in files.
                self.flushed_id.fetch_max(sequence_id, Ordering::AcqRel);
                return false;
            }
            *waiting = Some(sequence_id);
        }
        true
    }

    /// Writes the waiting snapshot to a file and lets readers see that instead.
    pub fn flush_snapshot(&self, smallest_read_point: u64) -> Result<()> {
        let Some(sequence_id) = *self.snapshot_id.lock() else { return Ok(()) };
        let Some(source) = self.memstore.snapshot_source() else {
            return Err(Error::internal("a snapshot is waiting but empty"));
        };
        let config = self.config();
        let expiry = Expiry::new(self.services.system().clock.now_ms(), config.family.ttl_ms);
        let mode = Mode::KeepDeletes { cut: smallest_read_point };
        let facts = FileFacts { max_sequence_id: sequence_id, is_major: false, ..FileFacts::default() };
        let form = FileForm {
            has_tags: self.has_tags.load(Ordering::Relaxed),
            expected_bytes: self.memstore.snapshot_size().data_bytes as u64,
        };
        let entry = self.write_file(source, mode, expiry, facts, form)?;
        self.services.commit_files(FileChange {
            region: self.region.clone(),
            family: self.family.clone(),
            remove: Vec::new(),
            add: vec![entry.clone()],
            flushed_sequence_id: Some(sequence_id),
        })?;
        let file = Arc::new(StoreFile::open(entry, &config.family, self.services.as_ref())?);
        self.swap_files(smallest_read_point, |files| {
            files.push(file);
            self.memstore.drop_snapshot();
        });
        *self.snapshot_id.lock() = None;
        self.flushed_id.fetch_max(sequence_id, Ordering::AcqRel);
        Ok(())
    }

    /// Writes a new file of this store, synced but not yet named by the manifest.
    pub(super) fn write_file(
        &self,
        source: impl CellSource,
        mode: Mode,
        expiry: Expiry,
        facts: FileFacts,
        form: FileForm,
    ) -> Result<FileEntry> {
        let config = self.config();
        let system = self.services.system();
        let relative = format!("{}/{}", self.directory, random_hex(system.entropy.as_ref()));
        let path = self.services.path(&relative);
        let directory = self.services.path(&self.directory);
        system
            .files
            .create_dir_all(&directory)
            .map_err(|error| Error::io("make directory", directory.display(), &error))?;
        let (max_sequence_id, is_major) = (facts.max_sequence_id, facts.is_major);
        let written = (|| {
            let options = WriterOptions {
                include_tags: form.has_tags,
                expected_bytes: form.expected_bytes,
                ..WriterOptions::for_family(&config.family, expiry.now_ms)
            };
            let mut writer = Writer::create(system.files.as_ref(), &path, options)?;
            rewrite(source, &config.family, mode, expiry, |cell| writer.append(cell))?;
            let summary = writer.finish(&facts)?;
            system
                .files
                .sync_dir(&directory)
                .map_err(|error| Error::io("sync directory", directory.display(), &error))?;
            Ok(summary)
        })();
        match written {
            Ok(summary) => Ok(FileEntry {
                path: relative,
                size_bytes: summary.size_bytes,
                max_sequence_id,
                is_major,
                entry_count: summary.entry_count,
                reference: None,
                is_bulk_loaded: false,
            }),
            Err(error) => {
                // What was written so far is of no use; if it cannot be removed now, the next open sweeps it away.
                self.services.remove_files(&[relative]);
                Err(error)
            }
        }
    }
}
