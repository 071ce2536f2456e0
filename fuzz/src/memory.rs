//! A counting allocator, which catches decoders that allocate more than their input justifies.

#![allow(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum memory for one input.
pub const LIMIT_BYTES: usize = 512 << 20;
/// Allocations beyond this fail at once, which ends the process.
const REFUSED_BYTES: usize = 4 << 30;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system allocator with two counters.
pub struct Counting;

// SAFETY: all calls are forwarded to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !grow(layout.size()) {
            return std::ptr::null_mut();
        }
        System.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !grow(layout.size()) {
            return std::ptr::null_mut();
        }
        System.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        System.dealloc(memory, layout);
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !grow(size) {
            return std::ptr::null_mut();
        }
        let grown = System.realloc(memory, layout, size);
        LIVE.fetch_sub(if grown.is_null() { size } else { layout.size() }, Ordering::Relaxed);
        grown
    }
}

fn grow(bytes: usize) -> bool {
    if bytes > REFUSED_BYTES {
        return false;
    }
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed).wrapping_add(bytes);
    PEAK.fetch_max(live, Ordering::Relaxed);
    true
}

/// Starts a measurement; returns the bytes in use.
pub fn begin() -> usize {
    let live = LIVE.load(Ordering::Relaxed);
    PEAK.store(live, Ordering::Relaxed);
    live
}

/// The peak of bytes in use since [`begin`], beyond `before`.
pub fn most_since(before: usize) -> usize {
    PEAK.load(Ordering::Relaxed).saturating_sub(before)
}
