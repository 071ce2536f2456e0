//! Every call that changes something fails once, in every way. The error has the right kind, reads still work, and
//! no acknowledged write is lost. The step can be repeated (after reopening if the log failed), and the final state
//! is correct.
//!
//! `ROWSTONE_FAULTS=all` tries every point; otherwise a sample.

use crate::faults_support as support;
use rowstone_engine::sys::faulty::{CallKind, Fault};
use rowstone_model::backend::Backend;
use rowstone_model::operations::Durability;
use rowstone_model::{Error, ErrorKind};
use std::sync::Arc;
use support::{differs, script, settles, tries_all, Machine, State, Step};

fn check_kind(error: &Error, fault: Fault, what: &str) {
    let fits = matches!(
        (error.kind(), fault),
        (ErrorKind::LogPoisoned, _)
            | (ErrorKind::DiskFull, Fault::DiskFull | Fault::ShortWrite)
            | (ErrorKind::Io, Fault::Io | Fault::Interrupted)
    );
    assert!(fits, "{what}: {:?}: {error}", error.kind());
}

/// Closes the database, ignoring errors, and opens it again.
fn reopen(machine: &Machine, db: Arc<dyn Backend>, what: &str) -> Arc<dyn Backend> {
    // A failed log cannot be closed properly; acknowledged writes are checked after reopening.
    let _ = db.close();
    drop(db);
    open(machine, what)
}

/// Opens the database. If the fault occurs here, the second attempt must succeed.
fn open(machine: &Machine, what: &str) -> Arc<dyn Backend> {
    machine.open().or_else(|_| machine.open()).unwrap_or_else(|error| panic!("{what}: cannot be opened: {error}"))
}

fn read(db: &dyn Backend, what: &str) -> State {
    State::read(db).unwrap_or_else(|error| panic!("{what}: cannot be read: {error}"))
}

/// Runs one step despite the fault. Returns the database and its state afterwards.
fn insist(
    machine: &Machine,
    db: Arc<dyn Backend>,
    before: &State,
    step: &Step,
    fault: Fault,
    what: &str,
) -> (Arc<dyn Backend>, State) {
    let after = step.apply(before);
    let Err(error) = step.run(&*db) else { return (db, after) };
    check_kind(&error, fault, what);
    // Reads still work, and see the step as a whole or not at all.
    let seen = read(&*db, what);
    assert_eq!(differs(&seen, before, &after), None, "{what}: read after the failure");
    let has_failed_log = error.kind() == ErrorKind::LogPoisoned || matches!(step, Step::Flush | Step::Compact { .. });
    if matches!(step, Step::Flush | Step::Compact { .. }) && step.run(&*db).is_ok() {
        // A failed flush or compaction can be repeated without reopening.
        return (db, after);
    }
    let db = reopen(machine, db, what);
    let found = read(&*db, what);
    assert_eq!(differs(&found, before, &after), None, "{what}: after reopening (log failed: {has_failed_log})");
    let found = settles(&found, before);
    if found == after {
        return (db, after);
    }
    if matches!(step, Step::Batch(..)) || found == *before {
        step.run(&*db).unwrap_or_else(|error| panic!("{what}: the repeated step failed: {error}"));
        return (db, after);
    }
    panic!("{what}: neither the state before nor after the step: {found:?}");
}

/// Runs the script with a fault at the `point`-th change; `false` if there are fewer changes.
fn run(point: u64, fault: Fault, durability: Durability, split: Option<&'static str>) -> bool {
    let machine = Machine::new(durability);
    let last = machine.files.calls(CallKind::Change) + point;
    machine.files.fail(CallKind::Change, last, fault);
    let what = format!("{durability:?}, {fault:?} at change {point}");
    let mut db = open(&machine, &what);
    let mut state = State::default();
    for (index, step) in script(split).iter().enumerate() {
        let what = format!("{what}, step {index} {step:?}");
        machine.tick();
        if index % 13 == 12 {
            db = reopen(&machine, db, &what);
            assert_eq!(differs(&read(&*db, &what), &state, &state), None, "{what}: reopened");
        }
        (db, state) = insist(&machine, db, &state, step, fault, &what);
        assert_eq!(differs(&read(&*db, &what), &state, &state), None, "{what}");
    }
    let db = reopen(&machine, db, &what);
    assert_eq!(differs(&read(&*db, &what), &state, &state), None, "{what}: at the end");
    machine.files.calls(CallKind::Change) >= last
}

fn every_change_fails(durability: Durability, split: Option<&'static str>, stride: usize) -> u64 {
    let stride = if tries_all() { 1 } else { stride };
    let mut runs = 0;
    for fault in [Fault::Io, Fault::DiskFull, Fault::ShortWrite, Fault::Interrupted] {
        // Each fault gets its own points in the sample.
        for point in (1 + runs % stride as u64..).step_by(stride) {
            runs += 1;
            if !run(point, fault, durability, split) {
                break;
            }
        }
    }
    runs
}

#[test]
fn any_change_may_fail_once_fsync() {
    println!("FSYNC_WAL: {} failures", every_change_fails(Durability::FsyncWal, None, 7));
}

#[test]
fn any_change_may_fail_once_sync_two_regions() {
    println!("SYNC_WAL, two regions: {} failures", every_change_fails(Durability::SyncWal, Some("r3"), 11));
}

/// A disk that stays full: everything fails until there is room again, and nothing is lost.
#[test]
fn a_disk_may_stay_full_for_a_while() {
    let stride = if tries_all() { 1 } else { 9 };
    for point in (1..).step_by(stride) {
        let machine = Machine::new(Durability::FsyncWal);
        let what = format!("full from change {point} on");
        let mut state = State::default();
        let first = machine.files.calls(CallKind::Change) + point;
        machine.files.fail_from(CallKind::Change, first, Fault::DiskFull);
        let mut failed = None;
        if let Ok(db) = machine.open() {
            for step in script(None) {
                machine.tick();
                if let Err(error) = step.run(&*db) {
                    check_kind(&error, Fault::DiskFull, &what);
                    failed = Some(step.apply(&state));
                    let seen = read(&*db, &what);
                    assert_eq!(differs(&seen, &state, failed.as_ref().unwrap()), None, "{what}: read while full");
                    break;
                }
                state = step.apply(&state);
            }
            let _ = db.close();
        }
        let is_past = machine.files.calls(CallKind::Change) < first;
        machine.files.heal();
        let db = open(&machine, &what);
        let after = failed.as_ref().unwrap_or(&state);
        assert_eq!(differs(&read(&*db, &what), &state, after), None, "{what}: when there is room again");
        if is_past {
            break;
        }
    }
}
