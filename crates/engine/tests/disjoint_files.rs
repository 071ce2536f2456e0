//! Files whose rows are outside a scan's range cost it nothing: none of their blocks are read.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType};
use rowstone_model::operations::{Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::sync::Arc;

fn name() -> TableName {
    TableName::parse("t").unwrap()
}

const LETTERS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A table with one file for each letter, whose rows begin with it.
fn database(letters: &[&str]) -> (Arc<dyn Backend>, Arc<dyn TableBackend>) {
    let configuration = [("rowstone.compaction.background".to_string(), "false".to_string())].into();
    let db = open(OpenOptions { create: true, configuration, ..OpenOptions::default() }).unwrap();
    db.admin().create_table(TableDescriptor::new(name()).with_family(FamilyDescriptor::new("f")), Vec::new()).unwrap();
    let table = db.table(&name()).unwrap();
    for letter in letters {
        for digit in 0..10 {
            let row = format!("{letter}{digit}");
            let mut mutation = Mutation::new(MutationKind::Put, row.as_str());
            let (family, qualifier, cell_type) = (&b"f"[..], &b"q"[..], CellType::Put);
            let cell =
                CellParts { row: row.as_bytes(), family, qualifier, timestamp: 1, cell_type, value: b"", tags: &[] };
            mutation.cells.push(cell);
            table.mutate(mutation).unwrap();
        }
        db.admin().flush(None).unwrap();
    }
    (db, table)
}

fn blocks_read(db: &dyn Backend) -> i64 {
    let loads = db.admin().store_loads(&name()).unwrap();
    loads.iter().map(|load| load.numbers["cache_hits"] + load.numbers["cache_misses"]).sum()
}

/// The rows of a scan, and the number of blocks that it read.
fn scan(db: &dyn Backend, table: &dyn TableBackend, scan: Scan) -> (Vec<String>, i64) {
    let before = blocks_read(db);
    let mut scanner = table.scan(scan).unwrap();
    let mut rows = Vec::new();
    while let Some(batch) = scanner.next_batch(100, 1 << 20).unwrap() {
        rows.extend(batch.cells.iter().map(|cell| String::from_utf8(cell.row().to_vec()).unwrap()));
    }
    (rows, blocks_read(db) - before)
}

fn between(start: &str, stop: &str) -> Scan {
    Scan { start: start.into(), stop: stop.into(), include_start: true, ..Scan::default() }
}

#[test]
fn a_scan_reads_no_block_of_files_before_or_after_its_rows() {
    let (db, table) = database(&LETTERS);
    let read = |request: Scan| scan(&*db, &*table, request);
    assert_eq!(read(between("c1", "c3")), (vec!["c1".into(), "c2".into()], 1));
    assert_eq!(read(between("b9", "c1")), (vec!["b9".into(), "c0".into()], 2));
    assert_eq!(read(between("e8", "")), (vec!["e8".into(), "e9".into()], 1));
    assert_eq!(read(between("b99", "c")), (Vec::new(), 0), "between two files");
    assert_eq!(read(between("f", "")), (Vec::new(), 0));
    assert_eq!(read(between("", "")).0.len(), 50);
}

#[test]
fn a_stop_row_that_is_the_first_row_of_a_file_is_found_if_it_is_included() {
    let (db, table) = database(&LETTERS);
    let included = Scan { include_stop: true, ..between("c9", "d0") };
    assert_eq!(scan(&*db, &*table, included).0, ["c9", "d0"]);
    assert_eq!(scan(&*db, &*table, between("c9", "d0")).0, ["c9"]);
}

#[test]
fn a_reversed_scan_reads_no_block_of_files_after_its_rows() {
    let (db, table) = database(&LETTERS);
    let reversed = Scan { reversed: true, ..between("a1", "a") };
    let (alone, first) = database(&LETTERS[..1]);
    let expected = scan(&*alone, &*first, reversed.clone());
    assert_eq!(expected.0, ["a1", "a0"]);
    assert_eq!(scan(&*db, &*table, reversed), expected);
    let whole = Scan { reversed: true, ..between("", "") };
    assert_eq!(scan(&*db, &*table, whole).0.len(), 50);
}
