//! A rate limit and its remaining amount. Sources: `RateLimiter`, `AverageIntervalRateLimiter`,
//! `FixedIntervalRateLimiter`.

use rowstone_model::quota::{Refill, TimedLimit};

/// A limit that refills up to its full amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    unit_ms: i64,
    limit: i64,
    available: i64,
    refill: Refill,
    /// Time of the last refill or, with fixed intervals, of the next one; `None` before the first request.
    turn_ms: Option<i64>,
}

impl Rate {
    /// Creates a full limit; a unit of time below a millisecond counts as one millisecond.
    pub fn new(limit: &TimedLimit, refill: Refill) -> Self {
        let most = i64::try_from(limit.limit).unwrap_or(i64::MAX);
        Rate { unit_ms: limit.unit.millis().unwrap_or(1), limit: most, available: most, refill, turn_ms: None }
    }

    /// The full amount.
    pub fn limit(&self) -> i64 {
        self.limit
    }

    /// The remaining amount; negative if more was used.
    pub fn available(&self) -> i64 {
        self.available
    }

    /// Adopts another limit: used amounts still count, and a raised limit is available at once.
    pub fn update(&mut self, other: &Rate) {
        self.unit_ms = other.unit_ms;
        if self.limit < other.limit {
            self.available = self.available.saturating_add(other.limit - self.limit).min(other.limit);
        }
        self.limit = other.limit;
        self.refill = other.refill;
    }

    /// Milliseconds to wait until `amount` is available; 0 if it already is.
    pub fn wait_ms(&mut self, amount: i64, now_ms: i64) -> i64 {
        self.refill(now_ms, amount);
        if self.available >= amount {
            return 0;
        }
        let missing = amount.saturating_sub(self.available);
        match self.refill {
            Refill::Average => (missing as f64 * self.unit_ms as f64 / self.limit as f64) as i64,
            Refill::Fixed { interval_ms } => {
                let turns = (missing - 1) / self.share(interval_ms);
                let next_ms = self.turn_ms.unwrap_or(now_ms).saturating_sub(now_ms);
                next_ms.saturating_add(turns.saturating_mul(interval_ms))
            }
        }
    }

    fn refill(&mut self, now_ms: i64, amount: i64) {
        let grown = self.growth(now_ms);
        if grown == 0 && self.available < amount {
            return;
        }
        self.available = self.available.saturating_add(grown).min(self.limit);
    }

    /// The amount added since the last refill, by `hbase.quota.rate.limiter`.
    fn growth(&mut self, now_ms: i64) -> i64 {
        match self.refill {
            Refill::Average => self.steady_growth(now_ms),
            Refill::Fixed { interval_ms } => self.growth_by_turns(interval_ms, now_ms),
        }
    }

    /// The amount added per interval.
    fn share(&self, interval_ms: i64) -> i64 {
        ((interval_ms as f64 / self.unit_ms as f64 * self.limit as f64).ceil() as i64).max(1)
    }

    fn growth_by_turns(&mut self, interval_ms: i64, now_ms: i64) -> i64 {
        let grown = match self.turn_ms {
            None => self.limit,
            Some(turn) if now_ms < turn => return 0,
            Some(turn) => {
                let turns = interval_ms.saturating_add(now_ms.saturating_sub(turn)) / interval_ms;
                turns.saturating_mul(self.share(interval_ms)).min(self.limit)
            }
        };
        // As in HBase, the next interval starts now, not at the end of the missed one.
        self.turn_ms = Some(now_ms.saturating_add(interval_ms));
        grown
    }

    fn steady_growth(&mut self, now_ms: i64) -> i64 {
        let Some(last) = self.turn_ms else {
            self.turn_ms = Some(now_ms);
            return self.limit;
        };
        let passed = now_ms.saturating_sub(last);
        let grown = match passed {
            _ if passed >= self.unit_ms => self.limit,
            1.. => (passed as f64 / self.unit_ms as f64 * self.limit as f64) as i64,
            _ => 0,
        };
        if grown > 0 {
            self.turn_ms = Some(now_ms);
        }
        grown
    }

    /// Deducts `amount`; a negative one is returned.
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
        Rate::new(&TimedLimit { unit, limit, scope: None }, Refill::Average)
    }

    /// Steps as text: `@ms` sets the clock, `-n` uses, `+n` returns, `?n=ms` expects a wait, `#n` expects a remaining
    /// amount.
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

    fn by_turns(limit: u64, unit: TimeUnit, interval_ms: i64) -> Rate {
        Rate::new(&TimedLimit { unit, limit, scope: None }, Refill::Fixed { interval_ms })
    }

    #[test]
    fn at_fixed_times_a_limit_grows_at_once() {
        play(
            by_turns(10, TimeUnit::Seconds, 1_000),
            "@0 ?1=0 -10 ?1=1000 @999 ?1=1 ?11=1001 @1000 ?10=0 #10 -10 ?1=1000",
        );
        // A missed refill does not shorten the next interval, which starts at the request.
        play(by_turns(10, TimeUnit::Seconds, 1_000), "@0 ?1=0 -10 @1700 ?1=0 #10 -10 ?1=1000");
        play(by_turns(10, TimeUnit::Seconds, 100), "@0 ?1=0 -10 ?1=100 ?2=200 @100 ?1=0 #1 -1 @450 ?3=0 #3 ?4=100");
        // A limit per minute refills by a sixtieth, rounded up, each second.
        play(by_turns(90, TimeUnit::Minutes, 1_000), "@0 ?1=0 -90 ?1=1000 ?2=1000 ?3=2000 @1000 ?2=0 #2");
        play(by_turns(10, TimeUnit::Seconds, 1_000), "@0 ?1=0 -35 #-25 ?1=3000 @1000 ?1=2000 #-15");
    }

    #[test]
    fn more_than_there_is_may_be_used_and_has_to_grow_back() {
        play(
            rate(10, TimeUnit::Seconds),
            "@0 ?1=0 -35 #-25 ?1=2600 @1000 #-25 ?1=1600 #-15 @2000 ?1=600 @3000 ?1=0 #5",
        );
    }

    #[test]
    fn refunds_never_exceed_the_limit() {
        play(rate(10, TimeUnit::Seconds), "@0 ?1=0 -4 +2 #8 +9 #10");
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing() {
        play(rate(10, TimeUnit::Seconds), "@5000 ?1=0 -10 @1000 ?1=100 @5100 ?1=0");
    }

    #[test]
    fn a_raised_limit_applies_at_once_and_a_lowered_one_keeps_the_balance() {
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
