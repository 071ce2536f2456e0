//! Repetition: what is repeated, how often, and for how long. No test waits.

use crate::failure::{Failure, FailureKind};
use crate::options::Options;
use crate::retry::Retry;
use crate::storage::{Answer, Counts};
use std::future::{pending, ready};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;

/// Without pauses. An attempt times out if it has no result at once.
fn options(max_retries: u32) -> Options {
    let none = Duration::ZERO;
    Options { max_retries, retry_pause: none, attempt_timeout: none, ..Options::default() }
}

/// Runs with the given results of the attempts, then success; returns the result and the number of retries.
fn run(options: &Options, failures: &[FailureKind]) -> (Result<u32, Failure>, u64) {
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let counts = Arc::new(Counts::default());
    let retry = Retry::new(options, Arc::clone(&counts));
    let mut failures = failures.iter();
    let attempt = || -> Answer<'static, u32> {
        match failures.next() {
            Some(FailureKind::TimedOut) => Box::pin(pending()),
            Some(kind) => Box::pin(ready(Err(Failure::new(*kind, "")))),
            None => Box::pin(ready(Ok(7))),
        }
    };
    let result = runtime.block_on(retry.run(attempt));
    (result, counts.get().1)
}

#[test]
fn transient_failures_are_repeated() {
    use FailureKind::{Throttled, TimedOut, Truncated, Unavailable};
    let (result, retries) = run(&options(9), &[Throttled, Unavailable, Truncated, TimedOut, TimedOut]);
    assert_eq!((result.unwrap(), retries), (7, 5));
}

#[test]
fn other_failures_are_not_repeated() {
    use FailureKind::{Denied, Expired, Missing, NoBucket, Other, OutOfRange, Replaced, Unsupported};
    for kind in [Denied, Expired, Missing, NoBucket, Other, OutOfRange, Replaced, Unsupported] {
        let (result, retries) = run(&options(9), &[kind]);
        assert_eq!((result.unwrap_err().kind, retries), (kind, 0));
    }
}

#[test]
fn repetition_ends_after_max_retries() {
    let (result, retries) = run(&options(3), &[FailureKind::Throttled; 9]);
    let failure = result.unwrap_err();
    assert_eq!((failure.attempts, retries), (4, 3));
    let text = failure.into_io("bucket 'b'", "k").to_string();
    assert!(text.contains("after 4 attempts") && text.contains("max_retries"), "{text}");
}

#[test]
fn repetition_ends_before_a_pause_that_would_exceed_retry_timeout() {
    let options = Options { retry_pause: Duration::from_secs(1), retry_timeout: Duration::ZERO, ..options(1000) };
    let (result, retries) = run(&options, &[FailureKind::Unavailable; 9]);
    assert_eq!((result.unwrap_err().attempts, retries), (1, 0));
}

#[test]
fn pauses_double_up_to_five_seconds_until_retry_timeout() {
    let options =
        Options { retry_pause: Duration::from_millis(100), retry_timeout: Duration::from_secs(20), ..options(1000) };
    let retry = Retry::new(&options, Arc::default());
    for (random, expected_ms) in [
        (0, &[50, 100, 200, 400, 800, 1600, 2500, 2500, 2500, 2500, 2500, 2500][..]),
        (u32::MAX, &[100, 200, 400, 800, 1600, 3200, 5000, 5000]),
    ] {
        let mut failure = Failure::new(FailureKind::Unavailable, "");
        failure.attempts = 1;
        let mut pauses = Vec::new();
        while let Some(pause) = retry.pause_after(&failure, random) {
            pauses.push(pause.as_millis());
            failure.elapsed += pause;
            failure.attempts += 1;
        }
        assert_eq!(pauses, expected_ms);
    }
}
