//! Sequential readers are recognized, each with its own window; random reads request nothing ahead.

use crate::streams::Streams;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

fn read(streams: &mut Streams, start: u64, length: u64) -> (bool, u64, u64) {
    let plan = streams.note(start..start + length, 16 * MIB, 4 * MIB);
    (plan.is_sequential, plan.ahead.end - plan.ahead.start, plan.piece)
}

#[test]
fn windows_grow_with_each_read() {
    let mut streams = Streams::default();
    assert_eq!(read(&mut streams, 0, 64 * KIB), (false, 0, 0));
    assert_eq!(read(&mut streams, 64 * KIB, 64 * KIB), (true, 256 * KIB, 256 * KIB));
    assert_eq!(read(&mut streams, 128 * KIB, 64 * KIB), (true, 768 * KIB, 256 * KIB));
    assert_eq!(read(&mut streams, 192 * KIB, 64 * KIB), (true, 3 * MIB, MIB));
    assert_eq!(read(&mut streams, 256 * KIB, 64 * KIB), (true, 12 * MIB, 4 * MIB));
    assert_eq!(read(&mut streams, 320 * KIB, 64 * KIB), (true, 0, 4 * MIB));
}

#[test]
fn nothing_is_requested_twice() {
    let mut streams = Streams::default();
    let mut requested = 0;
    for at in 0..1000 {
        let range = at * 64 * KIB..(at + 1) * 64 * KIB;
        let plan = streams.note(range.clone(), 16 * MIB, 4 * MIB);
        assert!(plan.ahead.is_empty() || plan.ahead.start >= requested);
        assert!(plan.ahead.end <= range.end + 16 * MIB);
        requested = requested.max(plan.ahead.end);
    }
    assert!(requested > 1000 * 64 * KIB);
}

#[test]
fn small_gaps_are_bridged() {
    let mut streams = Streams::default();
    read(&mut streams, 0, 64 * KIB);
    assert!(read(&mut streams, 100 * KIB, 64 * KIB).0);
    assert!(!read(&mut streams, 100 * MIB, 64 * KIB).0);
}

#[test]
fn random_reads_request_nothing_ahead() {
    let mut streams = Streams::default();
    for at in [500, 20, 900, 310, 700, 150, 820, 410] {
        assert_eq!(read(&mut streams, at * MIB, 64 * KIB), (false, 0, 0));
    }
}

#[test]
fn readers_do_not_disturb_each_other() {
    let mut streams = Streams::default();
    read(&mut streams, 0, 64 * KIB);
    read(&mut streams, 500 * MIB, 64 * KIB);
    for step in 1..5 {
        assert!(read(&mut streams, step * 64 * KIB, 64 * KIB).0);
        assert!(read(&mut streams, 500 * MIB + step * 64 * KIB, 64 * KIB).0);
    }
}

#[test]
fn a_plan_that_was_not_carried_out_is_made_again() {
    let mut streams = Streams::default();
    read(&mut streams, 0, 64 * KIB);
    let plan = streams.note(64 * KIB..128 * KIB, 16 * MIB, 4 * MIB);
    streams.stopped_at(plan.ahead.start);
    let again = streams.note(128 * KIB..192 * KIB, 16 * MIB, 4 * MIB);
    assert_eq!(again.ahead, 192 * KIB..192 * KIB + MIB);
}

#[test]
fn without_reading_ahead_requests_are_still_longer() {
    let mut streams = Streams::default();
    streams.note(0..64 * KIB, 0, 4 * MIB);
    let plan = streams.note(64 * KIB..128 * KIB, 0, 4 * MIB);
    assert!(plan.is_sequential && plan.ahead.is_empty());
    assert_eq!(plan.piece, 256 * KIB);
}
