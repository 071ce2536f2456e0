//! One block in memory.

use super::spare::SpareBuffers;
use crate::search::Marks;
use std::sync::Arc;

/// A decoded block: its bytes, and offsets into them by which its reader searches.
///
/// The bytes are a window of the buffer that was read from the file: cutting header and checksums off by copying would cost
/// as much as reading them did. What the marks mean is the business of whoever made the block: starts of rows in a data block,
/// starts of entries in an index block, nothing in a Bloom chunk.
#[derive(Debug)]
pub struct CachedBlock {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    marks: Marks,
    /// Who counts the buffer, and whether it is of use there when nobody needs the block any more.
    home: Option<(Arc<SpareBuffers>, bool)>,
}

/// What an entry costs beside its bytes: this struct, its reference counts, its place in the cache.
const OVERHEAD_BYTES: u64 = 160;

impl CachedBlock {
    /// All of `bytes`.
    pub fn new(bytes: Vec<u8>, marks: Marks) -> Self {
        CachedBlock { start: 0, end: bytes.len(), buffer: bytes, marks, home: None }
    }

    /// The bytes of `buffer` in `window`; an impossible window is an empty one.
    pub fn window(buffer: Vec<u8>, window: std::ops::Range<usize>, marks: Marks) -> Self {
        let end = window.end.min(buffer.len());
        CachedBlock { start: window.start.min(end), end, buffer, marks, home: None }
    }

    /// The block's bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The offsets to search by, ascending.
    #[inline]
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// The same bytes with other marks.
    pub fn with_marks(mut self, marks: Marks) -> Self {
        self.marks = marks;
        self
    }

    /// The same block, which `home` counts; where `is_reusable`, its buffer goes there when nobody needs it any more.
    pub(super) fn with_home(mut self, home: Arc<SpareBuffers>, is_reusable: bool) -> Self {
        home.lend(self.buffer.capacity());
        self.home = Some((home, is_reusable));
        self
    }

    /// What the block takes in memory.
    pub fn memory_bytes(&self) -> u64 {
        OVERHEAD_BYTES + self.buffer.capacity() as u64 + self.marks.memory_bytes()
    }
}

impl Drop for CachedBlock {
    fn drop(&mut self) {
        match &self.home {
            Some((home, true)) => home.give(std::mem::take(&mut self.buffer)),
            Some((home, false)) => home.forget(self.buffer.capacity()),
            None => {}
        }
    }
}
