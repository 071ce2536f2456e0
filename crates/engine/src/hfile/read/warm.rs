//! Blocks into the cache before anyone asks for them: PREFETCH_BLOCKS_ON_OPEN, CACHE_DATA_ON_WRITE and their like.

use super::reader::Reader;
use crate::cache::BlockKey;
use crate::hfile::format::{BlockType, Header, HEADER_BYTES};
use rowstone_model::schema::CacheOnWrite;
use rowstone_model::Result;
use std::sync::Arc;

impl Reader {
    /// Puts the blocks of these kinds into the cache, as many as it could hold; returns how many it put there. They count
    /// neither as hits nor as misses.
    ///
    /// # Errors
    /// Where a block cannot be read or is damaged.
    pub fn warm(&self, kinds: CacheOnWrite) -> Result<u64> {
        let blocks = self.blocks();
        let mut room = blocks.cache.statistics().limit_bytes;
        let (mut offset, mut count) = (0, 0);
        while offset + HEADER_BYTES as u64 <= blocks.end {
            let header = Header::parse(&blocks.read(offset, HEADER_BYTES)?);
            let header = header.map_err(|damage| damage.at(&blocks.path, offset))?;
            let bytes = header.total_bytes();
            let is_wanted = match header.block_type {
                BlockType::Data | BlockType::EncodedData => kinds.data,
                BlockType::LeafIndex | BlockType::IntermediateIndex => kinds.index,
                BlockType::BloomChunk => kinds.blooms,
                _ => false,
            };
            let key = BlockKey { file: blocks.file_id, offset };
            if is_wanted && blocks.cached(offset).is_none() {
                let block = blocks.load(offset, bytes, header.block_type)?;
                let Some(rest) = room.checked_sub(block.memory_bytes()) else { break };
                room = rest;
                blocks.cache.insert(key, blocks.in_memory, Arc::new(block));
                count += 1;
            }
            offset += bytes as u64;
        }
        Ok(count)
    }
}
