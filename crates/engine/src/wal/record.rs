//! Encoding and decoding of records. The layout is in the module's head.

use crate::frame::{self, HEAD_BYTES, MAX_PAYLOAD_BYTES};
use rowstone_model::cell::{Cell, Layout};
use rowstone_model::codec::{Reader, Short};
use rowstone_model::{Error, ErrorKind, Result};

/// Key of a region in the log: the MD5 of its name. The encoded name is its hex form.
pub type RegionKey = [u8; 16];

const HAS_NONCES: u8 = 1;
const HAS_ORIGIN: u8 = 2;
const FIXED_BYTES: usize = 9;
const PART_BYTES: usize = 28;

/// Cells of one region, to be written.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The region.
    pub region: RegionKey,
    /// A run of cells in [`Layout::TAGGED`].
    pub cells: &'a [u8],
}

/// One atomic unit, to be written.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The changes of each region; at least one.
    pub parts: &'a [Part<'a>],
    /// Time of the write, in milliseconds.
    pub write_time_ms: i64,
    /// Nonce group; ignored if the nonce is 0.
    pub nonce_group: u64,
    /// Nonce that identifies a repeated request; 0 for none.
    pub nonce: u64,
    /// The cluster of the original write; all 0 for this database.
    pub origin: [u8; 16],
}

impl<'a> Entry<'a> {
    /// An entry of this database, without a nonce.
    pub fn new(parts: &'a [Part<'a>], write_time_ms: i64) -> Self {
        Entry { parts, write_time_ms, nonce_group: 0, nonce: 0, origin: [0; 16] }
    }

    /// The length of the frame.
    ///
    /// # Errors
    /// `InvalidArgument` without parts, or for a frame above the size limit.
    pub(super) fn frame_bytes(&self) -> Result<usize> {
        if self.parts.is_empty() {
            return Err(Error::invalid("a log record needs at least one region"));
        }
        let cells: usize = self.parts.iter().map(|part| PART_BYTES + part.cells.len()).sum();
        let payload = FIXED_BYTES + 32 + cells;
        if payload > MAX_PAYLOAD_BYTES {
            let message = format!("a log record of {payload} bytes is above the limit of {MAX_PAYLOAD_BYTES}");
            return Err(Error::new(ErrorKind::CellTooLarge, message));
        }
        Ok(HEAD_BYTES + payload)
    }

    /// Appends the frame for `offset` of a file with `seed`. `assign` returns the sequence id of a part.
    #[inline]
    pub(super) fn write(
        &self,
        out: &mut Vec<u8>,
        seed: u32,
        offset: u64,
        mut assign: impl FnMut(usize, &RegionKey) -> u64,
    ) {
        let start = out.len();
        let has_nonces = self.nonce != 0;
        let has_origin = self.origin != [0; 16];
        let mut fixed = [0; HEAD_BYTES + FIXED_BYTES];
        fixed[HEAD_BYTES] = if has_nonces { HAS_NONCES } else { 0 } | if has_origin { HAS_ORIGIN } else { 0 };
        fixed[HEAD_BYTES + 1..].copy_from_slice(&self.write_time_ms.to_be_bytes());
        out.extend_from_slice(&fixed);
        if has_nonces {
            out.extend_from_slice(&self.nonce_group.to_be_bytes());
            out.extend_from_slice(&self.nonce.to_be_bytes());
        }
        if has_origin {
            out.extend_from_slice(&self.origin);
        }
        for (index, part) in self.parts.iter().enumerate() {
            let mut head = [0; PART_BYTES];
            head[..16].copy_from_slice(&part.region);
            head[16..24].copy_from_slice(&assign(index, &part.region).to_be_bytes());
            head[24..].copy_from_slice(&(part.cells.len() as u32).to_be_bytes());
            out.extend_from_slice(&head);
            out.extend_from_slice(part.cells);
        }
        frame::finish(out, start, seed, offset);
    }
}

/// Cells of one region, read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPart<'a> {
    /// The region.
    pub region: RegionKey,
    /// Its position in the order of the region's writes.
    pub sequence_id: u64,
    /// The run of cells in [`Layout::TAGGED`], whole.
    pub cells: &'a [u8],
}

impl<'a> RecordPart<'a> {
    /// The cells one by one, without sequence ids.
    pub fn iter(&self) -> impl Iterator<Item = Cell<'a>> {
        let mut rest = self.cells;
        std::iter::from_fn(move || {
            let (cell, length) = Cell::read(rest, Layout::TAGGED).ok()?;
            rest = &rest[length..];
            Some(cell)
        })
    }
}

/// One atomic unit, read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// The changes of each region.
    pub parts: Vec<RecordPart<'a>>,
    /// Time of the write, in milliseconds.
    pub write_time_ms: i64,
    /// Nonce group.
    pub nonce_group: u64,
    /// Nonce that identifies a repeated request; 0 for none.
    pub nonce: u64,
    /// The cluster of the original write; all 0 for this database.
    pub origin: [u8; 16],
    /// The log it is in.
    pub log_number: u64,
    /// Offset of its frame in that log.
    pub offset: u64,
}

/// Position and reason why a payload is not a record.
pub(super) struct Malformed {
    pub at: usize,
    pub reason: String,
}

impl From<Short> for Malformed {
    fn from(short: Short) -> Self {
        let reason = format!("{} bytes where {} belong", short.available, short.wanted);
        Malformed { at: short.offset, reason }
    }
}

impl<'a> Record<'a> {
    /// Decodes the record in `payload` and checks every cell in it.
    pub(super) fn decode(payload: &'a [u8], log_number: u64, offset: u64) -> Result<Record<'a>, Malformed> {
        let mut reader = Reader::new(payload);
        let flags = reader.u8()?;
        if flags & !(HAS_NONCES | HAS_ORIGIN) != 0 {
            return Err(Malformed { at: 0, reason: format!("flags {flags:#04x} of a later version") });
        }
        let write_time_ms = reader.i64()?;
        let (nonce_group, nonce) = if flags & HAS_NONCES != 0 { (reader.u64()?, reader.u64()?) } else { (0, 0) };
        let mut origin = [0; 16];
        if flags & HAS_ORIGIN != 0 {
            origin.copy_from_slice(reader.take(16)?);
        }
        let mut parts = Vec::with_capacity(1);
        while !reader.is_empty() {
            parts.push(read_part(&mut reader)?);
        }
        Ok(Record { parts, write_time_ms, nonce_group, nonce, origin, log_number, offset })
    }
}

fn read_part<'a>(reader: &mut Reader<'a>) -> Result<RecordPart<'a>, Malformed> {
    let mut region = [0; 16];
    region.copy_from_slice(reader.take(16)?);
    let sequence_id = reader.u64()?;
    let length = reader.u32()? as usize;
    let at = reader.offset();
    let cells = reader.take(length)?;
    let mut rest = cells;
    while !rest.is_empty() {
        let malformed = |cell: rowstone_model::cell::MalformedCell| Malformed {
            at: at + cells.len() - rest.len(),
            reason: format!("a cell with {}", cell.reason),
        };
        let (_, length) = Cell::read(rest, Layout::TAGGED).map_err(malformed)?;
        rest = &rest[length..];
    }
    Ok(RecordPart { region, sequence_id, cells })
}
