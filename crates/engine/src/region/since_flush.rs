//! How long ago a region was flushed, in looks of the thread that looks around: bursts of flushes and quiet times.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A flush after fewer looks belongs to a burst of them; after so many looks it is over.
pub(super) const LOOKS_OF_BURST: u32 = 2;

/// Looks since the last flush, or since the region was opened.
#[derive(Debug, Default)]
pub(super) struct SinceFlush {
    looks: AtomicU32,
    has_flushed: AtomicBool,
}

impl SinceFlush {
    /// Counts a flush; whether it belongs to a burst of them, so that the next is near.
    pub fn flushed(&self) -> bool {
        let looks = self.looks.swap(0, Ordering::Relaxed);
        self.has_flushed.swap(true, Ordering::Relaxed) && looks < LOOKS_OF_BURST
    }

    /// Counts a look; how many there were now.
    pub fn look(&self) -> u32 {
        // A flush may begin the count anew at the same time.
        let next = |seen: u32| Some(seen.saturating_add(1));
        let seen = self.looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        seen.unwrap_or(u32::MAX).saturating_add(1)
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
    fn flushes_are_a_burst_while_looks_between_them_are_few() {
        let since = SinceFlush::default();
        assert!(!since.has_flushed());
        assert!(!since.flushed(), "the first, soon after the opening");
        assert!(since.has_flushed());
        assert!(since.flushed());
        assert_eq!(since.look(), 1);
        assert!(since.flushed(), "one look between");
        assert_eq!((since.look(), since.look()), (1, LOOKS_OF_BURST));
        assert!(!since.flushed(), "two looks between");
    }
}
