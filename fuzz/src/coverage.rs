//! Coverage from the compiler's instrumentation: executed edges and compared numbers.
//!
//! The compiler inserts an 8-bit counter per edge and a call per comparison (`rustc-with-coverage` has the options;
//! they are stable). Without them everything here stays empty, and mutations are blind.

#![allow(unsafe_code, reason = "the instrumentation hands over raw memory")]

use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

static START: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Number of remembered comparisons: the last ones of a run.
const COMPARISONS: usize = 1024;
static PAIRS: [AtomicU64; 2 * COMPARISONS] = [const { AtomicU64::new(0) }; 2 * COMPARISONS];
static PAIR_COUNT: AtomicUsize = AtomicUsize::new(0);
/// 2 while a target runs, otherwise 0, so that the fuzzer's own comparisons are not recorded.
static PAIR_STEP: AtomicUsize = AtomicUsize::new(0);

/// Called before `main` with the counters of the program.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    START.store(start, Ordering::SeqCst);
    LENGTH.store((stop as usize).wrapping_sub(start as usize), Ordering::SeqCst);
}

/// Called before `main` with a table that is not used.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_pcs_init(_start: *const usize, _stop: *const usize) {}

// These functions are instrumented themselves: a comparison in one of them would recurse endlessly.
#[inline(always)]
fn compared(left: u64, right: u64) {
    // Not an atomic increment, which would take most of a run: two threads may overwrite each other's pair.
    let count = PAIR_COUNT.load(Ordering::Relaxed);
    PAIR_COUNT.store(count.wrapping_add(PAIR_STEP.load(Ordering::Relaxed)), Ordering::Relaxed);
    let at = count & (2 * COMPARISONS - 2);
    let pairs = PAIRS.as_ptr();
    // SAFETY: `at` is even and below the length of `PAIRS`.
    unsafe {
        (*pairs.add(at)).store(left, Ordering::Relaxed);
        (*pairs.add(at | 1)).store(right, Ordering::Relaxed);
    }
}

macro_rules! comparisons {
    ($($name:ident $type:ty,)*) => {$(
        /// Called at a comparison.
        #[no_mangle]
        pub extern "C" fn $name(left: $type, right: $type) {
            compared(left as u64, right as u64);
        }
    )*};
}

comparisons! {
    __sanitizer_cov_trace_cmp1 u8,
    __sanitizer_cov_trace_cmp2 u16,
    __sanitizer_cov_trace_cmp4 u32,
    __sanitizer_cov_trace_cmp8 u64,
    __sanitizer_cov_trace_const_cmp1 u8,
    __sanitizer_cov_trace_const_cmp2 u16,
    __sanitizer_cov_trace_const_cmp4 u32,
    __sanitizer_cov_trace_const_cmp8 u64,
}

/// Called at a `match` on numbers, with their count, their width and the numbers.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_trace_switch(_value: u64, _cases: *const u64) {}

/// Called at divisions.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_trace_div4(_value: u32) {}

/// Called at divisions.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_trace_div8(_value: u64) {}

/// Called at index computations.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_trace_gep(_index: usize) {}

/// Called at indirect calls.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_trace_pc_indir(_callee: usize) {}

static ZEROS: [u8; 512] = [0; 512];

/// The edges seen so far, with their rough counts.
#[derive(Default)]
pub struct Coverage {
    seen: Vec<u8>,
    edges: usize,
}

fn counters() -> &'static mut [u8] {
    let (start, length) = (START.load(Ordering::SeqCst), LENGTH.load(Ordering::SeqCst));
    if start.is_null() {
        return &mut [];
    }
    // SAFETY: the instrumentation provided this memory, and a single thread runs targets and reads it.
    unsafe { std::slice::from_raw_parts_mut(start, length) }
}

/// The bit for a counter's value: a rough count.
fn bucket(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}

impl Coverage {
    /// Resets the counters.
    pub fn begin(&mut self) {
        counters().fill(0);
        PAIR_COUNT.store(0, Ordering::Relaxed);
        PAIR_STEP.store(2, Ordering::Relaxed);
    }

    /// Records the coverage since [`Coverage::begin`]. Returns whether some of it was new.
    pub fn is_new(&mut self) -> bool {
        PAIR_STEP.store(0, Ordering::Relaxed);
        let counters = counters();
        self.seen.resize(counters.len(), 0);
        let mut is_new = false;
        for (block, seen) in counters.chunks(ZEROS.len()).zip(self.seen.chunks_mut(ZEROS.len())) {
            // Most of the program never runs, so skipping it quickly is what matters.
            if *block == ZEROS[..block.len()] {
                continue;
            }
            for (count, seen) in block.iter().zip(seen) {
                if *count == 0 {
                    continue;
                }
                let bit = bucket(*count);
                if bit & !*seen != 0 {
                    self.edges += usize::from(*seen == 0);
                    *seen |= bit;
                    is_new = true;
                }
            }
        }
        is_new
    }

    /// Number of edges seen.
    pub fn edges(&self) -> usize {
        self.edges
    }
}

/// Pairs of unequal numbers that were compared during the last run.
pub fn comparisons() -> Vec<(u64, u64)> {
    let count = PAIR_COUNT.load(Ordering::Relaxed).min(2 * COMPARISONS);
    let number = |at: usize| PAIRS[at].load(Ordering::Relaxed);
    let pairs = (0..count).step_by(2).map(|at| (number(at), number(at + 1)));
    pairs.filter(|(left, right)| left != right).collect()
}
