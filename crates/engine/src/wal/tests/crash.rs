//! A crash at every call, with every kind of loss, then another one during recovery. Everything acknowledged as
//! durable exists, and the records form a prefix.

use super::script::*;
use super::*;
use crate::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};

fn crashes(seed: u64) -> impl Iterator<Item = Crash> {
    [Crash::Synced, Crash::Everything].into_iter().chain((0..6).map(move |index| Crash::Subset(seed * 100 + index)))
}

fn least(known: &Knowledge, crash: Crash) -> u64 {
    match crash {
        Crash::Everything => known.kernel,
        _ => known.disk,
    }
}

/// Runs the script until the machine halts at the `number`-th change; `None` if it ends before.
fn halted_life(number: u64) -> Option<(FaultyFileSystem, Knowledge)> {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    files.fail(CallKind::Change, files.calls(CallKind::Change) + number, Fault::Halt);
    let mut known = Knowledge::default();
    life(&system, &mut known).err().map(|_| (files, known))
}

#[test]
fn a_crash_at_every_call_keeps_what_is_safe_and_a_prefix_of_the_rest() {
    let mut states = 0;
    for number in 1.. {
        let Some((files, known)) = halted_life(number) else { break };
        for crash in crashes(number) {
            let system = on_disk(&files.crash(crash));
            let (found, _) = read(&system).unwrap_or_else(|error| panic!("call {number}, {crash:?}: {error}"));
            check(&found, &known, least(&known, crash));
            let mut after = Knowledge { kernel: least(&known, crash), disk: 0, ..known.clone() };
            session(&system, &mut after, 7, true).unwrap_or_else(|error| panic!("call {number}, {crash:?}: {error}"));
            let (again, report) = read(&system).unwrap();
            check(&again, &after, after.issued);
            assert_eq!(report.torn_tail_bytes, 0);
            states += 1;
        }
    }
    assert!(states > 500, "{states} states");
}

#[test]
fn a_second_crash_during_recovery_loses_nothing_more() {
    for number in (1..).step_by(3) {
        let Some((files, known)) = halted_life(number) else { break };
        for crash in [Crash::Synced, Crash::Everything, Crash::Subset(number)] {
            let survivor = files.crash(crash);
            let (first, _) = read(&on_disk(&survivor)).unwrap();
            for second in 1.. {
                let disk = survivor.crash(Crash::Synced);
                let system = on_disk(&disk);
                disk.fail(CallKind::Change, disk.calls(CallKind::Change) + second, Fault::Halt);
                let mut after = Knowledge { kernel: least(&known, crash), disk: 0, ..known.clone() };
                let Err(error) = session(&system, &mut after, 2, true) else { break };
                assert_ne!(error.kind(), rowstone_model::ErrorKind::Corruption);
                for last in [Crash::Synced, Crash::Everything, Crash::Subset(second)] {
                    let (found, _) = read(&on_disk(&disk.crash(last))).unwrap();
                    check(&found, &after, least(&after, last).max(first.last().copied().unwrap_or(0)));
                }
            }
        }
    }
}

#[test]
fn after_a_kill_and_a_restart_a_power_loss_takes_nothing_of_before() {
    for number in 1.. {
        let Some((files, known)) = halted_life(number) else { break };
        // The process dies and the machine keeps running: the cache is intact.
        files.heal();
        let system = on_disk(&files);
        let mut after = Knowledge { disk: 0, ..known };
        session(&system, &mut after, 1, false).unwrap();
        for crash in crashes(number) {
            let (found, _) = read(&on_disk(&files.crash(crash))).unwrap();
            check(&found, &after, least(&after, crash));
        }
    }
}
