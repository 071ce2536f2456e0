//! Buffers of blocks that nobody needs any more, for blocks that come.
//!
//! A cache that is full lets a block go for each that it takes, and a batch of gets many at once. Memory that is had anew is filled
//! with zeros before the file is read into it, which takes a fifth of the time of that reading; and memory that one thread's heap gave
//! and another gives back stays with the first: a cache whose readers change would come to take twice its limit. So when a file goes, and
//! all its blocks with it, their buffers stay as long as they and the blocks are within the limit together.

use crate::sys::lock::Mutex;
use std::collections::VecDeque;

/// So many bytes of them are kept also beside a full cache, or an eighth of it.
const KEPT_BYTES: usize = 4 << 20;
const SHARE: usize = 8;
/// Smaller and larger ones are the allocator's business.
const LEAST_BYTES: usize = 16 << 10;
const MOST_BYTES: usize = 256 << 10;
/// Room is a multiple of this, so that blocks of about the same size fit into each other's place.
const STEP_BYTES: usize = 4 << 10;
/// Among so many of those that came last a buffer is looked for.
const LOOKED_AT: usize = 64;

/// A few buffers, each as long as the block was that it held.
#[derive(Debug)]
pub(super) struct SpareBuffers {
    kept: Mutex<Kept>,
    /// Of blocks and spare buffers together.
    limit_bytes: usize,
    least_bytes: usize,
}

#[derive(Debug, Default)]
struct Kept {
    buffers: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Of blocks.
    lent_bytes: usize,
}

impl SpareBuffers {
    /// None yet, of a cache for so many bytes.
    pub fn of_cache(limit_bytes: u64) -> Self {
        let limit_bytes = usize::try_from(limit_bytes).unwrap_or(usize::MAX);
        SpareBuffers { kept: Mutex::default(), limit_bytes, least_bytes: (limit_bytes / SHARE).min(KEPT_BYTES) }
    }

    /// A block has a buffer of so many bytes. Spare ones make room for it.
    pub fn lend(&self, bytes: usize) {
        let mut kept = self.kept.lock();
        kept.lent_bytes += bytes;
        let gone = self.too_many(&mut kept);
        drop(kept);
        drop(gone);
    }

    /// A block whose buffer is of no use to others went.
    pub fn forget(&self, bytes: usize) {
        let mut kept = self.kept.lock();
        kept.lent_bytes = kept.lent_bytes.saturating_sub(bytes);
    }

    /// Those that were kept longest, of more than there is room for beside the blocks.
    fn too_many(&self, kept: &mut Kept) -> Vec<Vec<u8>> {
        let most_bytes = self.limit_bytes.saturating_sub(kept.lent_bytes).max(self.least_bytes);
        let mut gone = Vec::new();
        while kept.bytes > most_bytes {
            let Some(oldest) = kept.buffers.pop_front() else { break };
            kept.bytes -= oldest.capacity();
            gone.push(oldest);
        }
        gone
    }

    /// A buffer of `bytes` bytes, whatever they are.
    pub fn take(&self, bytes: usize) -> Vec<u8> {
        if !(LEAST_BYTES..=MOST_BYTES).contains(&bytes) {
            return vec![0; bytes];
        }
        let room = bytes.next_multiple_of(STEP_BYTES);
        // One that is much too large would stay in the cache with all its room.
        let fits = |buffer: &Vec<u8>| (room..=room + room / 8).contains(&buffer.capacity());
        let mut kept = self.kept.lock();
        // What was used last is nearest to the processor.
        let found = kept.buffers.iter().rev().take(LOOKED_AT).position(fits);
        let found = found.and_then(|back| {
            let index = kept.buffers.len() - 1 - back;
            kept.buffers.remove(index)
        });
        kept.bytes -= found.as_ref().map_or(0, Vec::capacity);
        drop(kept);
        let mut buffer = found.unwrap_or_else(|| Vec::with_capacity(room));
        buffer.resize(bytes, 0);
        buffer
    }

    /// Keeps a buffer that was lent, in place of those that were kept longest where there are many.
    pub fn give(&self, buffer: Vec<u8>) {
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
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again_where_it_fits() {
        let spares = SpareBuffers::of_cache(1 << 30);
        let buffer = vec![7; 64 << 10];
        let memory = buffer.as_ptr();
        spares.give(buffer);
        let (small, large) = (spares.take(32 << 10), spares.take((64 << 10) + 1));
        assert!(small.as_ptr() != memory && large.as_ptr() != memory);
        let again = spares.take((64 << 10) - 5);
        assert_eq!((again.as_ptr(), again.len()), (memory, (64 << 10) - 5));
        let other = spares.take((64 << 10) - 5);
        assert_ne!(other.as_ptr(), memory, "given once");
    }

    #[test]
    fn buffers_of_blocks_that_went_together_stay_while_there_is_room_for_them() {
        let (bytes, count) = (64 << 10, 512);
        let spares = SpareBuffers::of_cache((count * bytes) as u64);
        let blocks: Vec<_> = (0..count).map(|_| spares.take(bytes)).collect();
        blocks.iter().for_each(|block| spares.lend(block.capacity()));
        blocks.into_iter().for_each(|block| spares.give(block));
        assert_eq!(spares.kept.lock().bytes, count * bytes, "the file went, and its blocks with it");
        // Blocks of another size come, with memory of their own: spare buffers make room for them.
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
            spares.give(vec![0; bytes]);
        }
        assert!(spares.kept.lock().buffers.is_empty());
        for bytes in 0..2 * KEPT_BYTES / LEAST_BYTES {
            spares.lend(LEAST_BYTES + bytes);
            spares.give(Vec::with_capacity(LEAST_BYTES + bytes));
        }
        let kept = spares.kept.lock();
        assert!(kept.bytes <= KEPT_BYTES && kept.bytes > KEPT_BYTES - 2 * LEAST_BYTES, "{}", kept.bytes);
        assert_eq!(kept.bytes, kept.buffers.iter().map(Vec::capacity).sum::<usize>());
        let first = kept.buffers.front().map_or(0, Vec::capacity);
        assert!(first > LEAST_BYTES + KEPT_BYTES / LEAST_BYTES, "the last ones: from {first} on");
    }
}
