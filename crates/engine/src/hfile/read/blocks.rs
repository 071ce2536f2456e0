//! Blocks of one file: reading, verifying, decompressing, decoding and caching.

use crate::cache::{BlockCache, BlockKey, CachedBlock, Checksums, EncodedForm};
use crate::hfile::encoding;
use crate::hfile::format::{checksum, compression, BlockType, ChecksumType, Damage, Header, HEADER_BYTES};
use crate::hfile::index::{nonroot_marks, Entries};
use crate::search::Marks;
use crate::sys::ReadableFile;
use bytes::{Bytes, BytesMut};
use rowstone_model::cell::{compare_keys, Cell, Layout};
use rowstone_model::codec::printable;
use rowstone_model::schema::{Compression, Encoding};
use rowstone_model::{Error, Result};
use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

/// Form of a file's data blocks.
#[derive(Debug, Clone, Copy)]
pub struct DataForm {
    /// Their encoding.
    pub encoding: Encoding,
    /// Optional parts of their cells.
    pub layout: Layout,
    /// Whether tags are in a dictionary, if the encoding has one.
    pub has_tag_dictionary: bool,
}

/// An open file as a store of blocks.
pub struct Blocks {
    pub path: PathBuf,
    pub file: Arc<dyn ReadableFile>,
    pub file_id: u64,
    pub cache: Arc<BlockCache>,
    pub in_memory: bool,
    pub compression: Compression,
    /// Checksum type of all its blocks.
    pub checksum: ChecksumType,
    pub form: DataForm,
    /// End of the blocks that are read on demand.
    pub end: u64,
    /// Bytes of the marks of the data block that was read last: the next one will need about as many.
    pub marks_bytes: AtomicUsize,
    /// Number of requested blocks that were in the cache, which counts them with those of other files.
    pub hits: Arc<AtomicU64>,
    /// Number of requested blocks that were read.
    pub misses: AtomicU64,
}

/// Expected properties of a requested block. They detect a whole block, with valid checksums, in another block's
/// place.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedBlock<'k> {
    /// Its type.
    pub kind: BlockType,
    /// No key in it is before this one; empty if nothing is known.
    pub first_key: &'k [u8],
    /// The previous block of its type begins here or later.
    pub previous_from: i64,
}

impl<'k> ExpectedBlock<'k> {
    /// Expects a block of that type whose index entry has that key.
    pub fn new(kind: BlockType, first_key: &'k [u8]) -> Self {
        ExpectedBlock { kind, first_key, previous_from: -1 }
    }

    /// Checks that the block belongs at `offset`. One written for a later offset refers to a previous block at or
    /// after this one; one written for an earlier offset has smaller keys.
    fn check(&self, header: &Header, block: &CachedBlock, offset: u64, layout: Layout) -> Result<(), Damage> {
        if header.previous_offset >= offset as i64 || header.previous_offset < self.previous_from {
            let found = format!("one written for another place, after the block at {}", header.previous_offset);
            return Err(Damage::new(format_args!("the block written for offset {offset}"), found));
        }
        let first = match self.kind {
            _ if self.first_key.is_empty() => return Ok(()),
            BlockType::LeafIndex | BlockType::IntermediateIndex => Entries::of(block).get(0).map(|entry| entry.key),
            _ => Some(Cell::read(block.bytes(), layout)?.0.key()),
        };
        match first {
            Some(first) if compare_keys(first, self.first_key) == Ordering::Less => {
                Err(Damage::new(format_args!("keys from {} on", printable(self.first_key)), printable(first)))
            }
            _ => Ok(()),
        }
    }
}

/// A block's header and its content in `buffer`, decompressed.
#[derive(Clone)]
pub struct RawBlock {
    pub header: Header,
    pub buffer: BytesMut,
    pub content: std::ops::Range<usize>,
    /// Whether the content is as in the file, with its checksums after it in `buffer`.
    pub is_as_stored: bool,
}

/// Verifies the block in `buffer` and decompresses it.
pub fn open_block(buffer: BytesMut, codec: Compression) -> Result<RawBlock, Damage> {
    let header = Header::parse(&buffer)?;
    if header.total_bytes() != buffer.len() {
        return Err(Damage::new(
            format_args!("a block of {} bytes", buffer.len()),
            format_args!("a header for {}", header.total_bytes()),
        ));
    }
    let (data, sums) = buffer.split_at(header.data_bytes);
    checksum::verify(data, sums, header.checksum, header.bytes_per_checksum)?;
    let size = header.uncompressed_bytes;
    if codec == Compression::None {
        if header.data_bytes - HEADER_BYTES != size {
            return Err(Damage::new(format_args!("{size} bytes of content"), header.data_bytes - HEADER_BYTES));
        }
        return Ok(RawBlock { content: HEADER_BYTES..HEADER_BYTES + size, header, buffer, is_as_stored: true });
    }
    let content = compression::decompress(codec, &data[HEADER_BYTES..], size)?;
    Ok(RawBlock { header, content: 0..content.len(), buffer: Bytes::from(content).into(), is_as_stored: false })
}

/// Decodes the block into its cached form.
pub fn decode_block(block: RawBlock, form: DataForm) -> Result<CachedBlock, Damage> {
    match block.header.block_type {
        BlockType::Data | BlockType::EncodedData => decode_data_block(block, form),
        BlockType::LeafIndex | BlockType::IntermediateIndex => {
            let marks = nonroot_marks(&block.buffer[block.content.clone()])?;
            Ok(CachedBlock::window(block.buffer, block.content, marks))
        }
        _ => Ok(CachedBlock::window(block.buffer, block.content, Marks::default())),
    }
}

fn decode_data_block(block: RawBlock, form: DataForm) -> Result<CachedBlock, Damage> {
    let RawBlock { header, buffer, content, is_as_stored } = block;
    if header.block_type != encoding::data_block_type(form.encoding) {
        return Err(Damage::new(
            format_args!("a block in encoding {}", form.encoding.name()),
            format_args!("a block of type {:?}", header.block_type),
        ));
    }
    let checksums = (is_as_stored && encoding::is_delta(form.encoding)).then(|| checksums_of(&header, &buffer));
    let place = content.start + encoding::DELTA_HEAD_BYTES..content.end;
    let (block, restarts) = encoding::decode(form.encoding, buffer, content, form.layout, form.has_tag_dictionary)?;
    if block.marks().is_empty() {
        return Err(Damage::new("a cell in every data block", "none"));
    }
    Ok(match (checksums, restarts) {
        (Some(checksums), Some(restarts)) => block.with_encoded(EncodedForm { restarts, checksums, content: place }),
        _ => block,
    })
}

/// The checksums of a block in the buffer that was read from the file.
pub(super) fn checksums_of(header: &Header, buffer: &[u8]) -> Checksums {
    Checksums {
        sums: buffer.get(header.data_bytes..).unwrap_or_default().to_vec(),
        chunk_bytes: header.bytes_per_checksum,
        covered_bytes: header.data_bytes,
    }
}

impl Blocks {
    /// Whether a block is used in the memory that it was read into.
    pub(super) fn keeps_buffers(&self) -> bool {
        self.compression == Compression::None && matches!(self.form.encoding, Encoding::None | Encoding::RowIndexV1)
    }

    /// Reads `bytes` bytes from `offset`.
    pub fn read(&self, offset: u64, bytes: usize) -> Result<BytesMut> {
        self.fill(offset, BytesMut::zeroed(bytes))
    }

    fn fill(&self, offset: u64, mut buffer: BytesMut) -> Result<BytesMut> {
        match self.file.read_at(offset, &mut buffer) {
            Ok(()) => Ok(buffer),
            Err(error) => Err(Error::io("read", self.path.display(), &error)),
        }
    }

    /// Reads, verifies and decodes the block at `offset`.
    pub(super) fn load(&self, offset: u64, bytes: usize, wanted: ExpectedBlock<'_>) -> Result<CachedBlock> {
        let damage = |damage: Damage| damage.at(&self.path, offset);
        if bytes < HEADER_BYTES || offset.checked_add(bytes as u64).is_none_or(|end| end > self.end) {
            return Err(damage(Damage::new(
                format_args!("a block within the first {} bytes", self.end),
                format_args!("an index entry for {bytes} bytes"),
            )));
        }
        let has_cells = wanted.kind == encoding::data_block_type(self.form.encoding);
        let buffer = if self.keeps_buffers() {
            self.cache.buffer(bytes, if has_cells { self.marks_bytes.load(Relaxed) } else { 0 })
        } else {
            BytesMut::zeroed(bytes)
        };
        let block = open_block(self.fill(offset, buffer)?, self.compression).map_err(damage)?;
        let header = block.header;
        // In a file with checksums, a header that claims to have none is not trusted.
        if header.block_type != wanted.kind || header.checksum != self.checksum {
            return Err(damage(Damage::new(
                format_args!("a block of type {:?} with checksums {:?}", wanted.kind, self.checksum),
                format_args!("{:?}, {:?}", header.block_type, header.checksum),
            )));
        }
        let block = decode_block(block, self.form).map_err(damage)?;
        wanted.check(&header, &block, offset, self.form.layout).map_err(damage)?;
        if has_cells {
            self.marks_bytes.store(block.marks().number_bytes(), Relaxed);
        }
        Ok(self.cache.lend(block, self.keeps_buffers()))
    }

    /// Announces to the file system that these bytes will be read soon.
    pub(super) fn announce(&self, offset: u64, bytes: usize) {
        // A damaged index could ask for any range.
        if offset.checked_add(bytes as u64).is_some_and(|end| end <= self.end) {
            self.file.will_need(offset, bytes as u64);
        }
    }

    /// Announces the block unless it is in the cache. Returns whether it is.
    pub(super) fn announce_missing(&self, offset: u64, bytes: usize) -> bool {
        let is_cached = self.cache.get(BlockKey { file: self.file_id, offset }, self.in_memory).is_some();
        if !is_cached {
            self.announce(offset, bytes);
        }
        is_cached
    }

    /// The block at `offset`, if it is in the cache.
    #[inline]
    pub fn cached(&self, offset: u64) -> Option<Arc<CachedBlock>> {
        let block = self.cache.get(BlockKey { file: self.file_id, offset }, self.in_memory)?;
        self.hits.fetch_add(1, Relaxed);
        Some(block)
    }

    /// The block at `offset`, `bytes` long in the file. With `keep` it is added to the cache.
    #[inline]
    pub fn get(&self, offset: u64, bytes: usize, wanted: ExpectedBlock<'_>, keep: bool) -> Result<Arc<CachedBlock>> {
        if let Some(block) = self.cached(offset) {
            return Ok(block);
        }
        self.misses.fetch_add(1, Relaxed);
        let key = BlockKey { file: self.file_id, offset };
        if keep {
            self.cache.get_or_load(key, self.in_memory, || self.load(offset, bytes, wanted))
        } else {
            self.cache.count_miss();
            self.load(offset, bytes, wanted).map(Arc::new)
        }
    }

    /// Drops all blocks from the cache; returns their number.
    pub fn evict(&self) -> u64 {
        self.cache.evict_file(self.file_id)
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        self.cache.forget_file(self.file_id);
    }
}
