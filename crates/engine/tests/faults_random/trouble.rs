//! Failing calls. The error has the right kind, reads still work, and no acknowledged write is lost, not even by a
//! power loss after the failure. The failed operation can be repeated, and the final state is correct.

use super::cells::{read, Found};
use super::judge::{judge, Expected, Reach};
use super::life::{check_exactly, guarded, perform};
use super::machine::Machine;
use super::operations::{table_name, Op};
use super::world::World;
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use rowstone_model::backend::Backend;
use rowstone_model::operations::Durability;
use rowstone_model::schema::TableState;
use rowstone_model::{Error, ErrorKind};
use std::sync::Arc;

/// Kind of trouble.
#[derive(Debug, Clone, Copy)]
pub enum Trouble {
    /// Fails that call of its kind once.
    Once { kind: CallKind, number: u64, fault: Fault },
    /// The disk is full from that call on, until space is freed: before the database is closed, or after.
    Full { number: u64, until_closed: bool },
    /// One in `one_in` calls fails.
    Random { kind: CallKind, one_in: u64, seed: u64 },
}

struct Run {
    machine: Machine,
    db: Arc<dyn Backend>,
    world: World,
    trouble: Trouble,
}

/// Maximum number of attempts to open a database. One that reads its files 210 times to open succeeds in one of 800
/// attempts if one in 32 reads fails.
const MOST_OPENS: usize = 20_000;

/// Runs the operations. Returns the number of failed calls.
pub fn endure(ops: &[Op], trouble: Trouble) -> Result<u64, String> {
    guarded(|| {
        let machine = Machine::on(FaultyFileSystem::new(), 0);
        match trouble {
            Trouble::Once { kind, number, fault } => machine.files.fail(kind, number, fault),
            Trouble::Full { number, .. } => machine.files.fail_from(CallKind::Change, number, Fault::DiskFull),
            Trouble::Random { .. } => arm(&machine, trouble),
        }
        let db = open(&machine, trouble)?;
        let mut run = Run { machine, db, world: World::default(), trouble };
        for (number, op) in ops.iter().enumerate() {
            if run.world.allows(op) {
                run.step(op, number).map_err(|reason| format!("operation {number}, {op:?}: {reason}"))?;
            }
        }
        run.end()
    })
}

fn arm(machine: &Machine, trouble: Trouble) {
    if let Trouble::Random { kind, one_in, seed } = trouble {
        machine.files.fail_at_random(kind, one_in, seed ^ machine.files.calls(kind) << 20);
    }
}

fn open(machine: &Machine, trouble: Trouble) -> Result<Arc<dyn Backend>, String> {
    for number in 0..MOST_OPENS {
        match machine.open() {
            Ok(db) => return Ok(db),
            Err(error) if number > 0 && matches!(trouble, Trouble::Once { .. }) => {
                return Err(format!("cannot be opened the second time: {error}"))
            }
            Err(error) => check_kind(&error, trouble)?,
        }
        if matches!(trouble, Trouble::Full { .. }) {
            machine.files.heal();
        }
    }
    Err(format!("cannot be opened {MOST_OPENS} times"))
}

fn check_kind(error: &Error, trouble: Trouble) -> Result<(), String> {
    let fits = match (error.kind(), trouble) {
        (ErrorKind::LogPoisoned, _) => true,
        (kind, Trouble::Once { fault: Fault::DiskFull | Fault::ShortWrite, .. } | Trouble::Full { .. }) => {
            kind == ErrorKind::DiskFull
        }
        (kind, Trouble::Once { .. }) => kind == ErrorKind::Io,
        (kind, Trouble::Random { .. }) => matches!(kind, ErrorKind::Io | ErrorKind::DiskFull),
    };
    fits.then_some(()).ok_or_else(|| format!("{:?} is not the error to expect: {error}", error.kind()))
}

impl Run {
    fn step(&mut self, op: &Op, number: usize) -> Result<(), String> {
        let before = self.world.clone();
        let failures = self.machine.files.failures();
        let (after, outcome) = perform(op, number, &before, &self.machine, &mut self.db);
        let Err(error) = outcome else {
            self.world = after;
            return Ok(());
        };
        check_kind(&error, self.trouble)?;
        if *op == Op::Reopen {
            // It failed while closing, or while opening: in both cases it can be opened.
            let _ = self.db.close();
            return self.open_again(&before, None, true);
        }
        self.check_reads(&before, op, &after)?;
        if !matches!(self.trouble, Trouble::Random { .. }) {
            self.check_power_loss(&before, op, &after, failures)?;
        }
        let can_repeat = matches!(op, Op::Flush { .. } | Op::Compact { .. } | Op::Load { .. });
        let is_over = matches!(self.trouble, Trouble::Once { number, .. } if number % 2 == 0);
        if can_repeat && is_over && error.kind() != ErrorKind::LogPoisoned {
            return self.repeat(op, number);
        }
        self.close_and_open(&before, Some((op, &after)))?;
        let is_undone = check_exactly(&*self.db, &before, "").is_ok();
        if is_undone && !matches!(self.trouble, Trouble::Random { .. }) && self.world.allows(op) {
            return self.repeat(op, number);
        }
        Ok(())
    }

    fn repeat(&mut self, op: &Op, number: usize) -> Result<(), String> {
        let (after, outcome) = perform(op, number, &self.world, &self.machine, &mut self.db);
        self.world = after;
        outcome.map_err(|error| format!("done again: {error}"))
    }

    /// Checks that all acknowledged writes are readable while the database is open.
    fn check_reads(&self, before: &World, op: &Op, after: &World) -> Result<(), String> {
        let found = match self.read_state(false) {
            Ok(found) => found,
            Err(error) if matches!(self.trouble, Trouble::Random { kind: CallKind::Read, .. }) => {
                return check_kind(&error, self.trouble)
            }
            Err(error) => return Err(format!("cannot be read after the failure: {error}")),
        };
        let (before, after) = (before.as_durable(), after.as_durable());
        let expected =
            Expected { before: &before, under_way: Some((op, &after)), reach: Reach::Machine, may_have_closed: false };
        judge(&found, &expected).map_err(|reason| format!("read after the failure: {reason}"))
    }

    /// Reads the state. A call that fails once may be one of these reads.
    fn read_state(&self, enables: bool) -> rowstone_model::Result<Found> {
        let state = |table: &u8| self.db.admin().table_state(&table_name(*table));
        let disabled = (0..2).filter(|table| state(table).is_ok_and(|state| state == TableState::Disabled));
        let disabled: Vec<u8> = disabled.collect();
        match (read(&*self.db, enables), self.trouble) {
            (Err(_), Trouble::Once { .. }) => {
                let mut found = read(&*self.db, enables)?;
                // The first read may have enabled some tables.
                found.tables.iter_mut().for_each(|(number, table)| table.is_enabled &= !disabled.contains(number));
                Ok(found)
            }
            (outcome, _) => outcome,
        }
    }

    /// Checks a power loss directly after the failure.
    fn check_power_loss(&self, before: &World, op: &Op, after: &World, seed: u64) -> Result<(), String> {
        for crash in [Crash::Synced, Crash::Subset(seed + self.machine.files.calls(CallKind::Change))] {
            let machine = Machine::on(self.machine.files.crash(crash), 1);
            let db =
                machine.open().map_err(|error| format!("{crash:?} after the failure: cannot be opened: {error}"))?;
            let found = read(&*db, true).map_err(|error| format!("{crash:?} after the failure: {error}"))?;
            let expected =
                Expected { before, under_way: Some((op, after)), reach: Reach::Machine, may_have_closed: false };
            judge(&found, &expected).map_err(|reason| format!("{crash:?} after the failure: {reason}"))?;
        }
        Ok(())
    }

    fn close_and_open(&mut self, before: &World, under_way: Option<(&Op, &World)>) -> Result<(), String> {
        if let Trouble::Full { until_closed, .. } = self.trouble {
            let put = Op::Put { table: 0, row: 0, wal: Durability::FsyncWal };
            if before.allows(&put) && put.run(0, 0, &self.machine, &mut self.db).is_ok() {
                return Err("a full disk took a write that was to be synced".into());
            }
            if !until_closed {
                self.machine.files.heal();
            }
        }
        let failures = self.machine.files.failures();
        let _ = self.db.close();
        let has_failed = self.machine.files.failures() > failures;
        self.open_again(before, under_way, has_failed)
    }

    /// Opens the database and continues from its state. If closing failed, acknowledged writes may only be in the
    /// kernel.
    fn open_again(&mut self, before: &World, under_way: Option<(&Op, &World)>, has_failed: bool) -> Result<(), String> {
        self.db = open(&self.machine, self.trouble)?;
        if !matches!(self.trouble, Trouble::Once { .. }) {
            self.machine.files.heal();
        }
        let found = self.read_state(true).map_err(|error| format!("reopened: {error}"))?;
        let (safe_before, safe_after) = (before.as_durable(), under_way.map(|(_, after)| after.as_durable()));
        let settled = under_way.map(|under_way| under_way.0).zip(safe_after.as_ref());
        let expected = if has_failed {
            Expected { before, under_way, reach: Reach::Process, may_have_closed: true }
        } else {
            Expected { before: &safe_before, under_way: settled, reach: Reach::Machine, may_have_closed: false }
        };
        judge(&found, &expected).map_err(|reason| format!("reopened (closing failed: {has_failed}): {reason}"))?;
        self.world = World::of(&found, before);
        self.world.tables.values_mut().for_each(|table| table.is_enabled = true);
        arm(&self.machine, self.trouble);
        Ok(())
    }

    /// Closes the database in the end. All data exists then, even after a power loss.
    fn end(mut self) -> Result<u64, String> {
        let before = self.world.clone();
        let failures = self.machine.files.failures();
        let closed = self.db.close();
        let has_failed = self.machine.files.failures() > failures;
        // It may report a log that could not be archived earlier.
        if closed.is_err() && self.machine.files.failures() == 0 {
            return Err(format!("cannot be closed: {closed:?}"));
        }
        self.open_again(&before, None, has_failed).map_err(|reason| format!("in the end: {reason}"))?;
        let failures = self.machine.files.failures();
        self.machine.files.heal();
        self.db.close().map_err(|error| format!("closed in the end: {error}"))?;
        let machine = Machine::on(self.machine.files.crash(Crash::Synced), 1);
        let db = machine.open().map_err(|error| format!("after a power loss in the end: {error}"))?;
        check_exactly(&*db, &self.world, "after a power loss in the end")?;
        Ok(failures)
    }
}
