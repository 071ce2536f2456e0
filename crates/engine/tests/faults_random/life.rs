//! A run of operations, all its crashes, and what is left after each.

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

/// Everything that happened.
pub struct Life {
    ops: Vec<Op>,
    /// The disk before the first change, and after each.
    pub moments: Vec<Moment>,
    /// So many changes there were when the database was open, and when each operation was acknowledged.
    ends: Vec<usize>,
    /// The world before the first operation, and after each.
    worlds: Vec<World>,
}

/// Panics of the database are failures like others.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

/// Does one operation; gives the world after it, or the failure and the world it might have made.
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

/// Whether the database holds exactly what the world says, as far as it can be seen without a change.
pub fn check_exactly(db: &dyn Backend, world: &World, what: &str) -> Result<(), String> {
    check_found(read(db, false), world, what)
}

fn check_found(found: rowstone_model::Result<Found>, world: &World, what: &str) -> Result<(), String> {
    let found = found.map_err(|error| format!("{what}: cannot be read: {error}"))?;
    let world = world.settled();
    let expected = Expected { before: &world, under_way: None, reach: Reach::Machine, may_have_closed: false };
    judge(&found, &expected).map_err(|reason| format!("{what}: {reason}"))
}

/// Does all the operations that are possible.
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

/// What a recovery came to.
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
    /// The operation that is under way when so many changes were made.
    fn position(&self, point: usize) -> usize {
        self.ends[1..].partition_point(|end| *end <= point)
    }

    fn expected(&self, crashes: &[(usize, Crash)]) -> Expected<'_> {
        let acknowledged = self.position(crashes[0].0);
        let under_way = self.ops.get(acknowledged).map(|op| (op, &self.worlds[acknowledged + 1]));
        // One that is not possible is not done.
        let under_way = under_way.filter(|(op, _)| self.worlds[acknowledged].allows(op));
        let reach = reach_of(crashes);
        Expected { before: &self.worlds[acknowledged], under_way, reach, may_have_closed: false }
    }

    /// How many operations had begun when so many changes were made.
    pub fn begun(&self, point: usize) -> usize {
        (self.position(point) + 1).min(self.ops.len())
    }

    /// Opens what is left after a crash of the run and perhaps others, of the recoveries. `disk` is what is left of it.
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

    /// Plays these crashes from the beginning: each is a number of changes, of the run or of the recovery before, and what
    /// survived. Where a recovery was complete, another crash may not change anything.
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
    /// What was seen once is not lost by another crash.
    pub fn check_kept(&self, again: &Recovered) -> Result<(), String> {
        match self.found == again.found {
            true => Ok(()),
            false => Err(format!(
                "recovered and seen, then other after another crash:\n{}\n{}",
                describe(&self.found),
                describe(&again.found)
            )),
        }
    }

    /// The database goes on: more is written, flushed, merged, and found again.
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
            // Tables were enabled to be read.
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
