//! Checking a file's Bloom filters. "No" is certain, "yes" is not; a file without the filter always says yes. So does
//! one that is not in memory if the caller asks for an answer at once.

use super::blocks::ExpectedBlock;
use super::reader::Reader;
use crate::hfile::bloom::{column_key, BloomFilter};
use crate::hfile::format::BlockType;
use rowstone_model::schema::BloomFilter as BloomType;
use rowstone_model::Result;

impl Reader {
    fn probe(&self, filter: &BloomFilter, key: &[u8], at_once: bool) -> Result<bool> {
        let Some(chunk) = filter.chunk_of(key) else { return Ok(false) };
        if at_once {
            return Ok(self.blocks().cached(chunk.offset).is_none_or(|bits| filter.is_in_chunk(bits.bytes(), key)));
        }
        // The chunks of both filters form one chain: between two of this filter there may be some of the other.
        let previous_from = filter.chunk_before(chunk.offset).map_or(-1, |before| before as i64);
        let wanted = ExpectedBlock { previous_from, ..ExpectedBlock::new(BlockType::BloomChunk, &[]) };
        let bits = self.blocks().get(chunk.offset, chunk.bytes, wanted, true)?;
        Ok(filter.is_in_chunk(bits.bytes(), key))
    }

    fn general(&self, wanted: BloomType) -> Option<&BloomFilter> {
        self.bloom().filter(|_| self.info().bloom == wanted)
    }

    /// Whether the file may contain cells of `row`, according to a ROW or ROWPREFIX_FIXED_LENGTH filter.
    ///
    /// # Errors
    /// If a chunk of the filter cannot be read or is damaged.
    pub fn might_contain_row(&self, row: &[u8], at_once: bool) -> Result<bool> {
        if let Some(filter) = self.general(BloomType::Row) {
            return self.probe(filter, row, at_once);
        }
        match self.general(BloomType::RowPrefixFixedLength) {
            // A row that is shorter than the prefixes was added to the filter as a whole.
            Some(filter) => self.probe(filter, &row[..row.len().min(self.info().bloom_prefix_bytes)], at_once),
            None => Ok(true),
        }
    }

    /// Whether the file may contain rows that begin with `prefix`, according to a ROWPREFIX_FIXED_LENGTH filter.
    /// For a `prefix` that is shorter than the filter's, the answer is always yes.
    ///
    /// # Errors
    /// As [`Reader::might_contain_row`].
    pub fn might_contain_prefix(&self, prefix: &[u8]) -> Result<bool> {
        match (self.general(BloomType::RowPrefixFixedLength), prefix.get(..self.info().bloom_prefix_bytes)) {
            (Some(filter), Some(prefix)) => self.probe(filter, prefix, false),
            _ => Ok(true),
        }
    }

    /// Whether the file may contain cells of the column, or family markers of its row (which have the empty
    /// qualifier), according to a ROWCOL filter or a filter of rows.
    ///
    /// # Errors
    /// As [`Reader::might_contain_row`].
    pub fn might_contain_column(&self, row: &[u8], qualifier: &[u8], at_once: bool) -> Result<bool> {
        match self.general(BloomType::RowCol) {
            Some(filter) => Ok(self.probe(filter, &column_key(row, qualifier), at_once)?
                || (!qualifier.is_empty() && self.probe(filter, &column_key(row, &[]), at_once)?)),
            None => self.might_contain_row(row, at_once),
        }
    }

    /// Whether the file may contain family markers of `row`.
    ///
    /// # Errors
    /// As [`Reader::might_contain_row`].
    pub fn might_contain_delete_family(&self, row: &[u8]) -> Result<bool> {
        if self.info().delete_family_count == Some(0) || self.info().entry_count == 0 {
            return Ok(false);
        }
        if let Some(filter) = self.delete_bloom() {
            return self.probe(filter, row, false);
        }
        match self.general(BloomType::RowCol) {
            Some(filter) => self.probe(filter, &column_key(row, &[]), false),
            None => Ok(true),
        }
    }
}
