//! Merges after a time without flushes: of files that are too few for a minor compaction, and of those that a burst
//! of flushes left.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Far more than the second after which files are merged here.
const PATIENCE: Duration = Duration::from_secs(60);

fn name() -> TableName {
    TableName::parse("t").unwrap()
}

fn options(configuration: &[(&str, &str)]) -> OpenOptions {
    let given = configuration.iter().map(|(key, value)| (key.to_string(), value.to_string()));
    let quiet = [("rowstone.compaction.quiet.seconds".to_string(), "1".to_string())];
    let configuration: BTreeMap<_, _> = quiet.into_iter().chain(given).collect();
    OpenOptions { create: true, configuration, ..OpenOptions::default() }
}

fn database(options: OpenOptions) -> Arc<dyn Backend> {
    let db = open(options).unwrap();
    db.admin().create_table(TableDescriptor::new(name()).with_family(FamilyDescriptor::new("f")), Vec::new()).unwrap();
    db
}

fn write(table: &dyn TableBackend, kind: MutationKind, row: &str, cell_type: CellType, timestamp: i64) {
    let mut mutation = Mutation::new(kind, row);
    let row = row.as_bytes();
    let (family, qualifier) = (&b"f"[..], &b"q"[..]);
    mutation.cells.push(CellParts { row, family, qualifier, timestamp, cell_type, value: b"value", tags: &[] });
    table.mutate(mutation).unwrap();
}

fn file_count(db: &dyn Backend, table: &TableName) -> usize {
    db.admin().store_files(table).unwrap().len()
}

fn wait_for_one_file(db: &dyn Backend) {
    let began = Instant::now();
    while file_count(db, &name()) > 1 {
        assert!(began.elapsed() < PATIENCE, "{} files", file_count(db, &name()));
        sleep(Duration::from_millis(20));
    }
}

fn flush_a_few_times(db: &dyn Backend) {
    let table = db.table(&name()).unwrap();
    for row in ["a", "b", "c", "d", "e"] {
        write(&*table, MutationKind::Put, row, CellType::Put, 10);
        db.admin().flush(None).unwrap();
    }
}

fn raw_types(table: &dyn TableBackend) -> Vec<CellType> {
    let mut scan = Scan::default();
    scan.options.raw = true;
    let mut scanner = table.scan(scan).unwrap();
    let batch = scanner.next_batch(10, 1 << 20).unwrap().unwrap();
    batch.cells.iter().map(|cell| cell.cell_type()).collect()
}

#[test]
fn two_small_files_become_one_and_markers_stay() {
    let db = database(options(&[]));
    let table = db.table(&name()).unwrap();
    write(&*table, MutationKind::Put, "a", CellType::Put, 10);
    write(&*table, MutationKind::Put, "b", CellType::Put, 10);
    db.admin().flush(None).unwrap();
    write(&*table, MutationKind::Delete, "a", CellType::DeleteColumn, LATEST_TIMESTAMP);
    db.admin().flush(None).unwrap();
    wait_for_one_file(&*db);
    assert_eq!(raw_types(&*table), [CellType::DeleteColumn, CellType::Put]);
}

#[test]
fn files_that_are_large_together_stay_apart() {
    // Each file is below that size, and both together are above. This also holds with so many files that a minor
    // compaction selects any run.
    let db =
        database(options(&[("hbase.hstore.compaction.min.size", "60000"), ("hbase.hstore.blockingStoreFiles", "2")]));
    let table = db.table(&name()).unwrap();
    for _ in 0..2 {
        (0..1_000).for_each(|row| write(&*table, MutationKind::Put, &format!("row{row}"), CellType::Put, 10));
        db.admin().flush(None).unwrap();
    }
    // Another table is merged, which shows that there was time for this one.
    let other = TableName::parse("small").unwrap();
    db.admin()
        .create_table(TableDescriptor::new(other.clone()).with_family(FamilyDescriptor::new("f")), Vec::new())
        .unwrap();
    let small = db.table(&other).unwrap();
    for row in ["a", "b"] {
        write(&*small, MutationKind::Put, row, CellType::Put, 10);
        db.admin().flush(Some(&other)).unwrap();
    }
    let began = Instant::now();
    while file_count(&*db, &other) > 1 {
        assert!(began.elapsed() < PATIENCE, "the small ones stay too");
        sleep(Duration::from_millis(20));
    }
    assert_eq!(file_count(&*db, &name()), 2);
}

/// No merge of leftovers, so that only a compaction can do it.
const NO_LEFTOVERS: (&str, &str) = ("rowstone.compaction.quiet.seconds", "0");

#[test]
fn files_of_a_burst_of_flushes_are_merged_after_it() {
    let db = database(options(&[NO_LEFTOVERS]));
    flush_a_few_times(&*db);
    wait_for_one_file(&*db);
}

#[test]
fn files_that_a_burst_left_are_merged_after_the_next_opening() {
    let folder = tempfile::tempdir().unwrap();
    let options = || OpenOptions { directory: Some(folder.path().join("db")), ..options(&[NO_LEFTOVERS]) };
    let db = database(options());
    flush_a_few_times(&*db);
    db.close().unwrap();
    drop(db);
    let db = open(options()).unwrap();
    wait_for_one_file(&*db);
    db.close().unwrap();
}
