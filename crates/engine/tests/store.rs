//! A minimal test through all layers: put, get, scan, delete, flush, compact, reopen.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Get, Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::path::Path;
use std::sync::Arc;

fn database(directory: Option<&Path>) -> Arc<dyn Backend> {
    open(OpenOptions { directory: directory.map(Path::to_path_buf), create: true, ..OpenOptions::default() }).unwrap()
}

fn mutation(
    kind: MutationKind,
    row: &str,
    qualifier: &str,
    timestamp: i64,
    cell_type: CellType,
    value: &str,
) -> Mutation {
    let mut mutation = Mutation::new(kind, row);
    mutation.cells.push(CellParts {
        row: row.as_bytes(),
        family: b"f",
        qualifier: qualifier.as_bytes(),
        timestamp,
        cell_type,
        value: value.as_bytes(),
        tags: &[],
    });
    mutation
}

fn put(table: &dyn TableBackend, row: &str, qualifier: &str, timestamp: i64, value: &str) {
    table.mutate(mutation(MutationKind::Put, row, qualifier, timestamp, CellType::Put, value)).unwrap();
}

fn get(table: &dyn TableBackend, row: &str) -> Vec<String> {
    let batch = table.get(&Get::of(row)).unwrap();
    batch.cells.iter().map(|cell| String::from_utf8(cell.value().to_vec()).unwrap()).collect()
}

fn scan(table: &dyn TableBackend, scan: Scan) -> Vec<String> {
    let mut scanner = table.scan(scan).unwrap();
    let mut rows = Vec::new();
    while let Some(batch) = scanner.next_batch(3, 1 << 20).unwrap() {
        for row in &batch.rows {
            let cells: Vec<String> = batch
                .row_cells(*row)
                .map(|cell| {
                    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                    format!(
                        "{}/{}@{}={}",
                        text(cell.row()),
                        text(cell.qualifier()),
                        cell.timestamp(),
                        text(cell.value())
                    )
                })
                .collect();
            rows.push(cells.join(" "));
        }
    }
    rows
}

#[test]
fn a_table_lives_through_flush_compaction_and_reopening() {
    let directory = tempfile::tempdir().unwrap();
    let name = TableName::parse("t").unwrap();
    {
        let db = database(Some(directory.path()));
        let descriptor = TableDescriptor::new(name.clone()).with_family(FamilyDescriptor::new("f"));
        db.admin().create_table(descriptor, vec![b"row5".to_vec()]).unwrap();
        let table = db.table(&name).unwrap();
        for index in 0..10 {
            put(table.as_ref(), &format!("row{index}"), "q", 10, &format!("value{index}"));
        }
        db.admin().flush(None).unwrap();
        put(table.as_ref(), "row3", "q", 20, "newer");
        table
            .mutate(mutation(MutationKind::Delete, "row4", "q", LATEST_TIMESTAMP, CellType::DeleteColumn, ""))
            .unwrap();
        check(table.as_ref());
        db.admin().flush(None).unwrap();
        check(table.as_ref());
        db.admin().compact(&name, None, true).unwrap();
        check(table.as_ref());
        put(table.as_ref(), "row7", "p", 5, "late");
        db.close().unwrap();
    }
    let db = database(Some(directory.path()));
    let table = db.table(&name).unwrap();
    assert_eq!(get(table.as_ref(), "row7"), ["late", "value7"]);
    table.mutate(mutation(MutationKind::Delete, "row7", "p", 5, CellType::DeleteColumn, "")).unwrap();
    check(table.as_ref());
}

fn check(table: &dyn TableBackend) {
    assert_eq!(get(table, "row3"), ["newer"]);
    assert!(get(table, "row4").is_empty());
    let forward = scan(table, Scan::default());
    assert_eq!(forward.len(), 9);
    assert_eq!(forward[0], "row0/q@10=value0");
    let mut backward = scan(table, Scan { reversed: true, ..Scan::default() });
    backward.reverse();
    assert_eq!(forward, backward);
    let some = scan(table, Scan { start: b"row4".to_vec(), limit: 2, ..Scan::default() });
    assert_eq!(some, ["row5/q@10=value5", "row6/q@10=value6"]);
}

#[test]
fn a_full_piece_is_the_last_one_if_no_requested_column_follows() {
    let db = database(None);
    let name = TableName::parse("t").unwrap();
    let descriptor = TableDescriptor::new(name.clone()).with_family(FamilyDescriptor::new("f"));
    db.admin().create_table(descriptor, Vec::new()).unwrap();
    let table = db.table(&name).unwrap();
    put(table.as_ref(), "row", "a", 1, "older");
    for qualifier in ["a", "b"] {
        put(table.as_ref(), "row", qualifier, 2, "value");
    }
    let mut wanted = Scan { batch: 1, ..Scan::default() };
    for qualifier in [b"a", b"z"] {
        wanted.options.columns.add_column(b"f", qualifier);
    }
    for _ in 0..2 {
        let mut scanner = table.scan(wanted.clone()).unwrap();
        let batch = scanner.next_batch(9, 1 << 20).unwrap().unwrap();
        let pieces: Vec<bool> = batch.rows.iter().map(|row| row.is_partial).collect();
        assert_eq!(pieces, [false]);
        db.admin().flush(None).unwrap();
    }
}

/// A get takes its read point first and its files later: a flush in between must not hide what it sees.
#[test]
fn gets_beside_flushes_see_whole_rows() {
    let db = database(None);
    let name = TableName::parse("t").unwrap();
    let families = TableDescriptor::new(name.clone()).with_family(FamilyDescriptor::new("a"));
    db.admin().create_table(families.with_family(FamilyDescriptor::new("b")), Vec::new()).unwrap();
    let table = db.table(&name).unwrap();
    let write = |value: u64| {
        let mut both = Mutation::new(MutationKind::Put, "row");
        for family in [b"a", b"b"] {
            let (row, qualifier, timestamp, cell_type) = (b"row", b"q", LATEST_TIMESTAMP, CellType::Put);
            let value = value.to_string();
            both.cells.push(CellParts {
                row,
                family,
                qualifier,
                timestamp,
                cell_type,
                value: value.as_bytes(),
                tags: &[],
            });
        }
        table.mutate(both).unwrap();
    };
    write(0);
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let values = get(table.as_ref(), "row");
                assert_eq!(values.len(), 2, "{values:?}");
                assert_eq!(values[0], values[1]);
            }
        });
        for value in 1..600 {
            write(value);
            if value % 3 == 0 {
                db.admin().flush(Some(&name)).unwrap();
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
