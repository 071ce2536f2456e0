//! State that all regions share: the machine, the log, the manifest, the cache, the memory for recent cells.

use super::admin::MetaRows;
use super::background::WorkQueue;
use super::clock::ClockWatch;
use super::counts::Counts;
use super::disk::Reserve;
use super::nonces::WrittenNonces;
use super::observed::witness;
use super::quotas::{enforce, QuotaBook};
use super::tables::{TableHandle, Tables};
use crate::cache::BlockCache;
use crate::hfile::{Reader, ReaderOptions};
use crate::manifest::{mob_region, Edit, Manifest, State};
use crate::region::flush_together;
use crate::settings::Settings;
use crate::store::{FileChange, Services, SpareCells, Work};
use crate::sys::lock::{Condvar, Mutex, MutexGuard, RwLock};
use crate::sys::{FileLock, FileSystem, System};
use crate::wal::{Entry, Part, ReplayReport, Wal};
use rowstone_model::observe::{SchemaObserver, TableObserver};
use rowstone_model::operations::{Durability, Nonce};
use rowstone_model::schema::TableName;
use rowstone_model::switches::Switches;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The manifest of a writer, or the state that a reader found at open.
pub(super) enum Schema {
    /// A writer's.
    Written(Arc<Manifest>),
    /// A reader's.
    Read(Arc<State>),
}

impl Schema {
    /// The current live state.
    pub(super) fn state(&self) -> Arc<State> {
        match self {
            Schema::Written(manifest) => manifest.state(),
            Schema::Read(state) => Arc::clone(state),
        }
    }
}

/// The common parts of a database.
pub(super) struct Shared {
    pub(super) system: System,
    pub(super) root: PathBuf,
    pub(super) settings: Settings,
    pub(super) durability: Durability,
    pub(super) manifest: Schema,
    pub(super) is_read_only: bool,
    /// For an open next to a writer: if a file is missing, another attempt follows.
    pub(super) may_open_again: bool,
    /// A writer's log, set once the old ones are recovered.
    pub(super) wal: OnceLock<Arc<Wal>>,
    /// Replay report of the old logs if the disk had no room for a new log, and whether the log has a thread.
    pub(super) waiting_log: Mutex<Option<(ReplayReport, bool)>>,
    /// Reserved space for operations that free space on a full disk.
    pub(super) reserve: Arc<Reserve>,
    pub(super) cache: Arc<BlockCache>,
    pub(super) tables: Tables,
    pub(super) queue: WorkQueue,
    pub(super) lock: Mutex<Option<Box<dyn FileLock>>>,
    pub(super) is_closed: AtomicBool,
    /// Bytes of recent cells in all regions.
    pub(super) memory: AtomicI64,
    pub(super) memory_limit: i64,
    /// Schema changes happen one at a time.
    pub(super) ddl: Mutex<()>,
    pub(super) room: (Mutex<()>, Condvar),
    /// Number of holders of store files, and the files to delete when it reaches zero.
    pub(super) held: Mutex<(usize, Vec<String>)>,
    /// Cached rows of `hbase:meta` with the state they were built from.
    pub(super) meta: MetaRows,
    /// Nonces of the operations in the log.
    pub(super) nonces: WrittenNonces,
    pub(super) spare_cells: SpareCells,
    /// Observers by table, including tables that do not exist yet.
    pub(super) observers: Mutex<BTreeMap<TableName, Arc<dyn TableObserver>>>,
    /// Switches of background work.
    pub(super) switches: Switches,
    /// Limits on requests and on space.
    pub(super) quotas: QuotaBook,
    pub(super) counts: Counts,
    pub(super) clock_watch: ClockWatch,
    /// Serialises changes to persisted switches.
    pub(super) turning: Mutex<()>,
    /// The observer of schema changes.
    pub(super) schema_observer: RwLock<Option<Arc<dyn SchemaObserver>>>,
}

/// Pin on store files: while it exists, none is removed.
pub(super) struct Held<'s>(&'s Shared);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut held = self.0.held.lock();
        held.0 -= 1;
        if held.0 == 0 {
            let waiting = std::mem::take(&mut held.1);
            drop(held);
            self.0.remove_files(&waiting);
        }
    }
}

impl Shared {
    /// Sets the observer of a table from now on.
    pub(super) fn observe(self: &Arc<Self>, table: &TableName, observer: Option<Arc<dyn TableObserver>>) {
        let mut observers = self.observers.lock();
        match &observer {
            Some(observer) => observers.insert(table.clone(), Arc::clone(observer)),
            None => observers.remove(table),
        };
        if let Ok(handle) = self.tables.find(table) {
            let witness = witness(&Arc::downgrade(self), table, observer.as_ref());
            handle.set_observer(observer, witness);
        }
    }

    /// Adds a created table and attaches its observer, if one is registered.
    pub(super) fn add_table(self: &Arc<Self>, handle: TableHandle) {
        let observers = self.observers.lock();
        if let Some(observer) = observers.get(handle.name()) {
            let witness = witness(&Arc::downgrade(self), handle.name(), Some(observer));
            handle.set_observer(Some(Arc::clone(observer)), witness);
        }
        self.tables.insert(Arc::new(handle));
        drop(observers);
        self.count_space();
    }

    pub(super) fn wal(&self) -> Option<&Arc<Wal>> {
        self.wal.get()
    }

    /// The current live state.
    pub(super) fn state(&self) -> Arc<State> {
        self.manifest.state()
    }

    /// Makes all of `edits` permanent, or none. The commit also records how far the log is synced, and the log
    /// records the commit. That detects an older copy of either one.
    pub(super) fn commit(&self, mut edits: Vec<Edit>) -> Result<()> {
        let Schema::Written(manifest) = &self.manifest else { return Err(self.read_only_error()) };
        // A commit without edits settles an earlier one that failed.
        let may_use_reserve = edits.is_empty() || edits.iter().any(Edit::frees_space);
        edits.extend(self.log_end());
        let state = match may_use_reserve {
            true => self.with_reserve(|| manifest.commit(&edits)),
            false => self.with_unneeded(|| manifest.commit(&edits)),
        }?;
        if let Some(wal) = self.wal() {
            wal.note_commit(state.commits);
        }
        self.count_space();
        Ok(())
    }

    /// Edit that records how far the log is synced.
    fn log_end(&self) -> Option<Edit> {
        let end = self.wal()?.synced_end()?;
        Some(Edit::RecordLogEnd { number: end.number, synced_bytes: end.length })
    }

    /// Closes the log. Before the log's final mark, the manifest records where the log ends. A later loss of the
    /// end of either can then be distinguished from a crash.
    pub(super) fn close_log(&self) -> Result<()> {
        let Some(wal) = self.wal() else { return Ok(()) };
        let synced = wal.sync();
        if let (Ok(()), Schema::Written(manifest), Some(edit)) = (&synced, &self.manifest, self.log_end()) {
            // Without that record only the proof is missing.
            if let Ok(state) = manifest.commit(std::slice::from_ref(&edit)) {
                wal.expect_commits(state.commits);
            }
        }
        wal.close()
    }

    pub(super) fn log_directory(&self) -> PathBuf {
        self.root.join("WALs")
    }

    /// Makes tables refuse writes that limits on space now forbid.
    fn count_space(&self) {
        if self.quotas.note_files() {
            enforce(self);
        }
    }

    /// Like [`Shared::commit`], for changes after which writes would be lost if the failed edit were on the disk
    /// after all. A second commit, which rewrites the manifest, then confirms that it is not. If that fails too,
    /// `doubt` is called.
    pub(super) fn commit_change(&self, edits: Vec<Edit>, doubt: impl FnOnce()) -> Result<()> {
        let Err(error) = self.commit(edits) else { return Ok(()) };
        let is_certain = matches!(error.kind(), ErrorKind::Internal | ErrorKind::DatabaseClosed | ErrorKind::ReadOnly);
        if !is_certain && self.commit(Vec::new()).is_err() {
            doubt();
        }
        Err(error)
    }

    pub(super) fn read_only_error(&self) -> Error {
        Error::new(
            ErrorKind::ReadOnly,
            format!("the database at {} was opened with read_only=True", self.root.display()),
        )
    }

    pub(super) fn check_open(&self) -> Result<()> {
        if self.is_closed.load(Ordering::Acquire) {
            return Err(Error::new(
                ErrorKind::DatabaseClosed,
                format!("the database at {} is closed", self.root.display()),
            ));
        }
        Ok(())
    }

    /// Marks the database as closed; `false` if it already was.
    pub(super) fn begin_close(&self) -> bool {
        !self.is_closed.swap(true, Ordering::AcqRel)
    }

    /// Lets compactions end early: no caller waits for them any more.
    pub(super) fn stop_compactions(&self) {
        for table in self.tables.all() {
            table.regions().iter().for_each(|region| region.stop_compactions());
        }
    }

    /// Closes all regions after their running operations have ended. Flushes what only memory holds: writes that
    /// skipped the log, and all of them if the log failed.
    pub(super) fn close_regions(&self) -> Result<()> {
        let mut outcome = Ok(());
        let can_flush = !self.is_read_only && !self.is_memory_only();
        for table in self.tables.all() {
            for region in table.regions().iter() {
                outcome = outcome.and(region.shut(can_flush));
            }
        }
        outcome
    }

    /// Final step of closing. Late callers can no longer change anything, the directory is unlocked, and the memory
    /// is freed (regions and this struct refer to each other).
    pub(super) fn let_go(&self) {
        if let Schema::Written(manifest) = &self.manifest {
            manifest.close();
        }
        // Observers may own tables, which own them.
        self.tables.all().iter().for_each(|table| table.set_observer(None, None));
        self.observers.lock().clear();
        *self.schema_observer.write() = None;
        self.tables.clear();
        self.lock.lock().take();
    }

    /// Keeps replaced files from being removed while the result exists.
    pub(super) fn hold_files(&self) -> Held<'_> {
        self.held.lock().0 += 1;
        Held(self)
    }

    pub(super) fn is_memory_only(&self) -> bool {
        self.root.as_os_str() == super::open::MEMORY_ROOT
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Refuses changes if the database is read-only or closed. Unlike writes, they do not wait for memory: they may
    /// be what frees it.
    pub(super) fn check_changeable(&self) -> Result<()> {
        self.check_open()?;
        if self.is_read_only() {
            return Err(self.read_only_error());
        }
        Ok(())
    }

    /// Begins a schema change. There is one at a time, and none once the database is closed.
    pub(super) fn begin_schema_change(&self) -> Result<MutexGuard<'_, ()>> {
        let guard = self.ddl.lock();
        self.check_open()?;
        Ok(guard)
    }

    /// Removes the folder of a store, and that of its region if the region is removed and the folders are empty.
    pub(super) fn remove_folder_of_gone(&self, folder: &str) {
        let Some((region, _)) = folder.rsplit_once('/') else { return };
        let name = region.rsplit('/').next().unwrap_or(region);
        let state = self.state();
        // All regions of a table share one folder for MOB files.
        let is_in_use = match folder.starts_with("mobdir/") {
            true => state.tables.keys().any(|table| mob_region(table).encoded_name == name),
            false => state.region(name).is_some(),
        };
        if !is_in_use {
            for folder in [folder, region] {
                let _ = self.system.files.remove_dir(&self.root.join(folder));
            }
        }
    }

    /// Bytes of recent cells, and their limit.
    pub(super) fn memory(&self) -> (i64, i64) {
        (self.memory.load(Ordering::Relaxed), self.memory_limit)
    }

    /// Wakes writers that wait for room.
    pub(super) fn signal_room(&self) {
        let _guard = self.room.0.lock();
        self.room.1.notify_all();
    }
}

impl Services for Shared {
    fn system(&self) -> &System {
        &self.system
    }

    fn default_durability(&self) -> Durability {
        self.durability
    }

    fn check_open(&self) -> Result<()> {
        Shared::check_open(self)
    }

    fn check_writable(&self) -> Result<()> {
        self.check_changeable()?;
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
        if !self.may_open_again && !files.exists(&path) {
            return Err(Error::corruption(path.display(), 0, "the file that the manifest names", "none"));
        }
        Reader::open(files, &path, Arc::clone(&self.cache), options)
    }

    fn open_outside(&self, files: &dyn FileSystem, path: &Path) -> Result<Arc<Reader>> {
        Reader::open(files, path, Arc::clone(&self.cache), ReaderOptions::default())
    }

    fn remove_files(&self, relative: &[String]) {
        let mut held = self.held.lock();
        if held.0 > 0 {
            held.1.extend_from_slice(relative);
            return;
        }
        drop(held);
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

    fn wait_for_flush(&self, region: &str, has_room: &dyn Fn() -> bool) -> Result<()> {
        let start = Instant::now();
        let outcome = self.wait_for_flush_since(start, region, has_room);
        self.counts.blocked(start.elapsed());
        outcome
    }
}

impl Shared {
    /// Memory above which flushes begin, well before writers have to wait.
    fn flush_mark(&self) -> i64 {
        self.memory_limit / 2
    }

    /// Whether recent writes use so much memory that some should be flushed.
    pub(super) fn wants_flushes(&self) -> bool {
        self.memory.load(Ordering::Relaxed) >= self.flush_mark()
    }

    /// Whether the disk currently has room for the largest flush.
    fn has_room_for_flush(&self) -> bool {
        let tables = self.tables.all();
        let largest =
            tables.iter().flat_map(|table| table.regions().iter().map(|region| region.memstore_bytes()).max());
        self.reserve.has_room(largest.max().unwrap_or(0))
    }

    fn no_room_to_flush(&self, error: &Error) -> Error {
        let (bytes, limit) = self.memory();
        let message = format!(
            "the disk is full, and {bytes} of at most {limit} bytes of recent writes wait in memory for a flush, which failed \
             with: {error}; free some space, or drop or truncate a table, and write again"
        );
        Error::new(ErrorKind::DiskFull, message)
    }

    fn wait_for_flush_since(&self, start: Instant, region: &str, has_room: &dyn Fn() -> bool) -> Result<()> {
        let limit = Duration::from_millis(self.settings.size("hbase.hstore.blockingWaitTime"));
        let mut has_probed = false;
        let mut guard = self.room.0.lock();
        while !has_room() {
            self.check_open()?;
            if let Some(error) = self.queue.disk_full() {
                if has_probed || !self.has_room_for_flush() {
                    return Err(self.no_room_to_flush(&error));
                }
                has_probed = true;
                self.queue.note_space();
            }
            if region.is_empty() {
                self.queue.push_flush_of_largest();
            } else {
                self.queue.push(Work::Flush(region.to_string()));
            }
            if start.elapsed() > limit {
                return Err(Error::new(
                    ErrorKind::RegionTooBusy,
                    format!(
                        "memory for recent writes ({} of {} bytes) stayed full for {} ms; flushes cannot keep up or fail: {}",
                        self.memory.load(Ordering::Relaxed),
                        self.memory_limit,
                        limit.as_millis(),
                        self.queue.last_error().unwrap_or_else(|| "no flush failed".into())
                    ),
                ));
            }
            self.room.1.wait_for(&mut guard, Duration::from_millis(50));
        }
        Ok(())
    }
}
