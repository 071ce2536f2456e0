//! Hash of block keys.
//!
//! A key is two numbers that no outsider chooses, so two multiplications are enough. The standard hasher, made for
//! untrusted keys, took a tenth of the time of a cached get.

use std::hash::{BuildHasher, Hasher};

/// Creates [`KeyHasher`]s.
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
        self.0 = ((product >> 64) as u64) ^ product as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::KeyHash;
    use crate::cache::BlockKey;
    use std::hash::BuildHasher;

    /// The cache selects a shard by the bits from 32 on and a slot in it by the lowest ones. Files of equal cells
    /// have blocks of one size. An earlier hash kept low bits together: with a size that is a multiple of 4, it
    /// used only two of eight shards.
    #[test]
    fn blocks_of_one_size_spread_over_shards_and_places() {
        for (file, size) in [(1, 65_604), (2, 65_536), (3, 65_600), (7, 66_568), (100, 8_192), (5, 65_537)] {
            let (mut shards, mut places) = ([0; 8], [0; 64]);
            for number in 0..4_096 {
                let hash = KeyHash.hash_one(BlockKey { file, offset: number * size });
                shards[(hash >> 32) as usize % 8] += 1;
                places[hash as usize % 64] += 1;
            }
            assert!(shards.iter().all(|count| (256..=768).contains(count)), "blocks of {size}: {shards:?}");
            assert!(places.iter().all(|count| (16..=160).contains(count)), "blocks of {size}: {places:?}");
        }
    }
}
