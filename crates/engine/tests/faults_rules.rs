//! Promises that were broken once, each with the test that found or fixed it.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use rowstone_engine::sys::{FileSystem, SeededEntropy, System, SystemClock};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Get, Mutation, MutationKind};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName, TableState};
use rowstone_model::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn disk() -> FaultyFileSystem {
    let files = FaultyFileSystem::new();
    files.create_dir_all(Path::new("/")).unwrap();
    files
}

fn try_open(files: &FaultyFileSystem, settings: &[(&str, &str)], memstore: Option<u64>) -> Result<Arc<dyn Backend>> {
    let clock = Arc::new(SystemClock);
    open(OpenOptions {
        directory: Some(PathBuf::from("/db")),
        create: true,
        memstore_bytes: memstore,
        configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        system: Some(System { files: Arc::new(files.clone()), clock, entropy: Arc::new(SeededEntropy::new(7)) }),
        ..OpenOptions::default()
    })
}

/// Logs are only synced on request.
const QUIET: (&str, &str) = ("rowstone.wal.sync.interval.ms", "60000");

/// A family of more than 32 KiB is flushed alone once the region has 64 KiB.
const FLUSHES_ONE_FAMILY: [(&str, &str); 3] = [
    QUIET,
    ("hbase.hregion.memstore.flush.size", "65536"),
    ("hbase.hregion.percolumnfamilyflush.size.lower.bound.min", "0"),
];

fn database(files: &FaultyFileSystem) -> Arc<dyn Backend> {
    try_open(files, &[QUIET], None).unwrap()
}

fn name(text: &str) -> TableName {
    TableName::parse(text).unwrap()
}

fn create(db: &dyn Backend, table: &str, families: &[&str]) {
    let descriptor = TableDescriptor::new(name(table));
    let add = |table: TableDescriptor, family: &&str| table.with_family(FamilyDescriptor::new(*family));
    db.admin().create_table(families.iter().fold(descriptor, add), Vec::new()).unwrap();
}

fn put(row: &str, families: &[&str], value: &[u8], durability: Durability) -> Mutation {
    let mut mutation = Mutation::new(MutationKind::Put, row);
    mutation.durability = durability;
    for family in families {
        let (family, row) = (family.as_bytes(), row.as_bytes());
        let (timestamp, cell_type) = (LATEST_TIMESTAMP, CellType::Put);
        mutation.cells.push(CellParts { row, family, qualifier: b"q", timestamp, cell_type, value, tags: &[] });
    }
    mutation
}

/// The families in which the row has a cell.
fn families_of(db: &dyn Backend, table: &str, row: &str) -> Vec<String> {
    let batch = db.table(&name(table)).unwrap().get(&Get::of(row)).unwrap();
    batch.cells.iter().map(|cell| String::from_utf8(cell.family().to_vec()).unwrap()).collect()
}

fn files_of(db: &dyn Backend, table: &str, family: &str) -> usize {
    let files = db.admin().store_files(&name(table)).unwrap();
    files.iter().filter(|file| file.family == family.as_bytes()).count()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what} did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_batch_takes_the_strongest_durability_of_its_members_with_the_default_resolved() {
    let files = disk();
    let db = database(&files);
    create(&*db, "t", &["a"]);
    let table = db.table(&name("t")).unwrap();
    let both =
        vec![put("default", &["a"], b"v", Durability::UseDefault), put("skipped", &["a"], b"v", Durability::SkipWal)];
    assert!(table.mutate_many(both).iter().all(Result::is_ok));
    let db = database(&files.crash(Crash::Everything));
    assert_eq!(families_of(&*db, "t", "default"), ["a"]);
}

#[test]
fn an_unknown_durability_is_refused_before_the_table_is_made() {
    let files = disk();
    let db = database(&files);
    let mut table = TableDescriptor::new(name("t")).with_family(FamilyDescriptor::new("a"));
    db.admin().create_table(table.clone(), Vec::new()).unwrap();
    table.attributes.insert("DURABILITY".into(), "SOMETIMES".into());
    assert_eq!(db.admin().alter_table(table.clone()).unwrap_err().kind(), ErrorKind::InvalidArgument);
    table.name = name("u");
    assert_eq!(db.admin().create_table(table, Vec::new()).unwrap_err().kind(), ErrorKind::InvalidArgument);
    db.close().unwrap();
    let db = database(&files);
    assert_eq!(db.admin().list_tables(None).unwrap(), [name("t")]);
}

/// HBASE-8208: the large family is flushed alone; the row's other cells are in the log, which was not synced.
#[test]
fn a_flush_of_one_family_does_not_outlive_the_log() {
    let files = disk();
    let db = try_open(&files, &FLUSHES_ONE_FAMILY, None).unwrap();
    create(&*db, "t", &["a", "b"]);
    db.table(&name("t")).unwrap().mutate(uneven()).unwrap();
    wait_until("the flush", || files_of(&*db, "t", "a") > 0);
    assert_eq!(files_of(&*db, "t", "b"), 0, "the flush was meant to be of one family");
    let db = database(&files.crash(Crash::Synced));
    assert_eq!(families_of(&*db, "t", "row"), ["a", "b"]);
}

/// The record whose sync failed may be found again; a flush must not make it come back for only one family.
#[test]
fn a_record_that_failed_comes_back_whole_or_not_at_all_after_a_flush() {
    for crash in [Crash::Everything, Crash::Synced] {
        let files = disk();
        let db = database(&files);
        create(&*db, "t", &["a", "b"]);
        let table = db.table(&name("t")).unwrap();
        table.mutate(put("only_a", &["a"], b"v", Durability::FsyncWal)).unwrap();
        // Its bytes are written, but its sync fails.
        files.fail(CallKind::Change, files.calls(CallKind::Change) + 2, Fault::Io);
        let failed = table.mutate(put("row", &["a", "b"], b"v", Durability::FsyncWal)).unwrap_err();
        assert_eq!(failed.kind(), ErrorKind::Io);
        assert!(families_of(&*db, "t", "row").is_empty());
        db.admin().flush(None).unwrap();
        assert_eq!((files_of(&*db, "t", "a"), files_of(&*db, "t", "b")), (1, 0));
        let db = database(&files.crash(crash));
        assert_eq!(families_of(&*db, "t", "only_a"), ["a"]);
        let found = families_of(&*db, "t", "row");
        assert!(found.is_empty() || found == ["a", "b"], "{crash:?}: {found:?}");
    }
}

/// After a log failure, acknowledged writes that may not be on the disk are flushed when the database closes at the
/// latest.
#[test]
fn a_clean_exit_after_a_failed_sync_loses_nothing() {
    let files = disk();
    let db = database(&files);
    create(&*db, "t", &["a"]);
    let table = db.table(&name("t")).unwrap();
    table.mutate(put("early", &["a"], b"v", Durability::SyncWal)).unwrap();
    files.fail(CallKind::Change, files.calls(CallKind::Change) + 2, Fault::Io);
    table.mutate(put("row", &["a"], b"v", Durability::FsyncWal)).unwrap_err();
    let refused = table.mutate(put("late", &["a"], b"v", Durability::SyncWal)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::LogPoisoned);
    // The log cannot be closed properly, but the files can.
    let _ = db.close();
    let db = database(&files.crash(Crash::Synced));
    assert_eq!(families_of(&*db, "t", "early"), ["a"]);
}

#[test]
fn a_flush_that_failed_takes_later_writes_along_when_it_is_done_again() {
    let files = disk();
    let db = database(&files);
    create(&*db, "t", &["a", "b"]);
    let table = db.table(&name("t")).unwrap();
    table.mutate(put("first", &["a", "b"], b"v", Durability::SkipWal)).unwrap();
    files.fail(CallKind::Change, files.calls(CallKind::Change) + 9, Fault::DiskFull);
    assert_eq!(db.admin().flush(None).unwrap_err().kind(), ErrorKind::DiskFull);
    assert_eq!(families_of(&*db, "t", "first"), ["a", "b"]);
    table.mutate(put("second", &["a", "b"], b"v", Durability::SkipWal)).unwrap();
    db.admin().flush(None).unwrap();
    let db = database(&files.crash(Crash::Synced));
    for row in ["first", "second"] {
        assert_eq!(families_of(&*db, "t", row), ["a", "b"], "{row}");
    }
}

/// A file that the manifest names but memory does not know would escape a major compaction, and bring back deleted
/// cells.
#[test]
fn a_flush_that_cannot_open_its_file_does_not_name_it() {
    for read in 1..12 {
        let files = disk();
        let db = database(&files);
        create(&*db, "t", &["a"]);
        let table = db.table(&name("t")).unwrap();
        table.mutate(put("row", &["a"], b"v", Durability::SyncWal)).unwrap();
        files.fail(CallKind::Read, files.calls(CallKind::Read) + read, Fault::Io);
        let failed = db.admin().flush(None).is_err();
        files.heal();
        // Memory and manifest agree on the files, whatever failed.
        let known = files_of(&*db, "t", "a");
        assert_eq!(files_of(&*database(&files.crash(Crash::Synced)), "t", "a"), known, "read {read}");
        if failed {
            db.admin().flush(None).unwrap();
        }
        assert_eq!(files_of(&*db, "t", "a"), 1);
        let db = database(&files.crash(Crash::Synced));
        assert_eq!(files_of(&*db, "t", "a"), 1, "read {read}");
        assert_eq!(families_of(&*db, "t", "row"), ["a"]);
    }
}

fn logs(db: &dyn Backend) -> i64 {
    db.admin().statistics(None).unwrap()["logs"]
}

#[test]
fn logs_of_dropped_tables_and_flushed_regions_are_put_away_at_open() {
    let files = disk();
    let db = database(&files);
    create(&*db, "gone", &["a"]);
    create(&*db, "t", &["a", "b"]);
    for table in ["gone", "t"] {
        db.table(&name(table)).unwrap().mutate(put("row", &["a"], b"v", Durability::SyncWal)).unwrap();
    }
    db.admin().set_table_state(&name("gone"), TableState::Disabled).unwrap();
    db.admin().drop_table(&name("gone")).unwrap();
    db.admin().flush(Some(&name("t"))).unwrap();
    db.close().unwrap();
    assert_eq!(logs(&*database(&files.crash(Crash::Everything))), 1);
}

#[test]
fn a_family_without_data_does_not_keep_logs() {
    let files = disk();
    let mut settings = FLUSHES_ONE_FAMILY.to_vec();
    settings.push(("hbase.regionserver.logroll.size", "4096"));
    let db = try_open(&files, &settings, None).unwrap();
    create(&*db, "t", &["a", "never"]);
    for flushes in 1..=2 {
        let table = db.table(&name("t")).unwrap();
        table.mutate(put("row", &["a"], &[1; 70_000], Durability::SyncWal)).unwrap();
        wait_until("the flush", || files_of(&*db, "t", "a") == flushes);
    }
    wait_until("the end of the first log", || logs(&*db) == 1);
}

/// A row with a large value in family `a` and a small one in `b`.
fn uneven() -> Mutation {
    let mut mutation = put("row", &["a"], &[1; 70_000], Durability::SyncWal);
    mutation.cells.push_cell(&put("row", &["b"], b"small", Durability::SyncWal).cells.iter().next().unwrap());
    mutation
}

#[test]
fn a_flush_of_one_family_is_given_up_where_the_log_cannot_be_synced() {
    for change in 1..20 {
        let files = disk();
        let db = try_open(&files, &FLUSHES_ONE_FAMILY, None).unwrap();
        create(&*db, "t", &["a", "b"]);
        files.fail(CallKind::Change, files.calls(CallKind::Change) + change, Fault::Io);
        let _ = db.table(&name("t")).unwrap().mutate(uneven());
        std::thread::sleep(Duration::from_millis(30));
        let db = database(&files.crash(Crash::Synced));
        let found = families_of(&*db, "t", "row");
        assert!(found.is_empty() || found == ["a", "b"], "failure of change {change}: {found:?}");
    }
}

#[test]
fn recovery_flushes_where_the_log_is_larger_than_memory() {
    let files = disk();
    let db = database(&files);
    create(&*db, "t", &["a", "b"]);
    let table = db.table(&name("t")).unwrap();
    for index in 0..300 {
        table.mutate(put(&format!("{index:03}"), &["a", "b"], &[1; 5_000], Durability::SyncWal)).unwrap();
    }
    let db = try_open(&files.crash(Crash::Everything), &[], Some(400_000)).unwrap();
    let numbers = db.admin().statistics(None).unwrap();
    assert!(numbers["memstore_bytes"] <= 400_000, "{numbers:?}");
    assert!(files_of(&*db, "t", "a") > 1);
    for index in 0..300 {
        assert_eq!(families_of(&*db, "t", &format!("{index:03}")), ["a", "b"]);
    }
    // The sequence continues: later writes are newer.
    db.table(&name("t")).unwrap().mutate(put("299", &["a"], b"new", Durability::SyncWal)).unwrap();
    let get = Get::of(b"299");
    let batch = db.table(&name("t")).unwrap().get(&get).unwrap();
    assert_eq!(batch.cells.iter().next().unwrap().value(), b"new");
}

#[test]
fn an_open_that_fails_gives_the_directory_free() {
    let files = disk();
    let db = database(&files);
    create(&*db, "t", &["a"]);
    db.table(&name("t")).unwrap().mutate(put("row", &["a"], b"v", Durability::SyncWal)).unwrap();
    db.admin().flush(None).unwrap();
    db.close().unwrap();
    for read in 1..30 {
        files.fail(CallKind::Read, files.calls(CallKind::Read) + read, Fault::Io);
        let outcome = try_open(&files, &[QUIET], None);
        files.heal();
        drop(outcome);
        let db = try_open(&files, &[QUIET], None).unwrap_or_else(|error| panic!("after read {read}: {error}"));
        db.close().unwrap();
    }
}
