//! Count of evicted blocks.

use super::{BlockKey, Slot};
use quick_cache::sync::DefaultLifecycle;
use quick_cache::Lifecycle;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

type Own = DefaultLifecycle<BlockKey, Slot>;

/// Counts evictions, with the cache's default life cycle otherwise.
#[derive(Clone, Default)]
pub(super) struct Evictions {
    count: Arc<AtomicU64>,
    own: Own,
}

impl Evictions {
    /// Number of evictions so far. Blocks that were dropped because their file was removed do not count.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl Lifecycle<BlockKey, Slot> for Evictions {
    type RequestState = <Own as Lifecycle<BlockKey, Slot>>::RequestState;

    #[inline]
    fn on_evict(&self, state: &mut Self::RequestState, key: BlockKey, slot: Slot) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.own.on_evict(state, key, slot);
    }
}
