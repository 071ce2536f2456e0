//! A table and another that its observer keeps consistent with it never differ: a power loss occurs at every call
//! that changes something, and every call fails once. Acknowledged writes exist, and the other table agrees.
//!
//! `ROWSTONE_FAULTS=all` tries every point; otherwise a sample.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use rowstone_engine::sys::{FileSystem, ManualClock, SeededEntropy, System};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellBuffer, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::observe::{Before, Companion, Hooks, TableObserver};
use rowstone_model::operations::{CellBatch, Durability, Get, Mutation, MutationKind, RowMutations, Scan};
use rowstone_model::schema::{FamilyDescriptor, RegionInfo, TableDescriptor, TableName};
use rowstone_model::{ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

fn name(text: &str) -> TableName {
    TableName::parse(text).unwrap()
}

fn put(row: &str, value: &str) -> Mutation {
    let mut mutation = Mutation::new(MutationKind::Put, row);
    mutation.cells.push(CellParts {
        row: row.as_bytes(),
        family: b"f",
        qualifier: b"q",
        timestamp: LATEST_TIMESTAMP,
        cell_type: CellType::Put,
        value: value.as_bytes(),
        tags: &[],
    });
    mutation
}

fn delete(row: &str) -> Mutation {
    Mutation::new(MutationKind::Delete, row)
}

/// Maintains a row `value|row` in table `i` for each row of table `t`.
#[derive(Default)]
struct Mirror(OnceLock<Arc<dyn TableBackend>>);

impl TableObserver for Mirror {
    fn hooks(&self) -> Hooks {
        Hooks::BATCH
    }
    fn pre_batch(&self, rows: &[&[u8]], cells: &CellBuffer) -> Result<Vec<Companion>> {
        let mut changes = Vec::new();
        for row in rows {
            let found = self.0.get().unwrap().get(&Get::of(row))?;
            let key = |value: &[u8]| format!("{}|{}", String::from_utf8_lossy(value), String::from_utf8_lossy(row));
            let old = found.cells.iter().next().map(|cell| key(cell.value()));
            let is_touch = cells.is_empty();
            let own = cells.iter().rfind_row(row);
            let new = if is_touch { old.clone() } else { own.map(|value| key(&value)) };
            if old != new {
                changes.extend(old.map(|old| (name("i"), delete(&old))));
            }
            changes.extend(new.map(|new| (name("i"), put(&new, ""))));
        }
        Ok(changes)
    }
    fn post_batch(&self, _: &CellBuffer) -> Result<()> {
        Ok(())
    }
    fn pre_get(&self, get: Get) -> Result<Before<Get, CellBatch>> {
        Ok(Before::Go(get))
    }
    fn post_get(&self, _: &Get, found: CellBatch) -> Result<CellBatch> {
        Ok(found)
    }
    fn pre_scan(&self, scan: Scan) -> Result<Scan> {
        Ok(scan)
    }
    fn post_scan(&self, _: &Scan) -> Result<()> {
        Ok(())
    }
    fn pre_mutate(&self, mutation: Mutation) -> Result<Before<Mutation, CellBatch>> {
        Ok(Before::Go(mutation))
    }
    fn post_mutate(&self, _: &Mutation, _: &CellBatch) -> Result<()> {
        Ok(())
    }
    fn pre_check(&self, mutations: RowMutations) -> Result<Before<RowMutations, bool>> {
        Ok(Before::Go(mutations))
    }
    fn post_check(&self, _: &RowMutations, _: bool) -> Result<()> {
        Ok(())
    }
    fn pre_flush(&self, _: &RegionInfo) -> Result<()> {
        Ok(())
    }
    fn post_flush(&self, _: &RegionInfo) -> Result<()> {
        Ok(())
    }
    fn pre_compact(&self, _: &RegionInfo, _: Option<&[u8]>, _: bool) -> Result<()> {
        Ok(())
    }
    fn post_compact(&self, _: &RegionInfo, _: Option<&[u8]>, _: bool) -> Result<()> {
        Ok(())
    }
}

trait LastOfRow {
    /// The value after the last cell of `row`, unless that is a marker.
    fn rfind_row(self, row: &[u8]) -> Option<Vec<u8>>;
}

impl<'a, I: Iterator<Item = rowstone_model::cell::Cell<'a>>> LastOfRow for I {
    fn rfind_row(self, row: &[u8]) -> Option<Vec<u8>> {
        let last = self.filter(|cell| cell.row() == row).last()?;
        (last.cell_type() == CellType::Put).then(|| last.value().to_vec())
    }
}

struct Machine {
    files: FaultyFileSystem,
    clock: Arc<ManualClock>,
    durability: Durability,
}

impl Machine {
    fn on(files: FaultyFileSystem, start: i64, durability: Durability) -> Self {
        files.create_dir_all(Path::new("/")).unwrap();
        Machine { files, clock: Arc::new(ManualClock::new(1_000_000 + start)), durability }
    }

    fn open(&self) -> Result<Arc<dyn Backend>> {
        self.clock.advance(10);
        let settings = [
            ("rowstone.compaction.background", "false"),
            ("rowstone.wal.sync.interval.ms", "60000"),
            ("hbase.regionserver.logroll.size", "4096"),
            ("hbase.master.logcleaner.ttl", "50"),
        ];
        let db = open(OpenOptions {
            directory: Some(PathBuf::from("/db")),
            create: true,
            durability: self.durability,
            configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
            system: Some(System {
                files: Arc::new(self.files.clone()),
                clock: self.clock.clone(),
                entropy: Arc::new(SeededEntropy::new(self.clock.now() as u64)),
            }),
            ..OpenOptions::default()
        })?;
        observe(&*db)?;
        Ok(db)
    }
}

trait Now {
    fn now(&self) -> i64;
}

impl Now for Arc<ManualClock> {
    fn now(&self) -> i64 {
        rowstone_engine::sys::Clock::now_ms(&**self)
    }
}

/// Attaches the mirror to table `t`, if it exists.
fn observe(db: &dyn Backend) -> Result<()> {
    let mirror = Mirror::default();
    match db.table(&name("t")) {
        Ok(table) => drop(mirror.0.set(table)),
        Err(error) if error.kind() == ErrorKind::TableNotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    db.observe_table(&name("t"), Some(Arc::new(mirror)))
}

#[derive(Debug, Clone)]
enum Step {
    Create,
    Put(&'static str, &'static str),
    Delete(&'static str),
    Batch(&'static [&'static str], &'static str),
    /// Writes to `t` and to table `a`, which has no observer.
    Together(&'static str, &'static str),
    /// Skips the log if that is permitted.
    Skip(&'static str, &'static str),
    Flush(&'static str),
    Split(&'static str),
    Merge,
}

type State = BTreeMap<String, String>;

impl Step {
    fn apply(&self, state: &State) -> State {
        let mut state = state.clone();
        match self {
            Step::Put(row, value) | Step::Together(row, value) | Step::Skip(row, value) => {
                state.insert(row.to_string(), value.to_string());
            }
            Step::Batch(rows, value) => state.extend(rows.iter().map(|row| (row.to_string(), value.to_string()))),
            Step::Delete(row) => drop(state.remove(*row)),
            _ => {}
        }
        state
    }

    fn run(&self, db: &dyn Backend) -> Result<()> {
        let table = || db.table(&name("t"));
        match self {
            Step::Create => {
                for table in ["t", "i", "a"] {
                    let descriptor = TableDescriptor::new(name(table)).with_family(FamilyDescriptor::new("f"));
                    match db.admin().create_table(descriptor, Vec::new()) {
                        Err(error) if error.kind() == ErrorKind::TableExists => {}
                        outcome => outcome?,
                    }
                }
                observe(db)
            }
            Step::Put(row, value) => table()?.mutate(put(row, value)).map(drop),
            Step::Skip(row, value) => {
                let durability = Durability::SkipWal;
                table()?.mutate(Mutation { durability, ..put(row, value) }).map(drop)
            }
            Step::Delete(row) => table()?.mutate(delete(row)).map(drop),
            Step::Batch(rows, value) => {
                let results = table()?.mutate_many(rows.iter().map(|row| put(row, value)).collect());
                results.into_iter().collect()
            }
            Step::Together(row, value) => {
                db.mutate_together(vec![(name("t"), put(row, value)), (name("a"), put(row, value))])
            }
            Step::Flush(table) => db.admin().flush(Some(&name(table))),
            Step::Split(row) => {
                let regions = db.admin().regions(&name("t"))?;
                let region = regions.iter().find(|region| region.contains(row.as_bytes())).unwrap();
                if region.start_key == row.as_bytes() {
                    Ok(())
                } else {
                    db.admin().split_region(&region.region_name(), Some(row.as_bytes()))
                }
            }
            Step::Merge => {
                db.admin().compact(&name("t"), None, true)?;
                let regions = db.admin().regions(&name("t"))?;
                let names: Vec<_> = regions.iter().map(RegionInfo::region_name).collect();
                if names.len() > 1 {
                    db.admin().merge_regions(&names, false)
                } else {
                    Ok(())
                }
            }
        }
    }
}

fn script() -> Vec<Step> {
    use Step::*;
    vec![
        Create,
        Put("r1", "one"),
        Put("r2", "two"),
        Flush("t"),
        Put("r1", "two"),
        Batch(&["r3", "r4", "r5"], "three"),
        Flush("i"),
        Together("r6", "six"),
        Delete("r2"),
        Flush("t"),
        Put("r3", "four"),
        Skip("r4", "skipped"),
        Flush("a"),
        Split("r4"),
        Put("r5", "five"),
        Batch(&["r1", "r2", "r5", "r7"], "seven"),
        Flush("i"),
        Together("r1", "eight"),
        Merge,
        Put("r1", "nine"),
        Delete("r7"),
        Flush("t"),
        Put("r8", "ten"),
    ]
}

fn rows(db: &dyn Backend, table: &str) -> Vec<(String, String)> {
    let mut scanner = match db.table(&name(table)) {
        Ok(table) => table.scan(Scan::default()).unwrap(),
        Err(_) => return Vec::new(),
    };
    let mut rows = Vec::new();
    while let Some(batch) = scanner.next_batch(100, 1 << 20).unwrap() {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        rows.extend(batch.cells.iter().map(|cell| (text(cell.row()), text(cell.value()))));
    }
    rows
}

/// The rows of `t`, with which `i` must agree, and those of `a` that were written together with them.
fn read_state(db: &dyn Backend, what: &str) -> State {
    let state: State = rows(db, "t").into_iter().collect();
    let wanted: BTreeSet<String> = state.iter().map(|(row, value)| format!("{value}|{row}")).collect();
    let found: BTreeSet<String> = rows(db, "i").into_iter().map(|(row, _)| row).collect();
    assert_eq!(found, wanted, "{what}: the tables are apart");
    let together: BTreeMap<_, _> = rows(db, "a").into_iter().collect();
    if together.contains_key("r6") != state.contains_key("r6") {
        panic!("{what}: one half of a change is there: {together:?}, {state:?}");
    }
    state
}

fn is_full() -> bool {
    std::env::var("ROWSTONE_FAULTS").is_ok_and(|value| value == "all")
}

/// Runs the script until a step fails. Returns the acknowledged states, and whether all steps were acknowledged.
fn run(machine: &Machine, goes_on: bool) -> (Vec<State>, usize, bool) {
    let mut states = vec![State::default()];
    let mut acknowledged = 0;
    let Ok(mut db) = machine.open() else { return (states, 0, false) };
    for (index, step) in script().iter().enumerate() {
        if index % 9 == 8 && !goes_on {
            let _ = db.close();
            drop(db);
            let Ok(again) = machine.open() else { return (states, acknowledged, false) };
            db = again;
        }
        machine.clock.advance(7);
        states.push(step.apply(&states[index]));
        match step.run(&*db) {
            Ok(()) if acknowledged == index => acknowledged += 1,
            Ok(()) => {}
            // Without its tables and their observer, there is nothing to test.
            Err(_) if goes_on && index == 0 => match step.run(&*db) {
                Ok(()) => {}
                Err(_) => return (states, 0, false),
            },
            Err(_) if goes_on => {}
            Err(_) => return (states, acknowledged, false),
        }
    }
    (states, acknowledged, db.close().is_ok())
}

#[test]
fn a_crash_at_any_change_leaves_both_tables_alike() {
    let (mut disks, stride) = (0, if is_full() { 1 } else { 5 });
    for durability in [Durability::FsyncWal, Durability::SyncWal, Durability::AsyncWal] {
        let mut point = 1;
        loop {
            let machine = Machine::on(FaultyFileSystem::new(), 0, durability);
            machine.files.fail(CallKind::Change, machine.files.calls(CallKind::Change) + point, Fault::Halt);
            let (states, acknowledged, is_complete) = run(&machine, false);
            let subsets = if is_full() { 6 } else { 2 };
            let kinds = [Crash::Synced, Crash::Everything].into_iter();
            for crash in kinds.chain((0..subsets).map(|seed| Crash::Subset(point * 100 + seed))) {
                let what = format!("{durability:?}, crash at change {point}, {crash:?}");
                let after = Machine::on(machine.files.crash(crash), 500_000, durability);
                let db = after.open().unwrap_or_else(|error| panic!("{what}: cannot be opened: {error}"));
                let found = read_state(&*db, &what);
                let is_batch = matches!(script().get(acknowledged), Some(Step::Batch(..)));
                if durability == Durability::FsyncWal && !is_batch {
                    let next = states.get(acknowledged + 1).unwrap_or(&states[acknowledged]);
                    assert!(found == states[acknowledged] || found == *next, "{what}: {acknowledged}: {found:?}");
                }
                Step::Create.run(&*db).unwrap();
                Step::Put("r1", "after").run(&*db).unwrap();
                read_state(&*db, &what);
                disks += 1;
            }
            if is_complete {
                break;
            }
            point += stride;
        }
    }
    println!("{disks} crashed disks");
    assert!(disks > 100);
}

/// A call fails, the program continues, and then the power is lost. Files of regions that were written together
/// must not separate them if the log cannot reunite them.
#[test]
fn a_failed_call_and_a_crash_leave_both_tables_alike() {
    let (mut disks, stride) = (0, if is_full() { 1 } else { 4 });
    for (durability, fault) in
        [(Durability::SyncWal, Fault::Io), (Durability::AsyncWal, Fault::ShortWrite), (Durability::FsyncWal, Fault::Io)]
    {
        let mut point = 1;
        loop {
            let machine = Machine::on(FaultyFileSystem::new(), 0, durability);
            let before = machine.files.calls(CallKind::Change);
            machine.files.fail(CallKind::Change, before + point, fault);
            run(&machine, true);
            let was_struck = machine.files.calls(CallKind::Change) >= before + point;
            for crash in
                [Crash::Killed, Crash::Synced, Crash::Everything, Crash::Subset(point), Crash::Subset(point + 1)]
            {
                let what = format!("{durability:?}, {fault:?} at change {point}, then {crash:?}");
                let after = Machine::on(machine.files.crash(crash), 500_000, durability);
                let db = after.open().unwrap_or_else(|error| panic!("{what}: cannot be opened: {error}"));
                read_state(&*db, &what);
                disks += 1;
            }
            if !was_struck {
                break;
            }
            point += stride;
        }
    }
    println!("{disks} crashed disks");
    assert!(disks > 100);
}

#[test]
fn a_refused_mutate_together_changes_nothing() {
    let machine = Machine::on(FaultyFileSystem::new(), 0, Durability::SyncWal);
    let db = machine.open().unwrap();
    Step::Create.run(&*db).unwrap();
    let refused = |changes: Vec<(TableName, Mutation)>, kind: ErrorKind| {
        assert_eq!(db.mutate_together(changes).unwrap_err().kind(), kind);
        assert!(read_state(&*db, "after a refusal").is_empty());
    };
    refused(vec![(name("t"), put("r1", "v")), (name("missing"), put("r1", "v"))], ErrorKind::TableNotFound);
    let mut wrong = put("r1", "v");
    wrong.cells = CellBuffer::new();
    refused(vec![(name("t"), put("r1", "v")), (name("a"), wrong)], ErrorKind::InvalidArgument);
    let increment = Mutation::new(MutationKind::Increment, "r1");
    refused(vec![(name("a"), put("r1", "v")), (name("t"), increment)], ErrorKind::InvalidArgument);
    // The mirror's own table.
    refused(vec![(name("i"), put("x", "v")), (name("t"), put("r1", "v"))], ErrorKind::InvalidArgument);
    db.mutate_together(vec![(name("a"), put("r6", "v")), (name("t"), put("r6", "v"))]).unwrap();
    assert_eq!(read_state(&*db, "together").len(), 1);
    // The row is touched, and its entry written again.
    db.table(&name("i")).unwrap().mutate(delete("v|r6")).unwrap();
    machine.clock.advance(5);
    db.table(&name("t")).unwrap().touch(b"r6").unwrap();
    assert_eq!(read_state(&*db, "touched").len(), 1);
}

#[test]
fn a_table_that_wants_to_be_observed_takes_no_writes_unseen() {
    let machine = Machine::on(FaultyFileSystem::new(), 0, Durability::SyncWal);
    let db = machine.open().unwrap();
    let mut descriptor = TableDescriptor::new(name("t")).with_family(FamilyDescriptor::new("f"));
    descriptor.attributes.insert("OBSERVED".into(), "true".into());
    db.admin().create_table(descriptor, Vec::new()).unwrap();
    let kind = |outcome: Result<()>| outcome.unwrap_err().kind();
    let table = db.table(&name("t")).unwrap();
    assert_eq!(kind(table.mutate(put("r1", "v")).map(drop)), ErrorKind::Unsupported);
    assert_eq!(kind(table.mutate_many(vec![put("r1", "v")]).remove(0)), ErrorKind::Unsupported);
    assert_eq!(kind(db.mutate_together(vec![(name("t"), put("r1", "v"))])), ErrorKind::Unsupported);
    assert_eq!(kind(db.admin().bulk_load(&name("t"), Vec::new()).map(drop)), ErrorKind::Unsupported);
    assert!(rows(&*db, "t").is_empty());
    let other = TableDescriptor::new(name("i")).with_family(FamilyDescriptor::new("f"));
    db.admin().create_table(other, Vec::new()).unwrap();
    observe(&*db).unwrap();
    table.mutate(put("r1", "v")).unwrap();
    assert_eq!(rows(&*db, "i").len(), 1);
    db.observe_table(&name("t"), None).unwrap();
    assert_eq!(kind(table.mutate(put("r1", "v")).map(drop)), ErrorKind::Unsupported);
}

/// An observer's later changes depend on what it sees: those cells must exist wherever the changes do.
#[test]
fn all_writes_of_an_observed_table_are_logged() {
    let machine = Machine::on(FaultyFileSystem::new(), 0, Durability::SyncWal);
    let db = machine.open().unwrap();
    Step::Create.run(&*db).unwrap();
    // It has nothing in the other table.
    let unlogged = Mutation { durability: Durability::SkipWal, ..delete("r9") };
    db.table(&name("t")).unwrap().mutate(unlogged).unwrap();
    let logged = Mutation { durability: Durability::FsyncWal, ..put("r1", "one") };
    db.table(&name("t")).unwrap().mutate(logged).unwrap();
    let after = Machine::on(machine.files.crash(Crash::Synced), 500_000, Durability::SyncWal);
    let db = after.open().unwrap();
    let mut raw = Scan::default();
    raw.options.raw = true;
    let mut scanner = db.table(&name("t")).unwrap().scan(raw).unwrap();
    let batch = scanner.next_batch(100, 1 << 20).unwrap().unwrap();
    let found: Vec<_> = batch.cells.iter().map(|cell| (cell.row().to_vec(), cell.cell_type())).collect();
    assert_eq!(found, [(b"r1".to_vec(), CellType::Put), (b"r9".to_vec(), CellType::DeleteFamily)]);
}
