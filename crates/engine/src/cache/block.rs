//! One block in memory.

use super::restarts::Restarts;
use super::row_index::Checksums;
use super::spare::SpareBuffers;
use crate::search::Marks;
use crate::sys::advice::{prefetch_value, MemoryRange};
use bytes::{Bytes, BytesMut};
use std::sync::Arc;

/// A decoded block: its bytes, and offsets into them for searching.
///
/// The bytes are a window of the buffer that was read from the file: removing header and checksums by copying would
/// cost as much as reading. The meaning of the marks is up to the block's creator: starts of rows in a data block,
/// starts of entries in an index block, nothing in a Bloom chunk.
#[derive(Debug)]
pub struct CachedBlock {
    buffer: BytesMut,
    start: usize,
    end: usize,
    marks: Marks,
    /// Facts about the block before it was decoded.
    encoded: Option<Box<EncodedForm>>,
    home: Option<Home>,
}

/// The stock that counts a block's buffer.
#[derive(Debug)]
struct Home {
    spares: Arc<SpareBuffers>,
    /// Whether the buffer can be reused there.
    is_reusable: bool,
    /// Whether the marks are in the buffer's memory, behind the block.
    has_marks: bool,
}

/// The encoded form of a block, of which only this is kept.
#[derive(Debug)]
pub struct EncodedForm {
    /// Cells from which decoding can begin.
    pub restarts: Restarts,
    /// The block's checksums.
    pub checksums: Checksums,
    /// Position of the encoded cells in the block.
    pub content: std::ops::Range<usize>,
}

/// A block in the cache. A search changes its reference count first, and reads ahead only after that. So cloning prefetches
/// what the search needs next: the block's head, and the pages of its marks.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) block: Arc<CachedBlock>,
    marks: MemoryRange,
}

impl Slot {
    pub(super) fn new(block: CachedBlock) -> Self {
        Slot { marks: block.marks.memory(), block: Arc::new(block) }
    }
}

impl Clone for Slot {
    #[inline]
    fn clone(&self) -> Self {
        prefetch_value(&*self.block);
        self.marks.prefetch_pages();
        Slot { block: Arc::clone(&self.block), marks: self.marks }
    }
}

/// Overhead of an entry in addition to its bytes: this struct, its reference counts, its slot in the cache.
const OVERHEAD_BYTES: u64 = size_of::<CachedBlock>() as u64 + 16 + 72;
/// Bytes of a CPU cache line. The marks begin at a multiple of it in the buffer.
pub(super) const LINE_BYTES: usize = 64;

impl CachedBlock {
    /// A block of all of `bytes`.
    pub fn new(bytes: Vec<u8>, marks: Marks) -> Self {
        let buffer = BytesMut::from(Bytes::from(bytes));
        CachedBlock { start: 0, end: buffer.len(), buffer, marks, encoded: None, home: None }
    }

    /// A block of the bytes of `buffer` in `window`; an impossible window is an empty one.
    pub fn window(buffer: BytesMut, window: std::ops::Range<usize>, marks: Marks) -> Self {
        let end = window.end.min(buffer.len());
        CachedBlock { start: window.start.min(end), end, buffer, marks, encoded: None, home: None }
    }

    /// The block's bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The buffer that was read or decoded, of which the block's bytes are a window.
    pub fn buffer(&self) -> &[u8] {
        &self.buffer
    }

    /// The window of the buffer that has the block's bytes.
    pub fn place(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// The offsets to search by, ascending.
    #[inline]
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Facts about the block's encoded form, if it had one.
    pub fn encoded(&self) -> Option<&EncodedForm> {
        self.encoded.as_deref()
    }

    /// The same block with what is known of its encoded form.
    pub fn with_encoded(mut self, encoded: EncodedForm) -> Self {
        self.encoded = Some(Box::new(encoded));
        self
    }

    /// The same block, counted by `spares`. If `is_reusable`, its buffer is returned there when the block is dropped, and
    /// its marks move into the buffer if there is room: a search then touches fewer pages of memory.
    pub(super) fn with_home(mut self, spares: Arc<SpareBuffers>, is_reusable: bool) -> Self {
        spares.lend(self.buffer.capacity());
        let start = self.buffer.len().next_multiple_of(LINE_BYTES);
        let has_marks =
            is_reusable && !self.marks.is_empty() && start + self.marks.number_bytes() <= self.buffer.capacity();
        if has_marks {
            let memory = self.buffer.split_off(start);
            self.marks = std::mem::take(&mut self.marks).moved_to(memory);
        }
        self.home = Some(Home { spares, is_reusable, has_marks });
        self
    }

    /// The buffer, with the memory of the marks if they are in it.
    fn take_buffer(&mut self, has_marks: bool) -> BytesMut {
        let mut buffer = std::mem::take(&mut self.buffer);
        if has_marks {
            // Joined without a copy, because the buffer now ends where the marks begin.
            buffer.resize(buffer.capacity(), 0);
            buffer.unsplit(std::mem::take(&mut self.marks).into_memory());
        }
        buffer
    }

    /// Memory used by the block.
    pub fn memory_bytes(&self) -> u64 {
        let encoded = self.encoded.as_ref().map_or(0, |encoded| {
            (size_of::<EncodedForm>() + encoded.checksums.sums.capacity()) as u64 + encoded.restarts.memory_bytes()
        });
        OVERHEAD_BYTES + self.buffer.capacity() as u64 + self.marks.memory_bytes() + encoded
    }
}

impl Drop for CachedBlock {
    fn drop(&mut self) {
        let Some(Home { spares, is_reusable, has_marks }) = self.home.take() else { return };
        if is_reusable {
            spares.give(self.take_buffer(has_marks));
        } else {
            spares.forget(self.buffer.capacity());
        }
    }
}
