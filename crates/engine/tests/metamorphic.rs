//! One stream of operations gives the same results under every configuration: memory sizes, encodings, codecs,
//! Bloom filters, block sizes, regions, times of flushes, compactions and reopenings.
//!
//! Each run compares a random configuration with a plain one, which keeps everything in memory.
//! `ROWSTONE_METAMORPHIC_RUNS` sets the number of runs and `ROWSTONE_METAMORPHIC_SEED` the first seed; `make
//! metamorphic RUNS=1000` is the long version.

mod answers;
mod configuration;
mod operation;
mod random;
mod stream;

use answers::{answer_at, answers};
use configuration::Configuration;
use operation::Operation;
use stream::stream;

/// Number of operations in a stream.
const OPERATIONS: usize = 5000;
/// Time limit for shrinking a failing stream.
const SHRINKING: std::time::Duration = std::time::Duration::from_secs(30);
/// Number of runs that share a stream, and its results under the plain configuration.
const RUNS_PER_STREAM: u64 = 10;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Removes halves, quarters, … as long as the results still differ and there is time. The operations keep their
/// numbers and times.
fn shrunk(operations: &[Operation], configuration: &Configuration) -> Vec<Operation> {
    let differs = |some: &[Operation]| answers(some, &Configuration::plain()) != answers(some, configuration);
    let started = std::time::Instant::now();
    let mut best = operations.to_vec();
    let mut piece = best.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < best.len() && started.elapsed() < SHRINKING {
            let mut fewer = best.clone();
            fewer.drain(at..(at + piece).min(best.len()));
            if differs(&fewer) {
                best = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    best
}

fn report(seed: u64, operations: &[Operation], configuration: &Configuration, first: usize) -> String {
    let kept = shrunk(&operations[..=first], configuration);
    let last = kept.len() - 1;
    let steps: Vec<String> = kept.iter().map(|operation| format!("  {operation:?}")).collect();
    format!(
        "seed {seed}: operation {first} of the stream answers differently.\nplain: {}\nother: {}\n{configuration:#?}\n\
         {} operations are enough; the last one answers\nplain: {}\nother: {}\n{}",
        answer_at(operations, &Configuration::plain(), first),
        answer_at(operations, configuration, first),
        kept.len(),
        answer_at(&kept, &Configuration::plain(), last),
        answer_at(&kept, configuration, last),
        steps.join("\n")
    )
}

#[test]
fn every_configuration_gives_the_same_answers() {
    let (runs, seed) = (number("ROWSTONE_METAMORPHIC_RUNS", 20), number("ROWSTONE_METAMORPHIC_SEED", 1));
    let started = std::time::Instant::now();
    let (mut operations, mut expected) = (Vec::new(), Vec::new());
    for run in 0..runs {
        if run % RUNS_PER_STREAM == 0 {
            operations = stream(seed + run, OPERATIONS);
            expected = answers(&operations, &Configuration::plain());
            assert_eq!(expected.len(), OPERATIONS);
        }
        let configuration = Configuration::random(seed + run);
        let found = answers(&operations, &configuration);
        if let Some(first) = (0..OPERATIONS).find(|at| found[*at] != expected[*at]) {
            panic!("{}", report(seed + run, &operations, &configuration, first));
        }
        if run % 10 == 9 {
            println!("{} of {runs} runs, {} s", run + 1, started.elapsed().as_secs());
        }
    }
    let seconds = started.elapsed().as_secs();
    println!("metamorphic: {runs} runs of {OPERATIONS} operations from seed {seed}: the same answers, {seconds} s");
}
