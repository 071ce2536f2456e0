//! Pauses between attempts, and deadlines.

use super::Remedy;
use std::time::{Duration, Instant};

/// First pause; it doubles with each attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// Longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// First pause for an overloaded server.
const OVERLOADED_PAUSE: Duration = Duration::from_millis(400);

/// The time limit of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    start: Instant,
    end: Instant,
}

impl Deadline {
    /// A deadline `timeout` from now.
    pub fn after(timeout: Duration) -> Self {
        let start = Instant::now();
        // A timeout beyond the range of the clock means no limit.
        let end = start.checked_add(timeout).unwrap_or_else(|| start + Duration::from_secs(86_400 * 365));
        Deadline { start, end }
    }

    /// The time left; zero once the deadline has passed.
    pub fn remaining(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    pub fn has_passed(&self) -> bool {
        self.remaining().is_zero()
    }

    /// The earlier of this deadline and `timeout` from now.
    pub fn at_most(&self, timeout: Duration) -> Self {
        let other = Deadline::after(timeout);
        Deadline { start: other.start, end: self.end.min(other.end) }
    }

    /// The total time, in milliseconds.
    pub fn given_ms(&self) -> u128 {
        self.end.saturating_duration_since(self.start).as_millis()
    }
}

/// Growing pauses, each randomized between half and all of its length, so that clients do not retry in step.
#[derive(Debug, Clone, Default)]
pub struct Backoff {
    attempts: u32,
}

impl Backoff {
    /// The number of pauses so far.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The pause before the next attempt.
    pub fn pause(&mut self, remedy: &Remedy) -> Duration {
        let first = match remedy {
            Remedy::AtOnce => return Duration::ZERO,
            Remedy::After(pause) => return *pause,
            Remedy::Overloaded => OVERLOADED_PAUSE,
            _ => FIRST_PAUSE,
        };
        let longest = first.saturating_mul(1 << self.attempts.min(16)).min(LONGEST_PAUSE);
        self.attempts += 1;
        longest / 2 + longest.mul_f64(random_fraction() / 2.0)
    }
}

/// A random number from 0 to 1.
fn random_fraction() -> f64 {
    let mut bytes = [0; 2];
    // Without randomness the pauses are merely in step.
    let _ = getrandom::fill(&mut bytes);
    f64::from(u16::from_le_bytes(bytes)) / f64::from(u16::MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_stay_within_their_bounds() {
        let mut backoff = Backoff::default();
        let mut longest = FIRST_PAUSE;
        for _ in 0..20 {
            let pause = backoff.pause(&Remedy::Again);
            assert!(pause >= longest / 2 && pause <= longest, "{pause:?} of {longest:?}");
            longest = (longest * 2).min(LONGEST_PAUSE);
        }
        assert_eq!(backoff.attempts(), 20);
    }

    #[test]
    fn a_server_may_say_how_long() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.pause(&Remedy::After(Duration::from_millis(70))), Duration::from_millis(70));
        assert_eq!(backoff.pause(&Remedy::AtOnce), Duration::ZERO);
        assert!(backoff.pause(&Remedy::Overloaded) >= OVERLOADED_PAUSE / 2);
    }

    #[test]
    fn a_throttled_action_decides_the_pause_of_its_batch() {
        let second = Duration::from_secs(1);
        let mut remedies =
            [Remedy::After(second), Remedy::Again, Remedy::After(second / 2), Remedy::AtOnce, Remedy::Overloaded];
        remedies.sort_by_key(Remedy::pause_order);
        assert_eq!(remedies.last(), Some(&Remedy::After(second)));
        assert_eq!(remedies.first(), Some(&Remedy::AtOnce));
    }

    #[test]
    fn a_deadline_is_never_extended() {
        let deadline = Deadline::after(Duration::from_secs(5));
        assert!(deadline.at_most(Duration::from_secs(60)).remaining() <= Duration::from_secs(5));
        assert!(deadline.at_most(Duration::ZERO).has_passed());
        assert!(!Deadline::after(Duration::MAX).has_passed());
    }
}
