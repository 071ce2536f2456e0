//! Repetition: what is repeated, how often, and for how long. Time is tokio's, which these tests move.

use crate::failure::{Failure, FailureKind};
use crate::options::Options;
use crate::retry::Retry;
use crate::storage::{Answer, Counts};
use std::future::{pending, ready};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;

/// Runs with the given results of the attempts, then success; returns the result and the number of retries.
fn run(options: &Options, failures: &[FailureKind]) -> (Result<u32, Failure>, u64) {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
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
    let (result, retries) = run(&Options::default(), &[Throttled, Unavailable, Truncated, Unavailable]);
    assert_eq!((result.unwrap(), retries), (7, 4));
    let options = Options { retry_timeout: Duration::from_secs(600), ..Options::default() };
    assert_eq!(run(&options, &[TimedOut, TimedOut]).0.unwrap(), 7);
}

#[test]
fn other_failures_are_not_repeated() {
    use FailureKind::{Denied, Expired, Missing, NoBucket, Other, OutOfRange, Replaced, Unsupported};
    for kind in [Denied, Expired, Missing, NoBucket, Other, OutOfRange, Replaced, Unsupported] {
        let (result, retries) = run(&Options::default(), &[kind]);
        assert_eq!((result.unwrap_err().kind, retries), (kind, 0));
    }
}

#[test]
fn repetition_ends_after_max_retries() {
    let options = Options { max_retries: 3, ..Options::default() };
    let (result, retries) = run(&options, &[FailureKind::Throttled; 9]);
    let failure = result.unwrap_err();
    assert_eq!((failure.attempts, retries), (4, 3));
    let text = failure.into_io("bucket 'b'", "k").to_string();
    assert!(text.contains("after 4 attempts") && text.contains("max_retries"), "{text}");
}

#[test]
fn repetition_ends_after_retry_timeout() {
    let options = Options { max_retries: 1000, retry_timeout: Duration::from_secs(20), ..Options::default() };
    let (result, _) = run(&options, &[FailureKind::Unavailable; 999]);
    let failure = result.unwrap_err();
    assert!(failure.elapsed <= Duration::from_secs(20) && failure.attempts < 30, "{failure:?}");
}
