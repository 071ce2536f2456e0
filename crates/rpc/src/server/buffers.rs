//! Large buffers that are used again.
//!
//! What the allocator gets back above its limit goes to the system at once (`docs/performance.md`), and the next request of that
//! size pays for each of its pages anew: more than for what is written into them. A few buffers between calls spare that; those
//! that nobody needed for a while go.

use crate::sync::lock;
use std::sync::Mutex;

/// Smaller ones are the allocator's business.
const LEAST_BYTES: usize = 64 << 10;
/// A larger one is kept by nobody.
const MOST_BYTES: usize = 4 << 20;
/// Bytes of all that are kept.
const KEPT_BYTES: usize = 8 << 20;

/// Buffers between two uses.
#[derive(Default)]
pub(super) struct Buffers(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    buffers: Vec<Vec<u8>>,
    bytes: usize,
    /// The fewest that were here since somebody looked.
    fewest: usize,
}

impl Buffers {
    /// An empty buffer, with room where one is kept.
    pub fn take(&self) -> Vec<u8> {
        let mut kept = lock(&self.0);
        let Some(buffer) = kept.buffers.pop() else { return Vec::new() };
        kept.bytes -= buffer.capacity();
        kept.fewest = kept.fewest.min(kept.buffers.len());
        buffer
    }

    /// The same for content of `bytes`, if that is worth it.
    pub fn take_for(&self, bytes: usize) -> Vec<u8> {
        if bytes < LEAST_BYTES {
            return Vec::with_capacity(bytes);
        }
        self.take()
    }

    /// Keeps a buffer for the next one who needs it; what is in it is forgotten.
    pub fn give(&self, mut buffer: Vec<u8>) {
        let bytes = buffer.capacity();
        if !(LEAST_BYTES..=MOST_BYTES).contains(&bytes) {
            return;
        }
        buffer.clear();
        let mut kept = lock(&self.0);
        if kept.bytes + bytes <= KEPT_BYTES {
            kept.bytes += bytes;
            kept.buffers.push(buffer);
        }
    }

    /// Lets those go that nobody needed since the last time.
    pub fn forget_unused(&self) {
        let mut kept = lock(&self.0);
        let unused = kept.fewest.min(kept.buffers.len());
        // The last ones are those in use.
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

    fn count(buffers: &Buffers) -> (usize, usize) {
        let kept = lock(&buffers.0);
        (kept.buffers.len(), kept.bytes)
    }

    #[test]
    fn a_buffer_is_used_again_and_empty() {
        let buffers = Buffers::default();
        buffers.give(vec![7; LEAST_BYTES]);
        let again = buffers.take_for(LEAST_BYTES);
        assert_eq!((again.len(), again.capacity()), (0, LEAST_BYTES));
        assert_eq!(count(&buffers), (0, 0));
        assert!(buffers.take().capacity() == 0);
    }

    #[test]
    fn only_some_are_kept_and_none_that_is_small_or_large() {
        let buffers = Buffers::default();
        buffers.give(vec![0; LEAST_BYTES - 1]);
        buffers.give(Vec::with_capacity(MOST_BYTES + 1));
        assert_eq!(count(&buffers), (0, 0));
        for _ in 0..5 {
            buffers.give(Vec::with_capacity(2 << 20));
        }
        assert_eq!(count(&buffers), (4, KEPT_BYTES));
    }

    #[test]
    fn those_that_nobody_needs_go() {
        let buffers = Buffers::default();
        for _ in 0..3 {
            buffers.give(Vec::with_capacity(LEAST_BYTES));
        }
        buffers.forget_unused();
        let one = buffers.take();
        buffers.give(one);
        // Two were never needed since.
        buffers.forget_unused();
        assert_eq!(count(&buffers).0, 1);
        buffers.forget_unused();
        assert_eq!(count(&buffers), (0, 0));
    }
}
