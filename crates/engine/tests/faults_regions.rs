//! A power loss at every file call of a split, a compaction of halves, a merge and a truncation. Each of these
//! calls also fails once, or from there on until the disk is healed, while writes continue. Acknowledged writes
//! exist afterwards, and a truncation is atomic.

use crate::faults_support as faults;
use crate::regions_support as support;
use faults::Machine;
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{Durability, Scan};
use rowstone_model::Result;
use std::collections::BTreeMap;
use std::sync::Arc;
use support::*;

type Rows = BTreeMap<String, i64>;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Action {
    Split,
    CompactHalves,
    Merge,
    Truncate,
}

const ACTIONS: [Action; 4] = [Action::Split, Action::CompactHalves, Action::Merge, Action::Truncate];

fn name_at(db: &dyn Backend, index: usize) -> Vec<u8> {
    db.admin().regions(&name()).unwrap()[index].region_name()
}

impl Action {
    /// A table with rows in files and in memory, ready for the action.
    fn prepare(self, db: &dyn Backend) -> Rows {
        create(db, &[], &[]);
        let mut rows = Rows::new();
        let mut write = |from: i64, to: i64, number: i64| {
            for index in from..to {
                put(db, &row(index), number);
                rows.insert(row(index), number);
            }
        };
        write(0, 10, 1);
        db.admin().flush(None).unwrap();
        write(3, 8, 2);
        if self != Action::Split {
            db.admin().split_region(&name_at(db, 0), Some(b"r005")).unwrap();
            write(4, 6, 3);
        }
        if matches!(self, Action::Merge | Action::Truncate) {
            db.admin().compact(&name(), None, true).unwrap();
            write(2, 9, 4);
        }
        rows
    }

    fn run(self, db: &dyn Backend) -> Result<()> {
        match self {
            Action::Split => db.admin().split_region(&name_at(db, 0), Some(b"r005")),
            Action::CompactHalves => db.admin().compact(&name(), None, true),
            Action::Merge => db.admin().merge_regions(&[name_at(db, 0), name_at(db, 1)], false),
            Action::Truncate => db.admin().truncate_region(&name_at(db, 1)),
        }
    }

    fn apply(self, rows: &Rows) -> Rows {
        let mut rows = rows.clone();
        if self == Action::Truncate {
            rows.retain(|row, _| row.as_str() < "r005");
        }
        rows
    }
}

fn read(db: &dyn Backend) -> Rows {
    let rows = rows_of(&mut *db.table(&name()).unwrap().scan(Scan::default()).unwrap());
    assert!(rows.windows(2).all(|pair| pair[0] < pair[1]), "{rows:?}");
    rows.into_iter().map(|row| (row.clone(), get(db, &row).unwrap())).collect()
}

/// A machine and its open database, ready for the action, and the rows.
fn prepared(action: Action) -> (Machine, Arc<dyn Backend>, Rows) {
    let machine = Machine::new(Durability::FsyncWal);
    let db = machine.open().unwrap();
    let rows = action.prepare(&*db);
    machine.tick();
    (machine, db, rows)
}

/// Checks that a crash leaves `before` or `after`, and that all operations on regions still work.
fn check(machine: &Machine, mode: Crash, wanted: &[&Rows], what: &str) {
    let machine = Machine::on(machine.files.crash(mode), 1, Durability::FsyncWal);
    let db = machine.open().unwrap_or_else(|error| panic!("{what}, {mode:?}: cannot be opened: {error}"));
    let mut rows = read(&*db);
    assert!(wanted.contains(&&rows), "{what}, {mode:?}: found {rows:?}, not one of {wanted:?}");
    put(&*db, "r0055", 9);
    rows.insert("r0055".into(), 9);
    db.admin().compact(&name(), None, true).unwrap();
    let last = db.admin().regions(&name()).unwrap().len() - 1;
    db.admin().split_region(&name_at(&*db, last), Some(b"r007")).unwrap();
    put(&*db, "r0075", 9);
    rows.insert("r0075".into(), 9);
    drop(db);
    assert_eq!(read(&*machine.open().unwrap()), rows, "{what}, {mode:?}: after reopening");
}

#[test]
fn a_power_loss_at_every_call() {
    for action in ACTIONS {
        let mut states = 0;
        for point in 1.. {
            let (machine, db, before) = prepared(action);
            let after = action.apply(&before);
            let first = machine.files.calls(CallKind::Change);
            machine.files.fail(CallKind::Change, first + point, Fault::Halt);
            let outcome = action.run(&*db);
            let what = format!("{action:?}, power loss at change {point}");
            for mode in [Crash::Synced, Crash::Everything, Crash::Subset(point), Crash::Subset(point + 1_000)] {
                let wanted: &[&Rows] = if outcome.is_ok() { &[&after] } else { &[&before, &after] };
                check(&machine, mode, wanted, &what);
                states += 1;
            }
            if machine.files.calls(CallKind::Change) < first + point {
                assert!(outcome.is_ok(), "{what}: {outcome:?}");
                break;
            }
        }
        println!("{action:?}: {states} crashed disks");
    }
}

/// Writes to both halves. Returns the number of successful writes.
fn write_on(db: &dyn Backend, rows: &mut Rows, number: i64) -> usize {
    let keys = ["r001", "r0045", "r006"];
    let wrote = keys.iter().filter(|row| db.table(&name()).unwrap().mutate(mutation(row, number)).is_ok());
    wrote.map(|row| rows.insert(row.to_string(), number)).count()
}

/// A call fails, the region is still used, and the power is lost. Writes after the failure must not depend on
/// whether the manifest has the change.
#[test]
fn writes_after_a_failure_survive_with_and_without_the_change() {
    for (action, fault) in ACTIONS.into_iter().flat_map(|action| [(action, Fault::Io), (action, Fault::DiskFull)]) {
        for point in 1.. {
            let (machine, db, before) = prepared(action);
            let first = machine.files.calls(CallKind::Change);
            // A failing disk fails once, a full one stays full for a while.
            match fault {
                Fault::Io => machine.files.fail(CallKind::Change, first + point, fault),
                _ => machine.files.fail_from(CallKind::Change, first + point, fault),
            }
            let outcome = action.run(&*db);
            let what = format!("{action:?}, {fault:?} at change {point}: {outcome:?}");
            let is_past = machine.files.calls(CallKind::Change) < first + point;
            let mut present = read(&*db);
            assert!([&before, &action.apply(&before)].contains(&&present), "{what}: {present:?}");
            machine.files.heal();
            let wrote = write_on(&*db, &mut present, 50);
            assert_eq!(read(&*db), present, "{what}");
            // A write may fail if the log failed. It may then exist or not, so no further checks apply.
            if wrote == 3 {
                for mode in [Crash::Synced, Crash::Everything, Crash::Subset(point)] {
                    check(&machine, mode, &[&present], &what);
                }
            }
            if is_past {
                break;
            }
        }
    }
}
