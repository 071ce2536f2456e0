//! Pool of large buffers.
//!
//! The allocator returns memory above its limit to the operating system at once
//! (`docs/explanation/performance-memory.md`). The next request of that size then pays a page fault for each page, which
//! costs more than writing to it. Keeping a few buffers between calls avoids that; buffers that stay unused for a while
//! are freed. Only a few are lent at a time, so slow clients hold no more memory than without the pool.

use crate::sync::lock;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

/// Smaller buffers are left to the allocator.
pub(in crate::server) const LEAST_BYTES: usize = 64 << 10;
/// Larger buffers are not kept.
const MOST_BYTES: usize = 4 << 20;
/// Limit on the bytes of all idle buffers, and on those of all lent buffers.
const KEPT_BYTES: usize = 16 << 20;

/// Idle buffers.
#[derive(Default)]
pub(in crate::server) struct Buffers(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    buffers: Vec<Vec<u8>>,
    bytes: usize,
    lent_bytes: usize,
    /// The smallest number of idle buffers since the last cleanup.
    fewest: usize,
}

/// Bytes that may be in a buffer from the pool, which is returned on drop.
#[derive(Default)]
pub(in crate::server) struct Buffer {
    bytes: Vec<u8>,
    home: Option<Arc<Buffers>>,
    lent_bytes: usize,
}

impl Buffer {
    /// Wraps bytes that are not from the pool.
    pub fn own(bytes: Vec<u8>) -> Self {
        Buffer { bytes, home: None, lent_bytes: 0 }
    }
}

impl Deref for Buffer {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some(home) = &self.home {
            home.give(std::mem::take(&mut self.bytes), self.lent_bytes);
        }
    }
}

impl Buffers {
    /// Returns an empty buffer, from the pool if one may be lent.
    pub fn take(self: &Arc<Self>) -> Buffer {
        let mut kept = lock(&self.0);
        let bytes = if kept.lent_bytes < KEPT_BYTES { kept.buffers.pop() } else { None }.unwrap_or_default();
        let lent_bytes = bytes.capacity();
        kept.bytes -= lent_bytes;
        kept.lent_bytes += lent_bytes;
        kept.fewest = kept.fewest.min(kept.buffers.len());
        Buffer { bytes, home: Some(Arc::clone(self)), lent_bytes }
    }

    /// Returns a buffer to the pool. Its contents are discarded.
    fn give(&self, mut buffer: Vec<u8>, lent_bytes: usize) {
        buffer.clear();
        let bytes = buffer.capacity();
        let mut kept = lock(&self.0);
        kept.lent_bytes -= lent_bytes;
        if (LEAST_BYTES..=MOST_BYTES).contains(&bytes) && kept.bytes + bytes <= KEPT_BYTES {
            kept.bytes += bytes;
            kept.buffers.push(buffer);
        }
    }

    /// Frees the buffers that were not needed since the last call.
    pub fn forget_unused(&self) {
        let mut kept = lock(&self.0);
        let unused = kept.fewest.min(kept.buffers.len());
        // Buffers are taken from the end, so the unused ones are at the front.
        let gone: Vec<Vec<u8>> = kept.buffers.drain(..unused).collect();
        kept.bytes -= gone.iter().map(Vec::capacity).sum::<usize>();
        kept.fewest = kept.buffers.len();
        drop(kept);
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(buffers: &Buffers) -> (usize, usize, usize) {
        let kept = lock(&buffers.0);
        (kept.buffers.len(), kept.bytes, kept.lent_bytes)
    }

    /// Returns a buffer to the pool, as after an answer of that size.
    fn give(buffers: &Arc<Buffers>, bytes: usize) {
        *buffers.take() = Vec::with_capacity(bytes);
    }

    #[test]
    fn a_buffer_is_used_again_and_empty() {
        let buffers = Arc::new(Buffers::default());
        buffers.take().resize(LEAST_BYTES, 7);
        assert_eq!(count(&buffers), (1, LEAST_BYTES, 0));
        let again = buffers.take();
        assert_eq!((again.len(), again.capacity()), (0, LEAST_BYTES));
        assert_eq!(count(&buffers), (0, 0, LEAST_BYTES));
        assert_eq!(buffers.take().capacity(), 0);
        drop(again);
        assert_eq!(count(&buffers), (1, LEAST_BYTES, 0));
    }

    #[test]
    fn only_some_are_kept_and_none_that_is_small_or_large() {
        let buffers = Arc::new(Buffers::default());
        give(&buffers, LEAST_BYTES - 1);
        give(&buffers, MOST_BYTES + 1);
        assert_eq!(count(&buffers), (0, 0, 0));
        let mut many: Vec<Buffer> = (0..9).map(|_| buffers.take()).collect();
        many.iter_mut().for_each(|buffer| buffer.reserve_exact(2 << 20));
        drop(many);
        assert_eq!(count(&buffers), (8, KEPT_BYTES, 0));
    }

    #[test]
    fn buffers_held_for_long_stay_within_the_limit() {
        let buffers = Arc::new(Buffers::default());
        let mut held = Vec::new();
        for _ in 0..20 {
            let mut many: Vec<Buffer> = (0..4).map(|_| buffers.take()).collect();
            many.iter_mut().for_each(|buffer| buffer.reserve_exact(1 << 20));
            drop(many);
            held.push(buffers.take());
        }
        assert_eq!(held.iter().map(|buffer| buffer.capacity()).sum::<usize>(), KEPT_BYTES);
        drop(held);
        assert_eq!(count(&buffers).2, 0);
    }

    #[test]
    fn unused_buffers_are_freed() {
        let buffers = Arc::new(Buffers::default());
        let mut many: Vec<Buffer> = (0..3).map(|_| buffers.take()).collect();
        many.iter_mut().for_each(|buffer| buffer.reserve_exact(LEAST_BYTES));
        drop(many);
        buffers.forget_unused();
        drop(buffers.take());
        // Two were not needed since the last call.
        buffers.forget_unused();
        assert_eq!(count(&buffers).0, 1);
        buffers.forget_unused();
        assert_eq!(count(&buffers), (0, 0, 0));
    }
}
