//! Visiting all blocks of a file in file order, found by their headers alone.

use super::blocks::{open_block, RawBlock};
use super::reader::Reader;
use crate::hfile::format::{BlockType, Damage, Header, HEADER_BYTES, TRAILER_BYTES};
use rowstone_model::Result;
use std::collections::BTreeMap;

impl Reader {
    /// Calls `visit` with the offset of every block and the block, verified and decompressed.
    ///
    /// # Errors
    /// `Corruption` at the first block that is damaged, does not refer to the previous one of its type, or extends
    /// into the trailer; errors of `visit`.
    pub(super) fn each_block(&self, mut visit: impl FnMut(u64, &RawBlock) -> Result<()>) -> Result<()> {
        let blocks = self.blocks();
        let end = self.info().size_bytes - TRAILER_BYTES as u64;
        let mut previous: BTreeMap<BlockType, i64> = BTreeMap::new();
        let mut offset = 0;
        while offset < end {
            let damage = |damage: Damage| damage.at(&blocks.path, offset);
            if end - offset < HEADER_BYTES as u64 {
                return Err(damage(Damage::new("a block header", format_args!("{} bytes", end - offset))));
            }
            let header = Header::parse(&blocks.read(offset, HEADER_BYTES)?).map_err(damage)?;
            let bytes = header.total_bytes();
            if bytes as u64 > end - offset {
                return Err(damage(Damage::new(format_args!("a block of at most {}", end - offset), bytes)));
            }
            let block = open_block(blocks.read(offset, bytes)?, blocks.compression).map_err(damage)?;
            let before = previous.insert(header.block_type.chain(), offset as i64).unwrap_or(-1);
            if header.previous_offset != before {
                let found = header.previous_offset;
                return Err(damage(Damage::new(format_args!("{before} as the previous block's offset"), found)));
            }
            visit(offset, &block)?;
            offset += bytes as u64;
        }
        Ok(())
    }
}
