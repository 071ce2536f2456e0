//! Scrub: verifies everything in a file.
//!
//! First every block in file order: checksums, sizes, chains. Then every data block through the index. The index
//! must list each of them once and in order, and its keys must separate them. Cells must be in order and of one
//! family. The Bloom filters must contain them. The properties in the file info on which readers rely must be
//! correct.

use super::blocks::ExpectedBlock;
use super::path::IndexPath;
use super::reader::Reader;
use crate::cache::CachedBlock;
use crate::hfile::cursor::BlockCursor;
use crate::hfile::encoding::data_block_type;
use crate::hfile::format::{BlockType, Damage};
use rowstone_model::cell::{compare_keys, Cell, CellType};
use rowstone_model::codec::printable;
use rowstone_model::schema::BloomFilter;
use rowstone_model::{Error, Result};
use std::cmp::Ordering;

/// Totals of a scrub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Blocks of all types.
    pub blocks: u64,
    /// Data blocks.
    pub data_blocks: u64,
    /// Cells.
    pub cells: u64,
    /// Family markers.
    pub family_deletes: u64,
}

struct Scrub<'a> {
    reader: &'a Reader,
    counts: Counts,
    /// Flat key of the previous cell.
    last_key: Vec<u8>,
    max_sequence_id: u64,
}

impl Reader {
    /// Reads and verifies everything in the file.
    ///
    /// # Errors
    /// `Corruption` at the first location with unexpected contents.
    pub fn verify(&self) -> Result<Counts> {
        let mut data_blocks = Vec::new();
        let mut counts = Counts::default();
        self.each_block(|offset, block| {
            counts.blocks += 1;
            if matches!(block.header.block_type, BlockType::Data | BlockType::EncodedData) {
                data_blocks.push((offset, block.header.total_bytes()));
            }
            Ok(())
        })?;
        counts.data_blocks = data_blocks.len() as u64;
        let mut scrub = Scrub { reader: self, counts, last_key: Vec::new(), max_sequence_id: 0 };
        let index = self.index();
        let mut path = IndexPath::new();
        path.first(&index)?;
        for (offset, bytes) in data_blocks {
            let entry = path.entry(&index).map(|entry| (entry.offset, entry.bytes, entry.key.to_vec()));
            let listed = entry.as_ref().map(|(offset, bytes, _)| (*offset, *bytes));
            if listed != Some((offset, bytes)) {
                let found = format!("{listed:?}");
                return Err(scrub.damage(offset, format_args!("an index entry for its {bytes} bytes"), found));
            }
            let block = self.blocks().get(
                offset,
                bytes,
                ExpectedBlock::new(data_block_type(self.info().encoding), &[]),
                false,
            )?;
            scrub.block(offset, &block, &entry.map(|(_, _, key)| key).unwrap_or_default())?;
            path.next(&index)?;
        }
        if let Some(entry) = path.entry(&index) {
            return Err(scrub.damage(entry.offset, "no further data block", "an index entry for one"));
        }
        scrub.finish()
    }
}

impl Scrub<'_> {
    fn damage(&self, offset: u64, expected: impl std::fmt::Display, found: impl std::fmt::Display) -> Error {
        Damage::new(expected, found).at(self.reader.path(), offset)
    }

    fn block(&mut self, offset: u64, block: &CachedBlock, index_key: &[u8]) -> Result<()> {
        let bytes = block.bytes();
        let mut cursor = BlockCursor::new(self.reader.info().layout);
        let malformed = |error| Damage::from(error).at(self.reader.path(), offset);
        cursor.move_to(bytes, 0).map_err(malformed)?;
        let first = cursor.key(bytes).unwrap_or(&[]);
        let is_after_last = self.last_key.is_empty() || compare_keys(&self.last_key, index_key) == Ordering::Less;
        if !is_after_last || compare_keys(index_key, first) == Ordering::Greater {
            let expected =
                format!("an index key after {} and not after {}", printable(&self.last_key), printable(first));
            return Err(self.damage(offset, expected, printable(index_key)));
        }
        while let Some(cell) = cursor.cell(bytes) {
            self.cell(offset, &cell)?;
            cursor.advance(bytes).map_err(malformed)?;
        }
        Ok(())
    }

    fn cell(&mut self, offset: u64, cell: &Cell<'_>) -> Result<()> {
        let info = self.reader.info();
        let mut is_new_row = true;
        if !self.last_key.is_empty() {
            let last = Cell::new(&self.last_key, &[], &[], 0).map_err(|error| Error::internal(error.reason))?;
            is_new_row = last.row() != cell.row();
            if compare_keys(last.key(), cell.key()) == Ordering::Greater || last.family() != cell.family() {
                let expected = format!("a cell of the same family not before {}", printable(last.key()));
                return Err(self.damage(offset, expected, printable(cell.key())));
            }
        }
        let reaches_back = matches!(cell.cell_type(), CellType::DeleteColumn | CellType::DeleteFamily);
        let least = if reaches_back { cell.timestamp().min(0) } else { cell.timestamp() };
        if info.time_range.is_some_and(|(from, to)| least < from || cell.timestamp() > to) {
            return Err(self.damage(offset, format_args!("timestamps in {:?}", info.time_range), cell.timestamp()));
        }
        if cell.tags().len() > info.max_tags_len {
            return Err(self.damage(
                offset,
                format_args!("at most {} bytes of tags", info.max_tags_len),
                cell.tags().len(),
            ));
        }
        if !self.is_in_blooms(cell, is_new_row)? {
            return Err(self.damage(offset, "Bloom filters that know every cell", printable(cell.key())));
        }
        self.counts.cells += 1;
        self.counts.family_deletes += u64::from(cell.cell_type().is_family_delete());
        self.max_sequence_id = self.max_sequence_id.max(cell.sequence_id());
        self.last_key.clear();
        self.last_key.extend_from_slice(cell.key());
        Ok(())
    }

    fn is_in_blooms(&self, cell: &Cell<'_>, is_new_row: bool) -> Result<bool> {
        let reader = self.reader;
        let is_in_general = match reader.info().bloom {
            BloomFilter::None => true,
            BloomFilter::RowCol => reader.might_contain_column(cell.row(), cell.qualifier(), false)?,
            BloomFilter::Row | BloomFilter::RowPrefixFixedLength => {
                !is_new_row || reader.might_contain_row(cell.row(), false)?
            }
        };
        Ok(is_in_general && (!cell.cell_type().is_family_delete() || reader.might_contain_delete_family(cell.row())?))
    }

    fn finish(self) -> Result<Counts> {
        let (info, trailer) = (self.reader.info(), self.reader.trailer());
        let at = trailer.file_info_offset;
        if self.counts.cells != info.entry_count {
            return Err(self.damage(at, format_args!("{} cells", info.entry_count), self.counts.cells));
        }
        if info.last_key.as_deref().unwrap_or(&[]) != self.last_key {
            let expected = info.last_key.as_deref().map(printable).unwrap_or_default();
            return Err(self.damage(at, format_args!("{expected} as the last key"), printable(&self.last_key)));
        }
        if info.delete_family_count.is_some_and(|count| count != self.counts.family_deletes) {
            let expected = format!("{:?} family markers", info.delete_family_count);
            return Err(self.damage(at, expected, self.counts.family_deletes));
        }
        if info.layout.has_sequence_id && self.max_sequence_id > info.max_cell_sequence_id {
            let expected = format!("sequence ids up to {}", info.max_cell_sequence_id);
            return Err(self.damage(at, expected, self.max_sequence_id));
        }
        Ok(self.counts)
    }
}
