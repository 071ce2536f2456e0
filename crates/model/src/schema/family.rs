//! A column family: HBase's attributes as text, and the typed options that the store acts on.

use super::attributes::FAMILY_DEFAULTS;
use crate::cell::{check_family, MAX_ROW_BYTES};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// A time to live of this many seconds means forever.
pub const FOREVER_SECONDS: i64 = 2_147_483_647;

/// Values with more bytes leave a MOB family's files where it says nothing: HBase's default.
const DEFAULT_MOB_THRESHOLD_BYTES: i64 = 102_400;

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
    /// Compression of what minor compactions write.
    pub minor_compression: Compression,
    /// Compression of what major compactions write.
    pub major_compression: Compression,
    /// Whether blocks go to the cache at all.
    pub block_cache: bool,
    /// Whether its blocks stay in the cache before those of others.
    pub in_memory: bool,
    /// Whether tags are compressed where the encoding can.
    pub compress_tags: bool,
    /// Which blocks of new files go to the cache at once.
    pub cache_on_write: CacheOnWrite,
    /// Whether all blocks of a file go to the cache when it is opened.
    pub prefetch: bool,
    /// In a MOB family: values with more bytes go to files of their own. `None` in every other.
    pub mob_threshold: Option<u64>,
}

/// Which blocks of new files go to the cache at once: `CACHE_DATA_ON_WRITE` and its like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheOnWrite {
    /// Blocks of cells; after a flush only, as in HBase.
    pub data: bool,
    /// Blocks of the index.
    pub index: bool,
    /// Blocks of Bloom filters.
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

    /// All attributes that HBase's own client would send: also those that have their defaults.
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
    /// `InvalidName` for the name; `InvalidArgument` for a value that is not of its attribute's kind. What HBase refuses as
    /// unwise is refused by [`TableDescriptor::check_sanity`](super::TableDescriptor::check_sanity).
    pub fn options(&self) -> Result<FamilyOptions> {
        check_family(&self.name)?;
        self.check_signs()?;
        let max_versions = self.number("VERSIONS", 1, i64::from(i32::MAX))? as u32;
        let min_versions = self.number("MIN_VERSIONS", 0, i64::from(i32::MAX))? as u32;
        let ttl_seconds = match self.attribute("TTL") {
            Some(text) if text.eq_ignore_ascii_case("FOREVER") => FOREVER_SECONDS,
            _ => self.number("TTL", 1, FOREVER_SECONDS)?,
        };
        let bloom_filter = self.named("BLOOMFILTER", BloomFilter::parse)?.unwrap_or(BloomFilter::Row);
        let compression = self.named("COMPRESSION", Compression::parse)?.unwrap_or(Compression::None);
        let compacted = self.named("COMPRESSION_COMPACT", Compression::parse)?.unwrap_or(compression);
        self.check_others()?;
        Ok(FamilyOptions {
            name: self.name.clone(),
            max_versions,
            min_versions,
            ttl_ms: (ttl_seconds != FOREVER_SECONDS).then_some(ttl_seconds * 1000),
            keep_deleted_cells: self
                .named("KEEP_DELETED_CELLS", KeepDeletedCells::parse)?
                .unwrap_or(KeepDeletedCells::False),
            new_version_behavior: self.flag("NEW_VERSION_BEHAVIOR", "false")?,
            bloom_prefix_bytes: self.bloom_prefix(bloom_filter)?,
            bloom_filter,
            block_bytes: self.number("BLOCKSIZE", 1, i64::from(i32::MAX))? as usize,
            encoding: self.named("DATA_BLOCK_ENCODING", Encoding::parse)?.unwrap_or(Encoding::None),
            compression,
            minor_compression: self.named("COMPRESSION_COMPACT_MINOR", Compression::parse)?.unwrap_or(compacted),
            major_compression: self.named("COMPRESSION_COMPACT_MAJOR", Compression::parse)?.unwrap_or(compacted),
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

    fn named<T>(&self, name: &str, parse: impl Fn(&str) -> Result<T>) -> Result<Option<T>> {
        let value = self.attribute(name).map(parse).transpose();
        value.map_err(|error| self.error(error.message()))
    }

    /// Refuses what is no count, in HBase's words, also where its checks are off: nothing could come of it.
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

    /// Attributes that the store does not act on, but whose values HBase would refuse.
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

    /// The attribute as a number, where it is set.
    ///
    /// # Errors
    /// `InvalidArgument` where it is none.
    pub fn optional_number(&self, name: &str) -> Result<Option<i64>> {
        let text = self.attribute(name).map(|_| self.number(name, i64::MIN, i64::MAX));
        text.transpose()
    }

    fn bloom_prefix(&self, filter: BloomFilter) -> Result<usize> {
        if filter != BloomFilter::RowPrefixFixedLength {
            return Ok(0);
        }
        let text = self.configuration.get("RowPrefixBloomFilter.prefix_length").map(String::as_str).unwrap_or("");
        match text.parse::<usize>() {
            Ok(length) if (1..=MAX_ROW_BYTES).contains(&length) => Ok(length),
            _ => Err(self.error(&format!(
                "BLOOMFILTER ROWPREFIX_FIXED_LENGTH needs configuration 'RowPrefixBloomFilter.prefix_length' from 1 to \
                 {MAX_ROW_BYTES}, not '{text}'"
            ))),
        }
    }
}
