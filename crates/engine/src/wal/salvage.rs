//! Reading logs past damage, for checks and repairs. Nothing is changed.
//!
//! After bytes that are not a frame, the next valid frame is searched for. Its checksum covers its offset in this
//! very log, and it must belong to a region that the caller knows. So nothing else is mistaken for one.

use super::header::{Header, HEADER_BYTES};
use super::names::{list_logs, log_path};
use super::record::{Record, RegionKey};
use super::replay::LogEnd;
use crate::frame::{self, FrameReader, Step, HEAD_BYTES};
use crate::sys::FileSystem;
use rowstone_model::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Unreadable bytes of a log, or a missing log.
#[derive(Debug, Clone)]
pub struct LogHole {
    /// The log.
    pub path: PathBuf,
    /// Offset where the damage begins.
    pub offset: u64,
    /// Offset of the next readable record; the log's end if there is none.
    pub end: u64,
    /// The expected contents.
    pub expected: String,
    /// The contents found.
    pub found: String,
    /// Whether a crash explains it: it is at the end of the last log.
    pub is_torn_tail: bool,
}

/// Contents of the logs, in order.
pub enum LogPiece<'a> {
    /// A record.
    Record(Record<'a>),
    /// Damage.
    Hole(LogHole),
    /// The end of a log that was readable to its end.
    End(LogEnd),
}

struct Log {
    number: u64,
    path: PathBuf,
    bytes: Vec<u8>,
    header: Option<(Header, u32)>,
    damage: Option<Error>,
    /// The register's entry for it.
    noted: Option<LogEnd>,
}

impl Log {
    /// Offset up to which it is known to be synced.
    fn noted_bytes(&self) -> u64 {
        self.noted.as_ref().map_or(0, |noted| noted.length)
    }
}

fn open(files: &dyn FileSystem, number: u64, path: PathBuf, noted: Option<LogEnd>) -> Result<Log> {
    let bytes = files.read(&path).map_err(|error| Error::io("read log", path.display(), &error))?;
    let parsed = match bytes.first_chunk::<HEADER_BYTES>() {
        Some(header) => Header::decode(header, &path),
        None => Err(Error::corruption(path.display(), 0, "a header of 64 bytes", format!("{} bytes", bytes.len()))),
    };
    let (header, damage) = match parsed {
        Ok(parsed) if parsed.0.number == number => (Some(parsed), None),
        Ok((header, _)) => {
            let (expected, found) = (format!("log number {number}"), format!("number {}", header.number));
            (None, Some(Error::corruption(path.display(), 16, expected, found)))
        }
        Err(error) if error.kind() == ErrorKind::Unsupported => return Err(error),
        Err(error) => (None, Some(error)),
    };
    Ok(Log { number, path, bytes, header, damage, noted })
}

/// Passes every readable record to `visitor`, in the order in which they were written, and the holes between them.
///
/// With `needed`, reads exactly these logs: a missing one, or another with the same number, is a hole. Without it,
/// reads all existing logs of `database`, or of every database if that is `None`.
///
/// # Errors
/// `Io`; `Unsupported` for a log of another format version; errors of `visitor`.
pub fn salvage(
    files: &dyn FileSystem,
    directory: &Path,
    needed: Option<&[LogEnd]>,
    database: Option<u32>,
    is_region: &dyn Fn(&RegionKey) -> bool,
    visitor: &mut dyn FnMut(LogPiece<'_>) -> Result<()>,
) -> Result<()> {
    let mut logs = list(files, directory, needed, visitor)?.into_iter().peekable();
    let mut next_log = None;
    while let Some((number, path, noted)) = logs.next() {
        let log = match next_log.take() {
            Some(log) => log,
            None => open(files, number, path, noted)?,
        };
        next_log = match logs.peek() {
            Some((number, path, noted)) => Some(open(files, *number, path.clone(), noted.clone())?),
            None => None,
        };
        let known = log.header.as_ref().map(|(header, _)| header.database);
        if needed.is_none() && known.is_some() && database.is_some() && known != database {
            continue;
        }
        if let Some(hole) = another(&log) {
            visitor(LogPiece::Hole(hole))?;
            continue;
        }
        let closed = next_log.as_ref().and_then(|next| next.header.as_ref()?.0.predecessor.clone());
        let closed = closed.filter(|end| end.number == log.number);
        read(&log, closed.as_ref(), next_log.is_none(), is_region, visitor)?;
        if let Some(next) = next_log.as_ref().filter(|next| needed.is_none() && next.number != log.number + 1) {
            let (expected, found) = (format!("log {} before it", next.number - 1), format!("log {}", log.number));
            let (path, is_torn_tail) = (next.path.clone(), false);
            visitor(LogPiece::Hole(LogHole { path, offset: 32, end: 32, expected, found, is_torn_tail }))?;
        }
    }
    Ok(())
}

/// Number and path of a log, and the register's entry for it.
type Listed = (u64, PathBuf, Option<LogEnd>);

fn list(
    files: &dyn FileSystem,
    directory: &Path,
    needed: Option<&[LogEnd]>,
    visitor: &mut dyn FnMut(LogPiece<'_>) -> Result<()>,
) -> Result<Vec<Listed>> {
    let there = list_logs(files, directory)?;
    let Some(needed) = needed else {
        return Ok(there.into_iter().map(|(number, path)| (number, path, None)).collect());
    };
    let mut listed = Vec::new();
    for log in needed {
        match there.iter().find(|(number, _)| *number == log.number) {
            Some((number, path)) => listed.push((*number, path.clone(), Some(log.clone()))),
            None => {
                let path = log_path(directory, log.number);
                let expected = format!("log {}, which the manifest needs", log.number);
                let (found, is_torn_tail) = ("no file".to_string(), false);
                visitor(LogPiece::Hole(LogHole { path, offset: 0, end: 0, expected, found, is_torn_tail }))?;
            }
        }
    }
    Ok(listed)
}

/// A hole for the whole log if its header is valid, but is not the header that the register names.
fn another(log: &Log) -> Option<LogHole> {
    let noted = log.noted.as_ref()?.checksum;
    let header = log.bytes.first_chunk::<HEADER_BYTES>()?;
    let (found, stored) = (crc32c::crc32c(&header[..60]), stored_checksum(header));
    (found == stored && found != noted).then(|| LogHole {
        path: log.path.clone(),
        offset: 60,
        end: log.bytes.len() as u64,
        expected: format!("header checksum {noted:#010x}, as the manifest says"),
        found: format!("{found:#010x}: another log of that number"),
        is_torn_tail: false,
    })
}

fn stored_checksum(header: &[u8; HEADER_BYTES]) -> u32 {
    u32::from_be_bytes([header[60], header[61], header[62], header[63]])
}

/// The seed of a log's frames: from the register, or from its header. If the header is damaged, the seed is its
/// stored checksum or the computed one, whichever finds a frame.
fn seed_of(log: &Log, has_frames: impl Fn(u32) -> bool) -> Option<u32> {
    match (&log.noted, &log.header) {
        (Some(noted), _) => Some(noted.checksum),
        (None, Some((_, seed))) => Some(*seed),
        (None, None) => {
            let header = log.bytes.first_chunk::<HEADER_BYTES>()?;
            [stored_checksum(header), crc32c::crc32c(&header[..60])].into_iter().find(|seed| has_frames(*seed))
        }
    }
}

fn read(
    log: &Log,
    closed: Option<&LogEnd>,
    is_last: bool,
    is_region: &dyn Fn(&RegionKey) -> bool,
    visitor: &mut dyn FnMut(LogPiece<'_>) -> Result<()>,
) -> Result<()> {
    let start = HEADER_BYTES as u64;
    let hole = |offset: u64, end: u64, expected: String, found: String, is_torn_tail: bool| LogHole {
        path: log.path.clone(),
        offset,
        end,
        expected,
        found,
        is_torn_tail,
    };
    let find = |seed: u32, from: u64| next_frame(&log.bytes, seed, from, is_region);
    let seed = seed_of(log, |seed| find(seed, start).is_some());
    let length = log.bytes.len() as u64;
    if let Some(error) = &log.damage {
        let end = seed.map_or(length, |_| start);
        let (expected, found) = expected_and_found(error);
        visitor(LogPiece::Hole(hole(error.place().map_or(0, |place| place.offset), end, expected, found, false)))?;
    }
    let Some(seed) = seed else { return Ok(()) };
    let stop = closed.map_or(length, |closed| closed.length.min(length)).max(start);
    let mut at = start.min(stop);
    while let Some((offset, expected, found, is_proven)) = read_run(log, seed, at, stop, visitor)? {
        let next = find(seed, offset + 1).filter(|next| *next < stop);
        let is_torn_tail = is_last && !is_proven && offset >= log.noted_bytes();
        visitor(LogPiece::Hole(hole(
            offset,
            next.filter(|_| !is_torn_tail).unwrap_or(stop),
            expected,
            found,
            is_torn_tail,
        )))?;
        match next.filter(|_| !is_torn_tail) {
            Some(next) => at = next,
            None => return Ok(()),
        }
    }
    if let Some(closed) = closed.filter(|closed| closed.length > length) {
        let expected = format!("the log's end at {}, as its successor says", closed.length);
        return visitor(LogPiece::Hole(hole(length, closed.length, expected, format!("its end at {length}"), false)));
    }
    if is_last && stop < log.noted_bytes() {
        let expected = format!("records up to {}, as the manifest says", log.noted_bytes());
        return visitor(LogPiece::Hole(hole(stop, log.noted_bytes(), expected, "the end".into(), false)));
    }
    visitor(LogPiece::End(LogEnd { number: log.number, length: stop, checksum: seed }))
}

fn expected_and_found(error: &Error) -> (String, String) {
    error.place().map_or(("a readable log".into(), error.message().into()), |place| {
        (place.expected.clone(), place.found.clone())
    })
}

/// Reads frames from `at` on. Returns `None` at the end of the log; otherwise the offset without a valid frame, the
/// expected and the found contents, and whether a frame certainly existed there.
#[allow(clippy::type_complexity, reason = "one caller, which takes it apart at once")]
fn read_run(
    log: &Log,
    seed: u32,
    at: u64,
    stop: u64,
    visitor: &mut dyn FnMut(LogPiece<'_>) -> Result<()>,
) -> Result<Option<(u64, String, String, bool)>> {
    let failed = |error: std::io::Error| Error::io("read log", log.path.display(), &error);
    let file = Bytes(&log.bytes);
    let mut reader = FrameReader::new(&file, seed, at, stop);
    loop {
        match reader.next_frame().map_err(failed)? {
            Step::Frame(frame) => match Record::decode(frame.payload, log.number, frame.offset) {
                Ok(record) => visitor(LogPiece::Record(record))?,
                Err(malformed) => {
                    let place = frame.offset + (HEAD_BYTES + malformed.at) as u64;
                    return Ok(Some((place, "a log record".into(), malformed.reason, true)));
                }
            },
            Step::End => return Ok(None),
            Step::Invalid(invalid) => {
                let is_proven = reader.proof_of_damage().map_err(failed)?.is_some();
                return Ok(Some((reader.offset(), invalid.expected, invalid.found, is_proven)));
            }
        }
    }
}

/// The offset of the next valid record at or after `from`.
fn next_frame(bytes: &[u8], seed: u32, from: u64, is_region: &dyn Fn(&RegionKey) -> bool) -> Option<u64> {
    let mut at = from as usize;
    while at + HEAD_BYTES + 9 + 16 <= bytes.len() {
        let flags = bytes[at + HEAD_BYTES];
        let key_at = at + HEAD_BYTES + 9 + 16 * usize::from(flags & 1) + 16 * usize::from(flags >> 1 & 1);
        let key = bytes.get(key_at..).and_then(|rest| rest.first_chunk::<16>());
        if flags < 4 && key.is_some_and(is_region) && frame::is_valid(&bytes[at..], seed, at as u64) {
            return Some(at as u64);
        }
        at += 1;
    }
    None
}

/// A log in memory.
struct Bytes<'a>(&'a [u8]);

impl crate::sys::ReadableFile for Bytes<'_> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.0.get(start..start.saturating_add(buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(std::io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn len(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }
}
