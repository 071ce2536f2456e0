//! Random operations of all kinds and durabilities, with every kind of failure of the machine. Sizes are read from the
//! environment.
//!
//! * `ROWSTONE_CRASH_STATES`: crashed disks to recover and check (100,000).
//! * `ROWSTONE_CRASH_DOUBLES`: those of them that crash again during recovery (a tenth).
//! * `ROWSTONE_ERROR_SCRIPTS`: scripts in which every call fails once, in every way (20).
//! * `ROWSTONE_FAULT_SEED`: first seed (1).

mod cells;
mod explore;
mod found;
mod generate;
mod judge;
mod life;
mod machine;
mod operations;
mod shrink;
mod trouble;
mod troubles;
mod world;

fn size(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

#[test]
fn crash_states_keep_what_their_durability_promises() {
    let states = size("ROWSTONE_CRASH_STATES", 100_000);
    let quota =
        explore::Quota::new(states, size("ROWSTONE_CRASH_DOUBLES", states / 10), size("ROWSTONE_FAULT_SEED", 1));
    let failure = quota.run();
    println!("crash states: {}", quota.summary());
    if let Some(text) = failure {
        panic!("{text}");
    }
}

#[test]
fn every_call_may_fail_once_in_every_way() {
    let (scripts, seed) = (size("ROWSTONE_ERROR_SCRIPTS", 20), size("ROWSTONE_FAULT_SEED", 1));
    if let Some(text) = troubles::every_call(scripts, seed) {
        panic!("{text}");
    }
}

#[test]
fn calls_may_fail_at_random() {
    let (scripts, seed) = (size("ROWSTONE_ERROR_SCRIPTS", 20), size("ROWSTONE_FAULT_SEED", 1));
    if let Some(text) = troubles::at_random(scripts * 10, seed) {
        panic!("{text}");
    }
}
