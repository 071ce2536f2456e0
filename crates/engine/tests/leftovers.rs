//! Files that are too few for a minor compaction are merged where nothing was flushed for a while.
#![allow(clippy::unwrap_used, missing_docs)]

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

fn database(configuration: &[(&str, &str)]) -> Arc<dyn Backend> {
    let given = configuration.iter().chain(&[("rowstone.compaction.quiet.seconds", "1")]);
    let configuration: BTreeMap<_, _> = given.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let db = open(OpenOptions { create: true, configuration, ..OpenOptions::default() }).unwrap();
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

fn raw_types(table: &dyn TableBackend) -> Vec<CellType> {
    let mut scan = Scan::default();
    scan.options.raw = true;
    let mut scanner = table.scan(scan).unwrap();
    let batch = scanner.next_batch(10, 1 << 20).unwrap().unwrap();
    batch.cells.iter().map(|cell| cell.cell_type()).collect()
}

#[test]
fn two_small_files_become_one_and_markers_stay() {
    let db = database(&[]);
    let table = db.table(&name()).unwrap();
    write(&*table, MutationKind::Put, "a", CellType::Put, 10);
    write(&*table, MutationKind::Put, "b", CellType::Put, 10);
    db.admin().flush(None).unwrap();
    write(&*table, MutationKind::Delete, "a", CellType::DeleteColumn, LATEST_TIMESTAMP);
    db.admin().flush(None).unwrap();
    let began = Instant::now();
    while file_count(&*db, &name()) > 1 {
        assert!(began.elapsed() < PATIENCE, "{} files", file_count(&*db, &name()));
        sleep(Duration::from_millis(20));
    }
    assert_eq!(raw_types(&*table), [CellType::DeleteColumn, CellType::Put]);
}

#[test]
fn files_that_are_large_together_stay_apart() {
    // Each is below that size, and both are above; also where so many files are there that a minor compaction takes any run.
    let db = database(&[("hbase.hstore.compaction.min.size", "60000"), ("hbase.hstore.blockingStoreFiles", "2")]);
    let table = db.table(&name()).unwrap();
    for _ in 0..2 {
        (0..1_000).for_each(|row| write(&*table, MutationKind::Put, &format!("row{row}"), CellType::Put, 10));
        db.admin().flush(None).unwrap();
    }
    // A table beside it is merged, which shows that there was time for this one.
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
