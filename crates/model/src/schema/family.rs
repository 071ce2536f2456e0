//! Column families: HBase's attributes as text, and the typed options derived from them for the store.

use super::attributes::FAMILY_DEFAULTS;
use crate::cell::{check_family, MAX_ROW_BYTES};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// A time to live of this many seconds means "forever".
pub const FOREVER_SECONDS: i64 = 2_147_483_647;

/// Values of a MOB family above this size go to MOB files unless the family sets a threshold: HBase's default.
const DEFAULT_MOB_THRESHOLD_BYTES: i64 = 102_400;

macro_rules! named_enum {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Parses `text` in any case.
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
    /// Visibility of deleted cells to reads.
    KeepDeletedCells, "KEEP_DELETED_CELLS" {
        /// The next compaction removes deleted cells.
        False = "FALSE",
        /// Markers and deleted cells are retained until versions or TTL remove them.
        True = "TRUE",
        /// Like `True` until the marker is older than the family's TTL.
        Ttl = "TTL",
    }
}

named_enum! {
    /// The keys in a file's Bloom filter.
    BloomFilter, "BLOOMFILTER" {
        /// No filter.
        None = "NONE",
        /// Rows.
        Row = "ROW",
        /// Rows with their qualifiers.
        RowCol = "ROWCOL",
        /// Row prefixes of a fixed length.
        RowPrefixFixedLength = "ROWPREFIX_FIXED_LENGTH",
    }
}

named_enum! {
    /// Encoding of cells inside a data block.
    Encoding, "DATA_BLOCK_ENCODING" {
        /// No encoding.
        None = "NONE",
        /// Without the prefix shared with the previous key.
        Prefix = "PREFIX",
        /// As differences from the previous cell.
        Diff = "DIFF",
        /// As differences that are faster to decode.
        FastDiff = "FAST_DIFF",
        /// Unencoded, with an index of rows.
        RowIndexV1 = "ROW_INDEX_V1",
    }
}

named_enum! {
    /// Compression of blocks.
    Compression, "COMPRESSION" {
        /// No compression.
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

/// A family as the user described it: attributes and configuration as text, with HBase's names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyDescriptor {
    /// Name: printable, 1 to 127 bytes.
    pub name: Vec<u8>,
    /// HBase's attributes; an absent one has its default.
    pub attributes: BTreeMap<String, String>,
    /// Configuration that overrides the database's for this family.
    pub configuration: BTreeMap<String, String>,
}

/// Typed options for the store, derived from a [`FamilyDescriptor`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyOptions {
    /// Name.
    pub name: Vec<u8>,
    /// Number of newest versions that reads see and compactions retain.
    pub max_versions: u32,
    /// Number of versions retained even if their time to live has passed.
    pub min_versions: u32,
    /// Time to live in milliseconds; `None` for unlimited.
    pub ttl_ms: Option<i64>,
    /// Treatment of deleted cells.
    pub keep_deleted_cells: KeepDeletedCells,
    /// Whether deletes and versions follow the order of writes instead of timestamps.
    pub new_version_behavior: bool,
    /// Kind of Bloom filter of new files.
    pub bloom_filter: BloomFilter,
    /// Prefix length of a `ROWPREFIX_FIXED_LENGTH` filter.
    pub bloom_prefix_bytes: usize,
    /// Size at which a data block is closed.
    pub block_bytes: usize,
    /// Encoding of new files.
    pub encoding: Encoding,
    /// Compression of new files.
    pub compression: Compression,
    /// Compression of files written by minor compactions.
    pub minor_compression: Compression,
    /// Compression of files written by major compactions.
    pub major_compression: Compression,
    /// Whether blocks are cached at all.
    pub block_cache: bool,
    /// Whether its blocks have priority over others in the cache.
    pub in_memory: bool,
    /// Whether tags are compressed if the encoding supports it.
    pub compress_tags: bool,
    /// Blocks of new files that are cached on write.
    pub cache_on_write: CacheOnWrite,
    /// Whether all blocks of a file are cached when it is opened.
    pub prefetch: bool,
    /// In a MOB family: larger values go to MOB files. `None` in other families.
    pub mob_threshold: Option<u64>,
}

/// Blocks of new files that are cached on write: `CACHE_DATA_ON_WRITE` and similar attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheOnWrite {
    /// Data blocks; only on flushes, as in HBase.
    pub data: bool,
    /// Index blocks.
    pub index: bool,
    /// Bloom filter blocks.
    pub blooms: bool,
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

    /// Settings that override the table's: the attributes and the configuration, of which the attributes win. Source:
    /// `HStore`'s constructor.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let mut settings = self.configuration.clone();
        settings.extend(self.attributes.clone());
        settings
    }

    /// Whether both mean the same. Attributes that are left out have HBase's defaults.
    pub fn is_same(&self, other: &FamilyDescriptor) -> bool {
        (&self.name, self.all_attributes(), &self.configuration)
            == (&other.name, other.all_attributes(), &other.configuration)
    }

    /// All attributes that HBase's own client would send, including those with default values.
    pub fn all_attributes(&self) -> BTreeMap<String, String> {
        let mut all: BTreeMap<String, String> =
            FAMILY_DEFAULTS.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect();
        all.extend(self.attributes.clone());
        if let Some(ttl) = all.get_mut("TTL").filter(|ttl| ttl.eq_ignore_ascii_case("FOREVER")) {
            *ttl = FOREVER_SECONDS.to_string();
        }
        all
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
    /// `InvalidName` for the name; `InvalidArgument` for a value of the wrong type. Values that HBase rejects as
    /// unwise are rejected by [`TableDescriptor::check_sanity`](super::TableDescriptor::check_sanity).
    pub fn options(&self) -> Result<FamilyOptions> {
        check_family(&self.name)?;
        self.check_signs()?;
        let max_versions = self.number("VERSIONS", 1, i64::from(i32::MAX))? as u32;
        let min_versions = self.number("MIN_VERSIONS", 0, i64::from(i32::MAX))? as u32;
        let ttl_seconds = match self.attribute("TTL") {
            Some(text) if text.eq_ignore_ascii_case("FOREVER") => FOREVER_SECONDS,
            _ => self.number("TTL", 1, FOREVER_SECONDS)?,
        };
        let bloom_filter = self.parse_attribute("BLOOMFILTER", BloomFilter::parse)?.unwrap_or(BloomFilter::Row);
        let compression = self.parse_attribute("COMPRESSION", Compression::parse)?.unwrap_or(Compression::None);
        let compacted = self.parse_attribute("COMPRESSION_COMPACT", Compression::parse)?.unwrap_or(compression);
        self.check_others()?;
        Ok(FamilyOptions {
            name: self.name.clone(),
            max_versions,
            min_versions,
            ttl_ms: (ttl_seconds != FOREVER_SECONDS).then_some(ttl_seconds * 1000),
            keep_deleted_cells: self
                .parse_attribute("KEEP_DELETED_CELLS", KeepDeletedCells::parse)?
                .unwrap_or(KeepDeletedCells::False),
            new_version_behavior: self.flag("NEW_VERSION_BEHAVIOR", "false")?,
            bloom_prefix_bytes: self.bloom_prefix(bloom_filter)?,
            bloom_filter,
            block_bytes: self.number("BLOCKSIZE", 1, i64::from(i32::MAX))? as usize,
            encoding: self.parse_attribute("DATA_BLOCK_ENCODING", Encoding::parse)?.unwrap_or(Encoding::None),
            compression,
            minor_compression: self
                .parse_attribute("COMPRESSION_COMPACT_MINOR", Compression::parse)?
                .unwrap_or(compacted),
            major_compression: self
                .parse_attribute("COMPRESSION_COMPACT_MAJOR", Compression::parse)?
                .unwrap_or(compacted),
            block_cache: self.flag("BLOCKCACHE", "true")?,
            in_memory: self.flag("IN_MEMORY", "false")?,
            compress_tags: self.flag("COMPRESS_TAGS", "true")?,
            cache_on_write: CacheOnWrite {
                data: self.flag("CACHE_DATA_ON_WRITE", "false")?,
                index: self.flag("CACHE_INDEX_ON_WRITE", "false")?,
                blooms: self.flag("CACHE_BLOOMS_ON_WRITE", "false")?,
            },
            prefetch: self.flag("PREFETCH_BLOCKS_ON_OPEN", "false")?,
            mob_threshold: self.mob_threshold()?,
        })
    }

    /// See [`FamilyOptions::mob_threshold`].
    fn mob_threshold(&self) -> Result<Option<u64>> {
        let bytes = self.optional_number("MOB_THRESHOLD")?.unwrap_or(DEFAULT_MOB_THRESHOLD_BYTES);
        let bytes = u64::try_from(bytes).map_err(|_| self.error("MOB_THRESHOLD is negative"))?;
        Ok(self.flag("IS_MOB", "false")?.then_some(bytes))
    }

    fn parse_attribute<T>(&self, name: &str, parse: impl Fn(&str) -> Result<T>) -> Result<Option<T>> {
        let value = self.attribute(name).map(parse).transpose();
        value.map_err(|error| self.error(error.message()))
    }

    /// Rejects counts below their minimum with HBase's messages, even if its sanity checks are off: they are
    /// meaningless.
    fn check_signs(&self) -> Result<()> {
        let name = crate::codec::printable(&self.name);
        let least = [
            ("VERSIONS", 1, "Maximum versions must be positive".to_string()),
            ("MIN_VERSIONS", 0, format!("Min versions for column family {name}  must be positive.")),
            ("TTL", 1, format!("TTL for column family {name} must be positive.")),
        ];
        for (attribute, least, message) in least {
            let number = self.attribute(attribute).and_then(|text| text.trim().parse::<i64>().ok());
            if let Some(number) = number.filter(|number| *number < least) {
                return Err(self.error(&format!("{message} ({attribute} => '{number}')")));
            }
        }
        Ok(())
    }

    /// Checks attributes that the store ignores but whose values HBase would reject.
    fn check_others(&self) -> Result<()> {
        let scope = self.number("REPLICATION_SCOPE", i64::from(i32::MIN), i64::from(i32::MAX))?;
        if !(0..=1).contains(&scope) {
            return Err(self.error(&format!(
                "Replication scope for column family {} is {scope} which is invalid.",
                crate::codec::printable(&self.name)
            )));
        }
        for name in ["EVICT_BLOCKS_ON_CLOSE", "CACHE_DATA_IN_L1", "ENCODE_ON_DISK"] {
            self.flag(name, "false")?;
        }
        let lists: [(&str, &[&str]); 3] = [
            ("IN_MEMORY_COMPACTION", &["NONE", "BASIC", "EAGER", "ADAPTIVE"]),
            ("MOB_COMPACT_PARTITION_POLICY", &["DAILY", "WEEKLY", "MONTHLY"]),
            ("INDEX_BLOCK_ENCODING", &["NONE", "PREFIX_TREE"]),
        ];
        for (name, known) in lists {
            let unknown = self.attribute(name).filter(|text| !known.iter().any(|one| one.eq_ignore_ascii_case(text)));
            if let Some(text) = unknown {
                return Err(self.error(&format!("{name} '{text}' is unknown; HBase has {}", known.join(" "))));
            }
        }
        Ok(())
    }

    /// The attribute as a number, if it is set.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not a number.
    pub fn optional_number(&self, name: &str) -> Result<Option<i64>> {
        let text = self.attribute(name).map(|_| self.number(name, i64::MIN, i64::MAX));
        text.transpose()
    }

    fn bloom_prefix(&self, filter: BloomFilter) -> Result<usize> {
        if filter != BloomFilter::RowPrefixFixedLength {
            return Ok(0);
        }
        let key = "RowPrefixBloomFilter.prefix_length";
        let text = self.attributes.get(key).or_else(|| self.configuration.get(key)).map(String::as_str).unwrap_or("");
        match text.parse::<usize>() {
            Ok(length) if (1..=MAX_ROW_BYTES).contains(&length) => Ok(length),
            _ => Err(self.error(&format!(
                "BLOOMFILTER ROWPREFIX_FIXED_LENGTH needs configuration 'RowPrefixBloomFilter.prefix_length' from 1 to \
                 {MAX_ROW_BYTES}, not '{text}'"
            ))),
        }
    }
}
