//! Description of a file, for users and tools.

use super::info::Info;
use super::reader::Reader;
use crate::hfile::bloom::BloomFilter;
use crate::hfile::format::{BlockType, Trailer};
use rowstone_model::Result;
use std::collections::BTreeMap;

/// Totals of the blocks of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockTotals {
    /// Number of blocks.
    pub count: u64,
    /// Their bytes in the file, headers and checksums included.
    pub file_bytes: u64,
    /// Bytes of their content before compression.
    pub content_bytes: u64,
}

/// Statistics of a Bloom filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BloomDescription {
    /// Keys in it.
    pub key_count: u64,
    /// Its capacity in keys.
    pub max_keys: u64,
    /// Bits set per key.
    pub hashes: u32,
    /// Number of chunks.
    pub chunk_count: usize,
    /// Bytes of all chunks.
    pub bytes: u64,
}

/// Description of a file without its cells; those are read with [`Reader::source`].
#[derive(Debug, Clone)]
pub struct Description {
    /// The trailer's fields.
    pub trailer: Trailer,
    /// Properties, typed and raw.
    pub info: Info,
    /// Its blocks by type.
    pub blocks: BTreeMap<BlockType, BlockTotals>,
    /// The filter of rows, columns or prefixes.
    pub bloom: Option<BloomDescription>,
    /// The filter of rows with family markers.
    pub delete_bloom: Option<BloomDescription>,
    /// See [`Reader::mid_key`].
    pub mid_key: Option<Vec<u8>>,
}

impl BloomDescription {
    fn of(filter: &BloomFilter) -> Self {
        BloomDescription {
            key_count: filter.key_count,
            max_keys: filter.max_keys,
            hashes: filter.hashes(),
            chunk_count: filter.chunks().len(),
            bytes: filter.chunk_bytes,
        }
    }
}

impl Reader {
    /// Describes the file. Reads all of it and verifies every checksum.
    ///
    /// # Errors
    /// `Corruption` at the first damaged block.
    pub fn describe(&self) -> Result<Description> {
        let mut blocks: BTreeMap<BlockType, BlockTotals> = BTreeMap::new();
        self.each_block(|_, block| {
            let totals = blocks.entry(block.header.block_type).or_default();
            totals.count += 1;
            totals.file_bytes += block.header.total_bytes() as u64;
            totals.content_bytes += block.header.uncompressed_bytes as u64;
            Ok(())
        })?;
        Ok(Description {
            trailer: self.trailer().clone(),
            info: self.info().clone(),
            blocks,
            bloom: self.bloom().map(BloomDescription::of),
            delete_bloom: self.delete_bloom().map(BloomDescription::of),
            mid_key: self.mid_key()?,
        })
    }
}
