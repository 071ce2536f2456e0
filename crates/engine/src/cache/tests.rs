//! Proves: the limit holds, IN_MEMORY blocks survive a scan of others, a closed file's blocks are dropped, load
//! errors are not cached.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::search::Marks;
use rowstone_model::Error;

const BLOCK: usize = 1 << 16;

fn load(cache: &BlockCache, file: u64, offset: u64, in_memory: bool) -> Arc<CachedBlock> {
    let make = || Ok(CachedBlock::new(vec![file as u8; BLOCK], Marks::without_rows(&[offset as u32])));
    cache.get_or_load(BlockKey { file, offset }, in_memory, make).unwrap()
}

#[test]
fn the_limit_holds_and_in_memory_blocks_survive_a_scan() {
    let cache = BlockCache::new(8 << 20);
    let (plain, kept) = (cache.register_file(false).0, cache.register_file(true).0);
    for offset in 0..16 {
        load(&cache, kept, offset, true);
    }
    for offset in 0..1000 {
        load(&cache, plain, offset, false);
    }
    let statistics = cache.statistics();
    assert!(statistics.bytes <= statistics.limit_bytes, "{statistics:?}");
    assert!(statistics.bytes > statistics.limit_bytes / 2, "{statistics:?}");
    for offset in 0..16 {
        assert!(cache.get(BlockKey { file: kept, offset }, true).is_some());
    }
}

#[test]
fn the_whole_limit_is_shared_until_an_in_memory_file_opens() {
    let cache = BlockCache::new(8 << 20);
    let plain = cache.register_file(false).0;
    for offset in 0..120 {
        load(&cache, plain, offset, false);
    }
    assert!(cache.statistics().bytes > 7 << 20);
    cache.register_file(true);
    assert!(cache.statistics().bytes <= 6 << 20);
}

#[test]
fn loading_a_block_counts_as_one_miss() {
    let cache = BlockCache::new(8 << 20);
    let file = cache.register_file(false).0;
    for offset in 0..10 {
        assert!(cache.get(BlockKey { file, offset }, false).is_none());
        load(&cache, file, offset, false);
    }
    assert_eq!(cache.statistics().misses, 10);
    load(&cache, file, 3, false);
    assert_eq!(cache.statistics().misses, 10);
}

#[test]
fn hits_of_closed_files_are_counted() {
    let cache = BlockCache::new(8 << 20);
    let ((first, first_hits), (_, second_hits)) = (cache.register_file(false), cache.register_file(true));
    first_hits.fetch_add(2, Ordering::Relaxed);
    second_hits.fetch_add(3, Ordering::Relaxed);
    assert_eq!(cache.statistics().hits, 5);
    cache.forget_file(first);
    assert_eq!(cache.statistics().hits, 5);
}

#[test]
fn blocks_of_a_closed_file_are_dropped() {
    let cache = BlockCache::new(1 << 24);
    let (first, second) = (cache.register_file(false).0, cache.register_file(false).0);
    assert_ne!(first, second);
    let held = load(&cache, first, 0, false);
    load(&cache, second, 0, false);
    cache.evict_file(first);
    assert!(cache.get(BlockKey { file: first, offset: 0 }, false).is_none());
    assert!(cache.get(BlockKey { file: second, offset: 0 }, false).is_some());
    assert_eq!(held.bytes()[0], first as u8);
}

#[test]
fn a_failed_load_leaves_nothing_behind() {
    let cache = BlockCache::new(1 << 24);
    let key = BlockKey { file: cache.register_file(false).0, offset: 7 };
    assert!(cache.get_or_load(key, false, || Err(Error::internal("no"))).is_err());
    assert!(cache.get(key, false).is_none());
    assert!(cache.get_or_load(key, false, || Ok(CachedBlock::new(vec![1], Marks::default()))).is_ok());
}

#[test]
fn without_memory_every_block_is_loaded_again() {
    let cache = BlockCache::new(0);
    let key = BlockKey { file: cache.register_file(false).0, offset: 0 };
    for _ in 0..2 {
        let block = cache.get_or_load(key, false, || Ok(CachedBlock::new(vec![1], Marks::default()))).unwrap();
        assert_eq!(block.bytes(), [1]);
    }
    assert_eq!(cache.statistics().block_count, 0);
}

#[test]
fn a_window_cuts_both_ends() {
    let block = CachedBlock::window(BytesMut::from(&[0, 1, 2, 3, 4][..]), 1..3, Marks::default());
    assert_eq!(block.bytes(), [1, 2]);
    assert!(CachedBlock::window(BytesMut::from(&[0, 1][..]), 5..9, Marks::default()).bytes().is_empty());
}

#[test]
fn a_full_cache_reuses_the_memory_of_evicted_blocks() {
    let cache = BlockCache::new(200 * (64 << 10));
    let overhead = CachedBlock::new(Vec::new(), Marks::default()).memory_bytes();
    let mut again = 0;
    let (mut places, mut held) = (std::collections::BTreeSet::new(), Vec::new());
    let file = cache.register_file(false).0;
    for offset in 0..1_000 {
        let load = || {
            let offsets: Vec<_> = (0..400 + offset as u32 % 100).collect();
            let mut buffer = cache.buffer((64 << 10) + (offset as usize * 37) % 1_000, 8 * offsets.len());
            again += usize::from(buffer[0] == 7);
            buffer.fill(7);
            places.insert(buffer.as_ptr() as usize);
            let all = 0..buffer.len();
            Ok(cache.lend(CachedBlock::window(buffer, all, Marks::without_rows(&offsets)), true))
        };
        held.push(cache.get_or_load(BlockKey { file, offset }, false, load).unwrap());
        for (block, count) in held.iter().rev().zip((0..=offset).rev().map(|offset| 400 + offset as usize % 100)) {
            assert!(block.bytes().iter().all(|byte| *byte == 7), "the marks are behind the block's bytes");
            assert!((0..count).all(|index| block.marks().offset(index) == Some(index as u32)));
            assert_eq!((block.marks().len(), (block.memory_bytes() - overhead) % 4096), (count, 0));
        }
        // Like a batch of gets.
        if held.len() == 16 {
            held.clear();
        }
    }
    assert!(again > 500, "{again} of 1,000 blocks reused memory");
    assert!(places.len() <= 200 + 16 + 16, "{} allocations for 200 cached blocks and 16 referenced ones", places.len());
}
