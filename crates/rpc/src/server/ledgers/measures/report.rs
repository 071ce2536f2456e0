//! The counters as plain data.

use super::histogram::Seen;
use super::series::{ALL, METHODS};
use super::Measures;
use crate::sync::lock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Snapshot of the server's counters since its start.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// Times of calls by method, in nanoseconds.
    pub methods: BTreeMap<String, Seen>,
    /// Other histograms by name: times in nanoseconds (`queue`, `total`, and operations such as `put_batch`), and bytes
    /// (`request`, `response`, `scan_size`).
    pub series: BTreeMap<String, Seen>,
    /// Exceptions by Java class.
    pub failures: BTreeMap<String, u64>,
    /// Operations and calls that took more than a second, by the name of their histogram.
    pub slow: BTreeMap<String, u64>,
    /// Single numbers by name: `open_connections`, `calls_in_flight`, `authentication_failures`, …
    pub numbers: BTreeMap<String, u64>,
}

impl Measures {
    /// Takes a snapshot of all counters.
    pub fn report(&self) -> Measured {
        let mut measured = Measured::default();
        for (place, (_, name)) in ALL.iter().enumerate() {
            let mut seen = Seen::default();
            for shard in &self.shards {
                if let Some(histogram) = shard.get(place) {
                    histogram.add_to(&mut seen);
                }
            }
            let kind = if place < METHODS { &mut measured.methods } else { &mut measured.series };
            kind.insert((*name).to_string(), seen);
            measured.slow.insert((*name).to_string(), self.slow[place].load(Ordering::Relaxed));
        }
        for (method, histogram) in lock(&self.rare).iter() {
            histogram.add_to(measured.methods.entry(method.clone()).or_default());
        }
        measured.failures = lock(&self.failures).clone();
        let numbers: [(&str, &AtomicU64); 8] = [
            ("calls_waiting", &self.waiting),
            ("checks_passed", &self.checks_passed),
            ("checks_failed", &self.checks_failed),
            ("authentication_successes", &self.authentication_successes),
            ("authentication_failures", &self.authentication_failures),
            ("authentication_fallbacks", &self.authentication_fallbacks),
            ("authorization_successes", &self.authorization_successes),
            ("authorization_failures", &self.authorization_failures),
        ];
        for (name, number) in numbers {
            measured.numbers.insert(name.to_string(), number.load(Ordering::Relaxed));
        }
        measured
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_clients_make_up_end_in_one() {
        let measures = Measures::default();
        for number in 0..1_000 {
            measures.failed(&format!("Exception{number}"));
        }
        let failures = measures.report().failures;
        assert!(failures.len() <= 257, "{}", failures.len());
        assert_eq!(failures.values().sum::<u64>(), 1_000);
        assert_eq!(failures["other"], 1_000 - 256);
    }

    #[test]
    fn threads_count_beside_each_other() {
        let measures = Measures::default();
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| (0..100).for_each(|_| measures.sent(10)));
            }
        });
        let response = &measures.report().series["response"];
        assert_eq!((response.count(), response.sum), (2_000, 20_000));
    }
}
