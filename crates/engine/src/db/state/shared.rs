//! State that all regions share: the machine, the log, the manifest, the cache, the memory for recent cells.

use super::clock::ClockWatch;
use super::counts::Counts;
use super::nonces::WrittenNonces;
use super::queue::WorkQueue;
use super::quota_book::QuotaBook;
use super::reserve::Reserve;
use super::slowdown::Slowdown;
use super::tables::Tables;
use crate::cache::BlockCache;
use crate::manifest::{mob_region, Edit, Manifest, State};
use crate::meta::MetaRows;
use crate::root::RootView;
use crate::settings::Settings;
use crate::store::{Services, SpareCells};
use crate::sys::lock::{Condvar, Mutex, MutexGuard, RwLock};
use crate::sys::{System, Workers};
use crate::wal::{ReplayReport, Wal};
use rowstone_model::admin::MemoryLimits;
use rowstone_model::observe::{SchemaObserver, TableObserver};
use rowstone_model::operations::Durability;
use rowstone_model::schema::TableName;
use rowstone_model::switches::Switches;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

/// Root path of a database in memory.
pub(in crate::db) const MEMORY_ROOT: &str = "/memory";

/// The manifest of a writer, or the state that a reader found at open.
pub(in crate::db) enum Schema {
    /// A writer's.
    Written(Arc<Manifest>),
    /// A reader's.
    Read(Arc<State>),
}

impl Schema {
    /// The current live state.
    pub(in crate::db) fn state(&self) -> Arc<State> {
        match self {
            Schema::Written(manifest) => manifest.state(),
            Schema::Read(state) => Arc::clone(state),
        }
    }
}

/// The common parts of a database.
pub(in crate::db) struct Shared {
    pub(in crate::db) system: System,
    pub(in crate::db) root: PathBuf,
    pub(in crate::db) settings: Settings,
    pub(in crate::db) durability: Durability,
    pub(in crate::db) manifest: Schema,
    pub(in crate::db) is_read_only: bool,
    /// The part of an HBase root that is read, if the files are those of one.
    pub(in crate::db) root_view: Option<RootView>,
    /// For an open next to a writer: if a file is missing, another attempt follows.
    pub(in crate::db) may_open_again: bool,
    /// A writer's log, set once the old ones are recovered.
    pub(in crate::db) wal: OnceLock<Arc<Wal>>,
    /// Replay report of the old logs if the disk had no room for a new log, and whether the log has a thread.
    pub(in crate::db) waiting_log: Mutex<Option<(ReplayReport, bool)>>,
    /// Reserved space for operations that free space on a full disk.
    pub(in crate::db) reserve: Arc<Reserve>,
    pub(in crate::db) cache: Arc<BlockCache>,
    pub(in crate::db) tables: Tables,
    pub(in crate::db) queue: WorkQueue,
    /// Threads that read ahead for scans.
    pub(in crate::db) workers: Arc<Workers>,
    pub(in crate::db) is_closed: AtomicBool,
    /// The outcome of closing; locked while the database is being closed.
    pub(in crate::db) closed: Mutex<Option<Result<()>>>,
    /// Bytes of recent cells in all regions.
    pub(in crate::db) memory: AtomicI64,
    pub(in crate::db) memory_limit: i64,
    /// Limits of memory as they were chosen at opening.
    pub(in crate::db) limits: MemoryLimits,
    /// Schema changes happen one at a time.
    pub(in crate::db) ddl: Mutex<()>,
    pub(in crate::db) room: (Mutex<()>, Condvar),
    /// Delays of writes while memory is almost full.
    pub(in crate::db) slowdown: Slowdown,
    /// Number of pins on store files, and the files to delete when it reaches zero.
    pub(in crate::db) pinned: Mutex<(usize, Vec<String>)>,
    /// Cached rows of `hbase:meta` with the state they were built from.
    pub(in crate::db) meta: MetaRows,
    /// Nonces of the operations in the log.
    pub(in crate::db) nonces: WrittenNonces,
    pub(in crate::db) spare_cells: SpareCells,
    /// Observers by table, including tables that do not exist yet.
    pub(in crate::db) observers: Mutex<BTreeMap<TableName, Arc<dyn TableObserver>>>,
    /// Switches of background work.
    pub(in crate::db) switches: Switches,
    /// Limits on requests and on space.
    pub(in crate::db) quotas: QuotaBook,
    pub(in crate::db) counts: Counts,
    pub(in crate::db) clock_watch: ClockWatch,
    /// Serializes changes to persisted switches.
    pub(in crate::db) turning: Mutex<()>,
    /// The observer of schema changes.
    pub(in crate::db) schema_observer: RwLock<Option<Arc<dyn SchemaObserver>>>,
}

/// Pin on store files: while it exists, none is removed.
pub(in crate::db) struct PinnedFiles<'s>(&'s Shared);

impl Drop for PinnedFiles<'_> {
    fn drop(&mut self) {
        let mut pinned = self.0.pinned.lock();
        pinned.0 -= 1;
        if pinned.0 == 0 {
            let waiting = std::mem::take(&mut pinned.1);
            drop(pinned);
            self.0.remove_files(&waiting);
        }
    }
}

impl Shared {
    pub(in crate::db) fn wal(&self) -> Option<&Arc<Wal>> {
        self.wal.get()
    }

    /// The current live state.
    pub(in crate::db) fn state(&self) -> Arc<State> {
        self.manifest.state()
    }

    /// Makes all of `edits` permanent, or none. The commit also records how far the log is synced, and the log
    /// records the commit. That detects an older copy of either one.
    pub(in crate::db) fn commit(&self, mut edits: Vec<Edit>) -> Result<()> {
        let Schema::Written(manifest) = &self.manifest else { return Err(self.read_only_error()) };
        // A commit without edits settles an earlier one that failed.
        let may_use_reserve = edits.is_empty() || edits.iter().any(Edit::frees_space);
        edits.extend(self.log_end());
        let state = if may_use_reserve {
            self.with_reserve(|| manifest.commit(&edits))?
        } else {
            self.with_unneeded(|| manifest.commit(&edits))?
        };
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
    pub(in crate::db) fn close_log(&self) -> Result<()> {
        let Some(wal) = self.log_to_close()? else { return Ok(()) };
        let synced = wal.sync();
        if let (Ok(()), Schema::Written(manifest), Some(edit)) = (&synced, &self.manifest, self.log_end()) {
            // Without that record only the proof is missing.
            if let Ok(state) = manifest.commit(std::slice::from_ref(&edit)) {
                wal.expect_commits(state.commits);
            }
        }
        wal.close()
    }

    pub(in crate::db) fn log_directory(&self) -> PathBuf {
        self.root.join("WALs")
    }

    /// Makes tables refuse writes that limits on space now forbid.
    pub(in crate::db) fn count_space(&self) {
        if self.quotas.note_files() {
            self.quotas.enforce(&self.tables, || self.state());
        }
    }

    /// Like [`Shared::commit`], for changes after which writes would be lost if the failed edit were on the disk
    /// after all. A second commit, which rewrites the manifest, then confirms that it is not. If that fails too,
    /// `doubt` is called.
    pub(in crate::db) fn commit_change(&self, edits: Vec<Edit>, doubt: impl FnOnce()) -> Result<()> {
        let Err(error) = self.commit(edits) else { return Ok(()) };
        let is_certain = matches!(error.kind(), ErrorKind::Internal | ErrorKind::DatabaseClosed | ErrorKind::ReadOnly);
        if !is_certain && self.commit(Vec::new()).is_err() {
            doubt();
        }
        Err(error)
    }

    pub(in crate::db) fn read_only_error(&self) -> Error {
        let message = if self.root_view.is_some() {
            format!("{} contains the files of an HBase cluster, which are only read", self.root.display())
        } else {
            format!("the database {} was opened with read_only=True", self.place())
        };
        Error::new(ErrorKind::ReadOnly, message)
    }

    /// The database's location, for messages.
    fn place(&self) -> String {
        if self.root == Path::new(MEMORY_ROOT) {
            return "in memory".into();
        }
        format!("at {}", self.root.display())
    }

    pub(in crate::db) fn check_open(&self) -> Result<()> {
        if self.is_closed.load(Ordering::Acquire) {
            return Err(Error::new(ErrorKind::DatabaseClosed, format!("the database {} is closed", self.place())));
        }
        Ok(())
    }

    /// Marks the database as closed.
    pub(in crate::db) fn begin_close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    /// Lets compactions end early: no caller waits for them any more.
    pub(in crate::db) fn stop_compactions(&self) {
        for table in self.tables.all() {
            table.regions().iter().for_each(|region| region.stop_compactions());
        }
    }

    /// Closes all regions after their running operations have ended. Flushes what only memory holds: writes that
    /// skipped the log, and all of them if the log failed.
    pub(in crate::db) fn close_regions(&self) -> Result<()> {
        let (mut outcome, place) = (Ok(()), self.check_place());
        let can_flush = place.is_ok() && !self.is_read_only && !self.is_memory_only();
        for table in self.tables.all() {
            for region in table.regions().iter() {
                if region.has_unlogged_writes() {
                    outcome = outcome.and(place.clone());
                }
                outcome = outcome.and(region.shut(can_flush));
            }
        }
        outcome
    }

    /// Final step of closing. Late callers can no longer change anything, the directory is unlocked, and the memory
    /// is freed (regions and this struct refer to each other).
    pub(in crate::db) fn let_go(&self) {
        if let Schema::Written(manifest) = &self.manifest {
            manifest.close();
        }
        for table in self.tables.all() {
            // Observers may own tables, which own them.
            table.set_observer(None, None);
            table.close();
        }
        self.observers.lock().clear();
        *self.schema_observer.write() = None;
        self.tables.clear();
        if !self.is_read_only {
            // Scanners of the program may still have files. The next owner of the directory must not meet them.
            self.system.files.forget_below(&self.root);
        }
        if let Schema::Written(manifest) = &self.manifest {
            manifest.unlock();
        }
    }

    /// Refuses changes of a directory that this process no longer owns.
    pub(in crate::db) fn check_place(&self) -> Result<()> {
        match &self.manifest {
            Schema::Written(manifest) => manifest.check_place(),
            Schema::Read(_) => Ok(()),
        }
    }

    /// Keeps replaced files from being removed while the result exists.
    pub(in crate::db) fn pin_files(&self) -> PinnedFiles<'_> {
        self.pinned.lock().0 += 1;
        PinnedFiles(self)
    }

    pub(in crate::db) fn is_memory_only(&self) -> bool {
        self.root.as_os_str() == MEMORY_ROOT
    }

    pub(in crate::db) fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Refuses writes and changes if the database is read-only or closed.
    pub(in crate::db) fn check_not_read_only(&self) -> Result<()> {
        self.check_open()?;
        if self.is_read_only() {
            return Err(self.read_only_error());
        }
        Ok(())
    }

    /// Refuses changes other than writes if the database is read-only or closed, or no longer where it was. Unlike writes,
    /// they do not wait for memory: they may be what frees it.
    pub(in crate::db) fn check_changeable(&self) -> Result<()> {
        self.check_not_read_only()?;
        self.check_place()
    }

    /// Begins a schema change. There is one at a time, and none once the database is closed.
    pub(in crate::db) fn begin_schema_change(&self) -> Result<MutexGuard<'_, ()>> {
        let guard = self.ddl.lock();
        self.check_open()?;
        Ok(guard)
    }

    /// Removes the folder of a store, and those of its region and table if the region is removed and they are empty.
    pub(in crate::db) fn remove_folder_of_gone(&self, folder: &str) {
        let Some((region, _)) = folder.rsplit_once('/') else { return };
        let name = region.rsplit('/').next().unwrap_or(region);
        let state = self.state();
        // All regions of a table share one folder for MOB files.
        let is_in_use = if folder.starts_with("mobdir/") {
            state.tables.keys().any(|table| mob_region(table).encoded_name == name)
        } else {
            state.region(name).is_some()
        };
        if !is_in_use {
            let table = region.rsplit_once('/').map_or(region, |(table, _)| table);
            for folder in [folder, region, table] {
                let _ = self.system.files.remove_dir(&self.root.join(folder));
            }
        }
    }
}
