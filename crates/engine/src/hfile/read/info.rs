//! Properties of a file, in typed form.

use crate::hfile::format::file_info::names;
use crate::hfile::format::{Damage, FileInfo, Trailer};
use rowstone_model::cell::{Cell, Layout};
use rowstone_model::schema::{BloomFilter, Compression, Encoding};

/// Properties of an open file.
#[derive(Debug, Clone)]
pub struct Info {
    /// Number of cells.
    pub entry_count: u64,
    /// Flat key of the first cell; `None` in a file without cells.
    pub first_key: Option<Vec<u8>>,
    /// Flat key of the last cell; `None` in a file without cells.
    pub last_key: Option<Vec<u8>>,
    /// Range of the timestamps, both included; column and family markers count from 0. `None` if there are no
    /// cells, or if the file does not record it and may thus contain any time.
    pub time_range: Option<(i64, i64)>,
    /// Largest sequence id the file covers; 0 if it is not recorded.
    pub max_sequence_id: u64,
    /// Whether it came from a compaction of all files.
    pub is_major: bool,
    /// Timestamp of the oldest put; `None` without puts or if it is not recorded.
    pub earliest_put_timestamp: Option<i64>,
    /// Number of family markers; `None` if it is not recorded.
    pub delete_family_count: Option<u64>,
    /// Length of a cell's longest tags.
    pub max_tags_len: usize,
    /// Kind of the general Bloom filter.
    pub bloom: BloomFilter,
    /// Length of the prefixes of a `ROWPREFIX_FIXED_LENGTH` filter.
    pub bloom_prefix_bytes: usize,
    /// Creation time in milliseconds; 0 if it is not recorded.
    pub create_time_ms: i64,
    /// Encoding of the data blocks.
    pub encoding: Encoding,
    /// Codec of every block.
    pub compression: Compression,
    /// Optional parts of its cells.
    pub layout: Layout,
    /// Whether tags are in a dictionary, if the encoding has one.
    pub has_tag_dictionary: bool,
    /// Largest sequence id of a cell.
    pub max_cell_sequence_id: u64,
    /// Whether its cells retain their sequence ids when it is bulk loaded.
    pub keeps_sequence_ids: bool,
    /// Number of levels of the data index; 1 is the root alone.
    pub index_levels: u64,
    /// Bytes of the file.
    pub size_bytes: u64,
    /// Bytes of the blocks before compression.
    pub uncompressed_bytes: u64,
    /// Average bytes of a flat key.
    pub average_key_bytes: u64,
    /// Average bytes of a value.
    pub average_value_bytes: u64,
    /// All properties by name, as they are in the file.
    pub raw: FileInfo,
}

fn parse_named<T>(
    raw: &FileInfo,
    name: &[u8],
    parse: impl Fn(&str) -> rowstone_model::Result<T>,
) -> Result<Option<T>, Damage> {
    let Some(value) = raw.get(name) else { return Ok(None) };
    let text = String::from_utf8_lossy(value);
    parse(&text).map(Some).map_err(|error| Damage::new("a name that HBase has", error.message()))
}

impl Info {
    /// Reads the properties of a file of `size_bytes` bytes.
    pub fn read(
        raw: FileInfo,
        trailer: &Trailer,
        compression: Compression,
        first_key: Option<Vec<u8>>,
        size_bytes: u64,
    ) -> Result<Self, Damage> {
        let has_sequence_id = raw.get_i32(names::KEY_VALUE_VERSION)? == Some(1);
        let max_tags_len = raw.get_i32(names::MAX_TAGS_LEN)?;
        let layout = Layout { has_tags: max_tags_len.is_some(), has_sequence_id };
        let last_key = raw.get(names::LAST_KEY).filter(|_| trailer.entry_count > 0).map(<[u8]>::to_vec);
        if let Some(key) = &last_key {
            Cell::new(key, &[], &[], 0)?;
        }
        if first_key.is_some() != (trailer.entry_count > 0) || last_key.is_some() != first_key.is_some() {
            return Err(Damage::new(
                format_args!("first and last key of {} cells", trailer.entry_count),
                format_args!("first {}, last {}", first_key.is_some(), last_key.is_some()),
            ));
        }
        let number = |name| raw.get_i64(name).map(|value| value.unwrap_or(0));
        let average = |name| raw.get_i32(name).map(|value| value.unwrap_or(0).max(0) as u64);
        Ok(Info {
            entry_count: trailer.entry_count,
            first_key,
            last_key,
            time_range: raw.time_range()?,
            max_sequence_id: number(names::MAX_SEQUENCE_ID)?.max(0) as u64,
            is_major: raw.get_bool(names::MAJOR_COMPACTION)?.unwrap_or(false),
            earliest_put_timestamp: raw.get_i64(names::EARLIEST_PUT)?.filter(|&at| at != i64::MAX),
            delete_family_count: raw.get_i64(names::DELETE_FAMILY_COUNT)?.and_then(|count| count.try_into().ok()),
            max_tags_len: max_tags_len.unwrap_or(0).max(0) as usize,
            bloom: parse_named(&raw, names::BLOOM_TYPE, BloomFilter::parse)?.unwrap_or(BloomFilter::None),
            bloom_prefix_bytes: raw.get_i32(names::BLOOM_PARAMETER)?.unwrap_or(0).max(0) as usize,
            create_time_ms: number(names::CREATE_TIME)?,
            encoding: parse_named(&raw, names::DATA_BLOCK_ENCODING, Encoding::parse)?.unwrap_or(Encoding::None),
            compression,
            layout,
            has_tag_dictionary: raw.get_bool(names::TAGS_COMPRESSED)?.unwrap_or(false),
            max_cell_sequence_id: number(names::MAX_MEMSTORE_TS)?.max(0) as u64,
            keeps_sequence_ids: raw.get_bool(names::KEEPS_SEQUENCE_IDS)?.unwrap_or(false),
            index_levels: trailer.index_levels,
            size_bytes,
            uncompressed_bytes: trailer.total_uncompressed_bytes,
            average_key_bytes: average(names::AVERAGE_KEY_LEN)?,
            average_value_bytes: average(names::AVERAGE_VALUE_LEN)?,
            raw,
        })
    }
}
