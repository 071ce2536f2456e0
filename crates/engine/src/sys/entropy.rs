//! Randomness: for file names and identifiers, never for secrets.

use std::sync::atomic::{AtomicU64, Ordering};

/// Source of random numbers.
pub trait Entropy: Send + Sync {
    /// Eight random bytes.
    fn next_u64(&self) -> u64;
}

/// The machine's source of randomness.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn next_u64(&self) -> u64 {
        // Without a source of randomness, the time and an address still make names distinct.
        getrandom::u64().unwrap_or_else(|_| {
            super::Clock::now_ms(&super::SystemClock) as u64 ^ (&raw const *self as u64).rotate_left(32)
        })
    }
}

/// Reproducible numbers from a seed (SplitMix64).
#[derive(Debug)]
pub struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        SeededEntropy(AtomicU64::new(seed))
    }
}

impl Entropy for SeededEntropy {
    fn next_u64(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut z = self.0.fetch_add(STEP, Ordering::SeqCst).wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// 32 random lower-case hex digits: the form of HBase's store file names.
pub fn random_hex(entropy: &dyn Entropy) -> String {
    format!("{:016x}{:016x}", entropy.next_u64(), entropy.next_u64())
}
