//! Recognition of sequential readers in the reads of one file, and what to read ahead for each.
//!
//! A file is read by several scanners at once, each sequentially, and by gets at random. A read that begins near the end
//! of an earlier one continues that reader; between two data blocks of an HFile lie index and Bloom blocks, hence
//! "near". Each continuation lets the reader have four times as much ahead of it, up to a limit.

use std::ops::Range;

/// Readers that are remembered per file.
const READERS: usize = 8;
/// Bytes ahead of a reader after its second read; also the largest gap between two of its reads.
const FIRST_WINDOW: u64 = 256 << 10;

#[derive(Debug, Clone, Copy)]
struct Reader {
    /// End of its last read.
    next: u64,
    /// Bytes that it may have ahead; 0 before its second read.
    window: u64,
    /// End of what was requested ahead for it.
    ahead: u64,
}

/// The sequential readers of one file, the one that read last at the end.
#[derive(Debug, Default)]
pub struct Streams {
    readers: Vec<Reader>,
}

/// Requests to send for one read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Whether it continues a sequential reader.
    pub is_sequential: bool,
    /// The range to request ahead; may be empty.
    pub ahead: Range<u64>,
    /// Length of each request.
    pub piece: u64,
}

impl Streams {
    /// Notes a read of `range`. Reads ahead at most `limit` bytes, in requests of at most `request` bytes.
    pub fn note(&mut self, range: Range<u64>, limit: u64, request: u64) -> Plan {
        let is_near = |reader: &Reader| {
            range.start + FIRST_WINDOW >= reader.next && range.start <= reader.next + FIRST_WINDOW.max(reader.window)
        };
        let Some(at) = self.readers.iter().rposition(is_near) else {
            if self.readers.len() == READERS {
                self.readers.remove(0);
            }
            self.readers.push(Reader { next: range.end, window: 0, ahead: range.end });
            return Plan { is_sequential: false, ahead: 0..0, piece: 0 };
        };
        let mut reader = self.readers.remove(at);
        reader.next = range.end;
        reader.ahead = reader.ahead.max(range.end);
        reader.window = (reader.window * 4).max(FIRST_WINDOW).min(limit);
        let piece = (reader.window / 4).max(FIRST_WINDOW).min(request);
        // Long requests: none before half of the window is used up, and whole pieces only.
        let missing = (reader.next + reader.window).saturating_sub(reader.ahead);
        let requested = if missing < reader.window / 2 { 0 } else { missing - missing % piece };
        let ahead = reader.ahead..reader.ahead + requested;
        reader.ahead = ahead.end;
        self.readers.push(reader);
        Plan { is_sequential: true, ahead, piece }
    }

    /// Corrects the last plan: its range was requested only up to `end`.
    pub fn stopped_at(&mut self, end: u64) {
        if let Some(reader) = self.readers.last_mut() {
            reader.ahead = end;
        }
    }
}
