//! Caching blocks before they are requested: PREFETCH_BLOCKS_ON_OPEN, CACHE_DATA_ON_WRITE and similar attributes.
//!
//! Readers do not verify a block that they find in the cache. Here there is no index entry to verify it with.
//! Instead each block must refer to the previous one of its type, which a block of another offset does not.

use super::blocks::ExpectedBlock;
use super::reader::Reader;
use crate::cache::BlockKey;
use crate::hfile::format::{BlockType, Damage, Header, HEADER_BYTES};
use rowstone_model::schema::CacheOnWrite;
use rowstone_model::Result;
use std::collections::BTreeMap;

impl Reader {
    /// Caches the blocks of these types, as many as the cache could hold, and returns their number. They count
    /// neither as hits nor as misses.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn warm(&self, kinds: CacheOnWrite) -> Result<u64> {
        let blocks = self.blocks();
        let mut room = blocks.cache.statistics().limit_bytes;
        let mut previous: BTreeMap<BlockType, i64> = BTreeMap::new();
        let (mut offset, mut count) = (0, 0);
        while offset + HEADER_BYTES as u64 <= blocks.end {
            let damage = |damage: Damage| damage.at(&blocks.path, offset);
            let header = Header::parse(&blocks.read(offset, HEADER_BYTES)?).map_err(damage)?;
            let bytes = header.total_bytes();
            let before = previous.insert(header.block_type.chain(), offset as i64).unwrap_or(-1);
            if header.previous_offset != before {
                let found = header.previous_offset;
                return Err(damage(Damage::new(format_args!("{before} as the previous block's offset"), found)));
            }
            let is_wanted = match header.block_type {
                BlockType::Data | BlockType::EncodedData => kinds.data,
                BlockType::LeafIndex | BlockType::IntermediateIndex => kinds.index,
                BlockType::BloomChunk => kinds.blooms,
                _ => false,
            };
            let key = BlockKey { file: blocks.file_id, offset };
            if is_wanted && blocks.cached(offset).is_none() {
                let block = blocks.load(offset, bytes, ExpectedBlock::new(header.block_type, &[]))?;
                let Some(rest) = room.checked_sub(block.memory_bytes()) else { break };
                room = rest;
                blocks.cache.insert(key, blocks.in_memory, block);
                count += 1;
            }
            offset += bytes as u64;
        }
        Ok(count)
    }
}
