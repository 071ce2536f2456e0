//! How long to wait between attempts, and until when at all.

use super::Remedy;
use std::time::{Duration, Instant};

/// First pause; it doubles from attempt to attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// Longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// First pause for a server that has too much to do.
const OVERLOADED_PAUSE: Duration = Duration::from_millis(400);

/// Until when an operation may go on.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    start: Instant,
    end: Instant,
}

impl Deadline {
    /// `timeout` from now.
    pub fn after(timeout: Duration) -> Self {
        let start = Instant::now();
        // A timeout beyond what the clock can count is none.
        let end = start.checked_add(timeout).unwrap_or_else(|| start + Duration::from_secs(86_400 * 365));
        Deadline { start, end }
    }

    /// How much is left; zero when it has passed.
    pub fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    pub fn has_passed(&self) -> bool {
        self.left().is_zero()
    }

    /// The earlier of this one and `timeout` from now.
    pub fn at_most(&self, timeout: Duration) -> Self {
        let other = Deadline::after(timeout);
        Deadline { start: other.start, end: self.end.min(other.end) }
    }

    /// How much time it gave, in milliseconds.
    pub fn given_ms(&self) -> u128 {
        self.end.saturating_duration_since(self.start).as_millis()
    }
}

/// Pauses that grow, each between half and all of its length, so that clients do not come back in step.
#[derive(Debug, Clone, Default)]
pub struct Backoff {
    attempts: u32,
}

impl Backoff {
    /// How many pauses were asked for.
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

/// From 0 to 1.
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
    fn a_deadline_is_never_extended() {
        let deadline = Deadline::after(Duration::from_secs(5));
        assert!(deadline.at_most(Duration::from_secs(60)).left() <= Duration::from_secs(5));
        assert!(deadline.at_most(Duration::ZERO).has_passed());
        assert!(!Deadline::after(Duration::MAX).has_passed());
    }
}
