//! Advice about memory: to the kernel about its pages, to the processor about its caches. On other systems than Linux, and
//! other processors than x86-64, these functions do nothing.

use std::mem::MaybeUninit;

/// Less memory contains at most one whole huge page.
const LEAST_HUGE_BYTES: usize = 4 << 20;

/// Asks for huge pages for memory that was not used yet, if there is enough of it for several. The kernel decides,
/// by its setting of transparent huge pages.
pub fn prefer_huge(memory: &mut [MaybeUninit<u8>]) {
    if memory.len() >= LEAST_HUGE_BYTES {
        advise(memory, Advice::Huge);
    }
}

/// Gives all whole pages of this memory back to the kernel. The memory stays allocated, and can be used again.
pub fn release(memory: &mut [MaybeUninit<u8>]) {
    advise(memory, Advice::NotNeeded);
}

/// Maximum number of bytes to prefetch. The processor's own prefetcher continues from there.
const MAX_PREFETCH_BYTES: usize = 1024;
/// Bytes of a CPU cache line.
const LINE_BYTES: usize = 64;

/// Asks the processor to load `bytes`, or their beginning, into its caches, and does not wait.
#[inline]
pub fn prefetch(bytes: &[u8]) {
    bytes[..bytes.len().min(MAX_PREFETCH_BYTES)].chunks(LINE_BYTES).for_each(|line| prefetch_line(line.as_ptr()));
}

/// The same for the memory of `value` itself, without what it points to.
#[inline]
pub fn prefetch_value<T>(value: &T) {
    let start = std::ptr::from_ref(value).cast::<u8>();
    (0..size_of::<T>()).step_by(LINE_BYTES).for_each(|at| prefetch_line(start.wrapping_add(at)));
}

/// A piece of memory that can be prefetched, and nothing else: it may no longer exist.
#[derive(Debug, Clone, Copy)]
pub struct MemoryRange {
    start: usize,
    bytes: usize,
}

impl MemoryRange {
    /// The memory of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        MemoryRange { start: bytes.as_ptr().addr(), bytes: bytes.len() }
    }

    /// Asks the processor to look up the pages of up to 8 KiB of memory, and does not wait.
    #[inline]
    pub fn prefetch_pages(self) {
        for quarters in [1, 3] {
            prefetch_line(std::ptr::without_provenance(self.start.wrapping_add(self.bytes / 4 * quarters)));
        }
    }
}

/// Asks the processor to load the line of this address, which may be any number.
#[inline]
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the instruction takes a pointer")]
fn prefetch_line(address: *const u8) {
    use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
    // SAFETY: the instruction changes nothing but the processor's caches, and ignores an invalid address. The benchmark is
    // in docs/explanation/performance-decisions.md, "Prefetched cells".
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
}

#[inline]
#[cfg(not(target_arch = "x86_64"))]
fn prefetch_line(_address: *const u8) {}

#[derive(Clone, Copy)]
enum Advice {
    Huge,
    NotNeeded,
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "rustix marks all advice unsafe, because some of it erases memory")]
fn advise(memory: &mut [MaybeUninit<u8>], advice: Advice) {
    use rustix::mm;
    let page = rustix::param::page_size();
    let range = memory.as_mut_ptr_range();
    let start = range.start.cast::<u8>().wrapping_add(range.start.align_offset(page));
    let Some(bytes) = (range.end as usize).checked_sub(start as usize).map(|bytes| bytes / page * page) else { return };
    let advice = match advice {
        Advice::Huge => mm::Advice::LinuxHugepage,
        Advice::NotNeeded => mm::Advice::LinuxDontNeed,
    };
    if bytes > 0 {
        // SAFETY: the pages are within `memory`. Its reference is exclusive, and uninitialized memory has no contents that
        // must stay. The benchmark is in docs/explanation/performance-decisions.md, "Huge pages".
        let _ = unsafe { mm::madvise(start.cast(), bytes, advice) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_memory: &mut [MaybeUninit<u8>], _advice: Advice) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn released_memory_can_be_written_again_and_its_neighbors_stay() {
        let mut memory = Vec::<u8>::with_capacity(8 << 20);
        prefer_huge(memory.spare_capacity_mut());
        memory.resize(4 << 20, 7);
        release(memory.spare_capacity_mut());
        release(&mut memory.spare_capacity_mut()[..100]);
        release(&mut []);
        assert!(memory.iter().all(|byte| *byte == 7));
        memory.resize(8 << 20, 8);
        assert_eq!(memory.iter().filter(|byte| **byte == 8).count(), 4 << 20);
    }
}
