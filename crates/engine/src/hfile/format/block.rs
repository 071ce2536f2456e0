//! Block headers.
//!
//! ```text
//!  0  8 bytes  magic, determines the type
//!  8  u32      bytes after the header: content as it is on disk, and checksums
//! 12  u32      bytes of the content before compression (and after encoding)
//! 16  i64      offset of the block of the same type before this one, -1 for the first
//! 24  u8       checksum type
//! 25  u32      bytes per checksum
//! 29  u32      bytes of header and content as on disk, without checksums
//! 33           content, then a u32 checksum per started chunk of header and content
//! ```
//!
//! Invariant of a parsed [`Header`]: its three sizes agree with each other and stay below [`MAX_BLOCK_BYTES`].

use super::checksum::{ChecksumType, CHECKSUM_BYTES};
use super::Damage;
use rowstone_model::codec::{printable, Reader};

/// Bytes of a block header.
pub const HEADER_BYTES: usize = 33;
/// Maximum decoded size of a block that is read or written. HBase ends a block at its block size plus one cell,
/// whose default limit is 10 MiB. The cap limits how much memory a corrupt header can make us allocate.
pub const MAX_BLOCK_BYTES: usize = 256 << 20;
/// Largest cell that fits into a block in every encoding.
pub const MAX_CELL_BYTES: usize = MAX_BLOCK_BYTES / 2;

macro_rules! block_types {
    ($($(#[$doc:meta])* $variant:ident = $magic:literal),+ $(,)?) => {
        /// Type of a block.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum BlockType { $($(#[$doc])* $variant),+ }

        impl BlockType {
            /// All types.
            pub const ALL: &'static [BlockType] = &[$(Self::$variant),+];

            /// Magic bytes at the start of such a block.
            pub fn magic(self) -> &'static [u8; 8] {
                match self { $(Self::$variant => $magic),+ }
            }
        }
    };
}

block_types! {
    /// Cells one after the other.
    Data = b"DATABLK*",
    /// Cells in an encoding.
    EncodedData = b"DATABLKE",
    /// Index of data blocks, lowest level.
    LeafIndex = b"IDXLEAF2",
    /// A chunk of a Bloom filter.
    BloomChunk = b"BLMFBLK2",
    /// Bytes under a name.
    Meta = b"METABLKc",
    /// Index of index blocks.
    IntermediateIndex = b"IDXINTE2",
    /// Top of an index.
    RootIndex = b"IDXROOT2",
    /// Properties of the file.
    FileInfo = b"FILEINF2",
    /// Locations of the general Bloom filter's chunks.
    GeneralBloomMeta = b"BLMFMET2",
    /// Locations of the chunks of the Bloom filter for rows with family markers.
    DeleteFamilyBloomMeta = b"DFBLMET2",
}

impl BlockType {
    /// The type whose chain of previous offsets this one belongs to.
    pub fn chain(self) -> BlockType {
        if self == Self::EncodedData {
            Self::Data
        } else {
            self
        }
    }
}

/// A block's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Type of the block.
    pub block_type: BlockType,
    /// Bytes after the header.
    pub on_disk_bytes: usize,
    /// Bytes of the content before compression.
    pub uncompressed_bytes: usize,
    /// Offset of the previous block of the same chain, or -1.
    pub previous_offset: i64,
    /// Type of the checksums.
    pub checksum: ChecksumType,
    /// Bytes that one checksum covers.
    pub bytes_per_checksum: usize,
    /// Bytes of header and content on disk.
    pub data_bytes: usize,
}

/// Bytes of checksums for `data_bytes` bytes of header and content.
pub fn checksums_len(data_bytes: usize, bytes_per_checksum: usize) -> usize {
    data_bytes.div_ceil(bytes_per_checksum) * CHECKSUM_BYTES
}

impl Header {
    /// Parses the header at the front of `bytes`.
    pub fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let mut reader = Reader::new(bytes);
        let magic = reader.take(8)?;
        let Some(&block_type) = BlockType::ALL.iter().find(|kind| kind.magic() == magic) else {
            return Err(Damage::new("the magic of a block", printable(magic)));
        };
        let on_disk_bytes = reader.u32()? as usize;
        let uncompressed_bytes = reader.u32()? as usize;
        let previous_offset = reader.i64()?;
        let code = reader.u8()?;
        let checksum = ChecksumType::from_code(code).ok_or_else(|| Damage::new("checksum type 0, 1 or 2", code))?;
        let bytes_per_checksum = reader.u32()? as usize;
        let data_bytes = reader.u32()? as usize;
        if bytes_per_checksum < HEADER_BYTES {
            return Err(Damage::new("at least 33 bytes per checksum", bytes_per_checksum));
        }
        if uncompressed_bytes > MAX_BLOCK_BYTES || data_bytes > MAX_BLOCK_BYTES + HEADER_BYTES {
            return Err(Damage::new(
                format_args!("a block of at most {MAX_BLOCK_BYTES} bytes"),
                uncompressed_bytes.max(data_bytes),
            ));
        }
        let after_header = (data_bytes + checksums_len(data_bytes, bytes_per_checksum)).checked_sub(HEADER_BYTES);
        if data_bytes < HEADER_BYTES || after_header != Some(on_disk_bytes) {
            return Err(Damage::new(
                format_args!("{on_disk_bytes} bytes of content and checksums"),
                format_args!("{data_bytes} bytes of header and content"),
            ));
        }
        Ok(Header {
            block_type,
            on_disk_bytes,
            uncompressed_bytes,
            previous_offset,
            checksum,
            bytes_per_checksum,
            data_bytes,
        })
    }

    /// Writes the header over the first [`HEADER_BYTES`] of `block`.
    pub fn write(&self, block: &mut [u8]) {
        block[..8].copy_from_slice(self.block_type.magic());
        block[8..12].copy_from_slice(&(self.on_disk_bytes as u32).to_be_bytes());
        block[12..16].copy_from_slice(&(self.uncompressed_bytes as u32).to_be_bytes());
        block[16..24].copy_from_slice(&self.previous_offset.to_be_bytes());
        block[24] = self.checksum.code();
        block[25..29].copy_from_slice(&(self.bytes_per_checksum as u32).to_be_bytes());
        block[29..33].copy_from_slice(&(self.data_bytes as u32).to_be_bytes());
    }

    /// Bytes of the whole block in the file.
    pub fn total_bytes(&self) -> usize {
        HEADER_BYTES + self.on_disk_bytes
    }
}
