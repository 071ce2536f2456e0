//! Reading the logs back: after a crash, after a clean exit, or beside a writer. Nothing is changed.
//!
//! All logs but the last must be whole: they end where their successor's header says, with the checksum it says. In the last
//! log everything from the first invalid frame on is a torn tail, unless a mark proves that it had been synced.

use super::header::{Header, HEADER_BYTES};
use super::names::{list_logs, list_old_logs};
use super::record::{Record, RegionKey};
use crate::frame::{FrameReader, Invalid, Step};
use crate::sys::{FileSystem, ReadableFile};
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a log ends: what its successor's header says of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogEnd {
    /// Its number.
    pub number: u64,
    /// The end of its last frame that counts.
    pub length: u64,
    /// The checksum of its header, which tells it from every other log.
    pub checksum: u32,
}

/// What a log holds.
#[derive(Debug, Clone)]
pub struct LogSummary {
    /// Where it ends.
    pub end: LogEnd,
    /// The offset up to which it is known to be on the disk.
    pub synced_bytes: u64,
    /// The file.
    pub path: PathBuf,
    /// Records in it.
    pub records: u64,
    /// The largest sequence id of each region in it.
    pub regions: BTreeMap<RegionKey, u64>,
}

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct ReplayReport {
    /// The logs, oldest first.
    pub logs: Vec<LogSummary>,
    /// Records in all of them.
    pub records: u64,
    /// Bytes after the last valid frame of the last log.
    pub torn_tail_bytes: u64,
}

impl ReplayReport {
    /// The number of the last log; 0 where there is none.
    pub fn last_log_number(&self) -> u64 {
        self.logs.last().map_or(0, |log| log.end.number)
    }
}

pub(super) struct OpenLog {
    number: u64,
    path: PathBuf,
    file: Arc<dyn ReadableFile>,
    pub(super) length: u64,
    header: Header,
    seed: u32,
}

/// The number of the oldest log in use. Who reads beside a writer asks for it *before* reading the manifest and passes it to
/// [`replay`]: what is flushed and put away in between is then not missed.
pub fn first_log(files: &dyn FileSystem, directory: &Path) -> Result<u64> {
    Ok(list_logs(files, directory)?.first().map_or(0, |(number, _)| *number))
}

/// Gives every record to `visitor`, in the order in which they were written.
///
/// With `from` it reads beside a live writer: the logs from that number on, also those that were put away meanwhile. Without,
/// it reads the logs in use.
///
/// # Errors
/// `Corruption` for damage and for a log missing in the middle; `Io`; whatever `visitor` fails with, which ends the replay.
pub fn replay(
    files: &dyn FileSystem,
    directory: &Path,
    from: Option<u64>,
    visitor: &mut dyn FnMut(Record<'_>) -> Result<()>,
) -> Result<ReplayReport> {
    let logs = open_logs(files, directory, from)?;
    let mut report = ReplayReport::default();
    for (index, log) in logs.iter().enumerate() {
        let closed = match logs.get(index + 1) {
            Some(next) => Some(closed_end(log, next)?),
            None => None,
        };
        let summary = read_log(log, closed, visitor)?;
        report.records += summary.records;
        if closed.is_none() {
            report.torn_tail_bytes = log.length - summary.end.length;
        }
        report.logs.push(summary);
    }
    Ok(report)
}

fn open_logs(files: &dyn FileSystem, directory: &Path, from: Option<u64>) -> Result<Vec<OpenLog>> {
    let mut paths: BTreeMap<u64, PathBuf> = list_logs(files, directory)?.into_iter().collect();
    if let Some(from) = from {
        // Listed second: a log on its way from one folder to the other is in at least one of the lists.
        for (number, _, path) in list_old_logs(files, directory)? {
            paths.insert(number, path);
        }
        paths.retain(|number, _| *number >= from);
    }
    let mut logs = Vec::with_capacity(paths.len());
    for (number, mut path) in paths {
        if from.is_some() && !files.exists(&path) {
            // Put away since it was listed.
            let old = list_old_logs(files, directory)?.into_iter().find(|old| old.0 == number);
            path = old.map_or(path, |old| old.2);
        }
        logs.push(open_log(files, number, path)?);
    }
    Ok(logs)
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

/// Where `log` ends, by the header of `next`.
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
        regions: BTreeMap::new(),
    };
    let mut is_second_look = false;
    loop {
        match reader.next_frame().map_err(failed)? {
            Step::Frame(frame) => {
                is_second_look = false;
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
                // Beside a writer the frame may have been completed since it was looked at.
                Some(_) if !is_second_look => is_second_look = true,
                Some(_) => return Err(damaged(log, reader.offset(), invalid)),
            },
        }
    }
    summary.end = LogEnd { number: log.number, length: reader.offset(), checksum: log.seed };
    summary.synced_bytes = reader.synced();
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
    Error::corruption(log.path.display(), found.length, expected, format!("it at {}", found.length))
}
