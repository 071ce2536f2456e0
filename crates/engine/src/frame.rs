//! Checksummed frames. The log and the manifest append them to a file, and use them to find the file's valid end.
//!
//! ```text
//! offset width  all big-endian
//!   0     4     checksum: CRC32C, seeded with the file's seed, of the frame's offset in the file (u64) and all below
//!   4     4     length of the payload in bytes, at least 1; the highest bit is set for a mark
//!   8     …     payload
//! mark: length 0x8000_0010, payload u64 = the offset up to which the file was synced before the mark was written,
//!       u64 = the number of commits of the manifest by then
//! ```
//!
//! Invariants:
//! * A frame is valid at one offset of one file only. Its checksum covers the offset and the seed, which is the
//!   checksum of the file's header and so depends on a random salt. Bytes from an earlier use of the disk's blocks
//!   are never mistaken for frames.
//! * The first invalid frame ends the file. A crash may have left anything there: nothing, zeros, half a frame,
//!   frames after a hole. All of it counts as *torn*, unless a valid mark further on says that the position had
//!   been synced: then it is damage. Zeros are never a valid frame.
//! * Memory for a payload is only allocated if the file has that many bytes left.

use crate::sys::ReadableFile;
use std::io;

/// Bytes in front of a payload.
pub const HEAD_BYTES: usize = 8;
/// Bytes of a mark.
pub const MARK_BYTES: usize = HEAD_BYTES + MARK_PAYLOAD_BYTES;
/// The longest payload.
pub const MAX_PAYLOAD_BYTES: usize = 0x3fff_ffff;

const MARK_PAYLOAD_BYTES: usize = 16;
const MARK_BIT: u32 = 0x8000_0000;
const MARK_LENGTH: [u8; 4] = (MARK_BIT | MARK_PAYLOAD_BYTES as u32).to_be_bytes();
const WINDOW_BYTES: usize = 256 << 10;

fn checksum(seed: u32, offset: u64, frame: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c_append(seed, &offset.to_be_bytes()), &frame[4..])
}

/// The two numbers of a mark: the synced offset and the commits.
fn read_mark(mark: &[u8]) -> (u64, u64) {
    let number = |at: usize| mark[HEAD_BYTES + at..].first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
    (number(0), number(8))
}

/// Writes the head of the frame that begins at `start` in `out` and extends to its end. The [`HEAD_BYTES`] at
/// `start` are overwritten. `offset` is the frame's offset in the file.
pub fn finish(out: &mut [u8], start: usize, seed: u32, offset: u64) {
    let frame = &mut out[start..];
    let length = (frame.len() - HEAD_BYTES) as u32;
    frame[4..8].copy_from_slice(&length.to_be_bytes());
    let sum = checksum(seed, offset, frame);
    frame[..4].copy_from_slice(&sum.to_be_bytes());
}

/// The mark for `offset`: everything before `synced` is on the disk, and the manifest has `commits` commits.
pub fn mark(seed: u32, offset: u64, synced: u64, commits: u64) -> [u8; MARK_BYTES] {
    let mut frame = [0; MARK_BYTES];
    frame[4..8].copy_from_slice(&MARK_LENGTH);
    frame[8..16].copy_from_slice(&synced.to_be_bytes());
    frame[16..].copy_from_slice(&commits.to_be_bytes());
    let sum = checksum(seed, offset, &frame);
    frame[..4].copy_from_slice(&sum.to_be_bytes());
    frame
}

/// A payload and the offset of its frame.
#[derive(Debug)]
pub struct Frame<'a> {
    /// Offset of the frame in the file.
    pub offset: u64,
    /// The frame's payload.
    pub payload: &'a [u8],
}

/// The reason why there is no further frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The expected contents at [`FrameReader::offset`].
    pub expected: String,
    /// The contents found there.
    pub found: String,
}

/// One step of reading.
#[derive(Debug)]
pub enum Step<'a> {
    /// A frame.
    Frame(Frame<'a>),
    /// The end, right after the last frame.
    End,
    /// Bytes that are not a frame.
    Invalid(Invalid),
}

/// Whether `bytes` begin with a complete frame for `offset` of the file with that seed. Marks do not count.
pub fn is_valid(bytes: &[u8], seed: u32, offset: u64) -> bool {
    let Some(head) = bytes.first_chunk::<HEAD_BYTES>() else { return false };
    let (sum, length) =
        (u32::from_be_bytes([head[0], head[1], head[2], head[3]]), [head[4], head[5], head[6], head[7]]);
    let length = u32::from_be_bytes(length) as usize;
    let is_possible = (1..=MAX_PAYLOAD_BYTES).contains(&length);
    is_possible && bytes.get(..HEAD_BYTES + length).is_some_and(|frame| checksum(seed, offset, frame) == sum)
}

/// Reads frames one after the other.
pub struct FrameReader<'f> {
    file: &'f dyn ReadableFile,
    seed: u32,
    end: u64,
    offset: u64,
    synced: u64,
    commits: u64,
    window: Vec<u8>,
    window_offset: u64,
}

enum NextFrame {
    Payload(usize),
    Mark,
    End,
    Invalid(Invalid),
}

impl<'f> FrameReader<'f> {
    /// A reader of the frames from `start` to `end`. `end` must not be beyond the end of the file.
    pub fn new(file: &'f dyn ReadableFile, seed: u32, start: u64, end: u64) -> Self {
        FrameReader {
            file,
            seed,
            end,
            offset: start,
            synced: start,
            commits: 0,
            window: Vec::new(),
            window_offset: start,
        }
    }

    /// The offset after the last valid frame.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The highest offset that the marks read so far report as synced; without one, the start.
    pub fn synced(&self) -> u64 {
        self.synced
    }

    /// The highest commit count of the manifest in the marks read so far.
    pub fn commits(&self) -> u64 {
        self.commits
    }

    /// The next frame that is not a mark. After [`Step::Invalid`] the same position is read again.
    pub fn next_frame(&mut self) -> io::Result<Step<'_>> {
        loop {
            match self.find()? {
                NextFrame::Mark => {}
                NextFrame::End => return Ok(Step::End),
                NextFrame::Invalid(invalid) => {
                    self.window.clear();
                    return Ok(Step::Invalid(invalid));
                }
                NextFrame::Payload(length) => {
                    let end = (self.offset - self.window_offset) as usize;
                    let offset = self.offset - (HEAD_BYTES + length) as u64;
                    return Ok(Step::Frame(Frame { offset, payload: &self.window[end - length..end] }));
                }
            }
        }
    }

    fn find(&mut self) -> io::Result<NextFrame> {
        let remaining = self.end - self.offset;
        if remaining == 0 {
            return Ok(NextFrame::End);
        }
        let invalid = |expected: String, found: String| Ok(NextFrame::Invalid(Invalid { expected, found }));
        if remaining < HEAD_BYTES as u64 {
            return invalid(format!("a frame of more than {HEAD_BYTES} bytes"), format!("{remaining} bytes"));
        }
        let head = self.bytes(HEAD_BYTES)?;
        let word = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (expected_sum, word) = (word(0), word(4));
        let (is_mark, length) = (word & MARK_BIT != 0, (word & !MARK_BIT) as usize);
        let room = remaining - HEAD_BYTES as u64;
        if length == 0
            || length > MAX_PAYLOAD_BYTES
            || length as u64 > room
            || (is_mark && length != MARK_PAYLOAD_BYTES)
        {
            return invalid(format!("a frame of 1 to {room} bytes"), format!("a length of {word:#x}"));
        }
        let (seed, offset) = (self.seed, self.offset);
        let found_sum = checksum(seed, offset, self.bytes(HEAD_BYTES + length)?);
        if found_sum != expected_sum {
            return invalid(format!("checksum {expected_sum:#010x}"), format!("{found_sum:#010x} over {length} bytes"));
        }
        if is_mark {
            let (synced, commits) = read_mark(self.bytes(MARK_BYTES)?);
            self.synced = self.synced.max(synced.min(offset));
            self.commits = self.commits.max(commits);
        }
        self.offset += (HEAD_BYTES + length) as u64;
        Ok(if is_mark { NextFrame::Mark } else { NextFrame::Payload(length) })
    }

    /// `count` bytes at the offset. The caller knows that they are in the file.
    fn bytes(&mut self, count: usize) -> io::Result<&[u8]> {
        let mut start = (self.offset - self.window_offset) as usize;
        if start + count > self.window.len() {
            let wanted = count.max(WINDOW_BYTES).min((self.end - self.offset) as usize);
            self.window.clear();
            self.window.resize(wanted, 0);
            self.window_offset = self.offset;
            start = 0;
            if let Err(error) = self.file.read_at(self.offset, &mut self.window) {
                self.window.clear();
                return Err(error);
            }
        }
        Ok(&self.window[start..start + count])
    }

    /// Searches for a valid mark after the current position that reports a synced offset beyond it, and returns the
    /// highest such offset. It proves that this position once had a valid frame.
    pub fn proof_of_damage(&self) -> io::Result<Option<u64>> {
        let mut proof = None;
        let mut at = self.offset;
        let mut window = Vec::new();
        while self.end.saturating_sub(at) >= MARK_BYTES as u64 {
            window.resize(((self.end - at) as usize).min(WINDOW_BYTES), 0);
            self.file.read_at(at, &mut window)?;
            for (index, bytes) in window.windows(MARK_BYTES).enumerate() {
                if bytes[4..8] == MARK_LENGTH {
                    proof = proof.max(self.proof_by(bytes, at + index as u64));
                }
            }
            at += (window.len() - MARK_BYTES + 1) as u64;
        }
        Ok(proof)
    }

    fn proof_by(&self, bytes: &[u8], offset: u64) -> Option<u64> {
        let synced = read_mark(bytes).0;
        let is_valid = checksum(self.seed, offset, bytes).to_be_bytes() == bytes[..4];
        (is_valid && synced > self.offset && synced <= offset).then_some(synced)
    }
}
