//! The cache stays within its size, never overlaps segments, and keeps what is needed.

use crate::cache::{Ahead, Cache, Claim};
use crate::failure::{Failure, FailureKind};
use crate::segment::{Completion, Segment};
use bytes::Bytes;
use std::sync::Arc;

fn claim(cache: &Cache, file: u64, range: std::ops::Range<u64>) -> Arc<Segment> {
    match cache.get_or_claim(file, range) {
        Claim::Claimed(segment) => segment,
        Claim::Found(segment) => panic!("{:?} is there already", segment.range),
    }
}

fn fill(segment: &Segment) {
    segment.finish(Ok(Bytes::from(vec![0; segment.length() as usize])));
}

#[test]
fn segments_do_not_overlap() {
    let cache = Cache::new(1000);
    let file = cache.add_file();
    cache.add(file, Segment::ready(50, Bytes::from_static(&[0; 50])));
    assert_eq!(claim(&cache, file, 0..80).range, 0..50);
    assert!(matches!(cache.get_or_claim(file, 60..70), Claim::Found(found) if found.range == (50..100)));
    assert!(matches!(cache.claim_ahead(file, 10..90), Ahead::Covered));
    assert!(matches!(cache.claim_ahead(file, 40..120), Ahead::Claimed(claimed) if claimed.range == (100..120)));
}

#[test]
fn the_least_recently_used_segment_is_evicted() {
    let cache = Cache::new(100);
    let file = cache.add_file();
    for start in [0, 40] {
        fill(&claim(&cache, file, start..start + 40));
    }
    assert!(cache.get(file, 0).is_some());
    fill(&claim(&cache, file, 80..120));
    assert!(cache.get(file, 0).is_some());
    assert!(cache.get(file, 40).is_none());
    assert_eq!(cache.bytes(), 80);
}

#[test]
fn segments_read_to_their_end_are_evicted_first() {
    let cache = Cache::new(100);
    let file = cache.add_file();
    let (first, second) = (claim(&cache, file, 0..40), claim(&cache, file, 40..80));
    fill(&first);
    fill(&second);
    cache.mark_read(file, &second);
    fill(&claim(&cache, file, 80..120));
    assert!(cache.get(file, 0).is_some());
    assert!(cache.get(file, 40).is_none());
}

#[test]
fn segments_on_their_way_are_not_evicted() {
    let cache = Cache::new(50);
    let file = cache.add_file();
    let first = claim(&cache, file, 0..40);
    let second = claim(&cache, file, 40..80);
    assert_eq!(cache.bytes(), 80);
    fill(&first);
    fill(&second);
    fill(&claim(&cache, file, 80..90));
    assert_eq!(cache.bytes(), 50);
}

#[test]
fn reading_ahead_fills_half_of_the_cache() {
    let cache = Cache::new(100);
    let file = cache.add_file();
    assert!(matches!(cache.claim_ahead(file, 0..50), Ahead::Claimed(_)));
    assert!(matches!(cache.claim_ahead(file, 50..60), Ahead::Full));
    assert!(cache.get(file, 0).is_some());
    assert!(matches!(cache.claim_ahead(file, 50..60), Ahead::Claimed(_)));
}

#[test]
fn a_closed_file_leaves_nothing() {
    let cache = Cache::new(100);
    let (one, other) = (cache.add_file(), cache.add_file());
    fill(&claim(&cache, one, 0..10));
    fill(&claim(&cache, other, 0..20));
    cache.remove_file(one);
    assert_eq!(cache.bytes(), 20);
    assert!(cache.get(one, 0).is_none());
}

#[test]
fn readers_of_a_segment_whose_task_ended_early_get_an_error() {
    let segment = Arc::new(Segment::loading(0..10));
    drop(Completion(Arc::clone(&segment)));
    assert_eq!(segment.wait().unwrap_err().kind, FailureKind::Other);
}

#[test]
fn only_the_first_result_of_a_segment_counts() {
    let segment = Segment::loading(0..1);
    segment.finish(Ok(Bytes::from_static(b"a")));
    segment.finish(Err(Failure::new(FailureKind::Other, "late")));
    assert_eq!(&segment.wait().unwrap()[..], b"a");
}

#[test]
fn readers_share_half_of_the_cache() {
    let cache = Cache::new(800);
    let (one, other) = (cache.add_file(), cache.add_file());
    assert_eq!(cache.share(one), 400);
    assert!(matches!(cache.claim_ahead(one, 0..50), Ahead::Claimed(_)));
    assert_eq!((cache.share(one), cache.share(other)), (400, 200));
    assert!(matches!(cache.claim_ahead(other, 0..50), Ahead::Claimed(_)));
    assert_eq!((cache.share(one), cache.share(other)), (200, 200));
    cache.remove_file(other);
    assert_eq!(cache.share(one), 400);
}

#[test]
fn a_failed_segment_is_removed_once() {
    let cache = Cache::new(800);
    let file = cache.add_file();
    let failed = claim(&cache, file, 0..50);
    cache.remove(file, &failed);
    let again = claim(&cache, file, 0..50);
    cache.remove(file, &failed);
    assert!(matches!(cache.get_or_claim(file, 0..50), Claim::Found(found) if Arc::ptr_eq(&found, &again)));
}
