//! Options of reading are taken out; wrong values are refused by name.

use crate::options::{Options, MIB};
use std::collections::BTreeMap;
use std::time::Duration;

fn build_options(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn options_of_reading_are_taken_out() {
    let mut all = build_options(&[
        ("max_retries", "3"),
        ("retry_timeout", "500ms"),
        ("cache_bytes", "8 MiB"),
        ("aws_region", "x"),
    ]);
    let options = Options::take(&mut all).unwrap();
    assert_eq!((options.max_retries, options.cache_bytes), (3, 8 * MIB));
    assert_eq!(options.retry_timeout, Duration::from_millis(500));
    assert_eq!(all, build_options(&[("aws_region", "x")]));
}

#[test]
fn units() {
    for (text, seconds) in [("7", 7), ("7s", 7), ("2 min", 120), ("1h", 3600)] {
        assert_eq!(
            Options::take(&mut build_options(&[("listing_ttl", text)])).unwrap().listing_ttl,
            Duration::from_secs(seconds)
        );
    }
    for (text, bytes) in [("70000", 70000), ("70kb", 70 << 10), ("1GiB", 1 << 30)] {
        assert_eq!(Options::take(&mut build_options(&[("request_bytes", text)])).unwrap().request_bytes, bytes);
    }
}

#[test]
fn wrong_values_are_refused_by_name() {
    for (name, value) in [
        ("max_retries", "many"),
        ("max_retries", "-1"),
        ("retry_timeout", "soon"),
        ("retry_timeout", "99999999999999999999s"),
        ("cache_bytes", "1kb"),
        ("cache_bytes", "8 parsecs"),
        ("request_bytes", "0"),
        ("tail_bytes", "99999999GB"),
    ] {
        let error = Options::take(&mut build_options(&[(name, value)])).unwrap_err();
        assert!(error.message().contains(name) && error.message().contains(value), "{}", error.message());
    }
}
