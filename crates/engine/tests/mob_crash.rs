//! MOB files with a power loss, or a failing call, at every change of the disk. Acknowledged writes exist
//! afterwards, and when everything is removed, so are all files.

use crate::faults_support as faults;
use crate::mob_support as support;
use faults::{directory, Machine};
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{Durability, Mutation, MutationKind, Scan};
use rowstone_model::schema::TableState;
use rowstone_model::Result;
use std::sync::Arc;
use support::*;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Action {
    Flush,
    Minor,
    Major,
    MajorAfterSplit,
    Split,
    NoMobAnyMore,
    Truncate,
    Drop,
    DeleteSnapshot,
}

const ACTIONS: [Action; 9] = [
    Action::Flush,
    Action::Minor,
    Action::Major,
    Action::MajorAfterSplit,
    Action::Split,
    Action::NoMobAnyMore,
    Action::Truncate,
    Action::Drop,
    Action::DeleteSnapshot,
];

type Rows = Option<Vec<(String, Vec<u8>)>>;

fn split(db: &dyn Backend) -> Result<()> {
    let region = db.admin().regions(&name())?.remove(0);
    db.admin().split_region(&region.region_name(), Some(b"r3"))
}

impl Action {
    /// Rows r0 to r5 in three MOB files, r0 deleted, r6 in memory.
    fn prepare(self, machine: &Machine) -> Arc<dyn Backend> {
        let db = machine.open().unwrap();
        create(&*db, &[], &[]);
        for number in 0..6 {
            put(&*db, &format!("r{number}"), &large(number));
            if number % 2 == 1 {
                db.admin().flush(None).unwrap();
            }
        }
        db.table(&name()).unwrap().mutate(Mutation::new(MutationKind::Delete, "r0")).unwrap();
        put(&*db, "r6", &large(6));
        match self {
            Action::Minor | Action::Major => db.admin().flush(None).unwrap(),
            Action::MajorAfterSplit => split(&*db).unwrap(),
            Action::NoMobAnyMore => db.admin().alter_table(descriptor(&[("IS_MOB", "false")])).unwrap(),
            Action::Truncate | Action::Drop => db.admin().set_table_state(&name(), TableState::Disabled).unwrap(),
            Action::DeleteSnapshot => {
                db.admin().take_snapshot("s", &name(), true, 0).unwrap();
                db.admin().compact(&name(), None, true).unwrap();
            }
            Action::Flush | Action::Split => {}
        }
        machine.tick();
        db
    }

    fn run(self, db: &dyn Backend) -> Result<()> {
        match self {
            Action::Flush => db.admin().flush(None),
            Action::Minor => db.admin().compact(&name(), None, false),
            Action::Major | Action::MajorAfterSplit | Action::NoMobAnyMore => db.admin().compact(&name(), None, true),
            Action::Split => split(db),
            Action::Truncate => db.admin().truncate_table(&name(), false),
            Action::Drop => db.admin().drop_table(&name()),
            Action::DeleteSnapshot => db.admin().delete_snapshot("s"),
        }
    }

    fn before_and_after(self) -> [Rows; 2] {
        let rows: Rows = Some((1..7).map(|number| (format!("r{number}"), large(number))).collect());
        let after = match self {
            Action::Truncate => Some(Vec::new()),
            Action::Drop => None,
            _ => rows.clone(),
        };
        [rows, after]
    }
}

fn read(db: &dyn Backend) -> Rows {
    let _ = db.admin().set_table_state(&name(), TableState::Enabled);
    db.table(&name()).ok()?;
    Some(scan(db, "t", Scan::default()).unwrap())
}

/// Checks that a crash leaves one of `wanted`, that the database still works, and that removing everything removes
/// all files.
fn check(machine: &Machine, mode: Crash, wanted: &[Rows], what: &str) {
    let machine = Machine::on(machine.files.crash(mode), 1, Durability::FsyncWal);
    let db = machine.open().unwrap_or_else(|error| panic!("{what}, {mode:?}: cannot be opened: {error}"));
    let seen = read(&*db);
    assert!(wanted.contains(&seen), "{what}, {mode:?}: found {seen:?}");
    if let Some(rows) = &seen {
        put(&*db, "s", &large(9));
        db.admin().flush(None).unwrap();
        db.admin().compact(&name(), None, true).unwrap();
        let again = read(&*db).unwrap();
        assert_eq!((&again[..rows.len()], again.len()), (&rows[..], rows.len() + 1), "{what}, {mode:?}: later");
    }
    for snapshot in db.admin().list_snapshots().unwrap() {
        db.admin().delete_snapshot(&snapshot.name).unwrap();
    }
    if seen.is_some() {
        db.admin().set_table_state(&name(), TableState::Disabled).unwrap();
        db.admin().drop_table(&name()).unwrap();
    }
    for folder in ["data", "mobdir"] {
        let left = paths_below(&machine.files, &directory().join(folder));
        assert!(left.is_empty(), "{what}, {mode:?}: {left:?}");
    }
}

fn try_all(fault: Fault) {
    for action in ACTIONS {
        let mut states = 0;
        for point in 1.. {
            let machine = Machine::new(Durability::FsyncWal);
            let db = action.prepare(&machine);
            let wanted = action.before_and_after();
            let first = machine.files.calls(CallKind::Change);
            machine.files.fail(CallKind::Change, first + point, fault);
            let outcome = action.run(&*db);
            let what = format!("{action:?}, {fault:?} at change {point}: {outcome:?}");
            // After a failure the caller may not know the outcome; after a success it does.
            let wanted = if outcome.is_ok() { &wanted[1..] } else { &wanted[..] };
            for mode in [Crash::Synced, Crash::Everything, Crash::Subset(point), Crash::Subset(point + 1_000)] {
                check(&machine, mode, wanted, &what);
                states += 1;
            }
            if machine.files.calls(CallKind::Change) < first + point {
                assert!(outcome.is_ok(), "{what}");
                break;
            }
        }
        println!("{action:?}: {states} crashed disks");
    }
}

#[test]
fn the_power_may_go_at_every_call() {
    try_all(Fault::Halt);
}

#[test]
fn a_call_that_fails_loses_nothing() {
    try_all(Fault::Io);
}
