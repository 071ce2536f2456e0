//! So much in a time: one limit, and what is left of it. Sources: `RateLimiter`, `AverageIntervalRateLimiter`.

use rowstone_model::quota::TimedLimit;

/// A limit that grows anew all the time, a share for each millisecond, up to its full amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    unit_ms: i64,
    limit: i64,
    available: i64,
    /// When it grew last; `None` before the first request.
    refilled_ms: Option<i64>,
}

impl Rate {
    /// The full limit; one in a time too short counts for a millisecond.
    pub fn new(limit: &TimedLimit) -> Self {
        let most = i64::try_from(limit.limit).unwrap_or(i64::MAX);
        Rate { unit_ms: limit.unit.millis().unwrap_or(1), limit: most, available: most, refilled_ms: None }
    }

    /// The most that it ever has.
    pub fn limit(&self) -> i64 {
        self.limit
    }

    /// What is left; below zero where more was used.
    pub fn available(&self) -> i64 {
        self.available
    }

    /// Takes over another limit: what was used of the old one counts, and who gets more has it at once.
    pub fn update(&mut self, other: &Rate) {
        self.unit_ms = other.unit_ms;
        if self.limit < other.limit {
            self.available = self.available.saturating_add(other.limit - self.limit).min(other.limit);
        }
        self.limit = other.limit;
    }

    /// How long, in milliseconds, to wait until there is `amount`; 0 is not at all.
    pub fn wait_ms(&mut self, amount: i64, now_ms: i64) -> i64 {
        self.refill(now_ms, amount);
        if self.available >= amount {
            return 0;
        }
        let missing = amount.saturating_sub(self.available);
        (missing as f64 * self.unit_ms as f64 / self.limit as f64) as i64
    }

    fn refill(&mut self, now_ms: i64, amount: i64) {
        let grown = self.growth(now_ms);
        if grown == 0 && self.available < amount {
            return;
        }
        self.available = self.available.saturating_add(grown).min(self.limit);
    }

    fn growth(&mut self, now_ms: i64) -> i64 {
        let Some(last) = self.refilled_ms else {
            self.refilled_ms = Some(now_ms);
            return self.limit;
        };
        let passed = now_ms.saturating_sub(last);
        let grown = match passed {
            _ if passed >= self.unit_ms => self.limit,
            1.. => (passed as f64 / self.unit_ms as f64 * self.limit as f64) as i64,
            _ => 0,
        };
        if grown > 0 {
            self.refilled_ms = Some(now_ms);
        }
        grown
    }

    /// Uses `amount`; what is below zero is given back.
    pub fn consume(&mut self, amount: i64) {
        let left = self.available.saturating_sub(amount);
        self.available = if amount < 0 { left.min(self.limit) } else { left };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rowstone_model::quota::TimeUnit;

    fn rate(limit: u64, unit: TimeUnit) -> Rate {
        Rate::new(&TimedLimit { unit, limit, scope: None })
    }

    /// Steps as text: `@ms` moves to a moment, `-n` uses, `+n` gives back, `?n=ms` asks for a wait, `#n` is left.
    fn play(mut rate: Rate, steps: &str) {
        let mut now = 0;
        for step in steps.split_whitespace() {
            let (what, rest) = step.split_at(1);
            let (amount, expected) = rest.split_once('=').unwrap_or((rest, "0"));
            let number = |text: &str| text.parse::<i64>().unwrap_or_default();
            match what {
                "@" => now = number(amount),
                "-" => rate.consume(number(amount)),
                "+" => rate.consume(-number(amount)),
                "?" => assert_eq!(rate.wait_ms(number(amount), now), number(expected), "{step} in {steps}"),
                "#" => assert_eq!(rate.available(), number(amount), "{step} in {steps}"),
                _ => unreachable!("{step}"),
            }
        }
    }

    #[test]
    fn a_limit_is_used_up_and_grows_with_the_time() {
        play(rate(10, TimeUnit::Seconds), "@0 ?1=0 -10 #0 ?1=100 ?5=500 @99 ?1=100 @100 ?1=0 #1 -1 ?1=100");
        play(rate(10, TimeUnit::Seconds), "@0 ?1=0 -10 @250 ?3=100 #2 @1250 ?10=0 #10");
        play(rate(1, TimeUnit::Minutes), "@0 ?1=0 -1 ?1=60000 @59999 ?1=60000 @60000 ?1=0");
        play(rate(3, TimeUnit::Hours), "@0 ?3=0 -3 ?1=1200000 @1200000 ?1=0 #1");
        play(rate(2, TimeUnit::Milliseconds), "@0 ?2=0 -2 ?2=1 @1 ?2=0");
    }

    #[test]
    fn more_than_there_is_may_be_used_and_has_to_grow_back() {
        play(
            rate(10, TimeUnit::Seconds),
            "@0 ?1=0 -35 #-25 ?1=2600 @1000 #-25 ?1=1600 #-15 @2000 ?1=600 @3000 ?1=0 #5",
        );
    }

    #[test]
    fn what_is_given_back_never_passes_the_limit() {
        play(rate(10, TimeUnit::Seconds), "@0 ?1=0 -4 +2 #8 +9 #10");
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing() {
        play(rate(10, TimeUnit::Seconds), "@5000 ?1=0 -10 @1000 ?1=100 @5100 ?1=0");
    }

    #[test]
    fn who_gets_more_has_it_at_once_and_who_gets_less_keeps_what_he_has() {
        let mut used = rate(10, TimeUnit::Seconds);
        assert_eq!(used.wait_ms(1, 0), 0);
        used.consume(10);
        used.update(&rate(25, TimeUnit::Seconds));
        play(used, "#15");
        used.update(&rate(5, TimeUnit::Seconds));
        assert_eq!((used.available(), used.limit()), (15, 5));
        play(used, "@1 ?1=0 #5");
    }
}
