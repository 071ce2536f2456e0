//! Slower writes while memory fills up. Writers slow down little by little, before all of them stop until a flush has
//! made room. HBase only stops them; the delay resembles RocksDB's delayed write rate.
//!
//! Below three quarters of a limit nothing is delayed. From there the time per byte grows with the square of the used
//! part of the rest, up to [`MOST_NS_PER_BYTE`]. All writers share one schedule, so their number does not matter.

use crate::sys::lock::Mutex;
use std::time::{Duration, Instant};

/// Time per byte at the limit: 10 MB per second for all writers together.
const MOST_NS_PER_BYTE: u64 = 100;
/// Maximum time for which a write waits for others. The time of its own bytes is added.
const MOST_WAIT_NS: u64 = 10_000_000;
/// Shorter waits are added to those of the next writes.
const LEAST_WAIT_NS: u64 = 1_000_000;

/// Delay per byte of a write, in nanoseconds, while `used` of `limit` bytes of memory are in use.
pub(in crate::db) fn ns_per_byte(used: u64, limit: u64) -> u64 {
    let room = limit / 4;
    let begin = limit - room;
    if used <= begin {
        return 0;
    }
    let permille = u128::from(used.min(limit) - begin) * 1_000 / u128::from(room.max(1));
    u64::try_from(u128::from(MOST_NS_PER_BYTE) * permille * permille / 1_000_000).unwrap_or(MOST_NS_PER_BYTE)
}

/// The end of a write's time slot that begins after that of all earlier writes, or [`MOST_WAIT_NS`] from now.
fn end_of_slot(last_end_ns: u64, now_ns: u64, own_ns: u64) -> u64 {
    last_end_ns.clamp(now_ns, now_ns.saturating_add(MOST_WAIT_NS)).saturating_add(own_ns)
}

/// Schedule of delayed writes.
pub(in crate::db) struct Slowdown {
    began: Instant,
    last_end_ns: Mutex<u64>,
}

impl Default for Slowdown {
    fn default() -> Self {
        Slowdown { began: Instant::now(), last_end_ns: Mutex::new(0) }
    }
}

impl Slowdown {
    /// Time for which a write has to wait whose bytes take `own_ns`.
    pub(in crate::db) fn delay(&self, own_ns: u64) -> Option<Duration> {
        let now_ns = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let mut last_end_ns = self.last_end_ns.lock();
        *last_end_ns = end_of_slot(*last_end_ns, now_ns, own_ns);
        let wait_ns = *last_end_ns - now_ns;
        (wait_ns >= LEAST_WAIT_NS).then(|| Duration::from_nanos(wait_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_begins_at_three_quarters_and_grows_to_its_maximum_at_the_limit() {
        let table = [
            (0, 0),
            (750, 0),
            (751, 0),
            (775, 1),
            (800, 4),
            (825, 9),
            (850, 16),
            (875, 25),
            (900, 36),
            (950, 64),
            (1_000, 100),
            (5_000, 100),
        ];
        for (used, expected) in table {
            assert_eq!(ns_per_byte(used, 1_000), expected, "{used} of 1000 bytes");
        }
        assert_eq!((ns_per_byte(u64::MAX, u64::MAX), ns_per_byte(0, 0), ns_per_byte(1, 0)), (100, 0, 0));
    }

    #[test]
    fn writes_follow_each_other_and_none_waits_much_longer_than_its_own_time() {
        const MS: u64 = 1_000_000;
        let table = [
            // The last write's end, now, the time of the own bytes, the end of the own slot.
            (0, 100 * MS, 0, 100 * MS),
            (50 * MS, 100 * MS, 2 * MS, 102 * MS),
            (103 * MS, 100 * MS, 2 * MS, 105 * MS),
            (900 * MS, 100 * MS, 2 * MS, 112 * MS),
            (900 * MS, 100 * MS, 0, 110 * MS),
            (u64::MAX, u64::MAX, 5, u64::MAX),
        ];
        for (last, now, own, end) in table {
            assert_eq!(end_of_slot(last, now, own), end, "{last} {now} {own}");
        }
    }

    #[test]
    fn short_delays_of_several_writes_are_waited_for_at_once() {
        let slowdown = Slowdown { began: Instant::now(), last_end_ns: Mutex::new(0) };
        assert_eq!(slowdown.delay(LEAST_WAIT_NS / 1_000), None);
        let own = 3_600 * 1_000_000_000;
        let wait = slowdown.delay(own).map_or(0, |wait| wait.as_nanos());
        assert!((u128::from(own)..=u128::from(own + MOST_WAIT_NS)).contains(&wait), "{wait}");
    }
}
