//! Limits of the block cache and of the memstores. Each is given in bytes, or as a share by HBase's settings.
//!
//! The defaults are shares of the memory, each with an upper limit:
//!
//! * A library in any program: 5 % for the cache, at most 2 GiB. 5 % for memstores, at most 256 MiB.
//! * The same, read-only or in memory: at most 256 MiB for the cache.
//! * A process for this database alone: 25 % for the cache, at most 16 GiB. 12.5 % for memstores, at most 1 GiB.
//! * HBase's files without HBase: 5 % for the cache, at most 32 MiB. No memstores are filled.
//!
//! Shares are of the memory that the process may have. If that is unknown, each limit is 256 MiB. No default is below
//! 4 MiB.
//!
//! A library leaves most of the memory to its host, so it has a small share with an upper limit. The cache's limit is high
//! enough for several million rows: with five million rows of 100 bytes, a get takes 0.6 of the time that it takes with
//! 256 MiB. RocksDB, SQLite and Lucene have small, fixed defaults (32, 2 and 16 MB). MongoDB gives half of the memory to
//! WiredTiger's cache, and DuckDB may use 80 % for everything. Many processes may read a directory at the same time, so a
//! reader has less than the writer. The files of a database in memory are in memory already.
//!
//! A server has its process for itself. HBase gives 40 % of the Java heap to each part, and the heap is a quarter of the
//! machine by default. The operating system's page cache needs the rest: it serves blocks that are not in the cache.
//!
//! HBase's files without HBase are mostly scanned, and a scan that fills a large cache is slower: HBase's snapshot scanners
//! have 32 MB, for index blocks alone.
//!
//! Memstores have an upper limit because a restart replays their log.

use crate::settings::Settings;
use crate::sys::MemoryLimit;
use rowstone_model::admin::{Limit, MemoryLimits};
use rowstone_model::{Error, Result};

/// Share of the block cache, in thousandths; HBase's name.
const CACHE_SHARE: &str = "hfile.block.cache.size";
/// Share of the memstores, in thousandths; HBase's name.
const MEMSTORE_SHARE: &str = "hbase.regionserver.global.memstore.size";
/// Largest sum of the two, in thousandths, as in HBase.
const MOST_TOGETHER: i64 = 800;
/// Limit if the memory of the process is unknown.
const FIXED_BYTES: u64 = 256 << 20;
/// Upper limit of the block cache for HBase's files without HBase. Source: the default of HBase's
/// `hfile.onheap.block.cache.fixed.size`, which its `ClientSideRegionScanner` uses.
const ROOT_CACHE_BYTES: u64 = 32 << 20;
/// Smallest default.
const LEAST_BYTES: u64 = 4 << 20;

/// A part of the memory and its defaults for a process that serves this database alone.
struct Part {
    key: &'static str,
    server_share: i64,
    server_most: u64,
    /// Upper limit of the default in a library.
    library_most: u64,
    /// Upper limit of the default for HBase's files without HBase.
    root_most: u64,
    /// Smallest limit by a set share.
    least: u64,
}

impl Part {
    /// The share in thousandths.
    fn share(&self, settings: &Settings, is_dedicated: bool) -> i64 {
        if is_dedicated && !settings.has(self.key) {
            self.server_share
        } else {
            settings.number(self.key)
        }
    }
}

const CACHE: Part = Part {
    key: CACHE_SHARE,
    server_share: 250,
    server_most: 16 << 30,
    library_most: 2 << 30,
    root_most: ROOT_CACHE_BYTES,
    least: 0,
};
// Without any memory for memstores, each write would wait for a flush.
const MEMSTORE: Part = Part {
    key: MEMSTORE_SHARE,
    server_share: 125,
    server_most: 1 << 30,
    library_most: FIXED_BYTES,
    root_most: FIXED_BYTES,
    least: LEAST_BYTES,
};

/// Arguments of an open call about memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct GivenMemory {
    /// Limit of the block cache in bytes.
    pub cache: Option<u64>,
    /// Limit of the memstores in bytes.
    pub memstore: Option<u64>,
    /// Whether the process does nothing but serve this database.
    pub is_dedicated: bool,
    /// Whether the database is an HBase root directory without HBase.
    pub is_root: bool,
    /// Whether its cache is small by default: it is read-only, or in memory.
    pub has_small_cache: bool,
}

/// The limits of a database in a process that may have `process` of memory.
///
/// # Errors
/// `InvalidArgument` if the settings together give more than 80 %, as in HBase.
pub fn memory_limits(settings: &Settings, given: GivenMemory, process: Option<MemoryLimit>) -> Result<MemoryLimits> {
    let limit = |part: &Part, bytes: Option<u64>| match bytes {
        Some(bytes) => Limit { bytes, source: "argument" },
        None => by_share(settings, part, given, process),
    };
    check_sum(settings, given)?;
    Ok(MemoryLimits {
        process: process.map(|limit| Limit { bytes: limit.bytes, source: limit.source.name() }),
        cache: limit(&CACHE, given.cache),
        memstore: limit(&MEMSTORE, given.memstore),
    })
}

fn by_share(settings: &Settings, part: &Part, given: GivenMemory, process: Option<MemoryLimit>) -> Limit {
    let default = |bytes| Limit { bytes, source: "default" };
    let Some(process) = process else {
        return default(if given.is_root { part.root_most } else { FIXED_BYTES });
    };
    let share = part.share(settings, given.is_dedicated);
    if settings.has(part.key) {
        return Limit { bytes: thousandths(process.bytes, share).max(part.least), source: part.key };
    }
    let most = match given {
        GivenMemory { is_dedicated: true, .. } => part.server_most,
        GivenMemory { is_root: true, .. } => part.root_most,
        GivenMemory { has_small_cache: true, .. } => FIXED_BYTES,
        _ => part.library_most,
    };
    default(thousandths(process.bytes, share).clamp(LEAST_BYTES, most))
}

fn thousandths(bytes: u64, share: i64) -> u64 {
    let part = u128::from(bytes) * u128::try_from(share).unwrap_or(0) / 1_000;
    u64::try_from(part).unwrap_or(u64::MAX)
}

/// Refuses settings that, without the parts given in bytes, leave less than a fifth of the memory for everything else. Source: HBase's
/// `MemorySizeUtil.checkForClusterFreeHeapMemoryLimit`.
fn check_sum(settings: &Settings, given: GivenMemory) -> Result<()> {
    let share = |part: &Part, bytes: Option<u64>| bytes.map_or(part.share(settings, given.is_dedicated), |_| 0);
    let (cache, memstore) = (share(&CACHE, given.cache), share(&MEMSTORE, given.memstore));
    if cache + memstore <= MOST_TOGETHER {
        return Ok(());
    }
    let (cache, memstore) = (cache as f64 / 1_000.0, memstore as f64 / 1_000.0);
    Err(Error::invalid(format!(
        "{CACHE_SHARE} = {cache} and {MEMSTORE_SHARE} = {memstore} are together more than 0.8 of the memory; lower one \
         of them, or give the limits in bytes (cache_bytes, memstore_bytes)"
    )))
}

/// Shares of a process that serves this database alone, as settings.
pub fn dedicated_shares() -> [(&'static str, String); 2] {
    [&CACHE, &MEMSTORE].map(|part| (part.key, (part.server_share as f64 / 1_000.0).to_string()))
}

#[cfg(test)]
mod tests;
