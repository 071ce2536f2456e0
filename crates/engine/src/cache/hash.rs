//! The hash of a block's key: two numbers that nobody outside chooses, so two multiplications are enough. The standard
//! hasher, made for keys from strangers, took a tenth of a cached get.

use std::hash::{BuildHasher, Hasher};

/// Makes [`KeyHasher`]s.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeyHash;

/// Hashes the numbers of a key.
#[derive(Debug, Default)]
pub(super) struct KeyHasher(u64);

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl BuildHasher for KeyHash {
    type Hasher = KeyHasher;

    fn build_hasher(&self) -> KeyHasher {
        KeyHasher::default()
    }
}

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number).wrapping_mul(u128::from(MULTIPLIER));
        self.0 = ((product >> 64) as u64) ^ (product as u64).rotate_left(32);
    }
}
