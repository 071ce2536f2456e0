//! Blocks of one file: read, checked, decompressed, decoded, and kept in the cache.

use crate::cache::{BlockCache, BlockKey, CachedBlock};
use crate::hfile::cursor::marks_of;
use crate::hfile::encoding;
use crate::hfile::format::{checksum, compression, BlockType, Damage, Header, HEADER_BYTES};
use crate::hfile::index::nonroot_marks;
use crate::search::Marks;
use crate::sys::ReadableFile;
use rowstone_model::cell::Layout;
use rowstone_model::schema::{Compression, Encoding};
use rowstone_model::{Error, Result};
use std::path::PathBuf;
use std::sync::Arc;

/// How the data blocks of a file are read.
#[derive(Debug, Clone, Copy)]
pub struct DataForm {
    /// Their encoding.
    pub encoding: Encoding,
    /// Which optional parts their cells carry.
    pub layout: Layout,
    /// Whether tags are in a dictionary, where the encoding has one.
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
    pub form: DataForm,
    /// Where blocks end that are read on demand.
    pub end: u64,
}

/// A block's header and its content in `buffer`, decompressed.
pub struct RawBlock {
    pub header: Header,
    pub buffer: Vec<u8>,
    pub content: std::ops::Range<usize>,
}

/// Checks the block in `buffer` and decompresses it.
pub fn open_block(buffer: Vec<u8>, codec: Compression) -> Result<RawBlock, Damage> {
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
        return Ok(RawBlock { content: HEADER_BYTES..HEADER_BYTES + size, header, buffer });
    }
    let content = compression::decompress(codec, &data[HEADER_BYTES..], size)?;
    Ok(RawBlock { header, content: 0..content.len(), buffer: content })
}

/// The block as the cache keeps it.
pub fn decode_block(block: RawBlock, form: DataForm) -> Result<CachedBlock, Damage> {
    let RawBlock { header, buffer, content } = block;
    match header.block_type {
        BlockType::Data | BlockType::EncodedData => {
            if header.block_type != encoding::data_block_type(form.encoding) {
                return Err(Damage::new(
                    format_args!("a block in encoding {}", form.encoding.name()),
                    format_args!("a block of type {:?}", header.block_type),
                ));
            }
            let block = encoding::decode(form.encoding, buffer, content, form.layout, form.has_tag_dictionary)?;
            let marks = marks_of(block.bytes(), form.layout)?;
            if marks.offsets().is_empty() {
                return Err(Damage::new("a cell in every data block", "none"));
            }
            Ok(block.with_marks(marks))
        }
        BlockType::LeafIndex | BlockType::IntermediateIndex => {
            let marks = nonroot_marks(&buffer[content.clone()])?;
            Ok(CachedBlock::window(buffer, content, marks))
        }
        _ => Ok(CachedBlock::window(buffer, content, Marks::default())),
    }
}

impl Blocks {
    /// Reads `bytes` bytes from `offset`.
    pub fn read(&self, offset: u64, bytes: usize) -> Result<Vec<u8>> {
        let mut buffer = vec![0; bytes];
        match self.file.read_at(offset, &mut buffer) {
            Ok(()) => Ok(buffer),
            Err(error) => Err(Error::io("read", self.path.display(), &error)),
        }
    }

    /// Reads, checks and decodes the block at `offset`.
    pub(super) fn load(&self, offset: u64, bytes: usize, wanted: BlockType) -> Result<CachedBlock> {
        let damage = |damage: Damage| damage.at(&self.path, offset);
        if bytes < HEADER_BYTES || offset.checked_add(bytes as u64).is_none_or(|end| end > self.end) {
            return Err(damage(Damage::new(
                format_args!("a block within the first {} bytes", self.end),
                format_args!("an index entry for {bytes} bytes"),
            )));
        }
        let block = open_block(self.read(offset, bytes)?, self.compression).map_err(damage)?;
        if block.header.block_type != wanted {
            return Err(damage(Damage::new(
                format_args!("a block of type {wanted:?}"),
                format_args!("{:?}", block.header.block_type),
            )));
        }
        decode_block(block, self.form).map_err(damage)
    }

    /// The block at `offset`, where it is in the cache.
    #[inline]
    pub fn cached(&self, offset: u64) -> Option<Arc<CachedBlock>> {
        self.cache.get(BlockKey { file: self.file_id, offset }, self.in_memory)
    }

    /// The block at `offset`, `bytes` long in the file. With `keep` it stays in the cache.
    #[inline]
    pub fn get(&self, offset: u64, bytes: usize, wanted: BlockType, keep: bool) -> Result<Arc<CachedBlock>> {
        if let Some(block) = self.cached(offset) {
            return Ok(block);
        }
        let key = BlockKey { file: self.file_id, offset };
        if keep {
            self.cache.get_or_load(key, self.in_memory, || self.load(offset, bytes, wanted))
        } else {
            self.cache.count_miss();
            self.load(offset, bytes, wanted).map(Arc::new)
        }
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        self.cache.evict_file(self.file_id);
    }
}
