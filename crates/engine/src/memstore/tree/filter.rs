//! Filter for rows that a tree does not have: one bit per hash of a row, read without a lock.
//!
//! 256 Ki bits are 32 KiB. With 28 k rows of 150 bytes (4 MiB), one absent row in ten is searched for in vain.
//!
//! Bits are set before the insert returns. They are only read by readers whose read point includes that insert.
//! Passing the read point from writer to reader also orders the bits, so relaxed loads and stores suffice.

use std::sync::atomic::{AtomicU64, Ordering};

const BITS: usize = 1 << 18;

/// A set of row hashes with false positives.
pub(crate) struct RowFilter {
    words: Box<[AtomicU64]>,
}

impl RowFilter {
    pub(crate) fn new() -> Self {
        RowFilter { words: (0..BITS / 64).map(|_| AtomicU64::new(0)).collect() }
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        std::mem::size_of_val(&*self.words)
    }

    #[inline]
    fn word(&self, hash: u64) -> (&AtomicU64, u64) {
        let bit = hash as usize % BITS;
        (&self.words[bit / 64], 1 << (bit % 64))
    }

    /// Only one thread may add at a time.
    #[inline]
    pub(crate) fn add(&self, hash: u64) {
        let (word, bit) = self.word(hash);
        word.store(word.load(Ordering::Relaxed) | bit, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn may_have(&self, hash: u64) -> bool {
        let (word, bit) = self.word(hash);
        word.load(Ordering::Relaxed) & bit != 0
    }
}
