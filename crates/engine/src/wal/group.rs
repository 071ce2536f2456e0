//! Group commit: which thread writes, syncs or waits. The head of [`super::log`] explains the scheme.

use super::log::{Shared, State, Ticket};
use super::record::Entry;
use super::roll::LogFile;
use crate::frame;
use crate::sys::lock::MutexGuard;
use crate::sys::WritableFile;
use rowstone_model::operations::Durability;
use rowstone_model::{Error, ErrorKind, Result};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Buffers larger than this are not reused for the next group.
const KEPT_BUFFER_BYTES: usize = 4 << 20;
/// From this size on, a writer that does not wait for the log writes the buffer out itself.
const FULL_BUFFER_BYTES: usize = 1 << 20;
/// Unit in which synced bytes of a log are dropped from the page cache.
const FORGOTTEN_BYTES: u64 = 2 << 20;

/// Attempts to begin another log, on a full disk, while the current one grows by the size of a log.
const RETRIES_PER_LOG: u64 = 8;

impl Shared {
    pub fn check(&self, state: &State) -> Result<()> {
        if let Some(failure) = &state.failure {
            let message = format!("the log takes no more writes, reopen the database; it failed first with: {failure}");
            return Err(Error::new(ErrorKind::LogPoisoned, message));
        }
        if state.is_closed {
            return Err(Error::new(ErrorKind::DatabaseClosed, "the log is closed"));
        }
        Ok(())
    }

    /// Like [`Shared::check`], for operations that must not begin while the log is being closed.
    pub fn check_open(&self, state: &State) -> Result<()> {
        if state.stops && state.failure.is_none() {
            return Err(Error::new(ErrorKind::DatabaseClosed, "the log is closed"));
        }
        self.check(state)
    }

    #[inline]
    pub fn append(
        &self,
        state: &mut MutexGuard<'_, State>,
        durability: Durability,
        entry: &Entry<'_>,
        assign: &mut dyn FnMut(usize) -> u64,
    ) -> Result<Ticket> {
        let frame_bytes = entry.frame_bytes()?;
        self.check_open(state)?;
        let offset = state.log.offset(state.appended);
        if offset >= state.log.full_at {
            match self.roll(state) {
                // Without room for another log this one continues to grow. Each attempt costs a file.
                Err(error) if error.kind() == ErrorKind::DiskFull && state.failure.is_none() => {
                    state.log.full_at = offset + self.options.roll_bytes / RETRIES_PER_LOG;
                }
                outcome => outcome?,
            }
        }
        // While another thread rolls the log there is nothing to reserve space in. A record that has none could end
        // the log on a full disk.
        while state.room.is_none() {
            self.done.wait(state);
            self.check_open(state)?;
        }
        self.make_room(state, frame_bytes)?;
        state.encode(frame_bytes, entry, assign, self.commits.load(Ordering::Relaxed));
        let end = state.appended;
        if durability == Durability::AsyncWal {
            if state.buffer.len() >= FULL_BUFFER_BYTES {
                self.write_until(state, end)?;
            } else if !state.has_async {
                state.has_async = true;
                self.work.notify_one();
            }
        }
        Ok(Ticket { end })
    }

    #[inline]
    pub fn commit(&self, state: &mut MutexGuard<'_, State>, end: u64, durability: Durability) -> Result<()> {
        match durability {
            Durability::SyncWal | Durability::UseDefault => self.write_until(state, end),
            Durability::FsyncWal => self.sync_until(state, end),
            Durability::AsyncWal | Durability::SkipWal => Ok(()),
        }
    }

    /// Returns when everything up to `position` was handed to the kernel.
    pub fn write_until(&self, state: &mut MutexGuard<'_, State>, position: u64) -> Result<()> {
        while state.written < position {
            self.check(state)?;
            match state.file.take() {
                Some(file) => self.lead_write(state, file)?,
                None => self.done.wait(state),
            }
        }
        Ok(())
    }

    fn lead_write(&self, state: &mut MutexGuard<'_, State>, mut file: LogFile) -> Result<()> {
        let spare = std::mem::take(&mut state.spare);
        let mut bytes = std::mem::replace(&mut state.buffer, spare);
        let end = state.appended;
        let result = MutexGuard::unlocked(state, || {
            let result = file.append(&bytes);
            bytes.clear();
            result
        });
        if bytes.capacity() <= KEPT_BUFFER_BYTES {
            state.spare = bytes;
        }
        let result = result.map_err(|error| Error::io("write log", file.path.display(), &error));
        state.file = Some(file);
        state.statistics.writes += 1;
        match result {
            Ok(()) => state.written = end,
            Err(_) => state.failure = result.clone().err(),
        }
        self.done.notify_all();
        if state.is_idle {
            self.work.notify_one();
        }
        result
    }

    /// Returns when everything up to `position` is on the disk.
    pub fn sync_until(&self, state: &mut MutexGuard<'_, State>, position: u64) -> Result<()> {
        while state.synced < position {
            self.check(state)?;
            match state.syncer.take() {
                Some(syncer) => self.lead_sync(state, syncer)?,
                None => self.done.wait(state),
            }
        }
        Ok(())
    }

    /// Writes the current buffer and syncs it. The group consists of all records appended until then.
    fn lead_sync(&self, state: &mut MutexGuard<'_, State>, mut syncer: Box<dyn WritableFile>) -> Result<()> {
        let end = state.appended;
        let mut result = self.write_until(state, end);
        if result.is_ok() {
            let target = state.written;
            let began = Instant::now();
            let range = forgettable(state.log.offset(state.synced.max(state.log.start)), state.log.offset(target));
            let path = self.log_path(state.log.number);
            let (synced, taken) = MutexGuard::unlocked(state, || {
                let (synced, taken) = (syncer.sync(), began.elapsed());
                if let (Ok(()), Some((start, end))) = (&synced, range) {
                    syncer.forget(start, end);
                }
                let synced = synced.map_err(|error| Error::io("sync log", path.display(), &error));
                (synced.and_then(|()| self.register.check_place()), taken)
            });
            state.statistics.syncs += 1;
            state.statistics.sync_ns += u64::try_from(taken.as_nanos()).unwrap_or(u64::MAX);
            result = synced;
            match &result {
                Ok(()) => {
                    state.synced = target;
                    state.mark = Some(state.log.offset(target));
                }
                Err(error) => state.failure = Some(error.clone()),
            }
        }
        state.syncer = Some(syncer);
        self.done.notify_all();
        result
    }

    pub fn log_path(&self, number: u64) -> PathBuf {
        super::names::log_path(&self.directory, number)
    }
}

impl State {
    #[inline]
    fn encode(&mut self, frame_bytes: usize, entry: &Entry<'_>, assign: &mut dyn FnMut(usize) -> u64, commits: u64) {
        self.buffer.reserve(frame_bytes + frame::MARK_BYTES);
        if let Some(synced) = self.mark.take() {
            self.push_mark(synced, commits);
        }
        let start = self.buffer.len();
        let (seed, offset, regions) = (self.log.seed, self.log.offset(self.appended), &mut self.log.regions);
        entry.write(&mut self.buffer, seed, offset, |index, region| {
            let sequence_id = assign(index);
            let highest = regions.entry(*region).or_default();
            *highest = sequence_id.max(*highest);
            sequence_id
        });
        self.appended += (self.buffer.len() - start) as u64;
        self.statistics.appends += 1;
    }

    pub fn push_mark(&mut self, synced: u64, commits: u64) {
        let mark = frame::mark(self.log.seed, self.log.offset(self.appended), synced, commits);
        self.buffer.extend_from_slice(&mark);
        self.appended += frame::MARK_BYTES as u64;
    }
}

/// Range of a log to drop from the page cache after the synced offset moved from `before` to `after`. Only whole
/// units: the end must stay, because more will be appended to it.
fn forgettable(before: u64, after: u64) -> Option<(u64, u64)> {
    let whole = |offset: u64| offset / FORGOTTEN_BYTES * FORGOTTEN_BYTES;
    // The kernel keeps pages that extend beyond our range: the next call includes those too.
    (whole(after) > whole(before)).then(|| (whole(before).saturating_sub(FORGOTTEN_BYTES), whole(after)))
}
