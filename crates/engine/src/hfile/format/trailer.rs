//! The trailer, the last 4096 bytes of a file: the locations of everything else.
//!
//! ```text
//! 0     8 bytes  TRABLK"$
//! 8     varint   length of the message, then the message (protobuf FileTrailerProto), then zeros
//! 4092  u32      minor version << 24 | major version; always 03 00 00 03 here
//! ```

use super::proto::{each_field, put_bytes, put_number, take_delimited, Value};
use super::Damage;
use rowstone_model::codec::{printable, write_varint, Reader};
use rowstone_model::schema::Compression;

/// Bytes of the trailer.
pub const TRAILER_BYTES: usize = 4096;
const MAGIC: &[u8; 8] = b"TRABLK\"$";
const VERSION: u32 = 3 << 24 | 3;
/// The versions that are read.
pub const SUPPORTED_VERSIONS: &str = "3.0 to 3.3";
/// HBase's name for its normal order, which 1.x also knows.
pub const COMPARATOR: &str = "org.apache.hadoop.hbase.KeyValue$KVComparator";
const SAME_COMPARATORS: &[&str] = &[
    COMPARATOR,
    "org.apache.hadoop.hbase.CellComparator",
    "org.apache.hadoop.hbase.CellComparatorImpl",
    "org.apache.hadoop.hbase.InnerStoreCellComparator",
];

/// HBase's ordinals of codecs.
const CODECS: &[(u64, &str, Option<Compression>)] = &[
    (0, "LZO", None),
    (1, "GZ", Some(Compression::Gz)),
    (2, "NONE", Some(Compression::None)),
    (3, "SNAPPY", Some(Compression::Snappy)),
    (4, "LZ4", Some(Compression::Lz4)),
    (5, "BZIP2", None),
    (6, "ZSTD", Some(Compression::Zstd)),
    (7, "LZMA", None),
    (8, "BROTLI", None),
];
const CODEC_NONE: u64 = 2;

/// The fields of the trailer, numbered as in HBase's message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trailer {
    /// 1: offset of the file info block.
    pub file_info_offset: u64,
    /// 2: offset of the first block that a reader loads when it opens the file.
    pub load_on_open_offset: u64,
    /// 3: bytes of the data index, all levels, before compression.
    pub uncompressed_index_bytes: u64,
    /// 4: bytes of all blocks before compression, without upper index levels.
    pub total_uncompressed_bytes: u64,
    /// 5: entries of the root index.
    pub root_index_count: u64,
    /// 6: entries of the index of meta blocks.
    pub meta_index_count: u64,
    /// 7: cells.
    pub entry_count: u64,
    /// 8: levels of the data index; 1 is the root alone.
    pub index_levels: u64,
    /// 9: offset of the first data block; `u64::MAX` if there is none.
    pub first_data_offset: u64,
    /// 10: offset of the last data block; `u64::MAX` if there is none.
    pub last_data_offset: u64,
    /// 11: class name of the order of cells.
    pub comparator: String,
    /// 12: HBase's ordinal of the codec.
    pub codec: u64,
    /// 13: whether the file is encrypted.
    pub is_encrypted: bool,
}

/// The version of a file that is not in [`SUPPORTED_VERSIONS`], as "major.minor". `bytes` are its last
/// [`TRAILER_BYTES`]; magic and version have the same offsets in every version.
pub fn other_version(bytes: &[u8]) -> Option<String> {
    let version = u32::from_be_bytes(*bytes.last_chunk()?);
    let (major, minor) = (version & 0xff_ffff, version >> 24);
    (bytes.starts_with(MAGIC) && (major != 3 || minor > 3)).then(|| format!("{major}.{minor}"))
}

impl Trailer {
    /// Parses the trailer in `bytes`, which are the last [`TRAILER_BYTES`] of a file of a version that is read
    /// ([`other_version`]).
    pub fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let mut reader = Reader::new(bytes);
        let magic = reader.take(8)?;
        if magic != MAGIC {
            return Err(Damage::new("the magic of an HFile trailer", printable(magic)));
        }
        let message = take_delimited(&mut reader)?;
        let mut trailer = Trailer { codec: CODEC_NONE, ..Trailer::default() };
        each_field(message, |field, value| {
            trailer.set(field, value);
            Ok(())
        })?;
        Ok(trailer)
    }

    fn set(&mut self, field: u64, value: Value<'_>) {
        match (field, value) {
            (1, Value::Number(number)) => self.file_info_offset = number,
            (2, Value::Number(number)) => self.load_on_open_offset = number,
            (3, Value::Number(number)) => self.uncompressed_index_bytes = number,
            (4, Value::Number(number)) => self.total_uncompressed_bytes = number,
            (5, Value::Number(number)) => self.root_index_count = number,
            (6, Value::Number(number)) => self.meta_index_count = number,
            (7, Value::Number(number)) => self.entry_count = number,
            (8, Value::Number(number)) => self.index_levels = number,
            (9, Value::Number(number)) => self.first_data_offset = number,
            (10, Value::Number(number)) => self.last_data_offset = number,
            (11, Value::Bytes(name)) => self.comparator = printable(name),
            (12, Value::Number(number)) => self.codec = number,
            (13, Value::Bytes(key)) => self.is_encrypted = !key.is_empty(),
            _ => {}
        }
    }

    /// Encodes the trailer.
    pub fn write(&self) -> Vec<u8> {
        let mut message = Vec::with_capacity(160);
        let numbers = [
            self.file_info_offset,
            self.load_on_open_offset,
            self.uncompressed_index_bytes,
            self.total_uncompressed_bytes,
            self.root_index_count,
            self.meta_index_count,
            self.entry_count,
            self.index_levels,
            self.first_data_offset,
            self.last_data_offset,
        ];
        for (number, field) in numbers.into_iter().zip(1..) {
            put_number(&mut message, field, number);
        }
        put_bytes(&mut message, 11, self.comparator.as_bytes());
        put_number(&mut message, 12, self.codec);
        let mut bytes = MAGIC.to_vec();
        write_varint(&mut bytes, message.len() as u64);
        bytes.extend_from_slice(&message);
        bytes.resize(TRAILER_BYTES - 4, 0);
        bytes.extend_from_slice(&VERSION.to_be_bytes());
        bytes
    }

    /// The codec, or the name of an unsupported one.
    pub fn compression(&self) -> Result<Compression, String> {
        match CODECS.iter().find(|(ordinal, _, _)| *ordinal == self.codec) {
            Some((_, _, Some(compression))) => Ok(*compression),
            Some((_, name, None)) => Err((*name).into()),
            None => Err(format!("number {}", self.codec)),
        }
    }

    /// Whether cells are in the order of [`rowstone_model::cell::compare_keys`].
    pub fn has_normal_order(&self) -> bool {
        SAME_COMPARATORS.contains(&self.comparator.as_str())
    }
}

/// HBase's ordinal of a codec.
pub fn codec_ordinal(compression: Compression) -> u64 {
    CODECS.iter().find(|(_, _, codec)| *codec == Some(compression)).map_or(CODEC_NONE, |(ordinal, _, _)| *ordinal)
}
