//! The writer: decides where data blocks end, updates index and Bloom filters, and closes the file.
//!
//! The order of steps is HBase's, down to the byte. Bloom filters see a cell before the writer decides whether the
//! cell begins a new block. Full index and Bloom blocks directly follow the data block during which they filled up.

use super::blocks::{BlockWriter, Written};
use super::options::{FileFacts, Summary, WriterOptions};
use super::output::Output;
use super::statistics::Statistics;
use crate::hfile::bloom::{column_key, BloomKeys, BloomWriter};
use crate::hfile::encoding;
use crate::hfile::format::file_info::names;
use crate::hfile::format::trailer::{codec_ordinal, COMPARATOR};
use crate::hfile::format::{BlockType, FileInfo, Trailer, MAX_CELL_BYTES, TRAILER_BYTES};
use crate::hfile::index::{separator, IndexWriter};
use crate::sys::FileSystem;
use rowstone_model::cell::{compare_keys, Cell, CellType, Layout, MAX_FAMILY_BYTES, MAX_ROW_BYTES};
use rowstone_model::codec::printable;
use rowstone_model::schema::{BloomFilter, Encoding};
use rowstone_model::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::path::Path;

/// Writes one file. Dropping it without [`Writer::finish`] leaves a partial file for the caller to remove.
pub struct Writer {
    options: WriterOptions,
    layout: Layout,
    blocks: BlockWriter,
    index: IndexWriter,
    bloom: Option<BloomWriter>,
    delete_bloom: Option<BloomWriter>,
    statistics: Statistics,
    /// Cells of the current block, not encoded.
    cells: Vec<u8>,
    /// Number of rows that begin in it.
    row_count: usize,
    /// Flat key of the first cell of the current block.
    first_key: Vec<u8>,
    /// Flat key of the last cell.
    last_key: Vec<u8>,
    /// Flat key of the last cell of the previous block.
    previous_key: Vec<u8>,
    encoded: Vec<u8>,
    data_offsets: Option<(u64, u64)>,
}

fn bloom_keys(bloom: BloomFilter) -> Option<BloomKeys> {
    match bloom {
        BloomFilter::None => None,
        BloomFilter::Row | BloomFilter::RowPrefixFixedLength => Some(BloomKeys::Rows),
        BloomFilter::RowCol => Some(BloomKeys::Columns),
    }
}

impl Writer {
    /// Creates a file at `path`.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(files: &dyn FileSystem, path: &Path, options: WriterOptions) -> Result<Self> {
        let output = Output::create(files, path, options.expected_bytes)?;
        let chunk = options.bloom_block_bytes;
        Ok(Writer {
            layout: Layout { has_tags: options.include_tags, has_sequence_id: options.include_sequence_ids },
            blocks: BlockWriter::new(output, &options)?,
            index: IndexWriter::new(options.index_block_bytes),
            bloom: bloom_keys(options.bloom).map(|keys| BloomWriter::new(chunk, keys)),
            // A second filter would not help a ROWCOL file: HBase looks up the empty qualifier in the ROWCOL filter
            // instead.
            delete_bloom: (options.bloom != BloomFilter::RowCol).then(|| BloomWriter::new(chunk, BloomKeys::Rows)),
            statistics: Statistics::default(),
            cells: Vec::with_capacity(options.block_bytes.min(1 << 20) + 1024),
            row_count: 0,
            first_key: Vec::new(),
            last_key: Vec::new(),
            previous_key: Vec::new(),
            encoded: Vec::new(),
            data_offsets: None,
            options,
        })
    }

    /// Adds a cell.
    ///
    /// # Errors
    /// `InvalidArgument` for a cell that sorts before the previous one, has another family, has tags in a file
    /// without tags, or cannot be stored by HBase. `CellTooLarge` for a cell that no reader would accept. The file
    /// is unchanged after either error.
    pub fn append(&mut self, cell: &Cell<'_>) -> Result<()> {
        let is_first = self.statistics.entry_count == 0;
        let (mut is_same_key, mut is_new_row) = (false, true);
        if is_first {
            check_lengths(cell)?;
        } else {
            let last = Cell::new(&self.last_key, &[], &[], 0).map_err(|error| Error::internal(error.reason))?;
            is_new_row = last.row() != cell.row();
            is_same_key = match compare_keys(last.key(), cell.key()) {
                Ordering::Greater => return Err(self.refuse(cell, "it sorts before the cell before it")),
                order => order == Ordering::Equal,
            };
            if last.family() != cell.family() {
                return Err(self.refuse(cell, "it is of another family than the cell before it"));
            }
        }
        if !cell.tags().is_empty() && !self.layout.has_tags {
            return Err(self.refuse(cell, "it has tags and the file has none"));
        }
        check_size(cell)?;
        self.feed_blooms(cell, is_first || is_new_row);
        if !is_same_key && self.is_block_full() {
            self.finish_block()?;
            self.write_inline_blocks(false)?;
        }
        if self.cells.is_empty() {
            self.first_key.clear();
            self.first_key.extend_from_slice(cell.key());
            self.row_count = 0;
            is_new_row = true;
        }
        self.row_count += usize::from(is_new_row);
        cell.write(&mut self.cells, self.layout);
        if !is_same_key || is_first {
            self.last_key.clear();
            self.last_key.extend_from_slice(cell.key());
        }
        self.statistics.add(cell);
        Ok(())
    }

    fn refuse(&self, cell: &Cell<'_>, reason: &str) -> Error {
        Error::invalid(format!(
            "{}: cell {} is refused: {reason} ({})",
            self.blocks.output().path().display(),
            printable(cell.key()),
            printable(&self.last_key)
        ))
    }

    #[inline]
    fn feed_blooms(&mut self, cell: &Cell<'_>, is_new_row: bool) {
        if let Some(bloom) = &mut self.bloom {
            match self.options.bloom {
                BloomFilter::RowCol => bloom.add(&column_key(cell.row(), cell.qualifier())),
                BloomFilter::RowPrefixFixedLength if is_new_row => {
                    let row = cell.row();
                    bloom.add(&row[..row.len().min(self.options.bloom_prefix_bytes)]);
                }
                BloomFilter::Row if is_new_row => bloom.add(cell.row()),
                _ => {}
            }
        }
        if let Some(bloom) = self.delete_bloom.as_mut().filter(|_| cell.cell_type().is_family_delete()) {
            bloom.add(cell.row());
        }
    }

    /// HBase ends a block once either its cells or their encoded form reach the block size. Of our encodings only
    /// ROW_INDEX_V1 is ever longer than the cells, by four bytes a row.
    fn is_block_full(&self) -> bool {
        let index_bytes = if self.options.encoding == Encoding::RowIndexV1 { 4 * self.row_count } else { 0 };
        !self.cells.is_empty() && self.cells.len() + index_bytes >= self.options.block_bytes
    }

    /// Writes the current block if it has cells, and adds it to the index.
    fn finish_block(&mut self) -> Result<()> {
        if self.cells.is_empty() {
            return Ok(());
        }
        let written = if self.options.encoding == Encoding::None {
            self.blocks.write(BlockType::Data, &self.cells)?
        } else {
            self.encoded.clear();
            let tags = self.options.compress_tags;
            encoding::encode(self.options.encoding, &self.cells, self.layout, tags, &mut self.encoded)
                .map_err(|error| Error::internal(error.reason))?;
            self.blocks.write(BlockType::EncodedData, &self.encoded)?
        };
        let malformed = |error: rowstone_model::cell::MalformedCell| Error::internal(error.reason);
        let first = Cell::new(&self.first_key, &[], &[], 0).map_err(malformed)?;
        let key = if self.previous_key.is_empty() {
            separator(None, &first)
        } else {
            separator(Some(&Cell::new(&self.previous_key, &[], &[], 0).map_err(malformed)?), &first)
        };
        self.index.push(written.offset, written.bytes, &key);
        self.previous_key.clear();
        self.previous_key.extend_from_slice(&self.last_key);
        self.data_offsets = Some((self.data_offsets.map_or(written.offset, |(first, _)| first), written.offset));
        self.cells.clear();
        Ok(())
    }

    /// Writes the full index and Bloom blocks.
    fn write_inline_blocks(&mut self, is_closing: bool) -> Result<()> {
        if let Some(leaf) = self.index.ready_leaf(is_closing) {
            let Written { offset, bytes } = self.blocks.write(BlockType::LeafIndex, &leaf.payload)?;
            self.index.leaf_written(&leaf, offset, bytes);
        }
        for bloom in [&mut self.bloom, &mut self.delete_bloom].into_iter().flatten() {
            while let Some(chunk) = bloom.ready_chunk(is_closing) {
                let Written { offset, bytes } = self.blocks.write(BlockType::BloomChunk, &chunk.bits)?;
                bloom.chunk_written(&chunk, offset, bytes);
            }
        }
        Ok(())
    }

    /// Approximate length of the file: the written bytes, and the cells of the current block.
    pub fn byte_len(&self) -> u64 {
        self.blocks.output().offset() + self.cells.len() as u64
    }

    /// Number of cells so far.
    pub fn entry_count(&self) -> u64 {
        self.statistics.entry_count
    }

    /// Writes the remaining parts and syncs the file. Its name is not durable yet: the caller syncs the directory.
    pub fn finish(mut self, facts: &FileFacts) -> Result<Summary> {
        self.finish_block()?;
        self.write_inline_blocks(true)?;
        let blocks = &mut self.blocks;
        let root = self.index.finish(|payload| {
            let written = blocks.write_uncounted(BlockType::IntermediateIndex, payload)?;
            Ok::<_, Error>((written.offset, written.bytes))
        })?;
        blocks.begin_tail();
        let load_on_open_offset = blocks.write_uncounted(BlockType::RootIndex, &root)?.offset;
        blocks.write(BlockType::RootIndex, &[])?;
        let info = self.file_info(facts);
        let file_info_offset = self.blocks.write(BlockType::FileInfo, &info.write())?.offset;
        let metas =
            [(&self.bloom, BlockType::GeneralBloomMeta), (&self.delete_bloom, BlockType::DeleteFamilyBloomMeta)];
        for (bloom, block_type) in metas {
            if let Some(bloom) = bloom.as_ref().filter(|bloom| bloom.key_count() > 0) {
                self.blocks.write(block_type, &bloom.meta())?;
            }
        }
        let (first_data_offset, last_data_offset) = self.data_offsets.unwrap_or((u64::MAX, u64::MAX));
        let trailer = Trailer {
            file_info_offset,
            load_on_open_offset,
            uncompressed_index_bytes: self.index.payload_bytes() as u64,
            total_uncompressed_bytes: self.blocks.uncompressed_bytes() + TRAILER_BYTES as u64,
            root_index_count: self.index.root_len() as u64,
            meta_index_count: 0,
            entry_count: self.statistics.entry_count,
            index_levels: u64::from(self.index.levels()),
            first_data_offset,
            last_data_offset,
            comparator: COMPARATOR.into(),
            codec: codec_ordinal(self.options.compression),
            is_encrypted: false,
        };
        let (size_bytes, digest) = self.blocks.finish(&trailer.write())?;
        let statistics = self.statistics;
        let has_cells = statistics.entry_count > 0;
        Ok(Summary {
            entry_count: statistics.entry_count,
            size_bytes,
            first_key: has_cells.then_some(statistics.first_key),
            last_key: has_cells.then_some(self.last_key),
            time_range: has_cells.then_some((statistics.min_timestamp, statistics.max_timestamp)),
            max_sequence_id: facts.max_sequence_id,
            digest,
        })
    }

    fn file_info(&self, facts: &FileFacts) -> FileInfo {
        let mut info = self.statistics.file_info(&self.options, facts, &self.last_key);
        if let Some(bloom) = self.bloom.as_ref().filter(|bloom| bloom.key_count() > 0) {
            info.set(names::BLOOM_TYPE, self.options.bloom.name());
            info.set(names::LAST_BLOOM_KEY, bloom.last_key());
            if self.options.bloom == BloomFilter::RowPrefixFixedLength {
                info.set_i32(names::BLOOM_PARAMETER, self.options.bloom_prefix_bytes as i32);
            }
        }
        info
    }
}

/// Lengths beyond Java's signed numbers are legal in a flat key, but HBase cannot read them.
fn check_lengths(cell: &Cell<'_>) -> Result<()> {
    if cell.family().len() > MAX_FAMILY_BYTES {
        return Err(Error::invalid(format!("a family of {} bytes is over {MAX_FAMILY_BYTES}", cell.family().len())));
    }
    Ok(())
}

fn check_size(cell: &Cell<'_>) -> Result<()> {
    let limit = MAX_CELL_BYTES;
    let bytes = cell.written_len(Layout::STORED);
    if cell.row().len() > MAX_ROW_BYTES || bytes > limit {
        return Err(Error::new(
            ErrorKind::CellTooLarge,
            format!(
                "a cell of {bytes} bytes (limit {limit}) with a row of {} (limit {MAX_ROW_BYTES})",
                cell.row().len()
            ),
        ));
    }
    if matches!(cell.cell_type(), CellType::Minimum | CellType::Maximum) {
        return Err(Error::invalid(format!("a cell of type {} cannot be stored", cell.type_code())));
    }
    Ok(())
}
