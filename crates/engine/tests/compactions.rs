//! Several compactions of a store at once: they merge different files, a requested one waits for those that run, and a
//! long one stops neither the others nor the writers.

use crate::compactions_support;
use compactions_support::{Gate, Gated, HELD};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::{FileSystem, MemoryFileSystem, System, SystemClock, SystemEntropy};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, sleep, JoinHandle};
use std::time::{Duration, Instant};

/// Far more than a compaction of a few rows takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn name() -> TableName {
    TableName::parse("t").unwrap()
}

/// A database whose stores request a compaction of every three files, and a gate for the thread that [`hold`] starts.
fn database(configuration: &[(&str, &str)]) -> (Arc<dyn Backend>, Arc<Gate>) {
    database_with(HELD, configuration)
}

fn database_with(held: &'static str, configuration: &[(&str, &str)]) -> (Arc<dyn Backend>, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let files = Gated { files: MemoryFileSystem::new(), held, gate: Arc::clone(&gate) };
    files.create_dir_all(Path::new("/")).unwrap();
    let system = System { files: Arc::new(files), clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy) };
    let common = [("rowstone.compaction.quiet.seconds", "0"), ("hbase.hstore.blockingStoreFiles", "3")];
    let settings = common.iter().chain(configuration);
    let db = open(OpenOptions {
        directory: Some(PathBuf::from("/db")),
        create: true,
        configuration: settings.map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        system: Some(system),
        ..OpenOptions::default()
    })
    .unwrap();
    db.admin().create_table(TableDescriptor::new(name()).with_family(FamilyDescriptor::new("f")), Vec::new()).unwrap();
    (db, gate)
}

/// Begins a major compaction of all present files, and returns when it has begun its new file.
fn hold(db: &Arc<dyn Backend>, gate: &Gate) -> JoinHandle<()> {
    let db = Arc::clone(db);
    let major = move || db.admin().compact(&name(), None, true).unwrap();
    let thread = thread::Builder::new().name(HELD.to_string()).spawn(major).unwrap();
    gate.wait_for_arrival();
    thread
}

fn write(db: &dyn Backend, row: &str, cell_type: CellType, value: &[u8]) {
    let kind = if cell_type == CellType::Put { MutationKind::Put } else { MutationKind::Delete };
    let mut mutation = Mutation::new(kind, row);
    let timestamp = if cell_type == CellType::Put { 10 } else { LATEST_TIMESTAMP };
    let (row, family, qualifier) = (row.as_bytes(), &b"f"[..], &b"q"[..]);
    mutation.cells.push(CellParts { row, family, qualifier, timestamp, cell_type, value, tags: &[] });
    db.table(&name()).unwrap().mutate(mutation).unwrap();
}

fn put_and_flush(db: &dyn Backend, row: &str) {
    write(db, row, CellType::Put, b"value");
    db.admin().flush(None).unwrap();
}

fn file_count(db: &dyn Backend) -> usize {
    db.admin().store_files(&name()).unwrap().len()
}

fn wait_for_files(db: &dyn Backend, count: usize) {
    let began = Instant::now();
    while file_count(db) != count {
        assert!(began.elapsed() < PATIENCE, "{} files instead of {count}", file_count(db));
        sleep(Duration::from_millis(5));
    }
}

/// Rows and cell types of a scan; a raw one also shows delete markers.
fn cells(db: &dyn Backend, raw: bool) -> Vec<(String, CellType)> {
    let mut scan = Scan::default();
    scan.options.raw = raw;
    let table = db.table(&name()).unwrap();
    let mut scanner = table.scan(scan).unwrap();
    let mut cells = Vec::new();
    while let Some(batch) = scanner.next_batch(100, 1 << 20).unwrap() {
        let of = |row: &[u8]| String::from_utf8(row.to_vec()).unwrap();
        cells.extend(batch.cells.iter().map(|cell| (of(cell.row()), cell.cell_type())));
    }
    cells
}

fn puts(rows: &[&str]) -> Vec<(String, CellType)> {
    rows.iter().map(|row| (row.to_string(), CellType::Put)).collect()
}

#[test]
fn newer_files_are_merged_while_a_compaction_of_older_ones_runs() {
    let (db, gate) = database(&[]);
    ["a", "b"].iter().for_each(|row| put_and_flush(&*db, row));
    let held = hold(&db, &gate);
    write(&*db, "a", CellType::DeleteColumn, b"");
    ["c", "d", "e"].iter().for_each(|row| put_and_flush(&*db, row));
    wait_for_files(&*db, 3);
    // The marker hides a cell of a file that this merge did not read.
    assert!(cells(&*db, true).contains(&("a".to_string(), CellType::DeleteColumn)));
    assert_eq!(cells(&*db, false), puts(&["b", "c", "d", "e"]));
    gate.open();
    held.join().unwrap();
    assert_eq!((file_count(&*db), cells(&*db, false)), (2, puts(&["b", "c", "d", "e"])));
    db.admin().compact(&name(), None, true).unwrap();
    assert_eq!((file_count(&*db), cells(&*db, true)), (1, puts(&["b", "c", "d", "e"])));
}

#[test]
fn a_requested_compaction_waits_for_the_running_one_and_merges_all_files() {
    let (db, gate) = database(&[("rowstone.compaction.background", "false")]);
    ["a", "b"].iter().for_each(|row| put_and_flush(&*db, row));
    let held = hold(&db, &gate);
    put_and_flush(&*db, "c");
    let second = Arc::clone(&db);
    let second = thread::spawn(move || second.admin().compact(&name(), None, true).unwrap());
    gate.open();
    held.join().unwrap();
    second.join().unwrap();
    assert_eq!((file_count(&*db), cells(&*db, false)), (1, puts(&["a", "b", "c"])));
}

#[test]
fn a_requested_compaction_keeps_nothing_for_scans_that_ended_while_it_waited() {
    let (db, gate) = database(&[("rowstone.compaction.background", "false")]);
    ["a", "b"].iter().for_each(|row| put_and_flush(&*db, row));
    let held = hold(&db, &gate);
    let table = db.table(&name()).unwrap();
    let mut scanner = table.scan(Scan::default()).unwrap();
    scanner.next_batch(1, 1 << 20).unwrap();
    write(&*db, "a", CellType::DeleteColumn, b"");
    db.admin().flush(None).unwrap();
    let second = Arc::clone(&db);
    let second = thread::spawn(move || second.admin().compact(&name(), None, true).unwrap());
    // Time to begin to wait. A thread that needs longer only fails to show the fault that this test is for.
    sleep(Duration::from_millis(200));
    drop(scanner);
    gate.open();
    held.join().unwrap();
    second.join().unwrap();
    assert_eq!(cells(&*db, true), puts(&["b"]), "the marker and the put that it hides");
}

#[test]
fn a_compaction_above_the_throttle_runs_on_the_thread_of_large_ones() {
    let (db, _) = database(&[("hbase.regionserver.thread.compaction.throttle", "0")]);
    ["a", "b", "c"].iter().for_each(|row| put_and_flush(&*db, row));
    wait_for_files(&*db, 1);
    assert_eq!(cells(&*db, false), puts(&["a", "b", "c"]));
}

#[test]
fn newer_files_are_merged_while_a_large_compaction_waits_for_its_thread() {
    let (db, gate) = database_with("rowstone-large", &[("hbase.regionserver.thread.compaction.throttle", "100000")]);
    let other = TableName::parse("other").unwrap();
    db.admin()
        .create_table(TableDescriptor::new(other.clone()).with_family(FamilyDescriptor::new("f")), Vec::new())
        .unwrap();
    let fill = |table: &TableName, row: &str, bytes: usize| {
        let mut mutation = Mutation::new(MutationKind::Put, row);
        let (row, value) = (row.as_bytes(), &vec![7; bytes][..]);
        let (family, qualifier, cell_type) = (&b"f"[..], &b"q"[..], CellType::Put);
        mutation.cells.push(CellParts { row, family, qualifier, timestamp: 10, cell_type, value, tags: &[] });
        db.table(table).unwrap().mutate(mutation).unwrap();
        db.admin().flush(Some(table)).unwrap();
    };
    // The thread of large compactions is held by one of another table.
    ["a", "b", "c"].iter().for_each(|row| fill(&other, row, 60_000));
    gate.wait_for_arrival();
    ["a", "b", "c"].iter().for_each(|row| fill(&name(), row, 60_000));
    ["d", "e", "f", "g", "h"].iter().for_each(|row| fill(&name(), row, 10));
    let began = Instant::now();
    while file_count(&*db) > 6 {
        assert!(began.elapsed() < PATIENCE, "{} files", file_count(&*db));
        sleep(Duration::from_millis(5));
    }
    gate.open();
    db.admin().compact(&name(), None, true).unwrap();
    assert_eq!(cells(&*db, false), puts(&["a", "b", "c", "d", "e", "f", "g", "h"]));
}

#[test]
fn writers_continue_while_a_long_compaction_runs() {
    let settings = [("hbase.hregion.memstore.flush.size", "65536"), ("hbase.hstore.blockingWaitTime", "30000")];
    let (db, gate) = database(&settings);
    ["a", "b"].iter().for_each(|row| put_and_flush(&*db, row));
    let held = hold(&db, &gate);
    // Many flushes: a writer that waited for the held compaction would fail with `RegionTooBusy`.
    (0..400).for_each(|row| write(&*db, &format!("row{row:03}"), CellType::Put, &[7; 8192]));
    gate.open();
    held.join().unwrap();
    assert_eq!(cells(&*db, false).len(), 402);
}

#[test]
fn writers_slow_down_before_they_have_to_stop() {
    let (db, gate) = database_with("rowstone-flush", &[("hbase.hregion.memstore.flush.size", "1048576")]);
    let count = |name: &str| db.admin().statistics(None).unwrap()[name];
    // While the flush is held, there is room for four times the flush size.
    let fill = |rows: std::ops::Range<u32>| {
        rows.for_each(|row| write(&*db, &format!("row{row:03}"), CellType::Put, &[7; 131_072]));
    };
    fill(0..23);
    assert_eq!((count("delayed_writes"), count("blocked_writes")), (0, 0), "less than three quarters");
    fill(23..31);
    assert_eq!((count("delayed_writes") > 0, count("blocked_writes")), (true, 0));
    gate.open();
    assert_eq!(cells(&*db, false).len(), 31);
}
