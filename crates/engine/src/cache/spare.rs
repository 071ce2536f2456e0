//! Spare buffers of dropped blocks, for new blocks.
//!
//! A full cache evicts a block for each new one, and a batch of gets loads many at once. Newly allocated memory is
//! zeroed before the file is read into it, which takes a fifth of that read's time. Besides, memory that one thread
//! allocates and another one frees stays in the first thread's heap: a cache whose reading threads change would grow
//! to twice its limit. So when a file is removed with all its blocks, their buffers are retained as long as they and
//! the blocks together are within the limit.

use super::chunks::Chunks;
use crate::sys::lock::Mutex;
use bytes::BytesMut;
use std::collections::VecDeque;

/// Maximum bytes of spare buffers next to a full cache, or an eighth of it if that is less.
const KEPT_BYTES: usize = 4 << 20;
const SHARE: usize = 8;
/// Smaller and larger buffers are left to the allocator.
const LEAST_BYTES: usize = 16 << 10;
const MOST_BYTES: usize = 256 << 10;
/// Capacities are a multiple of this, so that buffers fit blocks of similar size.
const STEP_BYTES: usize = 4 << 10;
/// Number of recently returned buffers that are searched.
const LOOKED_AT: usize = 64;

/// Spare buffers.
#[derive(Debug)]
pub(super) struct SpareBuffers {
    kept: Mutex<Kept>,
    chunks: Chunks,
    /// Limit for blocks and spare buffers together.
    limit_bytes: usize,
    least_bytes: usize,
}

#[derive(Debug, Default)]
struct Kept {
    buffers: VecDeque<BytesMut>,
    bytes: usize,
    /// Bytes in use by blocks.
    lent_bytes: usize,
}

impl SpareBuffers {
    /// Creates an empty stock for a cache of `limit_bytes`.
    pub fn of_cache(limit_bytes: u64) -> Self {
        let limit_bytes = usize::try_from(limit_bytes).unwrap_or(usize::MAX);
        let least_bytes = (limit_bytes / SHARE).min(KEPT_BYTES);
        SpareBuffers { kept: Mutex::default(), chunks: Chunks::of_cache(limit_bytes), limit_bytes, least_bytes }
    }

    /// Notes that a block uses a buffer of `bytes`, and frees spare ones to make room.
    pub fn lend(&self, bytes: usize) {
        let mut kept = self.kept.lock();
        kept.lent_bytes += bytes;
        let gone = self.too_many(&mut kept);
        drop(kept);
        gone.into_iter().for_each(|buffer| self.chunks.discard(buffer));
    }

    /// Notes that a block with a buffer that cannot be reused was dropped.
    pub fn forget(&self, bytes: usize) {
        let mut kept = self.kept.lock();
        kept.lent_bytes = kept.lent_bytes.saturating_sub(bytes);
    }

    /// Removes the oldest buffers that exceed the room next to the blocks.
    fn too_many(&self, kept: &mut Kept) -> Vec<BytesMut> {
        let most_bytes = self.limit_bytes.saturating_sub(kept.lent_bytes).max(self.least_bytes);
        let mut gone = Vec::new();
        while kept.bytes > most_bytes {
            let Some(oldest) = kept.buffers.pop_front() else { break };
            kept.bytes -= oldest.capacity();
            gone.push(oldest);
        }
        gone
    }

    /// A buffer of `bytes` bytes with arbitrary contents, and a capacity for `more` further bytes, unless it is very small
    /// or large.
    pub fn take(&self, bytes: usize, more: usize) -> BytesMut {
        let room = bytes.saturating_add(more).next_multiple_of(STEP_BYTES);
        if !(LEAST_BYTES..=MOST_BYTES).contains(&room) {
            return BytesMut::zeroed(bytes);
        }
        // A much larger one would waste its extra capacity as long as the block is cached.
        let fits = |buffer: &BytesMut| (room..=room + room / 8).contains(&buffer.capacity());
        let mut kept = self.kept.lock();
        // The most recently used buffer is most likely in the CPU's cache.
        let found = kept.buffers.iter().rev().take(LOOKED_AT).position(fits);
        let found = found.and_then(|back| {
            let index = kept.buffers.len() - 1 - back;
            kept.buffers.remove(index)
        });
        kept.bytes -= found.as_ref().map_or(0, BytesMut::capacity);
        drop(kept);
        let mut buffer = found.unwrap_or_else(|| self.chunks.cut(room));
        buffer.resize(bytes, 0);
        buffer
    }

    /// Returns a buffer to the stock. The oldest ones are freed if there are too many.
    pub fn give(&self, buffer: BytesMut) {
        let bytes = buffer.capacity();
        let mut kept = self.kept.lock();
        kept.lent_bytes = kept.lent_bytes.saturating_sub(bytes);
        if !(LEAST_BYTES..=MOST_BYTES).contains(&bytes) {
            return;
        }
        kept.bytes += bytes;
        kept.buffers.push_back(buffer);
        let gone = self.too_many(&mut kept);
        drop(kept);
        gone.into_iter().for_each(|buffer| self.chunks.discard(buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again_where_it_fits() {
        let spares = SpareBuffers::of_cache(1 << 30);
        let buffer = BytesMut::zeroed(64 << 10);
        let memory = buffer.as_ptr();
        spares.give(buffer);
        let (small, large) = (spares.take(32 << 10, 0), spares.take(64 << 10, 1));
        assert!(small.as_ptr() != memory && large.as_ptr() != memory);
        let again = spares.take((64 << 10) - 5, 0);
        assert_eq!((again.as_ptr(), again.len()), (memory, (64 << 10) - 5));
        let other = spares.take((64 << 10) - 5, 0);
        assert_ne!(other.as_ptr(), memory, "given once");
    }

    #[test]
    fn buffers_of_blocks_that_went_together_stay_while_there_is_room_for_them() {
        let (bytes, count) = (64 << 10, 512);
        let spares = SpareBuffers::of_cache((count * bytes) as u64);
        let blocks: Vec<_> = (0..count).map(|_| spares.take(bytes, 0)).collect();
        blocks.iter().for_each(|block| spares.lend(block.capacity()));
        blocks.into_iter().for_each(|block| spares.give(block));
        assert_eq!(spares.kept.lock().bytes, count * bytes, "the file went, and its blocks with it");
        // Blocks of another size allocate their own memory: spare buffers make room for them.
        spares.lend(count * bytes / 2);
        assert_eq!(spares.kept.lock().bytes, count * bytes / 2);
        spares.forget(count * bytes / 2);
        let kept = spares.kept.lock();
        assert_eq!((kept.lent_bytes, kept.buffers.len()), (0, count / 2));
    }

    #[test]
    fn few_are_kept_beside_a_full_cache_and_none_that_are_small_or_very_large() {
        let spares = SpareBuffers::of_cache(1 << 30);
        spares.lend(1 << 30);
        for bytes in [LEAST_BYTES - 1, MOST_BYTES + 1] {
            spares.give(BytesMut::zeroed(bytes));
        }
        assert!(spares.kept.lock().buffers.is_empty());
        for bytes in 0..2 * KEPT_BYTES / LEAST_BYTES {
            spares.lend(LEAST_BYTES + bytes);
            spares.give(BytesMut::with_capacity(LEAST_BYTES + bytes));
        }
        let kept = spares.kept.lock();
        assert!(kept.bytes <= KEPT_BYTES && kept.bytes > KEPT_BYTES - 2 * LEAST_BYTES, "{}", kept.bytes);
        assert_eq!(kept.bytes, kept.buffers.iter().map(BytesMut::capacity).sum::<usize>());
        let first = kept.buffers.front().map_or(0, BytesMut::capacity);
        assert!(first > LEAST_BYTES + KEPT_BYTES / LEAST_BYTES, "the last ones: from {first} on");
    }
}
