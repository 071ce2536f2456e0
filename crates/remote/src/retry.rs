//! Repetition of requests that failed for a transient reason, with growing pauses.

use crate::failure::{Failure, FailureKind};
use crate::options::Options;
use crate::storage::{Answer, Counts};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout, Instant};

const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Limits of the repetition.
#[derive(Debug, Clone)]
pub struct Retry {
    max_retries: u32,
    total: Duration,
    attempt: Duration,
    first_pause: Duration,
    counts: Arc<Counts>,
}

impl Retry {
    /// The limits that `options` state. Repetitions are counted in `counts`.
    pub fn new(options: &Options, counts: Arc<Counts>) -> Self {
        Retry {
            max_retries: options.max_retries,
            total: options.retry_timeout,
            attempt: options.attempt_timeout,
            first_pause: options.retry_pause,
            counts,
        }
    }

    /// Calls `attempt` until it succeeds, fails for good, or a limit is reached.
    ///
    /// # Errors
    /// The last failure, with the number of attempts and the time that they took.
    pub async fn run<'a, T>(&self, mut attempt: impl FnMut() -> Answer<'a, T>) -> Result<T, Failure> {
        let begin = Instant::now();
        let mut attempts = 0;
        loop {
            attempts += 1;
            let result = timeout(self.attempt, attempt()).await;
            let mut failure = match result {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(failure)) => failure,
                Err(_) => Failure::new(FailureKind::TimedOut, format!("no answer in {:?}", self.attempt)),
            };
            failure.attempts = attempts;
            failure.elapsed = begin.elapsed();
            let Some(pause) = self.pause_after(&failure, random()) else {
                return Err(failure);
            };
            self.counts.retries.fetch_add(1, Relaxed);
            sleep(pause).await;
        }
    }

    /// The pause before the next attempt. `None` if the failure is not transient, `max_retries` is reached, or the pause
    /// would end after `retry_timeout`. Pauses double up to five seconds. `random` shortens each by up to a half, so that
    /// many clients do not return together.
    pub fn pause_after(&self, failure: &Failure, random: u32) -> Option<Duration> {
        if !failure.is_transient() || failure.attempts > self.max_retries {
            return None;
        }
        let full = self.first_pause.saturating_mul(1 << (failure.attempts - 1).min(16)).min(LONGEST_PAUSE);
        let pause = full / 2 + full.mul_f64(f64::from(random) / f64::from(u32::MAX)) / 2;
        (failure.elapsed + pause <= self.total).then_some(pause)
    }
}

fn random() -> u32 {
    getrandom::u32().unwrap_or(u32::MAX / 2)
}
