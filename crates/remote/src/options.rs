//! Options of reading, taken out of the storage options; the storage's own library reads the others.

use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::time::Duration;

/// One mebibyte.
pub const MIB: u64 = 1 << 20;

/// Options of reading, for every storage.
#[derive(Debug, Clone)]
pub struct Options {
    /// `max_retries`: requests after the first one that failed for a transient reason.
    pub max_retries: u32,
    /// `retry_timeout`: time from the first request after which none is repeated.
    pub retry_timeout: Duration,
    /// `retry_pause`: pause before the first repetition; each further one is twice as long, up to 5 seconds.
    pub retry_pause: Duration,
    /// `attempt_timeout`: time for one request with its whole answer.
    pub attempt_timeout: Duration,
    /// `cache_bytes`: size of the cache that all files of a location share.
    pub cache_bytes: u64,
    /// `read_ahead_bytes`: bytes that a sequential reader has ahead of it at most; 0 turns reading ahead off.
    pub read_ahead_bytes: u64,
    /// `request_bytes`: length of the longest request.
    pub request_bytes: u64,
    /// `min_request_bytes`: length of the shortest request, unless the file ends before.
    pub min_request_bytes: u64,
    /// `tail_bytes`: bytes that opening a file reads from its end, with the same request.
    pub tail_bytes: u64,
    /// `listing_ttl`: time for which the names in a directory are remembered.
    pub listing_ttl: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_retries: 6,
            retry_timeout: Duration::from_secs(60),
            retry_pause: Duration::from_millis(100),
            attempt_timeout: Duration::from_secs(60),
            cache_bytes: 64 * MIB,
            read_ahead_bytes: 16 * MIB,
            request_bytes: 4 * MIB,
            min_request_bytes: 64 << 10,
            tail_bytes: 256 << 10,
            listing_ttl: Duration::from_secs(2),
        }
    }
}

impl Options {
    /// Takes the options of reading out of `all`, whose names are in lower case.
    ///
    /// # Errors
    /// `InvalidArgument` for a value that is not a number, size or time, or is out of its range.
    pub fn take(all: &mut BTreeMap<String, String>) -> Result<Self> {
        let mut options = Options::default();
        if let Some(text) = all.remove("max_retries") {
            options.max_retries =
                text.trim().parse().map_err(|_| wrong("max_retries", &text, "a number of requests"))?;
        }
        for (name, field) in [
            ("retry_timeout", &mut options.retry_timeout),
            ("retry_pause", &mut options.retry_pause),
            ("attempt_timeout", &mut options.attempt_timeout),
            ("listing_ttl", &mut options.listing_ttl),
        ] {
            if let Some(text) = all.remove(name) {
                *field = parse_time(&text).ok_or_else(|| wrong(name, &text, "a time such as '30s' or '500ms'"))?;
            }
        }
        for (name, least, field) in [
            ("cache_bytes", MIB, &mut options.cache_bytes),
            ("read_ahead_bytes", 0, &mut options.read_ahead_bytes),
            ("request_bytes", 64 << 10, &mut options.request_bytes),
            ("min_request_bytes", 1, &mut options.min_request_bytes),
            ("tail_bytes", 1, &mut options.tail_bytes),
        ] {
            if let Some(text) = all.remove(name) {
                let size = parse_size(&text).filter(|size| (least..=1 << 40).contains(size));
                let expected = format!("a size from {least} bytes to 1TiB, such as '64MiB'");
                *field = size.ok_or_else(|| wrong(name, &text, &expected))?;
            }
        }
        Ok(options)
    }
}

fn wrong(name: &str, text: &str, expected: &str) -> Error {
    Error::invalid(format!("storage option {name}='{text}': expected {expected}"))
}

/// A number and a unit, apart.
fn split_unit(text: &str) -> (&str, String) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (&text[..end], text[end..].trim().to_ascii_lowercase())
}

/// A time: milliseconds, seconds, minutes or hours; a number alone is seconds.
fn parse_time(text: &str) -> Option<Duration> {
    let (number, unit) = split_unit(text);
    let number: u64 = number.parse().ok()?;
    let ms = match unit.as_str() {
        "ms" | "millis" => 1,
        "" | "s" | "sec" | "secs" | "seconds" => 1000,
        "m" | "min" | "mins" | "minutes" => 60_000,
        "h" | "hours" => 3_600_000,
        _ => return None,
    };
    number.checked_mul(ms).filter(|&ms| ms <= 30 * 86_400_000).map(Duration::from_millis)
}

/// A size: bytes, or with a unit in powers of 1024.
fn parse_size(text: &str) -> Option<u64> {
    let (number, unit) = split_unit(text);
    let scale: u64 = match unit.as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(scale)
}
