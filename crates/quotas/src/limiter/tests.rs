//! Limits on requests of one owner: which check fails, and the wait.

use super::*;
use rowstone_model::quota::{TimeUnit, TimedLimit};

fn limiter(limits: &[(ThrottleKind, u64)]) -> Limiter {
    let second = |limit| TimedLimit { unit: TimeUnit::Seconds, limit, scope: None };
    let throttle = limits.iter().map(|(kind, limit)| (*kind, second(*limit))).collect();
    Limiter::new(&throttle, Refill::Average)
}

const READ: Amount = Amount {
    writes: 0,
    reads: 1,
    write_bytes: 0,
    read_bytes: 100,
    write_units: 0,
    read_units: 1,
    handler_ms: 30,
    is_atomic: false,
};
const WRITE: Amount = Amount { writes: 1, reads: 0, write_bytes: 100, read_bytes: 0, write_units: 1, ..READ };
const BOTH: Amount = Amount { writes: 1, reads: 1, write_bytes: 100, read_bytes: 100, is_atomic: true, ..WRITE };

#[test]
fn each_kind_of_limit_stops_what_it_counts() {
    // As much as one request consumes: an atomic operation requires the sum, and never passes a smaller limit, as
    // in HBase.
    let taken = |kind, amount: &Amount| match kind {
        Kind::RequestNumber | Kind::AtomicRequestNumber => amount.writes + amount.reads,
        Kind::RequestSize => amount.write_bytes + amount.read_bytes,
        Kind::RequestCapacityUnit => amount.write_units + amount.read_units,
        _ => 1,
    };
    let stops = |kind, amount: &Amount| {
        let limiter = limiter(&[(kind, taken(kind, amount).unsigned_abs())]);
        limiter.check(amount, 0).unwrap();
        limiter.grab(amount);
        limiter.check(amount, 0).err().map(|throttled| throttled.kind) == Some(kind)
    };
    for (kind, read, write, both) in [
        (Kind::RequestNumber, true, true, true),
        (Kind::RequestSize, true, true, true),
        (Kind::WriteNumber, false, true, true),
        (Kind::WriteSize, false, true, true),
        (Kind::ReadNumber, true, false, true),
        (Kind::ReadSize, true, false, true),
        (Kind::RequestCapacityUnit, true, true, true),
        (Kind::WriteCapacityUnit, false, true, true),
        (Kind::AtomicRequestNumber, false, false, true),
    ] {
        assert_eq!((stops(kind, &READ), stops(kind, &WRITE), stops(kind, &BOTH)), (read, write, both), "{kind}");
    }
}

#[test]
fn a_request_larger_than_its_limit_passes_when_all_of_the_limit_is_there() {
    let limiter = limiter(&[(Kind::WriteNumber, 3)]);
    let large = Amount { writes: 10, write_bytes: 1000, ..WRITE };
    limiter.check(&large, 0).unwrap();
    limiter.grab(&large);
    assert_eq!(limiter.remaining(Kind::WriteNumber), Some(-7));
    assert_eq!(limiter.check(&WRITE, 0).unwrap_err().wait_ms, 2666);
}

#[test]
fn other_limits_take_over_what_was_used() {
    let old = limiter(&[(Kind::ReadNumber, 10), (Kind::WriteNumber, 10)]);
    old.check(&READ, 0).unwrap();
    (0..10).for_each(|_| old.grab(&READ));
    old.update(&limiter(&[(Kind::ReadNumber, 12), (Kind::RequestNumber, 5)]));
    assert_eq!(old.remaining(Kind::ReadNumber), Some(2));
    assert_eq!((old.remaining(Kind::WriteNumber), old.remaining(Kind::RequestNumber)), (None, Some(5)));
}

#[test]
fn the_text_is_what_clients_look_for() {
    let text = |kind, wait_ms| Throttled { kind, wait_ms }.to_string();
    assert_eq!(text(Kind::RequestNumber, 100), "number of requests exceeded - wait 100ms");
    assert_eq!(text(Kind::WriteSize, 61_002), "write size limit exceeded - wait 1min, 1sec, 2ms");
    assert_eq!(text(Kind::ReadNumber, 7_320_000), "number of read requests exceeded - wait 2hrs, 2mins, 0ms");
    assert_eq!(text(Kind::AtomicReadSize, 3_600_000), "atomic read size exceeded - wait 1hr, 0ms");
}
