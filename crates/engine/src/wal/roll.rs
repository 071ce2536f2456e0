//! Beginning a log: at open and when the present one is full.

use super::header::{Header, HEADER_BYTES};
use super::log::{ActiveLog, Shared, State, WalStatistics};
use super::names::{list_logs, list_old_logs, log_path, old_directory};
use super::options::WalOptions;
use super::replay::{LogEnd, ReplayReport};
use super::retention::{ClosedLog, Retention};
use crate::sys::{System, WritableFile};
use parking_lot::{Condvar, Mutex, MutexGuard};
use rowstone_model::{Error, Result};
use std::io;
use std::path::{Path, PathBuf};

/// The file of the present log, and how far it was written.
pub(super) struct LogFile {
    pub path: PathBuf,
    file: Box<dyn WritableFile>,
    length: u64,
    reserved: u64,
}

impl LogFile {
    /// Appends `bytes`, reserving space in steps.
    pub fn append(&mut self, bytes: &[u8], reserve_bytes: u64) -> io::Result<()> {
        let end = self.length + bytes.len() as u64;
        if reserve_bytes > 0 && end > self.reserved {
            let step = (end - self.reserved).next_multiple_of(reserve_bytes);
            // A reservation only saves time. Where it fails, the write tells whether there is room.
            let _ = self.file.reserve(self.reserved + step - self.length);
            self.reserved += step;
        }
        self.file.append(bytes)?;
        self.length = end;
        Ok(())
    }

    /// Gives back what was reserved and not used. Where that fails, it comes back when the log is deleted.
    fn trim(&self, system: &System) {
        if self.reserved > self.length {
            let _ = system.files.open_to_append(&self.path, self.length);
        }
    }
}

/// Makes the log of `header`: file and name are on the disk when it returns.
fn create(system: &System, directory: &Path, header: &Header) -> Result<(LogFile, Box<dyn WritableFile>, u32)> {
    let path = log_path(directory, header.number);
    let (bytes, seed) = header.encode();
    let make = || {
        let mut file = system.files.create(&path)?;
        file.append(&bytes)?;
        file.sync()?;
        system.files.sync_dir(directory)?;
        let syncer = file.syncer()?;
        Ok((file, syncer))
    };
    let (file, syncer) = make().map_err(|error: io::Error| Error::io("create log", path.display(), &error))?;
    let length = HEADER_BYTES as u64;
    Ok((LogFile { path, file, length, reserved: length }, syncer, seed))
}

/// Everything of an open log but its thread.
pub(super) fn open(system: &System, directory: &Path, options: WalOptions, recovered: &ReplayReport) -> Result<Shared> {
    make_directories(system, directory)?;
    let number = next_number(system, directory, recovered)?;
    settle_last_log(system, recovered)?;
    let header = Header {
        number,
        salt: system.entropy.next_u64(),
        predecessor: recovered.logs.last().map(|log| log.end.clone()),
        created_ms: system.clock.now_ms(),
    };
    let (file, syncer, seed) = create(system, directory, &header)?;
    let mut retention = Retention::new(recovered);
    retention.put_away(system, directory, options.old_log_ttl_ms);
    retention.take_failure()?;
    let log = ActiveLog { number, seed, start: 0, last_checksum: seed, regions: Default::default() };
    let state = State {
        buffer: Vec::new(),
        spare: Vec::new(),
        file: Some(file),
        syncer: Some(syncer),
        log,
        appended: 0,
        written: 0,
        synced: 0,
        mark: None,
        failure: None,
        is_closed: false,
        stops: false,
        is_idle: false,
        has_async: false,
        statistics: WalStatistics::default(),
    };
    Ok(Shared {
        system: system.clone(),
        directory: directory.to_path_buf(),
        options,
        state: Mutex::new(state),
        done: Condvar::new(),
        work: Condvar::new(),
        retention: Mutex::new(retention),
    })
}

fn make_directories(system: &System, directory: &Path) -> Result<()> {
    for folder in [directory, &old_directory(directory)] {
        let parent = folder.parent().unwrap_or(folder);
        let make = || system.files.create_dir_all(folder).and_then(|()| system.files.sync_dir(parent));
        make().map_err(|error| Error::io("make folder", folder.display(), &error))?;
    }
    Ok(())
}

/// The number of the log to be made. A log that a crash left without a header is made anew under its number.
fn next_number(system: &System, directory: &Path, recovered: &ReplayReport) -> Result<u64> {
    let last = recovered.last_log_number();
    for (number, path) in list_logs(&*system.files, directory)? {
        let length = system.files.open(&path).and_then(|file| file.len());
        let length = length.map_err(|error| Error::io("open log", path.display(), &error))?;
        if number > last && length > HEADER_BYTES as u64 {
            return Err(Error::internal(format!("log {} was not replayed", path.display())));
        }
    }
    let old = list_old_logs(&*system.files, directory)?.last().map_or(0, |old| old.0);
    Ok(last.max(old) + 1)
}

/// Cuts the last log to its valid length and syncs it: its successor's header will say that it is so.
fn settle_last_log(system: &System, recovered: &ReplayReport) -> Result<()> {
    let Some(log) = recovered.logs.last() else { return Ok(()) };
    let settle = || system.files.open_to_append(&log.path, log.end.length)?.sync();
    settle().map_err(|error| Error::io("cut log", log.path.display(), &error))
}

impl Shared {
    /// Writes and syncs the present log to its end and begins the next. Records that come meanwhile are for the next.
    pub fn roll(&self, state: &mut MutexGuard<'_, State>) -> Result<()> {
        let number = state.log.number;
        let Some((syncer, mut file)) = self.take_tokens(state, number)? else { return Ok(()) };
        let spare = std::mem::take(&mut state.spare);
        let bytes = std::mem::replace(&mut state.buffer, spare);
        let position = state.appended;
        let end = LogEnd { number, length: state.log.offset(position), checksum: state.log.last_checksum };
        let header = Header {
            number: number + 1,
            salt: self.system.entropy.next_u64(),
            predecessor: Some(end.clone()),
            created_ms: self.system.clock.now_ms(),
        };
        let seed = header.encode().1;
        let next =
            ActiveLog { number: number + 1, seed, start: position, last_checksum: seed, regions: Default::default() };
        let old = std::mem::replace(&mut state.log, next);
        state.mark = None;
        let result = MutexGuard::unlocked(state, || {
            drop(syncer);
            self.complete(&mut file, &bytes)?;
            let log = ClosedLog { end, path: file.path.clone(), regions: old.regions.into_iter().collect() };
            let made = create(&self.system, &self.directory, &header)?;
            self.retention.lock().push(log);
            Ok(made)
        });
        let result = result.map(|(file, syncer, _)| {
            (state.file, state.syncer) = (Some(file), Some(syncer));
            (state.written, state.synced) = (position, position);
            state.statistics.syncs += 1;
        });
        if let Err(error) = &result {
            let error: &Error = error;
            state.failure = Some(error.clone());
        }
        self.done.notify_all();
        result?;
        MutexGuard::unlocked(state, || {
            let mut retention = self.retention.lock();
            retention.put_away(&self.system, &self.directory, self.options.old_log_ttl_ms);
        });
        Ok(())
    }

    /// Both tokens, or `None` where somebody else rolled meanwhile.
    fn take_tokens(
        &self,
        state: &mut MutexGuard<'_, State>,
        number: u64,
    ) -> Result<Option<(Box<dyn WritableFile>, LogFile)>> {
        loop {
            self.check(state)?;
            if state.log.number != number {
                return Ok(None);
            }
            match (state.syncer.take(), state.file.take()) {
                (Some(syncer), Some(file)) => return Ok(Some((syncer, file))),
                // Nobody keeps one while waiting for the other.
                (syncer, file) => (state.syncer, state.file) = (syncer, file),
            }
            self.done.wait(state);
        }
    }

    fn complete(&self, file: &mut LogFile, bytes: &[u8]) -> Result<()> {
        let result = file.append(bytes, 0).and_then(|()| file.file.sync());
        result.map_err(|error| Error::io("complete log", file.path.display(), &error))?;
        file.trim(&self.system);
        Ok(())
    }

    /// The last act of a clean exit: a mark that all of the log was synced, and the unused space given back.
    pub fn finish(&self, state: &mut MutexGuard<'_, State>) -> Result<()> {
        let mut file = loop {
            self.check(state)?;
            match state.file.take() {
                Some(file) if state.syncer.is_some() => break file,
                file => state.file = file,
            }
            // A roll is on its way, or a writer is about to return the file.
            self.done.wait(state);
        };
        let end = state.log.offset(state.appended);
        state.push_mark(end);
        let written = file.append(&state.buffer, 0);
        written.map_err(|error| Error::io("close log", file.path.display(), &error))?;
        file.trim(&self.system);
        Ok(())
    }
}
