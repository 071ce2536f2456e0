//! Reading the logs back: after a crash, after a clean exit, or next to a writer. Nothing is changed.
//! `db/logs.rs` applies the records to regions.
//!
//! The [register](super::LogRegister) lists the logs that must exist. All but the last must be complete: they end
//! where their successor's header says, with the checksum it says. In the last log everything from the first
//! invalid frame on is a torn tail. It is damage if a mark proves that it had been synced, or if the register
//! recorded a later end.

use super::header::{Header, HEADER_BYTES};
use super::names::{list_logs, list_old_logs, log_path};
use super::record::{Record, RegionKey};
use super::register::Needed;
use crate::frame::{FrameReader, Invalid, Step};
use crate::sys::{FileSystem, ReadableFile};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// End and identity of a log, as its successor's header records them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogEnd {
    /// Its number.
    pub number: u64,
    /// The end of its last valid frame.
    pub length: u64,
    /// The checksum of its header, which identifies the log.
    pub checksum: u32,
}

/// Contents of a log.
#[derive(Debug, Clone)]
pub struct LogSummary {
    /// Its end and identity.
    pub end: LogEnd,
    /// The offset up to which it is known to be synced.
    pub synced_bytes: u64,
    /// The file.
    pub path: PathBuf,
    /// Records in it.
    pub records: u64,
    /// The highest number of manifest commits in its marks.
    pub commits: u64,
    /// The largest sequence id of each region in it.
    pub regions: BTreeMap<RegionKey, u64>,
}

/// Result of a replay.
#[derive(Debug, Clone, Default)]
pub struct ReplayReport {
    /// The logs, oldest first.
    pub logs: Vec<LogSummary>,
    /// Records in all of them.
    pub records: u64,
    /// Bytes after the last valid frame of the last log.
    pub torn_tail_bytes: u64,
    /// The highest number of manifest commits in the logs.
    pub commits: u64,
    /// Logs in the folder that are not needed: removed from the register and not yet archived, or begun and never
    /// used.
    pub leftovers: Vec<(u64, PathBuf)>,
    /// Logs that were begun since. It is unknown whether the register has them.
    pub doubtful: Vec<(u64, PathBuf)>,
}

impl ReplayReport {
    /// The number of the last log; 0 if there is none.
    pub fn last_log_number(&self) -> u64 {
        self.logs.last().map_or(0, |log| log.end.number)
    }
}

pub(super) struct OpenLog {
    number: u64,
    path: PathBuf,
    pub(super) file: Arc<dyn ReadableFile>,
    pub(super) length: u64,
    header: Header,
    seed: u32,
}

/// Passes every record of the needed logs to `visitor`, in the order in which they were written.
///
/// Next to a writer it also reads newer logs, and finds those that were archived meanwhile.
///
/// # Errors
/// `Corruption` for damage, for a missing or exchanged log, and for one with records that the register does not
/// know. With `may_try_again` a missing log is `Io`: the writer may have deleted it, and a newer manifest no longer
/// names it. An error of `visitor` ends the replay.
pub fn replay(
    files: &dyn FileSystem,
    directory: &Path,
    needed: &Needed<'_>,
    visitor: &mut dyn FnMut(Record<'_>) -> Result<()>,
) -> Result<ReplayReport> {
    let (logs, leftovers) = choose(files, directory, needed)?;
    let mut report = ReplayReport { leftovers, ..ReplayReport::default() };
    for (index, log) in logs.iter().enumerate() {
        let closed = match logs.get(index + 1) {
            Some(next) => Some(closed_end(log, next)?),
            None => None,
        };
        let summary = read_log(log, closed, visitor)?;
        report.records += summary.records;
        report.commits = report.commits.max(summary.commits);
        if closed.is_none() {
            check_noted_end(log, &summary.end, needed)?;
            report.torn_tail_bytes = log.length - summary.end.length;
        }
        report.logs.push(summary);
    }
    Ok(report)
}

/// Checks that the last log extends at least to the offset up to which it is known to be synced.
fn check_noted_end(log: &OpenLog, end: &LogEnd, needed: &Needed<'_>) -> Result<()> {
    match needed.logs.last().filter(|noted| noted.number == end.number && noted.length > end.length) {
        None => Ok(()),
        Some(noted) => {
            let expected = format!("records up to {}, as the manifest says", noted.length);
            Err(Error::corruption(log.path.display(), end.length, expected, "the end"))
        }
    }
}

/// Number and path of several logs.
type Numbered = Vec<(u64, PathBuf)>;

/// Selects the logs to read, oldest first, and those that are not needed.
fn choose(files: &dyn FileSystem, directory: &Path, needed: &Needed<'_>) -> Result<(Vec<OpenLog>, Numbered)> {
    let mut present: BTreeMap<u64, PathBuf> = list_logs(files, directory)?.into_iter().collect();
    if needed.beside_writer {
        // Listed second: a log that is being moved from one folder to the other is in at least one of the lists.
        present.extend(list_old_logs(files, directory)?.into_iter().map(|(number, _, path)| (number, path)));
    }
    let mut logs = Vec::with_capacity(needed.logs.len());
    for log in needed.logs {
        let Some(path) = present.remove(&log.number) else { return Err(missing(directory, log, needed)) };
        let opened = open_log(files, log.number, moved(files, directory, log.number, path, needed)?)?;
        check_identity(&opened, log)?;
        logs.push(opened);
    }
    let last = needed.logs.last().map_or(0, |log| log.number);
    let (mut leftovers, newer): (Numbered, Numbered) = present.into_iter().partition(|(number, _)| *number <= last);
    if needed.beside_writer {
        for (number, path) in newer {
            logs.push(open_log(files, number, path)?);
        }
    } else {
        for unknown in judge(files, logs.last(), newer, needed)? {
            leftovers.push(unknown.into_leftover(needed.commits)?);
        }
    }
    Ok((logs, leftovers))
}

/// The current path of log `number`: a concurrent writer may have archived it since it was listed.
fn moved(files: &dyn FileSystem, directory: &Path, number: u64, path: PathBuf, needed: &Needed<'_>) -> Result<PathBuf> {
    if !needed.beside_writer || files.exists(&path) {
        return Ok(path);
    }
    let old = list_old_logs(files, directory)?.into_iter().find(|old| old.0 == number);
    Ok(old.map_or(path, |old| old.2))
}

fn missing(directory: &Path, log: &LogEnd, needed: &Needed<'_>) -> Error {
    let path = log_path(directory, log.number);
    if needed.may_try_again {
        return Error::io("read log", path.display(), &std::io::ErrorKind::NotFound.into());
    }
    Error::corruption(path.display(), 0, format!("log {}, which the manifest needs", log.number), "no file")
}

pub(super) fn check_identity(log: &OpenLog, noted: &LogEnd) -> Result<()> {
    if log.seed == noted.checksum {
        return Ok(());
    }
    let expected = format!("header checksum {:#010x}, as the manifest says", noted.checksum);
    Err(Error::corruption(log.path.display(), 60, expected, format!("{:#010x}: another log of that number", log.seed)))
}

/// A log that is newer than all logs in the register.
pub struct UnknownLog {
    number: u64,
    /// The file.
    pub path: PathBuf,
    /// Whether it belongs to this database.
    pub is_own: bool,
    /// Whether it continues the last known log, or the one before that, according to the headers.
    follows: bool,
    /// Whether it has records of its own, or mentions commits that the manifest does not have.
    pub is_used: bool,
}

impl UnknownLog {
    /// Accepts a log that a crash or an error may leave while it was being created: it continues the last log or the
    /// one before, and was not used.
    fn into_leftover(self, commits: u64) -> Result<(u64, PathBuf)> {
        if self.follows && !self.is_used {
            return Ok((self.number, self.path));
        }
        let expected = format!("a log that the manifest names (it has {commits} commits)");
        let found = if self.is_own {
            "one that it does not: MANIFEST is an older copy or lost its end, or the log was put back"
        } else {
            "another database's log"
        };
        Err(Error::corruption(self.path.display(), 0, expected, found))
    }
}

/// The logs in `directory` that are newer than all needed ones.
///
/// # Errors
/// `Io`; `Unsupported` for a log of another format version.
pub fn find_unknown(files: &dyn FileSystem, directory: &Path, needed: &Needed<'_>) -> Result<Vec<UnknownLog>> {
    let last = needed.logs.last();
    let mut all = list_logs(files, directory)?;
    let newer = all.split_off(all.partition_point(|(number, _)| last.is_some_and(|last| *number <= last.number)));
    let last = all.pop().filter(|(number, _)| last.is_some_and(|last| last.number == *number));
    let last = match last.map(|(number, path)| open_log(files, number, path)) {
        Some(Err(error)) if is_refusal(&error) => return Err(error),
        // If it is missing or damaged, no log continues it.
        outcome => outcome.and_then(Result::ok),
    };
    judge(files, last.as_ref(), newer, needed)
}

fn judge(
    files: &dyn FileSystem,
    last: Option<&OpenLog>,
    newer: Numbered,
    needed: &Needed<'_>,
) -> Result<Vec<UnknownLog>> {
    let judge = |(number, path): (u64, PathBuf)| {
        let log = match open_log(files, number, path.clone()) {
            Ok(log) => log,
            Err(error) if is_refusal(&error) => return Err(error),
            // A log gets its name only when its header is complete.
            Err(_) => return Ok(UnknownLog { number, path, is_own: false, follows: false, is_used: true }),
        };
        let is_own = log.header.database == needed.database;
        let before = identity(log.header.predecessor.as_ref());
        let follows = is_own
            && match last {
                None => before.is_none(),
                // After several attempts to open that failed at the manifest, it may turn out to have the log of one.
                Some(last) => {
                    before == Some((last.number, last.seed)) || before == identity(last.header.predecessor.as_ref())
                }
            };
        let is_used = has_own_records(&log)? || commits_in(&log)? > needed.commits;
        Ok(UnknownLog { number, path, is_own, follows, is_used })
    };
    newer.into_iter().map(judge).collect()
}

/// Number and header checksum, which identify a log.
fn identity(log: Option<&LogEnd>) -> Option<(u64, u32)> {
    log.map(|log| (log.number, log.checksum))
}

/// Whether `error` says nothing about the log's contents: the machine failed, or the log is of another version.
fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io | ErrorKind::Unsupported)
}

/// Whether there is a record after the copies with which the log began.
fn has_own_records(log: &OpenLog) -> Result<bool> {
    let start = HEADER_BYTES as u64 + u64::from(log.header.copied_bytes);
    let mut reader = FrameReader::new(&*log.file, log.seed, start, log.length.max(start));
    let step = reader.next_frame().map_err(|error| Error::io("read log", log.path.display(), &error))?;
    Ok(matches!(step, Step::Frame(_)))
}

/// The highest number of manifest commits in the log's marks.
fn commits_in(log: &OpenLog) -> Result<u64> {
    let start = HEADER_BYTES as u64;
    let mut reader = FrameReader::new(&*log.file, log.seed, start, log.length.max(start));
    while let Step::Frame(_) = reader.next_frame().map_err(|error| Error::io("read log", log.path.display(), &error))? {
    }
    Ok(reader.commits())
}

pub(super) fn open_log(files: &dyn FileSystem, number: u64, path: PathBuf) -> Result<OpenLog> {
    let failed = |error: std::io::Error| Error::io("read log", path.display(), &error);
    let file = files.open(&path).map_err(failed)?;
    let length = file.len().map_err(failed)?;
    if length < HEADER_BYTES as u64 {
        return Err(Error::corruption(path.display(), 0, "a header of 64 bytes", format!("{length} bytes")));
    }
    let mut bytes = [0; HEADER_BYTES];
    file.read_at(0, &mut bytes).map_err(failed)?;
    let (header, seed) = Header::decode(&bytes, &path)?;
    if header.number != number {
        let found = format!("number {}", header.number);
        return Err(Error::corruption(path.display(), 16, format!("log number {number}"), found));
    }
    Ok(OpenLog { number, path, file, length, header, seed })
}

/// The end of `log` according to the header of `next`.
fn closed_end<'a>(log: &OpenLog, next: &'a OpenLog) -> Result<&'a LogEnd> {
    match &next.header.predecessor {
        Some(end) if end.number == log.number && end.checksum == log.seed => Ok(end),
        other => {
            let expected = format!("log {} ({:08x}) as predecessor", log.number, log.seed);
            let found =
                other.as_ref().map_or("none".to_string(), |end| format!("log {} ({:08x})", end.number, end.checksum));
            Err(Error::corruption(next.path.display(), 32, expected, format!("{found}: a log is missing or astray")))
        }
    }
}

pub(super) fn read_log(
    log: &OpenLog,
    closed: Option<&LogEnd>,
    visitor: &mut dyn FnMut(Record<'_>) -> Result<()>,
) -> Result<LogSummary> {
    let failed = |error: std::io::Error| Error::io("read log", log.path.display(), &error);
    let end = closed.map_or(log.length, |closed| closed.length.min(log.length));
    let start = HEADER_BYTES as u64;
    let mut reader = FrameReader::new(&*log.file, log.seed, start, end.max(start));
    let mut summary = LogSummary {
        end: LogEnd::default(),
        synced_bytes: start,
        path: log.path.clone(),
        records: 0,
        commits: 0,
        regions: BTreeMap::new(),
    };
    let mut doubtful_offset = None;
    loop {
        match reader.next_frame().map_err(failed)? {
            Step::Frame(frame) => {
                let record = Record::decode(frame.payload, log.number, frame.offset).map_err(|malformed| {
                    let at = frame.offset + (crate::frame::HEAD_BYTES + malformed.at) as u64;
                    Error::corruption(log.path.display(), at, "a log record", malformed.reason)
                })?;
                summary.records += 1;
                for part in &record.parts {
                    let highest = summary.regions.entry(part.region).or_default();
                    *highest = part.sequence_id.max(*highest);
                }
                visitor(record)?;
            }
            Step::End => break,
            Step::Invalid(invalid) if closed.is_some() => return Err(damaged(log, reader.offset(), invalid)),
            Step::Invalid(invalid) => match reader.proof_of_damage().map_err(failed)? {
                None => break,
                // A concurrent writer may have completed the frame since it was read.
                Some(_) if doubtful_offset != Some(reader.offset()) => doubtful_offset = Some(reader.offset()),
                Some(_) => return Err(damaged(log, reader.offset(), invalid)),
            },
        }
    }
    summary.end = LogEnd { number: log.number, length: reader.offset(), checksum: log.seed };
    summary.synced_bytes = reader.synced();
    summary.commits = reader.commits();
    match closed {
        Some(closed) if *closed != summary.end => Err(shortened(log, closed, &summary.end)),
        _ => Ok(summary),
    }
}

fn damaged(log: &OpenLog, offset: u64, invalid: Invalid) -> Error {
    Error::corruption(log.path.display(), offset, invalid.expected, invalid.found)
}

fn shortened(log: &OpenLog, closed: &LogEnd, found: &LogEnd) -> Error {
    let expected = format!("the log's end at {}, as its successor says", closed.length);
    Error::corruption(log.path.display(), found.length, expected, format!("its end at {}", found.length))
}
