//! How a file is to be written, what its writer knows about it, and what came out.

use crate::hfile::format::file_info::names;
use crate::hfile::format::ChecksumType;
use rowstone_model::schema::{BloomFilter, Compression, Encoding, FamilyOptions};
use serde::{Deserialize, Serialize};

/// How a file is to be written. The default is HBase's for a flush of a family with default attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterOptions {
    /// Codec of every block.
    pub compression: Compression,
    /// Encoding of the data blocks.
    pub encoding: Encoding,
    /// Keys of the general Bloom filter.
    pub bloom: BloomFilter,
    /// Length of the prefixes of a `ROWPREFIX_FIXED_LENGTH` filter.
    pub bloom_prefix_bytes: usize,
    /// Size at which a data block is closed.
    pub block_bytes: usize,
    /// Whether tags go through a dictionary where the encoding has one.
    pub compress_tags: bool,
    /// Whether cells carry tags; without, a cell with tags is refused.
    pub include_tags: bool,
    /// Whether cells carry sequence ids; without, they all read as 0.
    pub include_sequence_ids: bool,
    /// Checksums of blocks.
    pub checksum: ChecksumType,
    /// Bytes that one checksum covers.
    pub bytes_per_checksum: usize,
    /// When the file was made, in milliseconds.
    pub create_time_ms: i64,
    /// Size at which an index block is closed (`hfile.index.block.max.size`).
    pub index_block_bytes: usize,
    /// Size of a chunk of a Bloom filter (`io.storefile.bloom.block.size`).
    pub bloom_block_bytes: usize,
    /// About how large the file will be: space is set aside on the disk up to there. 0 sets none aside.
    pub expected_bytes: u64,
}

impl Default for WriterOptions {
    fn default() -> Self {
        WriterOptions {
            compression: Compression::None,
            encoding: Encoding::None,
            bloom: BloomFilter::Row,
            bloom_prefix_bytes: 0,
            block_bytes: 65_536,
            compress_tags: true,
            include_tags: false,
            include_sequence_ids: true,
            checksum: ChecksumType::Crc32c,
            bytes_per_checksum: 16_384,
            create_time_ms: 0,
            index_block_bytes: 131_072,
            bloom_block_bytes: 131_072,
            expected_bytes: 0,
        }
    }
}

impl WriterOptions {
    /// The options that a family's attributes ask for.
    pub fn for_family(family: &FamilyOptions, create_time_ms: i64) -> Self {
        WriterOptions {
            compression: family.compression,
            encoding: family.encoding,
            bloom: family.bloom_filter,
            bloom_prefix_bytes: family.bloom_prefix_bytes,
            block_bytes: family.block_bytes,
            compress_tags: family.compress_tags,
            create_time_ms,
            ..Self::default()
        }
    }
}

/// What only the writer of a file knows about it; goes into the file info.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileFacts {
    /// Largest sequence id the file covers: of the flush, or of the newest file compacted.
    pub max_sequence_id: u64,
    /// Whether it came from a compaction of all files.
    pub is_major: bool,
    /// Names of the files it was compacted from.
    pub compacted_files: Vec<String>,
    /// Further properties by name, for example those of bulk loads.
    pub extra_info: Vec<(Vec<u8>, Vec<u8>)>,
}

impl FileFacts {
    /// The same, and the file says the last part of `path`, its random name: no two files then end with the same bytes.
    pub fn named(mut self, path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.extra_info.push((names::OWN_NAME.to_vec(), name.as_bytes().to_vec()));
        self
    }
}

/// Checksums that tell a file from every other of its name and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// CRC32C of all bytes from the first that are loaded on open to the end: compared whenever the file is opened.
    pub tail: u32,
    /// CRC32C of all bytes: compared by checks and repairs.
    pub whole: u32,
    /// CRC32C of bytes from all over the file, compared too whenever it is opened. Only for a file made elsewhere: it does not say
    /// its own name, and another one of the same keys may end with the same bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u32>,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Cells.
    pub entry_count: u64,
    /// Bytes of the file.
    pub size_bytes: u64,
    /// Flat key of the first cell; `None` in a file without cells.
    pub first_key: Option<Vec<u8>>,
    /// Flat key of the last cell; `None` in a file without cells.
    pub last_key: Option<Vec<u8>>,
    /// Timestamps, both included; markers count from 0. `None` in a file without cells.
    pub time_range: Option<(i64, i64)>,
    /// Largest sequence id the file covers.
    pub max_sequence_id: u64,
    /// What tells the file from every other.
    pub digest: Digest,
}
