//! More data than fits: writers wait and get errors, memory does not grow, and with room again
//! everything works.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use rowstone_engine::sys::{FileSystem, SeededEntropy, System, SystemClock};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Get, Mutation, MutationKind};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName, TableState};
use rowstone_model::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MEMORY_BYTES: u64 = 256 << 10;
const VALUE_BYTES: usize = 10_000;

/// Number of databases opened.
static OPENED: AtomicU64 = AtomicU64::new(7);

fn database(files: &FaultyFileSystem) -> Arc<dyn Backend> {
    let settings = [
        ("hbase.regionserver.logroll.size", "65536"),
        ("hbase.hstore.blockingWaitTime", "200"),
        ("rowstone.compaction.background", "false"),
    ];
    open(OpenOptions {
        directory: Some(PathBuf::from("/db")),
        create: true,
        memstore_bytes: Some(MEMORY_BYTES),
        configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        system: Some(System {
            files: Arc::new(files.clone()),
            clock: Arc::new(SystemClock),
            // The same seed again would give new files the names of present ones.
            entropy: Arc::new(SeededEntropy::new(OPENED.fetch_add(1, Ordering::Relaxed))),
        }),
        ..OpenOptions::default()
    })
    .unwrap()
}

fn name() -> TableName {
    TableName::parse("t").unwrap()
}

fn start() -> (FaultyFileSystem, Arc<dyn Backend>) {
    let files = FaultyFileSystem::new();
    files.create_dir_all(Path::new("/")).unwrap();
    let db = database(&files);
    let table = TableDescriptor::new(name()).with_family(FamilyDescriptor::new("a"));
    db.admin().create_table(table, Vec::new()).unwrap();
    (files, db)
}

fn mutation(row: u32, durability: Durability) -> Mutation {
    let mut mutation = Mutation { durability, ..Mutation::new(MutationKind::Put, row.to_be_bytes()) };
    let (timestamp, cell_type, value) = (LATEST_TIMESTAMP, CellType::Put, &[7; VALUE_BYTES]);
    let row = row.to_be_bytes();
    mutation.cells.push(CellParts { row: &row, family: b"a", qualifier: b"q", timestamp, cell_type, value, tags: &[] });
    mutation
}

fn put(db: &dyn Backend, row: u32, durability: Durability) -> Result<()> {
    db.table(&name())?.mutate(mutation(row, durability)).map(|_| ())
}

fn count(db: &dyn Backend, rows: u32) -> usize {
    let is_there = |row: &u32| {
        let get = Get::of(row.to_be_bytes());
        !db.table(&name()).unwrap().get(&get).unwrap().cells.is_empty()
    };
    (0..rows).filter(is_there).count()
}

#[test]
fn memory_that_cannot_be_flushed_to_a_full_disk_refuses_writers_with_the_reason_and_does_not_grow() {
    let (files, db) = start();
    put(&*db, 1_000_000, Durability::FsyncWal).unwrap();
    files.fail_from(CallKind::Change, 0, Fault::DiskFull);
    let mut rows = 0;
    let error = loop {
        match put(&*db, rows, Durability::SkipWal) {
            Ok(()) => rows += 1,
            Err(error) => break error,
        }
        assert!(rows < 100, "the store takes what it has no room for");
    };
    assert_eq!(error.kind(), ErrorKind::DiskFull);
    assert!(error.to_string().contains("No space left") && error.to_string().contains("flush"), "{error}");
    let bytes = db.admin().statistics(None).unwrap()["memstore_bytes"];
    assert!(bytes < MEMORY_BYTES as i64 + 2 * VALUE_BYTES as i64, "{bytes}");
    assert_eq!(count(&*db, rows), rows as usize);
    // With room again it continues by itself.
    files.heal();
    let began = Instant::now();
    while put(&*db, rows, Durability::SkipWal).is_err() {
        assert!(began.elapsed() < Duration::from_secs(60), "writers are refused although there is room");
        std::thread::sleep(Duration::from_millis(20));
    }
    let more = (rows..rows + 100).map(|row| put(&*db, row, Durability::SkipWal));
    assert_eq!(more.filter(Result::is_err).count(), 0);
    db.close().unwrap();
    assert_eq!(count(&*database(&files.crash(Crash::Synced)), rows + 100), rows as usize + 100);
}

#[test]
fn regions_are_flushed_until_memory_is_half_full_and_not_only_the_largest() {
    let files = FaultyFileSystem::new();
    files.create_dir_all(Path::new("/")).unwrap();
    let db = database(&files);
    let table = TableDescriptor::new(name()).with_family(FamilyDescriptor::new("a"));
    let splits = (1..4u32).map(|region| (region * 10).to_be_bytes().to_vec()).collect();
    db.admin().create_table(table, splits).unwrap();
    // Three regions of 40,000 bytes each are below the half. Three more rows for each of four at once are far above
    // it.
    let rows = |from: u32, to: u32| (0..4).flat_map(move |region| (from..to).map(move |row| region * 10 + row));
    rows(0, 4).take(12).for_each(|row| put(&*db, row, Durability::SyncWal).unwrap());
    let batch = rows(4, 7).map(|row| mutation(row, Durability::SyncWal)).collect();
    assert!(db.table(&name()).unwrap().mutate_many(batch).iter().all(Result::is_ok));
    let began = Instant::now();
    let bytes = || db.admin().statistics(None).unwrap()["memstore_bytes"];
    while bytes() >= MEMORY_BYTES as i64 / 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "{} bytes stay", bytes());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(count(&*db, 40), 24);
}

#[test]
fn a_full_disk_refuses_writes_and_takes_them_again_when_there_is_room() {
    for durability in [Durability::SyncWal, Durability::FsyncWal] {
        let (files, db) = start();
        files.fill(true);
        // Space that the log has reserved is used up first.
        let taken = (0..20_000).take_while(|row| put(&*db, *row, durability).is_ok()).count() as u32;
        assert!(taken < 20_000);
        assert_eq!(put(&*db, taken, durability).unwrap_err().kind(), ErrorKind::DiskFull);
        assert_eq!(count(&*db, taken + 2), taken as usize);
        files.fill(false);
        let began = Instant::now();
        while put(&*db, taken + 1, Durability::FsyncWal).is_err() {
            assert!(began.elapsed() < Duration::from_secs(60), "writers are refused although there is room");
            std::thread::sleep(Duration::from_millis(20));
        }
        let found = database(&files.crash(Crash::Synced));
        assert_eq!((count(&*found, taken), count(&*found, taken + 1), count(&*found, taken + 2)), {
            let taken = taken as usize;
            (taken, taken, taken + 1)
        });
    }
}

/// The bytes of the files in a folder.
fn bytes_in(files: &FaultyFileSystem, folder: &str) -> u64 {
    let paths = files.list(Path::new(folder)).unwrap().into_iter();
    paths.filter_map(|path| files.read(&path).ok()).map(|bytes| bytes.len() as u64).sum()
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Puts rows until the disk is full. Returns the number of accepted rows.
fn fill_disk(db: &dyn Backend, from: u32) -> u32 {
    for row in from..from + 2_000 {
        match put(db, row, Durability::SyncWal) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::DiskFull => return row,
            Err(error) => panic!("{:?}: {error}", error.kind()),
        }
    }
    panic!("the disk takes more than it can hold");
}

/// A trial found 27 MB of unneeded logs on a disk that was full, writers that waited for 90 s, and a database that did not open
/// again: "cannot archive".
#[test]
fn a_database_that_fills_its_disk_frees_what_it_can_opens_again_and_lets_tables_be_dropped() {
    let (files, db) = start();
    let other = TableName::parse("other").unwrap();
    db.admin()
        .create_table(TableDescriptor::new(other.clone()).with_family(FamilyDescriptor::new("a")), Vec::new())
        .unwrap();
    wait_until("no space is set aside", || files.exists(Path::new("/db/RESERVE")));
    files.set_capacity(files.occupied() + (3 << 20));
    let mut rows = fill_disk(&*db, 0);
    assert!(rows > 100, "{rows}");
    let began = Instant::now();
    // A flush that ends now may archive one more log. The next write deletes it and goes on.
    while bytes_in(&files, "/db/oldWALs") > 0 {
        assert!(began.elapsed() < Duration::from_secs(60), "unneeded logs stay on a full disk");
        rows = fill_disk(&*db, rows);
    }
    for round in 0..3 {
        // The process is killed, and an unfinished flush leaves garbage behind.
        let left = files.crash(Crash::Killed);
        left.set_capacity(left.occupied());
        let garbage =
            left.list(Path::new("/db/data/default/t")).unwrap().remove(0).join("a/0123456789abcdef0123456789abcdef");
        drop(left.create(&garbage).unwrap());
        let db = database(&left);
        assert_eq!(count(&*db, rows), rows as usize, "round {round}");
        let error = (rows..rows + 100).find_map(|row| put(&*db, row, Durability::SyncWal).err());
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::DiskFull));
        db.admin().compact(&name(), None, true).unwrap_or_else(|error| assert_eq!(error.kind(), ErrorKind::DiskFull));
        db.admin().set_table_state(&other, TableState::Disabled).unwrap();
        db.admin().drop_table(&other).unwrap();
        db.admin()
            .create_table(TableDescriptor::new(other.clone()).with_family(FamilyDescriptor::new("a")), Vec::new())
            .unwrap();
        db.close().unwrap();
    }
    // Dropping the table makes room for another.
    db.admin().set_table_state(&name(), TableState::Disabled).unwrap();
    db.admin().drop_table(&name()).unwrap();
    db.admin().create_table(TableDescriptor::new(name()).with_family(FamilyDescriptor::new("a")), Vec::new()).unwrap();
    wait_until("writers are refused although there is room", || put(&*db, 1, Durability::SyncWal).is_ok());
    assert!(fill_disk(&*db, 2) > 100);
}

/// If another program uses space as soon as it is freed, the database still opens, without a log, and refuses
/// writes.
#[test]
fn without_room_for_a_log_a_database_is_read_and_emptied_and_goes_on_when_there_is_some() {
    let (files, db) = start();
    (0..10).for_each(|row| put(&*db, row, Durability::FsyncWal).unwrap());
    db.close().unwrap();
    drop(db);
    let _ = files.remove_file(Path::new("/db/RESERVE"));
    files.set_capacity(files.occupied());
    let db = database(&files);
    assert_eq!(count(&*db, 10), 10);
    let error = put(&*db, 10, Durability::SyncWal).unwrap_err();
    assert!(error.kind() == ErrorKind::DiskFull && error.to_string().contains("free some space"), "{error}");
    files.set_capacity(files.occupied() + (4 << 20));
    put(&*db, 10, Durability::SyncWal).unwrap();
    drop(db);
    assert_eq!(count(&*database(&files.crash(Crash::Killed)), 11), 11);
}

/// There is no room for a log that gets copies of the records that a killed process had not synced, neither at open nor
/// at close.
#[test]
fn closing_on_a_full_disk_says_that_the_last_records_are_not_synced() {
    let (files, db) = start();
    put(&*db, 1, Durability::SyncWal).unwrap();
    let files = files.crash(Crash::Killed);
    let _ = files.remove_file(Path::new("/db/RESERVE"));
    files.set_capacity(files.occupied());
    let db = database(&files);
    assert_eq!(count(&*db, 2), 1);
    let error = db.close().unwrap_err();
    assert!(error.kind() == ErrorKind::DiskFull && error.to_string().contains("a power loss may"), "{error}");
    files.set_capacity(files.occupied() + (4 << 20));
    database(&files).close().unwrap();
    assert_eq!(count(&*database(&files.crash(Crash::Synced)), 2), 1);
}

/// The reserved space is used up. Then the log may have no successor: a roll is refused before anything fails.
#[test]
fn a_disk_that_fills_up_between_logs_does_not_end_the_log() {
    let (files, db) = start();
    let mut row = 0;
    for _ in 0..3 {
        files.fill(true);
        let refused = loop {
            match put(&*db, row, Durability::SyncWal) {
                Ok(()) => row += 1,
                Err(error) => break error,
            }
            assert!(row < 20_000, "more than was reserved");
        };
        assert!(matches!(refused.kind(), ErrorKind::DiskFull | ErrorKind::RegionTooBusy), "{refused}");
        files.fill(false);
        put(&*db, row, Durability::FsyncWal).unwrap();
        row += 1;
    }
    assert_eq!(count(&*database(&files.crash(Crash::Synced)), row), row as usize);
}
