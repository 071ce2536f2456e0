//! Histograms. A bucket is one eighth of its power of two wide, so a value read from it is off by at most a
//! sixteenth. Counting takes two relaxed additions.

use std::sync::atomic::{AtomicU64, Ordering};

/// Buckets per power of two.
const PARTS: u64 = 8;
const PARTS_BITS: u32 = PARTS.trailing_zeros();
/// Larger values are counted as this one: 19 hours in nanoseconds, or 64 TiB.
const MOST: u64 = (1 << 46) - 1;
const BUCKETS: usize = place_of(MOST) + 1;

/// Returns the index of a value's bucket.
const fn place_of(value: u64) -> usize {
    let value = if value > MOST { MOST } else { value };
    if value < PARTS {
        return value as usize;
    }
    let power = value.ilog2();
    let part = (value >> (power - PARTS_BITS)) & (PARTS - 1);
    ((power - PARTS_BITS + 1) as u64 * PARTS + part) as usize
}

/// Returns the smallest value of a bucket and that of the next one.
fn bounds_of(place: usize) -> (u64, u64) {
    let (place, first) = (place as u64, PARTS);
    if place < first {
        return (place, place + 1);
    }
    let shift = place / PARTS - 1;
    let low = (PARTS + place % PARTS) << shift;
    (low, low + (1 << shift))
}

/// Counters that many threads update.
pub(super) struct Histogram {
    buckets: Box<[AtomicU64]>,
    sum: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram { buckets: (0..BUCKETS).map(|_| AtomicU64::new(0)).collect(), sum: AtomicU64::new(0) }
    }
}

impl Histogram {
    /// Counts a value `times` times.
    pub fn add(&self, value: u64, times: u64) {
        if let Some(bucket) = self.buckets.get(place_of(value)) {
            bucket.fetch_add(times, Ordering::Relaxed);
        }
        self.sum.fetch_add(value.saturating_mul(times), Ordering::Relaxed);
    }

    /// Adds the counts so far to `seen`.
    pub fn add_to(&self, seen: &mut Seen) {
        for (place, bucket) in self.buckets.iter().enumerate() {
            let count = bucket.load(Ordering::Relaxed);
            if count > 0 {
                *seen.counts.entry(bounds_of(place)).or_insert(0) += count;
            }
        }
        seen.sum = seen.sum.wrapping_add(self.sum.load(Ordering::Relaxed));
    }
}

/// Snapshot of a histogram. Values are nanoseconds or bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Number of values by bucket, as the smallest value of the bucket and that of the next one. Empty buckets are
    /// left out.
    pub counts: std::collections::BTreeMap<(u64, u64), u64>,
    /// Sum of all values.
    pub sum: u64,
}

impl Seen {
    /// Number of values.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_its_bucket_and_buckets_follow_each_other() {
        for place in 1..BUCKETS {
            assert_eq!(bounds_of(place - 1).1, bounds_of(place).0);
        }
        for value in (0..5_000).chain([MOST, MOST - 1, 1 << 40, (1 << 40) - 1]) {
            let (low, high) = bounds_of(place_of(value));
            assert!((low..high).contains(&value), "{value} in {low}..{high}");
            assert!(high - low <= 1 + low / PARTS, "{low}..{high} is too wide");
        }
        assert_eq!(place_of(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn counted_values_are_summed() {
        let histogram = Histogram::default();
        histogram.add(3, 2);
        histogram.add(1_000, 1);
        let mut seen = Seen::default();
        histogram.add_to(&mut seen);
        histogram.add_to(&mut seen);
        assert_eq!((seen.count(), seen.sum), (6, 2 * 1_006));
        assert_eq!(seen.counts.get(&(3, 4)), Some(&4));
    }
}
