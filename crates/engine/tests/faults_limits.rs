//! More than there is room for: writers wait and are told; memory does not grow; with room again, all goes on.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use rowstone_engine::sys::{FileSystem, SeededEntropy, System, SystemClock};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Get, Mutation, MutationKind};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MEMORY_BYTES: u64 = 256 << 10;
const VALUE_BYTES: usize = 10_000;

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
            entropy: Arc::new(SeededEntropy::new(7)),
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
        let get = Get { row: row.to_be_bytes().into(), ..Get::default() };
        !db.table(&name()).unwrap().get(&get).unwrap().cells.is_empty()
    };
    (0..rows).filter(is_there).count()
}

#[test]
fn memory_that_cannot_be_flushed_makes_writers_wait_and_then_fail_and_does_not_grow() {
    let (files, db) = start();
    files.fail_from(CallKind::Change, 0, Fault::DiskFull);
    let mut rows = 0;
    let error = loop {
        match put(&*db, rows, Durability::SkipWal) {
            Ok(()) => rows += 1,
            Err(error) => break error,
        }
        assert!(rows < 100, "the store takes what it has no room for");
    };
    assert_eq!(error.kind(), ErrorKind::RegionTooBusy);
    assert!(error.to_string().contains("No space left"), "{error}");
    let bytes = db.admin().statistics(None).unwrap()["memstore_bytes"];
    assert!(bytes < MEMORY_BYTES as i64 + 2 * VALUE_BYTES as i64, "{bytes}");
    assert_eq!(count(&*db, rows), rows as usize);
    // With room again it goes on by itself.
    files.heal();
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
    // Three regions of 40,000 bytes each are below the half; three rows more for each of four at once are far above it.
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
    let (files, db) = start();
    files.fill(true);
    assert_eq!(put(&*db, 0, Durability::SyncWal).unwrap_err().kind(), ErrorKind::DiskFull);
    assert_eq!(put(&*db, 1, Durability::FsyncWal).unwrap_err().kind(), ErrorKind::DiskFull);
    assert_eq!(count(&*db, 2), 0);
    files.fill(false);
    put(&*db, 2, Durability::FsyncWal).unwrap();
    let found = database(&files.crash(Crash::Synced));
    assert_eq!((count(&*found, 2), count(&*found, 3)), (0, 1));
}

/// What was reserved is used up, and then the log may not be followed by another: it is refused before anything fails.
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
