//! Ticks of the background thread since a region's last flush. They distinguish bursts of flushes from quiet times.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A flush after at most this many ticks belongs to a burst. The burst is over when this many ticks have passed
/// without one.
pub(super) const TICKS_OF_BURST: u32 = 2;

/// Ticks since the last flush, or since the region was opened.
#[derive(Debug, Default)]
pub(super) struct SinceFlush {
    ticks: AtomicU32,
    has_flushed: AtomicBool,
}

impl SinceFlush {
    /// Counts a flush. Returns whether it belongs to a burst, so that another is likely soon.
    pub fn flushed(&self) -> bool {
        let ticks = self.ticks.swap(0, Ordering::Relaxed);
        self.has_flushed.swap(true, Ordering::Relaxed) && ticks <= TICKS_OF_BURST
    }

    /// Counts a tick. Returns the number of ticks before it. The first may come right after the flush.
    pub fn tick(&self) -> u32 {
        // A flush may reset the count at the same time.
        let next = |seen: u32| Some(seen.saturating_add(1));
        self.ticks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap_or(u32::MAX)
    }

    /// Whether a flush at this moment would belong to a burst.
    pub fn is_burst(&self) -> bool {
        self.has_flushed() && self.ticks.load(Ordering::Relaxed) <= TICKS_OF_BURST
    }

    /// Whether anything was flushed since the region was opened.
    pub fn has_flushed(&self) -> bool {
        self.has_flushed.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flushes_are_a_burst_while_ticks_between_them_are_few() {
        let since = SinceFlush::default();
        assert!(!since.has_flushed());
        assert!(!since.flushed(), "the first, soon after the opening");
        assert!(since.has_flushed());
        assert!(since.flushed());
        assert_eq!((since.tick(), since.tick()), (0, 1));
        assert!(since.is_burst() && since.flushed(), "two ticks between");
        assert_eq!((since.tick(), since.tick(), since.tick()), (0, 1, TICKS_OF_BURST));
        assert!(!since.is_burst() && !since.flushed(), "three ticks between");
    }
}
