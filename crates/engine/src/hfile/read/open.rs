//! Opening a file: reads the trailer, then everything from the load-on-open offset.
//!
//! ```text
//! ROOT_INDEX of data | ROOT_INDEX of meta blocks | FILE_INFO | Bloom filters' metas, in any order | trailer
//! ```

use super::blocks::{open_block, RawBlock};
use super::info::Info;
use crate::cache::CachedBlock;
use crate::hfile::bloom::{BloomFilter, BloomKeys};
use crate::hfile::format::file_info::names;
use crate::hfile::format::trailer::{other_version, SUPPORTED_VERSIONS};
use crate::hfile::format::{BlockType, ChecksumType, Damage, FileInfo, Header, Trailer, TRAILER_BYTES};
use crate::hfile::index::{root_table, Entries, MidKey, MID_KEY_BYTES};
use crate::sys::ReadableFile;
use rowstone_model::codec::Reader as Bytes;
use rowstone_model::schema::{BloomFilter as BloomType, Compression};
use rowstone_model::{Error, ErrorKind, Result};
use std::path::Path;

/// HBase never writes an index with more levels.
const MAX_INDEX_LEVELS: u64 = 16;

/// Parts of an open file that stay in memory outside the cache.
pub struct Opened {
    pub trailer: Trailer,
    pub info: Info,
    pub root: CachedBlock,
    pub mid_key: Option<MidKey>,
    pub checksum: ChecksumType,
    /// CRC32C of all bytes from the load-on-open offset to the end.
    pub tail_checksum: u32,
    pub bloom: Option<BloomFilter>,
    pub delete_bloom: Option<BloomFilter>,
}

/// The blocks of the load-on-open section, one after the other.
struct Section<'a> {
    bytes: &'a [u8],
    start: u64,
    at: usize,
    codec: Compression,
    path: &'a Path,
}

impl Section<'_> {
    fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    fn damage(&self, damage: Damage) -> Error {
        damage.at(self.path, self.offset())
    }

    fn next(&mut self) -> Result<Option<RawBlock>> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return Ok(None);
        }
        let header = Header::parse(rest).map_err(|damage| self.damage(damage))?;
        let Some(block) = rest.get(..header.total_bytes()) else {
            let found = format!("a block of {} bytes before the trailer", header.total_bytes());
            return Err(self.damage(Damage::new(format_args!("at most {} bytes", rest.len()), found)));
        };
        let raw = open_block(block.into(), self.codec).map_err(|damage| self.damage(damage))?;
        self.at += header.total_bytes();
        Ok(Some(raw))
    }

    fn expect(&mut self, wanted: BlockType) -> Result<RawBlock> {
        let offset = self.offset();
        match self.next()? {
            Some(block) if block.header.block_type == wanted => Ok(block),
            other => {
                let found = other.map_or("the trailer".into(), |block| format!("{:?}", block.header.block_type));
                Err(Damage::new(format_args!("a block of type {wanted:?}"), found).at(self.path, offset))
            }
        }
    }
}

fn read(file: &dyn ReadableFile, path: &Path, offset: u64, bytes: usize) -> Result<Vec<u8>> {
    let mut buffer = vec![0; bytes];
    file.read_at(offset, &mut buffer).map_err(|error| Error::io("read", path.display(), &error))?;
    Ok(buffer)
}

/// Checks the trailer of a file, which begins at `trailer_at`.
fn read_trailer(bytes: &[u8], path: &Path, trailer_at: u64) -> Result<(Trailer, Compression)> {
    let unsupported = |what: String| Err(Error::new(ErrorKind::Unsupported, format!("{}: {what}", path.display())));
    if let Some(version) = other_version(bytes) {
        return unsupported(format!(
            "it is of HFile version {version}, and this Rowstone reads {SUPPORTED_VERSIONS}; `rowstone check` says \
             whether it is damaged"
        ));
    }
    let trailer = Trailer::parse(bytes).map_err(|damage| damage.at(path, trailer_at))?;
    if trailer.is_encrypted {
        return unsupported("the file is encrypted, and its key is not ours to read".into());
    }
    if !trailer.has_normal_order() {
        return unsupported(format!("its cells are in the order of '{}', which is not read", trailer.comparator));
    }
    let compression = match trailer.compression() {
        Ok(compression) => compression,
        Err(name) => return unsupported(format!("it is compressed with {name}, which is not read")),
    };
    let is_sane = trailer.load_on_open_offset <= trailer.file_info_offset
        && trailer.file_info_offset < trailer_at
        && (1..=MAX_INDEX_LEVELS).contains(&trailer.index_levels);
    if !is_sane {
        let found = format!(
            "load-on-open {}, file info {}, {} index levels",
            trailer.load_on_open_offset, trailer.file_info_offset, trailer.index_levels
        );
        return Err(Error::corruption(path.display(), trailer_at, "offsets in order before the trailer", found));
    }
    Ok((trailer, compression))
}

fn read_root(block: &RawBlock, trailer: &Trailer) -> Result<(CachedBlock, Option<MidKey>), Damage> {
    let mut bytes = Bytes::new(&block.buffer[block.content.clone()]);
    let root = root_table(&mut bytes, trailer.root_index_count, true)?;
    let mid_key = match bytes.remaining() {
        0 => None,
        MID_KEY_BYTES => {
            Some(MidKey { offset: bytes.u64()?, bytes: bytes.u32()? as usize, entry: bytes.u32()? as usize })
        }
        more => return Err(Damage::new("the end of the root index", format_args!("{more} more bytes"))),
    };
    // The trailer has no checksum: a wrong count of entries is detected here.
    if mid_key.is_some() != (trailer.index_levels > 1) {
        let found = format!("{} entries, then {mid_key:?}", trailer.root_index_count);
        return Err(Damage::new(format_args!("a mid key with {} index levels", trailer.index_levels), found));
    }
    Ok((root, mid_key))
}

/// Reads everything that a reader needs before the first data block.
pub fn open(file: &dyn ReadableFile, path: &Path) -> Result<Opened> {
    let size = file.len().map_err(|error| Error::io("read", path.display(), &error))?;
    let Some(trailer_at) = size.checked_sub(TRAILER_BYTES as u64) else {
        return Err(Error::corruption(path.display(), 0, "an HFile of at least 4096 bytes", format!("{size} bytes")));
    };
    let trailer_bytes = read(file, path, trailer_at, TRAILER_BYTES)?;
    let (trailer, codec) = read_trailer(&trailer_bytes, path, trailer_at)?;
    let start = trailer.load_on_open_offset;
    let bytes = read(file, path, start, (trailer_at - start) as usize)?;
    let tail_checksum = crc32c::crc32c_append(crc32c::crc32c(&bytes), &trailer_bytes);
    let mut section = Section { bytes: &bytes, start, at: 0, codec, path };
    let block = section.expect(BlockType::RootIndex)?;
    let checksum = block.header.checksum;
    let (root, mid_key) = read_root(&block, &trailer).map_err(|damage| damage.at(path, start))?;
    section.expect(BlockType::RootIndex)?;
    let info_at = section.offset();
    let in_info = |damage: Damage| damage.at(path, info_at);
    if info_at != trailer.file_info_offset {
        return Err(in_info(Damage::new(format_args!("the file info at {}", trailer.file_info_offset), "it is here")));
    }
    let block = section.expect(BlockType::FileInfo)?;
    let raw = FileInfo::parse(&block.buffer[block.content.clone()]).map_err(in_info)?;
    if raw.get(names::INDEX_BLOCK_ENCODING).is_some_and(|name| name != b"NONE") {
        let message = format!("{}: its index blocks are encoded, which is not read", path.display());
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let first_key = Entries::of(&root).get(0).map(|entry| entry.key.to_vec());
    let info = Info::read(raw, &trailer, codec, first_key, size).map_err(in_info)?;
    let mut opened = Opened { trailer, info, root, mid_key, checksum, tail_checksum, bloom: None, delete_bloom: None };
    read_blooms(&mut section, &mut opened)?;
    Ok(opened)
}

fn read_blooms(section: &mut Section<'_>, opened: &mut Opened) -> Result<()> {
    loop {
        let offset = section.offset();
        let Some(block) = section.next()? else { return Ok(()) };
        let in_meta = |damage: Damage| damage.at(section.path, offset);
        let meta = &block.buffer[block.content.clone()];
        match block.header.block_type {
            BlockType::GeneralBloomMeta => {
                let keys = match opened.info.bloom {
                    BloomType::RowCol => BloomKeys::Columns,
                    _ => BloomKeys::Rows,
                };
                opened.bloom = BloomFilter::parse(meta, keys).map_err(in_meta)?;
            }
            BlockType::DeleteFamilyBloomMeta => {
                opened.delete_bloom = BloomFilter::parse(meta, BloomKeys::Rows).map_err(in_meta)?;
            }
            // A newer HBase may add blocks that this version does not need.
            _ => {}
        }
    }
}
