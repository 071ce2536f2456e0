//! Options, facts and results of writing a file.

use crate::hfile::format::file_info::names;
use crate::hfile::format::ChecksumType;
use rowstone_model::schema::{BloomFilter, Compression, Encoding, FamilyOptions};
use serde::{Deserialize, Serialize};

/// Bytes that one checksum covers in store files. A get of an evicted block reads and verifies as little as that. The
/// CRC32C of a multiple of 768 bytes is the fastest.
const CHUNK_BYTES: usize = 1_536;

/// Options for writing a file. The default is HBase's for a flush of a family with default attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterOptions {
    /// Codec of every block.
    pub compression: Compression,
    /// Encoding of the data blocks.
    pub encoding: Encoding,
    /// Kind of the general Bloom filter.
    pub bloom: BloomFilter,
    /// Length of the prefixes of a `ROWPREFIX_FIXED_LENGTH` filter.
    pub bloom_prefix_bytes: usize,
    /// Size at which a data block is closed.
    pub block_bytes: usize,
    /// Whether tags are stored in a dictionary, if the encoding has one.
    pub compress_tags: bool,
    /// Whether cells have tags. If not, a cell with tags is refused.
    pub include_tags: bool,
    /// Whether cells have sequence ids. If not, they all read as 0.
    pub include_sequence_ids: bool,
    /// Checksum type of the blocks.
    pub checksum: ChecksumType,
    /// Bytes that one checksum covers.
    pub bytes_per_checksum: usize,
    /// Creation time in milliseconds.
    pub create_time_ms: i64,
    /// Size at which an index block is closed (`hfile.index.block.max.size`).
    pub index_block_bytes: usize,
    /// Size of a chunk of a Bloom filter (`io.storefile.bloom.block.size`).
    pub bloom_block_bytes: usize,
    /// Approximate size of the file: space is reserved on the disk up to it. 0 for no reservation.
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
    /// The options from a family's attributes.
    pub fn for_family(family: &FamilyOptions, create_time_ms: i64) -> Self {
        WriterOptions {
            compression: family.compression,
            encoding: family.encoding,
            bloom: family.bloom_filter,
            bloom_prefix_bytes: family.bloom_prefix_bytes,
            block_bytes: family.block_bytes,
            bytes_per_checksum: CHUNK_BYTES,
            compress_tags: family.compress_tags,
            create_time_ms,
            ..Self::default()
        }
    }
}

/// Facts that only the writer of a file knows, for the file info.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileFacts {
    /// Largest sequence id the file covers: of the flush, or of the newest file compacted.
    pub max_sequence_id: u64,
    /// Whether it came from a compaction of all files.
    pub is_major: bool,
    /// Names of the files that were compacted into it.
    pub compacted_files: Vec<String>,
    /// Further properties by name, for example those of bulk loads.
    pub extra_info: Vec<(Vec<u8>, Vec<u8>)>,
}

impl FileFacts {
    /// The same with the last part of `path`, its random name, as a property. No two files then end with the same
    /// bytes.
    pub fn with_name(mut self, path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.extra_info.push((names::OWN_NAME.to_vec(), name.as_bytes().to_vec()));
        self
    }
}

/// Checksums that identify a file among all others of its name and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// CRC32C of all bytes from the load-on-open offset to the end; verified whenever the file is opened.
    pub tail: u32,
    /// CRC32C of all bytes; verified by checks and repairs.
    pub whole: u32,
    /// CRC32C of samples from all over the file, also verified whenever it is opened. Only for external files: they
    /// do not record their own name, and another one with the same keys may end with the same bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u32>,
}

/// Result of writing a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Number of cells.
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
    /// Digest that identifies the file.
    pub digest: Digest,
}
