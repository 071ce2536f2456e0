//! Block cache: decoded blocks of files in memory, up to a limit in bytes.
//!
//! Invariants:
//! * A block enters decoded (see [`CachedBlock`]). A reference keeps it alive, even after it was evicted.
//! * Blocks of IN_MEMORY families are separate, in a quarter of the limit that scans of other families cannot use.
//!   The quarter is set aside when the first such file is opened, so a database without them has the whole limit
//!   for the others.
//! * Both parts are scan resistant: a block read once is evicted before one that was read twice.
//! * Once the cache has evicted a block, the row index of a block that a get loads is kept apart, up to half of the limit. It stays
//!   when the block is evicted, and the next gets read only their part of the block. The share of the blocks shrinks by
//!   as much, in steps.
//! * A file id names one open file for the life of the cache and is never reused.

mod block;
mod chunks;
mod evictions;
mod hash;
mod restarts;
mod row_index;
mod spare;

pub use block::{CachedBlock, EncodedForm};
pub use restarts::Restarts;
pub use row_index::{Checksums, Decoding, RowIndex};

use crate::sys::lock::Mutex;
use block::Slot;
use bytes::BytesMut;
use evictions::Evictions;
use hash::KeyHash;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};
use rowstone_model::Result;
use spare::SpareBuffers;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// The share of the limit reserved for IN_MEMORY families, as a divisor.
const PROTECTED_DIVISOR: u64 = 4;
/// The most that row indexes may have of the limit, as a divisor, and the steps in which they get it.
const ROW_INDEX_DIVISOR: u64 = 2;
const ROW_INDEX_STEPS: u64 = 8;
/// Smaller shards could not hold a few large blocks.
const MIN_SHARD_BYTES: u64 = 16 << 20;
/// Only used to size the tables.
const TYPICAL_BLOCK_BYTES: u64 = 64 << 10;
const TYPICAL_ROW_INDEX_BYTES: u64 = 4 << 10;

/// Key of a block: its file and offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockKey {
    /// The open file, from [`BlockCache::register_file`].
    pub file: u64,
    /// Offset of the block in the file.
    pub offset: u64,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<BlockKey, Slot> for ByBytes {
    fn weight(&self, _key: &BlockKey, slot: &Slot) -> u64 {
        slot.block.memory_bytes()
    }
}

impl Weighter<BlockKey, Arc<RowIndex>> for ByBytes {
    fn weight(&self, _key: &BlockKey, index: &Arc<RowIndex>) -> u64 {
        index.memory_bytes()
    }
}

type Blocks = Cache<BlockKey, Slot, ByBytes, KeyHash, Evictions>;
type RowIndexes = Cache<BlockKey, Arc<RowIndex>, ByBytes, KeyHash>;

/// Counters and current contents of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheStatistics {
    /// Requested blocks that were in the cache.
    pub hits: u64,
    /// Requested blocks that had to be loaded.
    pub misses: u64,
    /// Evicted blocks.
    pub evictions: u64,
    /// Blocks in the cache.
    pub block_count: u64,
    /// Bytes in the cache.
    pub bytes: u64,
    /// Maximum bytes in the cache.
    pub limit_bytes: u64,
}

/// Hits of the open files, by id, and of all that were closed.
#[derive(Default)]
struct Hits {
    open: HashMap<u64, Arc<AtomicU64>>,
    closed: u64,
}

/// The blocks of all open files of a database.
pub struct BlockCache {
    shared: Blocks,
    protected: Blocks,
    row_indexes: RowIndexes,
    /// Parts of the limit that are reserved; ordinary blocks have the rest.
    set_aside: Mutex<SetAside>,
    evictions: Evictions,
    spares: Arc<SpareBuffers>,
    limit_bytes: u64,
    next_file: AtomicU64,
    hits: Mutex<Hits>,
    misses: AtomicU64,
}

/// Bytes of the limit that are reserved.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct SetAside {
    protected: u64,
    row_indexes: u64,
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
        // The builder only fails for missing numbers, and both are given.
        Err(_) => Cache::with(64, capacity, ByBytes, KeyHash, evictions.clone()),
    }
}

fn row_indexes(capacity: u64) -> RowIndexes {
    let count = (capacity / TYPICAL_ROW_INDEX_BYTES).clamp(64, 1 << 20) as usize;
    Cache::with(count, capacity, ByBytes, KeyHash, DefaultLifecycle::default())
}

impl BlockCache {
    /// Creates a cache for `limit_bytes` bytes of decoded blocks; with 0 it stores nothing.
    pub fn new(limit_bytes: u64) -> Self {
        let evictions = Evictions::default();
        BlockCache {
            shared: blocks(limit_bytes, limit_bytes, &evictions),
            protected: blocks(0, limit_bytes / PROTECTED_DIVISOR, &evictions),
            row_indexes: row_indexes(limit_bytes / ROW_INDEX_DIVISOR),
            set_aside: Mutex::default(),
            evictions,
            spares: Arc::new(SpareBuffers::of_cache(limit_bytes)),
            limit_bytes,
            next_file: AtomicU64::new(1),
            hits: Mutex::default(),
            misses: AtomicU64::new(0),
        }
    }

    /// Allocates an id for a newly opened file, and the counter in which its reader counts hits; `in_memory` if its family is
    /// IN_MEMORY. [`BlockCache::forget_file`] ends its use.
    pub fn register_file(&self, in_memory: bool) -> (u64, Arc<AtomicU64>) {
        if in_memory {
            let protected = self.limit_bytes / PROTECTED_DIVISOR;
            self.reserve(|reserved| SetAside { protected, ..reserved });
        }
        let (file, hits) = (self.next_file.fetch_add(1, Ordering::Relaxed), Arc::new(AtomicU64::new(0)));
        self.hits.lock().open.insert(file, Arc::clone(&hits));
        (file, hits)
    }

    /// Drops the blocks of a file that is closed.
    pub fn forget_file(&self, file: u64) {
        self.evict_file(file);
        let mut hits = self.hits.lock();
        let last = hits.open.remove(&file);
        hits.closed += last.map_or(0, |last| last.load(Ordering::Relaxed));
    }

    fn hit_count(&self) -> u64 {
        let hits = self.hits.lock();
        hits.open.values().fold(hits.closed, |sum, count| sum + count.load(Ordering::Relaxed))
    }

    fn reserve(&self, change: impl FnOnce(SetAside) -> SetAside) {
        let mut reserved = self.set_aside.lock();
        let before = *reserved;
        *reserved = change(before);
        let SetAside { protected, row_indexes } = *reserved;
        if before.protected != protected {
            self.protected.set_capacity(protected);
        }
        if before != *reserved {
            self.shared.set_capacity(self.limit_bytes - protected - row_indexes);
        }
    }

    /// Reserves what the row indexes use, rounded up to a step.
    fn reserve_for_row_indexes(&self) {
        let most = self.limit_bytes / ROW_INDEX_DIVISOR;
        let step = (most / ROW_INDEX_STEPS).max(1);
        let row_indexes = self.row_indexes.weight().next_multiple_of(step).min(most);
        self.reserve(|reserved| SetAside { row_indexes, ..reserved });
    }

    fn side(&self, in_memory: bool) -> &Blocks {
        if in_memory {
            &self.protected
        } else {
            &self.shared
        }
    }

    /// The block, if it is in the cache. The caller counts the hit.
    #[inline]
    pub fn get(&self, key: BlockKey, in_memory: bool) -> Option<Arc<CachedBlock>> {
        self.side(in_memory).get(&key).map(|slot| slot.block)
    }

    /// The block; `load` creates it if it is not in the cache. Of several threads that request the same block, one
    /// loads it and the others wait.
    pub fn get_or_load(
        &self,
        key: BlockKey,
        in_memory: bool,
        load: impl FnOnce() -> Result<CachedBlock>,
    ) -> Result<Arc<CachedBlock>> {
        let slot = self.side(in_memory).get_or_insert_with(&key, || {
            self.count_miss();
            load().map(Slot::new)
        });
        slot.map(|slot| slot.block)
    }

    /// The row index of a block that may have been evicted.
    pub fn row_index(&self, key: BlockKey) -> Option<Arc<RowIndex>> {
        self.row_indexes.get(&key)
    }

    /// Inserts the row index of a block.
    pub fn insert_row_index(&self, key: BlockKey, index: RowIndex) {
        self.row_indexes.insert(key, Arc::new(index));
        self.reserve_for_row_indexes();
    }

    /// Whether it has been full: then a block that is inserted may be evicted later.
    pub fn has_evicted(&self) -> bool {
        self.evictions.count() > 0
    }

    /// Inserts a block that was not requested yet.
    pub fn insert(&self, key: BlockKey, in_memory: bool, block: CachedBlock) {
        self.side(in_memory).insert(key, Slot::new(block));
    }

    /// A buffer for reading `bytes` bytes, with arbitrary contents. It has a capacity for `marks_bytes` bytes of marks, unless
    /// it is very small or large.
    pub fn buffer(&self, bytes: usize, marks_bytes: usize) -> BytesMut {
        self.spares.take(bytes, block::LINE_BYTES + marks_bytes)
    }

    /// Registers the block's memory; spare buffers are freed to make room. `is_reusable` means that its memory is a
    /// whole [`BlockCache::buffer`], which is recycled when the block is dropped.
    pub fn lend(&self, block: CachedBlock, is_reusable: bool) -> CachedBlock {
        block.with_home(Arc::clone(&self.spares), is_reusable)
    }

    /// Counts a block that was loaded bypassing the cache.
    pub fn count_miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    /// Drops the blocks of a file; returns their number. Blocks in use stay alive.
    pub fn evict_file(&self, file: u64) -> u64 {
        let dropped = Cell::new(0);
        for side in [&self.shared, &self.protected] {
            if !side.is_empty() {
                side.retain(|key, _| {
                    let stays = key.file != file;
                    dropped.set(dropped.get() + u64::from(!stays));
                    stays
                });
            }
        }
        if !self.row_indexes.is_empty() {
            self.row_indexes.retain(|key, _| key.file != file);
            self.reserve_for_row_indexes();
        }
        dropped.get()
    }

    /// Counters and sizes.
    pub fn statistics(&self) -> CacheStatistics {
        CacheStatistics {
            hits: self.hit_count(),
            misses: self.misses.load(Ordering::Relaxed),
            evictions: self.evictions.count(),
            block_count: (self.shared.len() + self.protected.len()) as u64,
            bytes: self.shared.weight() + self.protected.weight() + self.row_indexes.weight(),
            limit_bytes: self.limit_bytes,
        }
    }
}

#[cfg(test)]
mod tests;
