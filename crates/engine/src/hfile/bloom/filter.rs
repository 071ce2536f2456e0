//! Bloom filter of an open file: finds the chunk of a key, and checks a key in a chunk. The reader loads the
//! chunks.

use super::bits::{each_bit, MAX_HASHES};
use super::BloomKeys;
use crate::cache::CachedBlock;
use crate::hfile::format::Damage;
use crate::hfile::index::{root_table, Entries, Entry};
use crate::search::partition_point;
use rowstone_model::cell::compare_keys;
use rowstone_model::codec::Reader;
use std::cmp::Ordering;

const VERSION: u32 = 3;
const MURMUR: u32 = 1;

/// A filter without its chunks, which the reader loads from disk.
#[derive(Debug)]
pub struct BloomFilter {
    keys: BloomKeys,
    hashes: u32,
    chunks: CachedBlock,
    /// Keys in the filter.
    pub key_count: u64,
    /// Capacity in keys, after folding.
    pub max_keys: u64,
    /// Bytes of all chunks.
    pub chunk_bytes: u64,
}

impl BloomFilter {
    /// Parses the filter that a meta block describes. `None` for an unsupported hash function: the file is then read
    /// as if it had no filter.
    pub fn parse(meta: &[u8], keys: BloomKeys) -> Result<Option<Self>, Damage> {
        let mut reader = Reader::new(meta);
        let version = reader.u32()?;
        if version != VERSION {
            return Err(Damage::new(format_args!("Bloom filter version {VERSION}"), version));
        }
        let chunk_bytes = reader.u64()?;
        let (hashes, hash_type) = (reader.u32()?, reader.u32()?);
        let (key_count, max_keys) = (reader.u64()?, reader.u64()?);
        let chunk_count = reader.u32()?;
        let comparator = usize::try_from(reader.vlong()?).unwrap_or(usize::MAX);
        reader.take(comparator)?;
        let chunks = root_table(&mut reader, u64::from(chunk_count), keys == BloomKeys::Columns)?;
        if hashes == 0 || hashes > MAX_HASHES {
            return Err(Damage::new(format_args!("1 to {MAX_HASHES} hashes"), hashes));
        }
        if hash_type != MURMUR {
            return Ok(None);
        }
        Ok(Some(BloomFilter { keys, hashes, chunks, key_count, max_keys, chunk_bytes }))
    }

    /// The chunks in order.
    pub fn chunks(&self) -> Entries<'_> {
        Entries::of(&self.chunks)
    }

    /// Bits set per key.
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// The chunk that `key` would be in; `None` if it sorts before all.
    #[inline]
    pub fn chunk_of(&self, key: &[u8]) -> Option<Entry<'_>> {
        let chunks = self.chunks();
        let past = match self.keys {
            BloomKeys::Rows => chunks.partition_point(|first| first <= key),
            BloomKeys::Columns => chunks.partition_point(|first| compare_keys(first, key) != Ordering::Greater),
        };
        chunks.get(past.checked_sub(1)?)
    }

    /// The offset of the chunk before the one at `offset`.
    pub fn chunk_before(&self, offset: u64) -> Option<u64> {
        let chunks = self.chunks();
        // Chunks are in the file in the order of their keys.
        let is_before = |index| chunks.get(index).is_some_and(|chunk| chunk.offset < offset);
        Some(chunks.get(partition_point(0..chunks.len(), is_before).checked_sub(1)?)?.offset)
    }

    /// Whether `key` may have been added to the chunk with these bits.
    #[inline]
    pub fn is_in_chunk(&self, bits: &[u8], key: &[u8]) -> bool {
        each_bit(key, self.hashes, (bits.len() * 8) as u32, |bit| bits[bit >> 3] >> (bit & 7) & 1 == 1)
    }
}
