//! A run of operations, all its crashes, and the state after each.

use super::cells::{read, Found};
use super::judge::{judge, Expected, Reach};
use super::machine::Machine;
use super::operations::Op;
use super::world::World;
use rowstone_engine::sys::faulty::{Crash, FaultyFileSystem, Moment};
use rowstone_model::backend::Backend;
use rowstone_model::operations::Durability;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// Record of a run.
pub struct Life {
    ops: Vec<Op>,
    /// The disk before the first change, and after each.
    pub moments: Vec<Moment>,
    /// Number of changes when the database was open, and when each operation was acknowledged.
    ends: Vec<usize>,
    /// The world before the first operation, and after each.
    worlds: Vec<World>,
}

/// Turns panics of the database into failures.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

/// Runs one operation. Returns the world after it, or the failure and the world it might have produced.
pub fn perform(
    op: &Op,
    number: usize,
    world: &World,
    machine: &Machine,
    db: &mut Arc<dyn Backend>,
) -> (World, rowstone_model::Result<()>) {
    let now = machine.tick();
    let newest = match op {
        Op::DeleteFamilyVersion { table, row, .. } => world.tables[table].newest(*row),
        _ => 0,
    };
    let after = world.after(op, number, now);
    (after, op.run(number, newest, machine, db))
}

/// Checks that the database contains exactly the world's data, as far as that is visible without a change.
pub fn check_exactly(db: &dyn Backend, world: &World, what: &str) -> Result<(), String> {
    check_found(read(db, false), world, what)
}

fn check_found(found: rowstone_model::Result<Found>, world: &World, what: &str) -> Result<(), String> {
    let found = found.map_err(|error| format!("{what}: cannot be read: {error}"))?;
    let world = world.as_durable();
    let expected = Expected { before: &world, under_way: None, reach: Reach::Machine, may_have_closed: false };
    judge(&found, &expected).map_err(|reason| format!("{what}: {reason}"))
}

/// Runs all operations that are possible.
pub fn live(ops: &[Op]) -> Result<Life, String> {
    guarded(|| {
        let machine = Machine::on(FaultyFileSystem::new(), 0);
        machine.files.record();
        let mut db = machine.open().map_err(|error| format!("an empty disk: {error}"))?;
        let (mut ends, mut worlds) = (vec![machine.files.recorded()], vec![World::default()]);
        for (number, op) in ops.iter().enumerate() {
            let world = &worlds[number];
            if world.allows(op) {
                let (after, outcome) = perform(op, number, world, &machine, &mut db);
                outcome.map_err(|error| format!("operation {number}, {op:?}: {error}"))?;
                worlds.push(after);
            } else {
                worlds.push(world.clone());
            }
            ends.push(machine.files.recorded());
        }
        check_exactly(&*db, worlds.last().unwrap(), "without any crash")?;
        Ok(Life { ops: ops.to_vec(), moments: machine.files.history(), ends, worlds })
    })
}

/// Result of a recovery.
pub struct Recovered {
    machine: Machine,
    db: Arc<dyn Backend>,
    pub found: Found,
    /// The disk at each change of the recovery.
    pub moments: Vec<Moment>,
}

fn reach_of(crashes: &[(usize, Crash)]) -> Reach {
    match crashes.iter().map(|crash| crash.1).find(|crash| *crash != Crash::Killed) {
        None | Some(Crash::Everything) => Reach::Process,
        Some(_) => Reach::Machine,
    }
}

impl Life {
    /// The operation that was running after `point` changes.
    fn position(&self, point: usize) -> usize {
        self.ends[1..].partition_point(|end| *end <= point)
    }

    fn expected(&self, crashes: &[(usize, Crash)]) -> Expected<'_> {
        let acknowledged = self.position(crashes[0].0);
        let under_way = self.ops.get(acknowledged).map(|op| (op, &self.worlds[acknowledged + 1]));
        // An impossible operation was skipped.
        let under_way = under_way.filter(|(op, _)| self.worlds[acknowledged].allows(op));
        let reach = reach_of(crashes);
        Expected { before: &self.worlds[acknowledged], under_way, reach, may_have_closed: false }
    }

    /// Number of operations that had begun after `point` changes.
    pub fn begun(&self, point: usize) -> usize {
        (self.position(point) + 1).min(self.ops.len())
    }

    /// Opens the `disk` left by a crash of the run, and perhaps further crashes of the recoveries.
    pub fn recover(&self, disk: FaultyFileSystem, crashes: &[(usize, Crash)]) -> Result<Recovered, String> {
        guarded(|| {
            let machine = Machine::on(disk, crashes.len() as u64);
            machine.files.record();
            let db = machine.open().map_err(|error| format!("cannot be opened: {error}"))?;
            let moments = machine.files.history();
            let found = read(&*db, true).map_err(|error| format!("cannot be read: {error}"))?;
            judge(&found, &self.expected(crashes))?;
            Ok(Recovered { machine, db, found, moments })
        })
    }

    /// Replays these crashes from the beginning. Each is a number of changes, of the run or of the previous
    /// recovery, and the surviving data. After a complete recovery, another crash must not change anything.
    pub fn check(&self, crashes: &[(usize, Crash)]) -> Result<(), String> {
        let mut disk = self.moments[crashes[0].0.min(self.moments.len() - 1)].crash(crashes[0].1);
        for number in 1..=crashes.len() {
            let recovered = self.recover(disk, &crashes[..number])?;
            let Some(&(point, crash)) = crashes.get(number) else { return recovered.go_on() };
            let point = point.min(recovered.moments.len() - 1);
            disk = recovered.moments[point].crash(crash);
            if point == recovered.moments.len() - 1 {
                let again = self.recover(disk.crash(Crash::Killed), &crashes[..=number])?;
                recovered.check_kept(&again)?;
            }
        }
        Ok(())
    }
}

impl Recovered {
    /// Checks that another crash does not lose data that was visible once.
    pub fn check_kept(&self, again: &Recovered) -> Result<(), String> {
        if self.found == again.found {
            Ok(())
        } else {
            Err(format!(
                "recovered and seen, then other after another crash:\n{}\n{}",
                describe(&self.found),
                describe(&again.found)
            ))
        }
    }

    /// Checks that the database still works: it accepts, flushes, merges and returns more writes.
    pub fn go_on(mut self) -> Result<(), String> {
        let (table, wal, snapshot) = (0, Durability::SyncWal, 1);
        let ops = [
            Op::Enable { table },
            Op::Create { table, split: true },
            Op::Put { table, row: 1, wal },
            Op::Increment { table, row: 6, amount: 1, wal: Durability::AsyncWal },
            Op::AddC { table },
            Op::PutC { table, row: 7, wal: Durability::SkipWal },
            Op::Flush { table },
            Op::DropSnapshot { snapshot },
            Op::Snapshot { table, snapshot },
            Op::DeleteVersion { table, row: 0, wal },
            Op::Split { table, at: 0 },
            Op::DeleteRow { table, row: 5, wal },
            Op::Compact { table, major: true },
            Op::Load { table, rows: 15, variant: 4 },
            Op::Merge { table, at: 1 },
            Op::Append { table, row: 11, wal },
            Op::Reopen,
        ];
        guarded(move || {
            // Tables were enabled for reading.
            self.found.tables.values_mut().for_each(|table| table.is_enabled = true);
            let mut world = World::of(&self.found, &World::default());
            for (number, op) in ops.iter().enumerate() {
                if world.allows(op) {
                    let (after, outcome) = perform(op, 900 + number, &world, &self.machine, &mut self.db);
                    outcome.map_err(|error| format!("{op:?} after recovery: {error}"))?;
                    world = after;
                }
            }
            check_exactly(&*self.db, &world, "written after recovery, and reopened")?;
            let machine = Machine::on(self.machine.files.crash(Crash::Synced), 9);
            let db = machine.open().map_err(|error| format!("after a power loss in the end: {error}"))?;
            check_found(read(&*db, true), &world, "written after recovery, closed, and a power loss in the end")
        })
    }
}

fn describe(found: &Found) -> String {
    let tables = found.tables.iter().map(|(number, table)| {
        format!("{number}: {:?} {:?}", table.bounds, table.cells.as_ref().map(super::cells::describe))
    });
    let snapshots = found.snapshots.iter().map(|(number, kept)| {
        format!("snapshot {number}: {:?}", kept.as_ref().map(|kept| super::cells::describe(&kept.cells)))
    });
    tables.chain(snapshots).collect::<Vec<_>>().join("; ")
}
