//! The attributes that HBase knows by name. Others are stored and shown as well, as in HBase.

/// Every family attribute with a default in HBase, and that default. For new families `VERSIONS` follows
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

/// Family attributes that HBase knows in addition to those of [`FAMILY_DEFAULTS`].
pub const OTHER_FAMILY_ATTRIBUTES: &[&str] = &[
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

/// Table attributes that HBase knows. `coprocessor$N` and names with a dot are settings.
pub const TABLE_ATTRIBUTES: &[&str] = &[
    "COMPACTION_ENABLED",
    "DURABILITY",
    "ERASURE_CODING_POLICY",
    "FLUSH_POLICY",
    "IS_META",
    "IS_ROOT",
    "MAX_FILESIZE",
    "MEMSTORE_FLUSHSIZE",
    "MERGE_ENABLED",
    "NORMALIZATION_ENABLED",
    "NORMALIZER_TARGET_REGION_COUNT",
    "NORMALIZER_TARGET_REGION_SIZE",
    "NORMALIZER_TARGET_REGION_SIZE_MB",
    "OWNER",
    "PRIORITY",
    "READONLY",
    "REGION_MEMSTORE_REPLICATION",
    "REGION_REPLICATION",
    "SPLIT_ENABLED",
    "SPLIT_POLICY",
];
