//! A power loss at every call that changes something, and another during recovery. Acknowledged writes exist
//! afterwards, every row is complete, nothing deleted comes back, and the database still works.
//!
//! `ROWSTONE_FAULTS=all` tries every point; otherwise a sample.

use crate::faults_support as support;
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use rowstone_model::operations::Durability;
use support::{differs, script, settles, tries_all, Machine, State, Step};

/// Progress of a run: the states after each acknowledged step, and whether it was cut off.
struct Run {
    /// `states[n]` is the state after `n` steps, one more than were acknowledged if the run was cut off in a step.
    states: Vec<State>,
    acknowledged: usize,
    /// The last acknowledged step after which everything before it is on the disk.
    settled: usize,
    is_complete: bool,
}

/// Runs the script until a step fails. After every `reopens`-th step the database is closed and opened again.
fn run(machine: &Machine, steps: &[Step], reopens: usize) -> Run {
    let mut run = Run { states: vec![State::default()], acknowledged: 0, settled: 0, is_complete: false };
    let Ok(mut db) = machine.open() else { return run };
    for (index, step) in steps.iter().enumerate() {
        if index % reopens == reopens - 1 {
            let closed = db.close();
            drop(db);
            if closed.is_err() {
                return run;
            }
            run.settled = index;
            let Ok(reopened) = machine.open() else { return run };
            db = reopened;
        }
        machine.tick();
        run.states.push(step.apply(&run.states[index]));
        if step.run(&*db).is_err() {
            return run;
        }
        run.acknowledged = index + 1;
        let is_safe = machine.durability == Durability::FsyncWal || matches!(step, Step::Flush);
        if is_safe {
            run.settled = index + 1;
        }
    }
    run.is_complete = db.close().is_ok();
    run
}

/// Opens the disk after a crash and compares. Returns the disk found.
fn check(files: FaultyFileSystem, run: &Run, durability: Durability, floor: usize, what: &str) -> FaultyFileSystem {
    let machine = Machine::on(files, 1, durability);
    let db = machine.open().unwrap_or_else(|error| panic!("{what}: cannot be opened: {error}"));
    let found = State::read(&*db).unwrap_or_else(|error| panic!("{what}: cannot be read: {error}"));
    let last = run.states.len() - 1;
    let reasons: Vec<String> = (floor..=run.acknowledged)
        .map(|step| differs(&found, &run.states[step], &run.states[(step + 1).min(last)]))
        .map_while(|reason| reason)
        .collect();
    if reasons.len() > run.acknowledged - floor {
        panic!("{what}: acknowledged {}, safe {floor}: {}", run.acknowledged, reasons.last().unwrap());
    }
    // The database still works: it accepts, flushes and returns more writes.
    let mut state = settles(&found, &run.states[run.acknowledged]);
    if state.exists && state.is_enabled {
        for step in [Step::Put("r2", 90), Step::Increment("r7", 1), Step::Flush, Step::Put("r9", 91)] {
            machine.tick();
            step.run(&*db).unwrap_or_else(|error| panic!("{what}: {step:?} after recovery: {error}"));
            state = step.apply(&state);
        }
        db.close().unwrap();
        drop(db);
        let again = State::read(&*machine.open().unwrap()).unwrap();
        assert_eq!(differs(&again, &state, &state), None, "{what}: after recovery and reopening");
    }
    machine.files
}

fn modes(point: u64) -> Vec<Crash> {
    let subsets = if tries_all() { 6 } else { 2 };
    [Crash::Synced, Crash::Everything].into_iter().chain((0..subsets).map(|n| Crash::Subset(point * 100 + n))).collect()
}

/// Crashes at every `stride`-th change of a run. Returns the number of crashed disks checked.
fn crash_everywhere(durability: Durability, split: Option<&'static str>, reopens: usize, stride: u64) -> u64 {
    let steps = script(split);
    let stride = if tries_all() { 1 } else { stride };
    let mut states = 0;
    let mut point = 1;
    loop {
        let machine = Machine::new(durability);
        machine.files.fail(CallKind::Change, machine.files.calls(CallKind::Change) + point, Fault::Halt);
        let run = run(&machine, &steps, reopens);
        for mode in modes(point) {
            let floor = match mode {
                Crash::Everything => run.acknowledged,
                _ => run.settled,
            };
            let what = format!("{durability:?}, crash at change {point}, {mode:?}");
            check(machine.files.crash(mode), &run, durability, floor, &what);
            states += 1;
            if point % (5 * stride) < stride || tries_all() {
                states += crash_again(&machine.files, &run, durability, floor, mode, &what);
            }
        }
        if run.is_complete {
            return states;
        }
        point += stride;
    }
}

/// A second power loss while the database recovers from the first.
fn crash_again(
    files: &FaultyFileSystem,
    run: &Run,
    durability: Durability,
    floor: usize,
    mode: Crash,
    what: &str,
) -> u64 {
    let (mut states, stride) = (0, if tries_all() { 3 } else { 7 });
    for point in (1..).step_by(stride) {
        let machine = Machine::on(files.crash(mode), 1, durability);
        machine.files.fail(CallKind::Change, machine.files.calls(CallKind::Change) + point, Fault::Halt);
        let is_open = machine.open().is_ok();
        if is_open && machine.files.calls(CallKind::Change) < point {
            return states;
        }
        for second in [Crash::Synced, Crash::Subset(point)] {
            let what = format!("{what}, again at change {point} of recovery, {second:?}");
            check(machine.files.crash(second), run, durability, floor, &what);
            states += 1;
        }
        if is_open {
            return states;
        }
    }
    states
}

#[test]
fn a_crash_at_any_change_keeps_what_fsync_acknowledged() {
    let states = crash_everywhere(Durability::FsyncWal, None, 12, 5);
    println!("FSYNC_WAL, one region: {states} crashed disks");
    assert!(states > 100);
}

#[test]
fn a_crash_at_any_change_keeps_rows_whole_over_two_regions() {
    let states = crash_everywhere(Durability::FsyncWal, Some("r3"), 1000, 7);
    println!("FSYNC_WAL, two regions: {states} crashed disks");
    assert!(states > 100);
}

/// The script without schema changes, each of which makes some earlier steps durable.
fn data_steps() -> Vec<Step> {
    script(None).into_iter().take_while(|step| !matches!(step, Step::AddC)).collect()
}

#[test]
fn a_crash_leaves_a_prefix_of_what_sync_acknowledged() {
    let (steps, durability) = (data_steps(), Durability::SyncWal);
    let (mut states, mut point) = (0, 1);
    loop {
        let machine = Machine::new(durability);
        machine.files.fail(CallKind::Change, machine.files.calls(CallKind::Change) + point, Fault::Halt);
        let mut run = run(&machine, &steps, 9);
        run.settled = run.settled.max(usize::from(run.acknowledged > 0));
        for mode in modes(point) {
            let floor = if mode == Crash::Everything { run.acknowledged } else { run.settled };
            let what = format!("{durability:?}, crash at change {point}, {mode:?}");
            check(machine.files.crash(mode), &run, durability, floor, &what);
            states += 1;
        }
        if run.is_complete {
            break;
        }
        point += if tries_all() { 1 } else { 3 };
    }
    println!("SYNC_WAL: {states} crashed disks");
    assert!(states > 60);
}
