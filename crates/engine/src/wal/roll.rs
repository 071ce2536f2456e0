//! Beginning a log: at open and when the current one is full.

use super::header::{Header, HEADER_BYTES};
use super::log::{ActiveLog, Shared, State, WalStatistics};
use super::names::{list_logs, list_old_logs, log_path, old_directory, temporary_path};
use super::options::WalOptions;
use super::register::LogRegister;
use super::replay::{LogEnd, LogSummary, ReplayReport};
use super::retention::{remove_unused, ClosedLog, Retention};
use super::room::Room;
use crate::frame::{self, FrameReader, Step, HEAD_BYTES};
use crate::sys::lock::{Condvar, Mutex, MutexGuard};
use crate::sys::{System, WritableFile};
use rowstone_model::{Error, ErrorKind, Result};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Approximate size of the pieces in which records are copied.
const COPY_BYTES: usize = 1 << 20;

/// The file of the current log, and its written length.
pub(super) struct LogFile {
    pub path: PathBuf,
    file: Box<dyn WritableFile>,
    length: u64,
}

impl LogFile {
    /// Appends `bytes`.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Frees space that was reserved and not used. If that fails, it is freed when the log is deleted.
    fn trim(&self, room: Option<Room>) {
        if let Some(mut room) = room.filter(|room| room.end > self.length) {
            let _ = room.file.trim();
        }
    }
}

/// A newly created log.
struct NewLog {
    file: LogFile,
    syncer: Box<dyn WritableFile>,
    room: Room,
    seed: u32,
}

/// Writes the log of `header` under a temporary name, beginning with the bytes that `fill` writes, and syncs it.
fn prepare(
    system: &System,
    directory: &Path,
    header: &Header,
    fill: impl FnOnce(&mut LogFile, u32) -> Result<()>,
) -> Result<LogFile> {
    let (temporary, path) = (temporary_path(directory, header.number), log_path(directory, header.number));
    let failed = |error: io::Error| Error::io("create log", path.display(), &error);
    let (bytes, seed) = header.encode();
    let file = system.files.create(&temporary).map_err(failed)?;
    let mut file = LogFile { path: path.clone(), file, length: 0 };
    file.append(&bytes).map_err(failed)?;
    fill(&mut file, seed)?;
    file.file.sync().map_err(failed)?;
    Ok(file)
}

/// Gives a prepared log its name. When it returns, all of it is on the disk; a crash leaves all of it or nothing.
fn name(system: &System, directory: &Path, header: &Header, file: LogFile) -> Result<NewLog> {
    let failed = |error: io::Error| Error::io("create log", log_path(directory, header.number).display(), &error);
    let publish = || {
        system.files.rename(&temporary_path(directory, header.number), &file.path)?;
        system.files.sync_dir(directory)?;
        Ok((file.file.syncer()?, file.file.syncer()?))
    };
    let (syncer, reserver) = publish().map_err(failed)?;
    let room = Room { file: reserver, end: file.length };
    Ok(NewLog { file, syncer, room, seed: header.encode().1 })
}

/// Opens the log without starting its thread.
pub(super) fn open(
    system: &System,
    directory: &Path,
    options: WalOptions,
    recovered: &mut ReplayReport,
    register: Arc<dyn LogRegister>,
) -> Result<Shared> {
    make_directories(system, directory)?;
    remove_unused(system, recovered)?;
    let number = next_number(system, directory, recovered)?;
    let last = recovered.logs.last();
    let header = Header {
        number,
        database: options.database,
        salt: system.entropy.next_u64() as u32,
        predecessor: last.map(|log| LogEnd { length: log.synced_bytes, ..log.end.clone() }),
        created_ms: system.clock.now_ms(),
        copied_bytes: last.map_or(Ok(0), |log| unproven_bytes(system, log))?,
    };
    let fill = |file: &mut LogFile, seed| last.map_or(Ok(()), |log| copy_unproven(system, log, file, seed));
    let made = prepare(system, directory, &header, fill).and_then(|file| name(system, directory, &header, file));
    let begun = made.and_then(|new| {
        let commits = register.add(&LogEnd { number, length: new.file.length, checksum: new.seed })?;
        Ok((new, commits))
    });
    let path = log_path(directory, number);
    if begun.is_err() && system.files.exists(&path) {
        recovered.doubtful.push((number, path));
    }
    let (NewLog { file, syncer, room, seed }, commits) = begun?;
    let base = file.length;
    let copied_from = last.filter(|_| base > HEADER_BYTES as u64);
    // The copied records belong to regions of the last log. Counting additional regions is harmless.
    let regions = copied_from.map_or(Default::default(), |log| log.regions.clone().into_iter().collect());
    let mark = copied_from.map(|_| base);
    let log = ActiveLog { number, seed, start: 0, base, full_at: options.roll_bytes, regions };
    let state = State {
        buffer: Vec::new(),
        spare: Vec::new(),
        file: Some(file),
        syncer: Some(syncer),
        room: Some(room),
        log,
        appended: 0,
        written: 0,
        synced: 0,
        mark,
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
        retention: Mutex::new(Retention::new(recovered)),
        register,
        commits: AtomicU64::new(commits),
    })
}

/// The bytes that [`copy_unproven`] will write.
fn unproven_bytes(system: &System, log: &LogSummary) -> Result<u32> {
    let failed = |error: io::Error| Error::io("copy log", log.path.display(), &error);
    let source = system.files.open(&log.path).map_err(failed)?;
    let mut reader = FrameReader::new(&*source, log.end.checksum, log.synced_bytes, log.end.length);
    let mut bytes = 0;
    while let Step::Frame(frame) = reader.next_frame().map_err(failed)? {
        bytes += (HEAD_BYTES + frame.payload.len()) as u64;
    }
    u32::try_from(bytes)
        .map_err(|_| Error::internal(format!("{} has {bytes} bytes that were not synced", log.path.display())))
}

/// Copies the records at the end of `log` that no mark reports as synced into its successor.
///
/// They were read from the kernel's cache. After a failed sync, that cache can have bytes that no later sync would
/// write to the disk. Copied to a new file they are durable, and the log itself is never modified again.
fn copy_unproven(system: &System, log: &LogSummary, file: &mut LogFile, seed: u32) -> Result<()> {
    let failed = |error: io::Error| Error::io("copy log", log.path.display(), &error);
    let source = system.files.open(&log.path).map_err(failed)?;
    let mut reader = FrameReader::new(&*source, log.end.checksum, log.synced_bytes, log.end.length);
    let mut buffer = Vec::new();
    while let Step::Frame(frame) = reader.next_frame().map_err(failed)? {
        let start = buffer.len();
        buffer.resize(start + HEAD_BYTES, 0);
        buffer.extend_from_slice(frame.payload);
        frame::finish(&mut buffer, start, seed, file.length + start as u64);
        if buffer.len() >= COPY_BYTES {
            file.append(&buffer).map_err(failed)?;
            buffer.clear();
        }
    }
    if reader.offset() == log.end.length {
        file.append(&buffer).map_err(failed)
    } else {
        Err(Error::internal(format!("log {} changed after it was replayed", log.path.display())))
    }
}

fn make_directories(system: &System, directory: &Path) -> Result<()> {
    for folder in [directory, &old_directory(directory)] {
        let parent = folder.parent().unwrap_or(folder);
        let make = || system.files.create_dir_all(folder).and_then(|()| system.files.sync_dir(parent));
        make().map_err(|error| Error::io("make folder", folder.display(), &error))?;
    }
    // A killed process may have left its last log's name unsynced, and the next log refers to that one.
    system.files.sync_dir(directory).map_err(|error| Error::io("sync folder", directory.display(), &error))
}

/// The number of the next log.
fn next_number(system: &System, directory: &Path, recovered: &ReplayReport) -> Result<u64> {
    let last = recovered.doubtful.last().map_or(recovered.last_log_number(), |log| log.0);
    if let Some((_, path)) = list_logs(&*system.files, directory)?.into_iter().find(|(number, _)| *number > last) {
        return Err(Error::internal(format!("log {} was not replayed", path.display())));
    }
    let old = list_old_logs(&*system.files, directory)?.last().map_or(0, |old| old.0);
    Ok(last.max(old) + 1)
}

impl Shared {
    /// Writes and syncs the current log to its end and begins the next. Appends wait for that.
    ///
    /// # Errors
    /// `DiskFull` if there is no room for another log; the current one then continues. All others end the log.
    pub fn roll(&self, state: &mut MutexGuard<'_, State>) -> Result<()> {
        // Another owner of the directory may have a log of the next number.
        self.register.check_place()?;
        let number = state.log.number;
        let Some((syncer, mut file)) = self.take_tokens(state, number)? else { return Ok(()) };
        let spare = std::mem::take(&mut state.spare);
        let bytes = std::mem::replace(&mut state.buffer, spare);
        let position = state.appended;
        let end = LogEnd { number, length: state.log.offset(position), checksum: state.log.seed };
        let header = Header {
            number: number + 1,
            database: self.options.database,
            salt: self.system.entropy.next_u64() as u32,
            predecessor: Some(end.clone()),
            created_ms: self.system.clock.now_ms(),
            copied_bytes: 0,
        };
        let seed = header.encode().1;
        let (start, base) = (position, HEADER_BYTES as u64);
        let full_at = self.options.roll_bytes;
        let next = ActiveLog { number: number + 1, seed, start, base, full_at, regions: Default::default() };
        let room = state.room.take();
        // Appends wait while `room` is `None`. So if a full disk refuses another log, nothing has changed. The next log
        // gets its name only when this one is complete, because its header says where this one ends.
        let prepared = MutexGuard::unlocked(state, || prepare(&self.system, &self.directory, &header, |_, _| Ok(())));
        if let Err(error) = prepared.as_ref().map_err(Error::clone) {
            if error.kind() == ErrorKind::DiskFull {
                let _ = self.system.files.remove_file(&temporary_path(&self.directory, header.number));
                state.spare = std::mem::replace(&mut state.buffer, bytes);
                (state.file, state.syncer, state.room) = (Some(file), Some(syncer), room);
                self.done.notify_all();
                return Err(error);
            }
        }
        let old = std::mem::replace(&mut state.log, next);
        state.mark = None;
        let result = MutexGuard::unlocked(state, || {
            drop(syncer);
            self.complete(&mut file, &bytes, room)?;
            let made = name(&self.system, &self.directory, &header, prepared?)?;
            let log = ClosedLog { end, path: file.path.clone(), regions: old.regions.into_iter().collect() };
            let commits = self.register.add(&LogEnd { number: header.number, length: base, checksum: seed })?;
            self.commits.fetch_max(commits, Ordering::Relaxed);
            self.retention.lock().push(log);
            Ok(made)
        });
        let result = result.map(|new| {
            (state.file, state.syncer, state.room) = (Some(new.file), Some(new.syncer), Some(new.room));
            (state.written, state.synced) = (position, position);
            state.statistics.syncs += 1;
            state.statistics.rolls += 1;
        });
        if let Err(error) = &result {
            let error: &Error = error;
            state.failure = Some(error.clone());
        }
        self.done.notify_all();
        result?;
        // Writers use the next log meanwhile.
        MutexGuard::unlocked(state, || file.file.forget(0, file.length));
        Ok(())
    }

    /// Takes both tokens; `None` if another thread rolled meanwhile.
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
                // No thread keeps one token while waiting for the other.
                (syncer, file) => (state.syncer, state.file) = (syncer, file),
            }
            self.done.wait(state);
        }
    }

    fn complete(&self, file: &mut LogFile, bytes: &[u8], room: Option<Room>) -> Result<()> {
        let result = file.append(bytes).and_then(|()| file.file.sync());
        result.map_err(|error| Error::io("complete log", file.path.display(), &error))?;
        file.trim(room);
        Ok(())
    }

    /// Last step of a clean exit: writes a mark that all of the log was synced, and frees the unused space.
    pub fn finish(&self, state: &mut MutexGuard<'_, State>) -> Result<()> {
        let mut file = loop {
            self.check(state)?;
            match state.file.take() {
                Some(file) if state.syncer.is_some() => break file,
                file => state.file = file,
            }
            // Another thread is rolling, or a writer is about to return the file.
            self.done.wait(state);
        };
        let end = state.log.offset(state.appended);
        state.push_mark(end, self.commits.load(Ordering::Relaxed));
        let written = file.append(&state.buffer);
        written.map_err(|error| Error::io("close log", file.path.display(), &error))?;
        file.trim(state.room.take());
        Ok(())
    }
}
