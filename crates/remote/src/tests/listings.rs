//! Listings are remembered for their time.

use crate::listings::Listings;
use crate::storage::Entry;
use rowstone_engine::sys::ManualClock;
use std::sync::Arc;
use std::time::Duration;

fn entry(name: &str) -> Entry {
    Entry { name: name.to_owned(), is_directory: false }
}

#[test]
fn a_listing_expires() {
    let clock = Arc::new(ManualClock::new(1000));
    let listings = Listings::new(Duration::from_secs(2), Arc::clone(&clock) as _);
    listings.add("k", vec![entry("b"), entry("a"), entry("a")]);
    let names: Vec<String> = listings.get("k").unwrap().iter().map(|entry| entry.name.clone()).collect();
    assert_eq!(names, ["a", "b"]);
    clock.advance(1999);
    assert!(listings.get("k").is_some());
    clock.advance(1);
    assert!(listings.get("k").is_none());
}

#[test]
fn a_clock_that_was_set_back_makes_listings_stale() {
    let clock = Arc::new(ManualClock::new(10_000));
    let listings = Listings::new(Duration::from_secs(2), Arc::clone(&clock) as _);
    listings.add("k", Vec::new());
    clock.set(1);
    assert!(listings.get("k").is_none());
}
