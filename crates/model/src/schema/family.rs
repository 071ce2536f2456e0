//! A column family: HBase's attributes as text, and the typed options that the store acts on.

use crate::cell::check_family;
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// A time to live of this many seconds means forever.
pub const FOREVER_SECONDS: i64 = 2_147_483_647;

/// Every family attribute that HBase gives a default, with that default. `VERSIONS` of new families follows
/// `hbase.column.max.version`.
pub const FAMILY_DEFAULTS: &[(&str, &str)] = &[
    ("BLOCKCACHE", "true"),
    ("BLOCKSIZE", "65536"),
    ("BLOOMFILTER", "ROW"),
    ("COMPRESSION", "NONE"),
    ("DATA_BLOCK_ENCODING", "NONE"),
    ("INDEX_BLOCK_ENCODING", "NONE"),
    ("IN_MEMORY", "false"),
    ("KEEP_DELETED_CELLS", "FALSE"),
    ("MIN_VERSIONS", "0"),
    ("NEW_VERSION_BEHAVIOR", "false"),
    ("REPLICATION_SCOPE", "0"),
    ("TTL", "2147483647"),
    ("VERSIONS", "1"),
];

/// Attributes that HBase knows beside those of [`FAMILY_DEFAULTS`]: stored and shown.
const OTHER_ATTRIBUTES: &[&str] = &[
    "CACHE_BLOOMS_ON_WRITE",
    "CACHE_DATA_IN_L1",
    "CACHE_DATA_ON_WRITE",
    "CACHE_INDEX_ON_WRITE",
    "COMPRESSION_COMPACT",
    "COMPRESSION_COMPACT_MAJOR",
    "COMPRESSION_COMPACT_MINOR",
    "COMPRESS_TAGS",
    "DFS_REPLICATION",
    "ENCODE_ON_DISK",
    "ENCRYPTION",
    "ENCRYPTION_KEY",
    "EVICT_BLOCKS_ON_CLOSE",
    "IN_MEMORY_COMPACTION",
    "IS_MOB",
    "IS_MOB_BYTES",
    "MOB_COMPACT_PARTITION_POLICY",
    "MOB_THRESHOLD",
    "PREFETCH_BLOCKS_ON_OPEN",
    "STORAGE_POLICY",
];

macro_rules! named_enum {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// The value that HBase writes as `text`, in any case.
            pub fn parse(text: &str) -> Result<Self> {
                $(if text.eq_ignore_ascii_case($text) { return Ok(Self::$variant); })+
                Err(Error::invalid(format!(concat!($what, " '{}' is unknown; HBase has ", $($text, " "),+), text)))
            }

            /// HBase's name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

named_enum! {
    /// What reads may see of deleted cells.
    KeepDeletedCells, "KEEP_DELETED_CELLS" {
        /// Deleted cells go with the next compaction.
        False = "FALSE",
        /// Markers and deleted cells stay until versions or TTL remove them.
        True = "TRUE",
        /// Like `True` until the marker is older than the family's TTL.
        Ttl = "TTL",
    }
}

named_enum! {
    /// Which keys a file's Bloom filter holds.
    BloomFilter, "BLOOMFILTER" {
        /// No filter.
        None = "NONE",
        /// Rows.
        Row = "ROW",
        /// Rows with their qualifiers.
        RowCol = "ROWCOL",
        /// The first bytes of rows.
        RowPrefixFixedLength = "ROWPREFIX_FIXED_LENGTH",
    }
}

named_enum! {
    /// How cells are written inside a data block.
    Encoding, "DATA_BLOCK_ENCODING" {
        /// As they are.
        None = "NONE",
        /// Without the prefix they share with the one before.
        Prefix = "PREFIX",
        /// As differences to the one before.
        Diff = "DIFF",
        /// As differences that are quicker to read.
        FastDiff = "FAST_DIFF",
        /// As they are, with an index of rows.
        RowIndexV1 = "ROW_INDEX_V1",
    }
}

named_enum! {
    /// How blocks are compressed.
    Compression, "COMPRESSION" {
        /// Not at all.
        None = "NONE",
        /// gzip.
        Gz = "GZ",
        /// Snappy in Hadoop's framing.
        Snappy = "SNAPPY",
        /// LZ4 in Hadoop's framing.
        Lz4 = "LZ4",
        /// Zstandard.
        Zstd = "ZSTD",
    }
}

/// A family as the user described it: attributes and configuration as text, under HBase's names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyDescriptor {
    /// Name: printable, 1 to 127 bytes.
    pub name: Vec<u8>,
    /// HBase's attributes; one that is absent has its default.
    pub attributes: BTreeMap<String, String>,
    /// Configuration that overrides the database's for this family.
    pub configuration: BTreeMap<String, String>,
}

/// What the store acts on, read from a [`FamilyDescriptor`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyOptions {
    /// Name.
    pub name: Vec<u8>,
    /// Newest versions that a read may see and a compaction keeps.
    pub max_versions: u32,
    /// Versions that stay although they are past their time to live.
    pub min_versions: u32,
    /// Time to live in milliseconds; `None` is forever.
    pub ttl_ms: Option<i64>,
    /// What happens to deleted cells.
    pub keep_deleted_cells: KeepDeletedCells,
    /// Whether deletes and versions follow the order of writes instead of timestamps.
    pub new_version_behavior: bool,
    /// What the Bloom filters of new files hold.
    pub bloom_filter: BloomFilter,
    /// Prefix length of a `ROWPREFIX_FIXED_LENGTH` filter.
    pub bloom_prefix_bytes: usize,
    /// Size at which a data block is closed.
    pub block_bytes: usize,
    /// Encoding of new files.
    pub encoding: Encoding,
    /// Compression of new files.
    pub compression: Compression,
    /// Whether blocks go to the cache at all.
    pub block_cache: bool,
    /// Whether its blocks stay in the cache before those of others.
    pub in_memory: bool,
    /// Whether tags are compressed where the encoding can.
    pub compress_tags: bool,
}

impl FamilyDescriptor {
    /// A family with HBase's defaults.
    pub fn new(name: impl Into<Vec<u8>>) -> Self {
        FamilyDescriptor { name: name.into(), attributes: BTreeMap::new(), configuration: BTreeMap::new() }
    }

    /// The attribute's value, or its default.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .get(name)
            .map(String::as_str)
            .or_else(|| FAMILY_DEFAULTS.iter().find(|(known, _)| *known == name).map(|(_, value)| *value))
    }

    fn number(&self, name: &str, least: i64, most: i64) -> Result<i64> {
        let text = self.attribute(name).unwrap_or("0");
        match text.trim().parse::<i64>() {
            Ok(value) if (least..=most).contains(&value) => Ok(value),
            _ => Err(self.error(&format!("{name} => '{text}' is not a number from {least} to {most}"))),
        }
    }

    fn flag(&self, name: &str, default: &str) -> Result<bool> {
        match self.attribute(name).unwrap_or(default).to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(self.error(&format!("{name} => '{other}' is neither true nor false"))),
        }
    }

    fn error(&self, what: &str) -> Error {
        Error::invalid(format!("family '{}': {what}", crate::codec::printable(&self.name)))
    }

    /// The typed options.
    ///
    /// # Errors
    /// `InvalidName` for the name; `InvalidArgument` for an unknown attribute or a value that HBase refuses, such as
    /// MIN_VERSIONS above VERSIONS.
    pub fn options(&self) -> Result<FamilyOptions> {
        check_family(&self.name)?;
        for name in self.attributes.keys() {
            if !FAMILY_DEFAULTS.iter().any(|(known, _)| known == name) && !OTHER_ATTRIBUTES.contains(&name.as_str()) {
                return Err(
                    self.error(&format!("attribute '{name}' is unknown to HBase; put own settings into configuration"))
                );
            }
        }
        let max_versions = self.number("VERSIONS", 1, i64::from(i32::MAX))? as u32;
        let min_versions = self.number("MIN_VERSIONS", 0, i64::from(i32::MAX))? as u32;
        if min_versions > max_versions {
            return Err(self.error(&format!("MIN_VERSIONS {min_versions} is above VERSIONS {max_versions}")));
        }
        let ttl_seconds = match self.attribute("TTL") {
            Some(text) if text.eq_ignore_ascii_case("FOREVER") => FOREVER_SECONDS,
            _ => self.number("TTL", 1, FOREVER_SECONDS)?,
        };
        let wrap = |result: Result<_>| result.map_err(|error: Error| self.error(error.message()));
        let bloom_filter = wrap(BloomFilter::parse(self.attribute("BLOOMFILTER").unwrap_or("ROW")))?;
        Ok(FamilyOptions {
            name: self.name.clone(),
            max_versions,
            min_versions,
            ttl_ms: (ttl_seconds != FOREVER_SECONDS).then_some(ttl_seconds * 1000),
            keep_deleted_cells: KeepDeletedCells::parse(self.attribute("KEEP_DELETED_CELLS").unwrap_or("FALSE"))
                .map_err(|error| self.error(error.message()))?,
            new_version_behavior: self.flag("NEW_VERSION_BEHAVIOR", "false")?,
            bloom_prefix_bytes: self.bloom_prefix(bloom_filter)?,
            bloom_filter,
            block_bytes: self.number("BLOCKSIZE", 1, i64::from(i32::MAX))? as usize,
            encoding: Encoding::parse(self.attribute("DATA_BLOCK_ENCODING").unwrap_or("NONE"))
                .map_err(|error| self.error(error.message()))?,
            compression: Compression::parse(self.attribute("COMPRESSION").unwrap_or("NONE"))
                .map_err(|error| self.error(error.message()))?,
            block_cache: self.flag("BLOCKCACHE", "true")?,
            in_memory: self.flag("IN_MEMORY", "false")?,
            compress_tags: self.flag("COMPRESS_TAGS", "true")?,
        })
    }

    fn bloom_prefix(&self, filter: BloomFilter) -> Result<usize> {
        if filter != BloomFilter::RowPrefixFixedLength {
            return Ok(0);
        }
        let text = self.configuration.get("RowPrefixBloomFilter.prefix_length").map(String::as_str).unwrap_or("");
        match text.parse::<usize>() {
            Ok(length) if length >= 1 => Ok(length),
            _ => Err(self.error("BLOOMFILTER ROWPREFIX_FIXED_LENGTH needs configuration 'RowPrefixBloomFilter.prefix_length' of at least 1")),
        }
    }
}
