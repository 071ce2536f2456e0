//! Services that regions use.

use super::shared::Shared;
use crate::hfile::{Reader, ReaderOptions};
use crate::manifest::Edit;
use crate::region::flush_together;
use crate::store::{FileChange, Services, SpareCells, Work};
use crate::sys::{FileSystem, System, Workers};
use crate::wal::{Entry, Part};
use rowstone_model::operations::{Durability, Nonce};
use rowstone_model::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Instant;

impl Services for Shared {
    fn system(&self) -> &System {
        &self.system
    }

    fn workers(&self) -> &Arc<Workers> {
        &self.workers
    }

    fn default_durability(&self) -> Durability {
        self.durability
    }

    fn check_open(&self) -> Result<()> {
        Shared::check_open(self)
    }

    fn check_writable(&self) -> Result<()> {
        self.check_not_read_only()?;
        if self.memory.load(Ordering::Relaxed) > self.memory_limit {
            self.wait_for_flush("", &|| self.memory.load(Ordering::Relaxed) <= self.memory_limit)?;
        }
        Ok(())
    }

    fn spare_cells(&self) -> &SpareCells {
        &self.spare_cells
    }

    fn log_write(
        &self,
        parts: &[Part<'_>],
        now: i64,
        durability: Durability,
        nonce: Option<Nonce>,
        assign: &mut dyn FnMut(usize) -> u64,
    ) -> Result<()> {
        let wal = self.wal_for_writes()?;
        let mut entry = Entry::new(parts, now);
        if let Some(nonce) = nonce {
            (entry.nonce_group, entry.nonce) = (nonce.group, nonce.number.get());
        }
        wal.append_and_commit(durability, &entry, assign)?;
        if let Some(nonce) = nonce {
            self.nonces.note(now, nonce, now);
        }
        Ok(())
    }

    fn log_sync(&self) -> Result<()> {
        self.check_place()?;
        self.wal().map_or(Ok(()), |wal| wal.sync())
    }

    fn log_has_failed(&self) -> bool {
        self.wal().is_some_and(|wal| wal.failure().is_some())
    }

    fn flush_tied(&self) -> Result<bool> {
        let tables = self.tables.all();
        let regions: Vec<_> = tables.iter().flat_map(|table| Vec::clone(&table.regions())).collect();
        flush_together(&regions)
    }

    fn log_flushed(&self, region: [u8; 16], sequence_id: u64) -> Result<()> {
        self.wal().map_or(Ok(()), |wal| wal.flushed(region, sequence_id))
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    fn commit_files(&self, changes: Vec<FileChange>) -> Result<()> {
        let edit = |change: FileChange| Edit::ReplaceFiles {
            region: change.region,
            family: change.family,
            remove: change.remove,
            add: change.add,
            flushed_sequence_id: change.flushed_sequence_id,
            last_write_ms: change.last_write_ms,
        };
        self.commit(changes.into_iter().map(edit).collect())
    }

    fn may_open_again(&self) -> bool {
        self.may_open_again
    }

    fn open_file(&self, relative: &str, options: ReaderOptions) -> Result<Arc<Reader>> {
        let (files, path) = (self.system.files.as_ref(), self.path(relative));
        // Next to a writer, the file may have been replaced since the manifest was read. Another attempt to open
        // then finds its replacements.
        if !self.may_open_again && self.root_view.is_none() && !files.exists(&path) {
            return Err(Error::corruption(path.display(), 0, "the file that the manifest names", "none"));
        }
        Reader::open(files, &path, Arc::clone(&self.cache), options)
    }

    fn remove_files(&self, relative: &[String]) {
        let mut pinned = self.pinned.lock();
        if pinned.0 > 0 {
            pinned.1.extend_from_slice(relative);
            return;
        }
        drop(pinned);
        let state = self.state();
        let live = state.live_paths();
        self.queue.note_space();
        // After a split another region may still use the file.
        for path in relative.iter().filter(|path| !live.contains(path.as_str())) {
            // A file that cannot be removed now is garbage; the next open sweeps it away.
            let _ = self.system.files.remove_file(&self.path(path));
            if let Some((folder, _)) = path.rsplit_once('/') {
                self.remove_folder_of_gone(folder);
            }
        }
    }

    fn request(&self, work: Work) {
        self.queue.push(work);
    }

    fn memory_grew(&self, bytes: i64) {
        let before = self.memory.fetch_add(bytes, Ordering::Relaxed);
        let mark = self.flush_mark();
        if bytes > 0 && before < mark && before + bytes >= mark {
            self.queue.push_flush_of_largest();
        }
        if bytes < 0 {
            self.signal_room();
        }
    }

    fn delay_write(&self, region: (u64, u64), bytes: &dyn Fn() -> usize) {
        Shared::delay_write(self, region, bytes);
    }

    fn wait_for_flush(&self, region: &str, has_room: &dyn Fn() -> bool) -> Result<()> {
        let start = Instant::now();
        let outcome = self.wait_for_flush_since(start, region, has_room);
        self.counts.blocked(start.elapsed());
        outcome
    }
}

impl Shared {
    /// Opens a file that does not belong to the database.
    pub(in crate::db) fn open_outside(&self, files: &dyn FileSystem, path: &Path) -> Result<Arc<Reader>> {
        Reader::open(files, path, Arc::clone(&self.cache), ReaderOptions::default())
    }
}
