//! Appending and group commit.
//!
//! One lock guards a buffer of encoded records. Two tokens pass between the threads that need them: the file (its
//! holder writes) and the syncer, a second handle (its holder syncs). A thread that wants its record written takes
//! the file and the whole buffer, and writes without the lock. Others append to the next buffer meanwhile. They
//! then find their records written, or become the next leader. Syncs work the same way, so the next group forms
//! while the current one syncs. A thread that needs both tokens takes the syncer first.
//!
//! Positions count bytes of frames since the log was opened, over all its files: `synced <= written <= appended`.

use super::background;
use super::options::WalOptions;
use super::record::{Entry, RegionKey};
use super::register::LogRegister;
use super::retention::Retention;
use super::roll::{self, LogFile};
use super::room::Room;
use crate::sys::lock::{Condvar, Mutex};
use crate::sys::raw::thread::JoinHandle;
use crate::sys::{System, WritableFile};
use rowstone_model::operations::Durability;
use rowstone_model::{Error, Result};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// The log of a database: see the module's head.
pub struct Wal {
    pub(super) shared: Arc<Shared>,
    pub(super) thread: Mutex<Option<JoinHandle<()>>>,
}

/// A record's position in the log: [`Wal::commit`] waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket {
    pub(super) end: u64,
}

/// Statistics of the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WalStatistics {
    /// The log being written.
    pub log_number: u64,
    /// Number of logs in use, including that one.
    pub log_count: u64,
    /// Bytes in all logs in use.
    pub log_bytes: u64,
    /// Records appended since the log was opened.
    pub appends: u64,
    /// Groups handed to the kernel.
    pub writes: u64,
    /// Number of syncs.
    pub syncs: u64,
    /// Total time of the syncs, in nanoseconds.
    pub sync_ns: u64,
    /// Bytes appended since the log was opened.
    pub appended_bytes: u64,
    /// Number of rolls to another log.
    pub rolls: u64,
}

pub(super) struct Shared {
    pub system: System,
    pub directory: PathBuf,
    pub options: WalOptions,
    pub state: Mutex<State>,
    /// A write, a sync or a roll ended.
    pub done: Condvar,
    /// There is work for the background thread.
    pub work: Condvar,
    /// Locked after `state` if both are needed.
    pub retention: Mutex<Retention>,
    pub register: Arc<dyn LogRegister>,
    /// The manifest's number of commits, for marks.
    pub commits: AtomicU64,
}

pub(super) struct State {
    /// Records that no writer has taken yet. All belong to the log `log`.
    pub buffer: Vec<u8>,
    pub spare: Vec<u8>,
    /// `None` while a thread writes.
    pub file: Option<LogFile>,
    /// `None` while a thread syncs.
    pub syncer: Option<Box<dyn WritableFile>>,
    /// `None` while the log rolls.
    pub room: Option<Room>,
    pub log: ActiveLog,
    pub appended: u64,
    pub written: u64,
    pub synced: u64,
    /// Offset up to which the log was synced. A mark before the next record will report it.
    pub mark: Option<u64>,
    pub failure: Option<Error>,
    pub is_closed: bool,
    pub stops: bool,
    /// Whether the background thread sleeps until it is notified.
    pub is_idle: bool,
    /// Whether there are records without a waiting writer.
    pub has_async: bool,
    pub statistics: WalStatistics,
}

/// The log that new records go to.
pub(super) struct ActiveLog {
    pub number: u64,
    pub seed: u32,
    /// The position of the first byte appended to it, and that byte's offset in the file.
    pub start: u64,
    pub base: u64,
    /// The offset from which an append begins the next log.
    pub full_at: u64,
    pub regions: RegionMap,
}

impl ActiveLog {
    /// The file offset of a position.
    pub fn offset(&self, position: u64) -> u64 {
        self.base + (position - self.start)
    }
}

/// Regions by their keys, which are hashes already.
pub(super) type RegionMap = HashMap<RegionKey, u64, BuildHasherDefault<KeyHasher>>;

#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks_exact(8) {
            let word = chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
            self.0 = self.0.rotate_left(23) ^ word;
        }
    }

    fn write_usize(&mut self, _length: usize) {}
}

impl Wal {
    /// Adds a record to the log. When it returns, the record's position is fixed; [`Wal::commit`] waits until it is
    /// durable.
    ///
    /// `assign` is called once for each part, in order, inside the log's lock, and returns the part's sequence id.
    /// After its first call the append cannot fail. It must not call the log.
    ///
    /// # Errors
    /// All occur before anything is assigned: `LogPoisoned` after an earlier failure; `DatabaseClosed`;
    /// `CellTooLarge` above the limit of a frame (1 GiB); `DiskFull` if no space could be reserved (the log stays
    /// usable); the errors of a roll.
    pub fn append(
        &self,
        durability: Durability,
        entry: &Entry<'_>,
        assign: &mut dyn FnMut(usize) -> u64,
    ) -> Result<Ticket> {
        let mut state = self.shared.state.lock();
        self.shared.append(&mut state, durability, entry, assign)
    }

    /// Returns when the record of `ticket` is as safe as `durability` requires: handed to the kernel for `SyncWal`
    /// (and `UseDefault`), on the disk for `FsyncWal`; at once for the others.
    ///
    /// # Errors
    /// The write or sync that failed in this call, by its own kind (`DiskFull`, `Io`); `LogPoisoned` after a
    /// failure elsewhere. In both cases the record may or may not exist after reopening, but never half of it.
    pub fn commit(&self, ticket: &Ticket, durability: Durability) -> Result<()> {
        self.shared.commit(&mut self.shared.state.lock(), ticket.end, durability)
    }

    /// [`Wal::append`] and [`Wal::commit`] in one, a little cheaper.
    pub fn append_and_commit(
        &self,
        durability: Durability,
        entry: &Entry<'_>,
        assign: &mut dyn FnMut(usize) -> u64,
    ) -> Result<Ticket> {
        let mut state = self.shared.state.lock();
        let ticket = self.shared.append(&mut state, durability, entry, assign)?;
        self.shared.commit(&mut state, ticket.end, durability)?;
        Ok(ticket)
    }

    /// Returns when everything appended so far is on the disk.
    pub fn sync(&self) -> Result<()> {
        let mut state = self.shared.state.lock();
        let end = state.appended;
        self.shared.sync_until(&mut state, end)
    }

    /// Closes the current log, begins a new one, and returns its number.
    pub fn roll(&self) -> Result<u64> {
        let mut state = self.shared.state.lock();
        self.shared.check_open(&state)?;
        self.shared.roll(&mut state)?;
        Ok(state.log.number)
    }

    /// Notes that all of `region` up to and including `sequence_id` is in files that the manifest names. For a
    /// removed region, pass `u64::MAX`. Logs that are no longer needed leave the register, oldest first, and are
    /// archived.
    ///
    /// # Errors
    /// The register's errors. The logs then stay until the next call; writes still work.
    pub fn flushed(&self, region: RegionKey, sequence_id: u64) -> Result<()> {
        self.all_flushed([(region, sequence_id)])
    }

    /// [`Wal::flushed`] for many regions at once.
    pub fn all_flushed(&self, regions: impl IntoIterator<Item = (RegionKey, u64)>) -> Result<()> {
        let mut retention = self.shared.retention.lock();
        regions.into_iter().for_each(|(region, sequence_id)| retention.flushed(region, sequence_id));
        self.shared.forget_unneeded(&mut retention)?;
        // A file that cannot be moved now is moved by the next `tidy`, which returns the error.
        let _ = retention.tidy(&self.shared.system, &self.shared.directory, &self.shared.options);
        Ok(())
    }

    /// Archives logs that are no longer needed, and deletes archived ones that are too old or too many. Call it
    /// from time to time.
    ///
    /// # Errors
    /// The steps that failed; the next call tries them again.
    pub fn tidy(&self) -> Result<()> {
        let mut retention = self.shared.retention.lock();
        self.shared.forget_unneeded(&mut retention)?;
        retention.tidy(&self.shared.system, &self.shared.directory, &self.shared.options)
    }

    /// Deletes all logs that are no longer needed, to free space on a full disk. Returns whether there were any.
    ///
    /// # Errors
    /// `Io`.
    pub fn free_old_logs(&self) -> Result<bool> {
        self.shared.retention.lock().free(&self.shared.system, &self.shared.directory)
    }

    /// Sets the number of the manifest's commits that later marks report.
    pub fn expect_commits(&self, commits: u64) {
        self.shared.commits.fetch_max(commits, Ordering::Relaxed);
    }

    /// Writes the manifest's number of commits into the log, so that an older copy of the manifest is recognized.
    pub fn note_commit(&self, commits: u64) {
        self.expect_commits(commits);
        let mut state = self.shared.state.lock();
        if self.shared.check_open(&state).is_err() {
            return;
        }
        let synced = state.log.offset(state.synced.max(state.log.start));
        if state.room.is_none() || self.shared.make_room(&mut state, 0).is_err() {
            // The next record writes the mark.
            state.mark.get_or_insert(synced);
            return;
        }
        state.push_mark(synced, commits);
        let end = state.appended;
        // A failure ends the log, and the next writer gets the error.
        let _ = self.shared.write_until(&mut state, end);
    }

    /// The regions whose flush would release the oldest closed log.
    pub fn regions_in_oldest_log(&self) -> Vec<RegionKey> {
        self.shared.retention.lock().regions_in_oldest()
    }

    /// Runs `work` while no log is archived or deleted. Flushes wait for it, so it must be short.
    pub fn while_logs_stay<T>(&self, work: impl FnOnce() -> T) -> T {
        let _retention = self.shared.retention.lock();
        work()
    }

    /// Offset up to which the current log is certainly synced; `None` after a failure.
    pub fn synced_end(&self) -> Option<super::LogEnd> {
        let state = self.shared.state.lock();
        let length = state.log.offset(state.synced.max(state.log.start));
        let end = super::LogEnd { number: state.log.number, length, checksum: state.log.seed };
        state.failure.is_none().then_some(end)
    }

    /// The failure because of which the log refuses writes, if any.
    pub fn failure(&self) -> Option<Error> {
        self.shared.state.lock().failure.clone()
    }

    /// Statistics of the log.
    pub fn statistics(&self) -> WalStatistics {
        let (closed_count, closed_bytes) = self.shared.retention.lock().size();
        let state = self.shared.state.lock();
        WalStatistics {
            log_number: state.log.number,
            log_count: closed_count + 1,
            log_bytes: closed_bytes + state.log.offset(state.appended),
            appended_bytes: state.appended,
            ..state.statistics
        }
    }

    /// Writes and syncs everything, and closes the log. A second call does nothing.
    ///
    /// # Errors
    /// As [`Wal::sync`]; the log is closed then too.
    pub fn close(&self) -> Result<()> {
        self.shared.state.lock().stops = true;
        self.shared.work.notify_all();
        if let Some(thread) = self.thread.lock().take() {
            // Nothing is left to wait for in a panicked thread.
            let _ = thread.join();
        }
        self.shared.retention.lock().close();
        let mut state = self.shared.state.lock();
        if state.is_closed {
            return Ok(());
        }
        let end = state.appended;
        let result = self.shared.sync_until(&mut state, end).and_then(|()| self.shared.finish(&mut state));
        state.is_closed = true;
        // A handle that stays open keeps the file system from being unmounted, however long this object lives.
        (state.file, state.syncer, state.room) = (None, None, None);
        result
    }
}

impl Shared {
    /// Removes logs that are no longer needed from the register.
    fn forget_unneeded(&self, retention: &mut Retention) -> Result<()> {
        let commits = retention.forget_unneeded(&*self.register)?;
        self.commits.fetch_max(commits.unwrap_or(0), Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for Wal {
    /// Lets the thread end. Syncing is left to [`Wal::close`]; no file is touched here.
    fn drop(&mut self) {
        // In a forked child, a thread that does not exist there may hold the lock forever.
        if let Some(mut state) = self.shared.state.try_lock_for(Duration::from_secs(1)) {
            state.stops = true;
        }
        self.shared.work.notify_all();
    }
}

/// Starts the background thread, if there should be one.
pub(super) fn start(shared: Shared) -> Result<Arc<Wal>> {
    let shared = Arc::new(shared);
    let thread = if shared.options.has_background { Some(background::spawn(&shared)?) } else { None };
    Ok(Arc::new(Wal { shared, thread: Mutex::new(thread) }))
}

impl Wal {
    /// Starts a new log after those of `recovered`, which [`super::replay`] returned (the default for a directory
    /// without logs).
    ///
    /// `directory` is the folder `WALs`. It is created if missing, and so is `oldWALs` next to it. The log is in
    /// `register` when this returns.
    ///
    /// # Errors
    /// `Internal` if the directory has logs that were not replayed; `Io`, `DiskFull`, and the register's errors. It
    /// may be called again with the same report.
    pub fn open(
        system: &System,
        directory: &std::path::Path,
        options: WalOptions,
        recovered: &mut super::ReplayReport,
        register: Arc<dyn LogRegister>,
    ) -> Result<Arc<Wal>> {
        start(roll::open(system, directory, options, recovered, register)?)
    }
}
