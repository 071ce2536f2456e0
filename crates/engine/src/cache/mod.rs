//! Blocks of files in memory, decoded, up to a limit in bytes.
//!
//! Invariants:
//! * A block enters decoded (see [`CachedBlock`]); whoever holds one keeps it alive, also after it was evicted.
//! * Blocks of IN_MEMORY families live apart, in a quarter of the limit that scans of other families cannot touch. The quarter
//!   is set aside when the first such file is opened, so a database without them has the whole limit for the others.
//! * Each half is scan resistant: a block read once leaves before one that was read twice.
//! * A file id names one open file for the life of the cache and is never used again.

mod block;
mod evictions;
mod hash;
mod spare;

pub use block::CachedBlock;

use evictions::Evictions;
use hash::KeyHash;
use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};
use rowstone_model::Result;
use spare::SpareBuffers;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

/// The share of the limit that IN_MEMORY families have to themselves, as a divisor.
const PROTECTED_DIVISOR: u64 = 4;
/// Smaller shards could not hold a few large blocks.
const MIN_SHARD_BYTES: u64 = 16 << 20;
/// For sizing the tables only.
const TYPICAL_BLOCK_BYTES: u64 = 64 << 10;

/// Which block of which file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockKey {
    /// The open file, from [`BlockCache::register_file`].
    pub file: u64,
    /// Where in the file the block starts.
    pub offset: u64,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<BlockKey, Arc<CachedBlock>> for ByBytes {
    fn weight(&self, _key: &BlockKey, block: &Arc<CachedBlock>) -> u64 {
        block.memory_bytes()
    }
}

type Blocks = Cache<BlockKey, Arc<CachedBlock>, ByBytes, KeyHash, Evictions>;

/// What the cache did so far and holds now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheStatistics {
    /// Blocks asked for and found.
    pub hits: u64,
    /// Blocks asked for, not found and loaded.
    pub misses: u64,
    /// Blocks that had to leave for others.
    pub evictions: u64,
    /// Blocks held.
    pub block_count: u64,
    /// Bytes held.
    pub bytes: u64,
    /// Most bytes it may hold.
    pub limit_bytes: u64,
}

/// The blocks of all open files of a database.
pub struct BlockCache {
    shared: Blocks,
    protected: Blocks,
    evictions: Evictions,
    spares: Arc<SpareBuffers>,
    has_protected: AtomicBool,
    limit_bytes: u64,
    next_file: AtomicU64,
    misses: AtomicU64,
}

fn blocks(capacity: u64, shards_for: u64, evictions: &Evictions) -> Blocks {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let shards = (shards_for / MIN_SHARD_BYTES).clamp(1, threads * 4);
    let options = OptionsBuilder::new()
        .shards(shards as usize)
        .weight_capacity(capacity)
        .estimated_items_capacity((shards_for / TYPICAL_BLOCK_BYTES).clamp(64, 1 << 20) as usize)
        .build();
    match options {
        Ok(options) => Cache::with_options(options, ByBytes, KeyHash, evictions.clone()),
        // The builder only refuses missing numbers, and both are given.
        Err(_) => Cache::with(64, capacity, ByBytes, KeyHash, evictions.clone()),
    }
}

impl BlockCache {
    /// A cache for `limit_bytes` bytes of decoded blocks; with 0 it keeps nothing.
    pub fn new(limit_bytes: u64) -> Self {
        let evictions = Evictions::default();
        BlockCache {
            shared: blocks(limit_bytes, limit_bytes, &evictions),
            protected: blocks(0, limit_bytes / PROTECTED_DIVISOR, &evictions),
            evictions,
            spares: Arc::new(SpareBuffers::of_cache(limit_bytes)),
            has_protected: AtomicBool::new(false),
            limit_bytes,
            next_file: AtomicU64::new(1),
            misses: AtomicU64::new(0),
        }
    }

    /// An id for a file that was just opened; `in_memory` where its family is IN_MEMORY.
    pub fn register_file(&self, in_memory: bool) -> u64 {
        if in_memory && !self.has_protected.swap(true, Ordering::AcqRel) {
            let protected = self.limit_bytes / PROTECTED_DIVISOR;
            self.shared.set_capacity(self.limit_bytes - protected);
            self.protected.set_capacity(protected);
        }
        self.next_file.fetch_add(1, Ordering::Relaxed)
    }

    fn side(&self, in_memory: bool) -> &Blocks {
        if in_memory {
            &self.protected
        } else {
            &self.shared
        }
    }

    /// The block, where it is here.
    #[inline]
    pub fn get(&self, key: BlockKey, in_memory: bool) -> Option<Arc<CachedBlock>> {
        self.side(in_memory).get(&key)
    }

    /// The block; `load` makes it where it is not here. Threads that ask for the same block at once wait for one of them to
    /// load it.
    pub fn get_or_load(
        &self,
        key: BlockKey,
        in_memory: bool,
        load: impl FnOnce() -> Result<CachedBlock>,
    ) -> Result<Arc<CachedBlock>> {
        // Counted here: the cache's own counter goes up with every look of one call.
        self.side(in_memory).get_or_insert_with(&key, || {
            self.count_miss();
            load().map(Arc::new)
        })
    }

    /// Puts a block in that nobody has asked for yet.
    pub fn insert(&self, key: BlockKey, in_memory: bool, block: Arc<CachedBlock>) {
        self.side(in_memory).insert(key, block);
    }

    /// Memory to read `bytes` bytes into, whatever is in it.
    pub fn buffer(&self, bytes: usize) -> Vec<u8> {
        self.spares.take(bytes)
    }

    /// The block, for which spare memory makes room. Where `is_reusable`, as it lies in a [`BlockCache::buffer`], its own memory is there
    /// for others when nobody needs it any more.
    pub fn lend(&self, block: CachedBlock, is_reusable: bool) -> CachedBlock {
        block.with_home(Arc::clone(&self.spares), is_reusable)
    }

    /// Counts a block that was loaded past the cache.
    pub fn count_miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets the blocks of a file that was closed or removed.
    pub fn evict_file(&self, file: u64) {
        for side in [&self.shared, &self.protected] {
            if !side.is_empty() {
                side.retain(|key, _| key.file != file);
            }
        }
    }

    /// Counters and sizes.
    pub fn statistics(&self) -> CacheStatistics {
        CacheStatistics {
            hits: self.shared.hits() + self.protected.hits(),
            misses: self.misses.load(Ordering::Relaxed),
            evictions: self.evictions.count(),
            block_count: (self.shared.len() + self.protected.len()) as u64,
            bytes: self.shared.weight() + self.protected.weight(),
            limit_bytes: self.limit_bytes,
        }
    }
}

#[cfg(test)]
mod tests;
