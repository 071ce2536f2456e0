//! Shared parts of the concurrency tests: a database in memory, a table, contending threads.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Get, Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub fn name() -> TableName {
    TableName::parse("t").unwrap()
}

/// A table of these families in memory, with small memstores that flush and compact on their own. No two writes
/// have the same timestamp: as in HBase, a delete would hide a put in the same millisecond.
pub fn database(families: &[&str], splits: &[&str]) -> (Arc<dyn Backend>, Arc<dyn TableBackend>) {
    let settings = [
        ("hbase.hregion.memstore.flush.size", "65536"),
        ("hbase.hstore.blockingStoreFiles", "100000"),
        ("rowstone.unique.timestamps", "true"),
    ];
    let db = open(OpenOptions {
        create: true,
        durability: Durability::SyncWal,
        configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        ..OpenOptions::default()
    })
    .unwrap();
    let descriptor = families
        .iter()
        .fold(TableDescriptor::new(name()), |table, family| table.with_family(FamilyDescriptor::new(*family)));
    db.admin().create_table(descriptor, splits.iter().map(|key| key.as_bytes().to_vec()).collect()).unwrap();
    let table = db.table(&name()).unwrap();
    (db, table)
}

/// Duration of each test: `ROWSTONE_CONCURRENCY_SECONDS`.
pub fn duration() -> Duration {
    let text = std::env::var("ROWSTONE_CONCURRENCY_SECONDS").ok();
    Duration::from_secs_f64(text.and_then(|text| text.parse().ok()).unwrap_or(2.0))
}

/// Calls `work` in a loop on every thread, with the thread's number and the round. Meanwhile another thread flushes
/// the table again and again, and compacts it after every fifth flush. All threads end after [`duration`].
pub fn contend(db: &dyn Backend, threads: usize, work: impl Fn(usize, u64) + Sync) {
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        let (ends, work) = (&ends, &work);
        scope.spawn(move || {
            for round in 0u64.. {
                db.admin().flush(Some(&name())).unwrap();
                if round % 5 == 0 {
                    db.admin().compact(&name(), None, round % 10 == 0).unwrap();
                }
                if ends.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    for round in 0.. {
                        work(thread, round);
                        if ends.load(Ordering::Relaxed) {
                            return;
                        }
                    }
                })
            })
            .collect();
        thread::sleep(duration());
        ends.store(true, Ordering::Relaxed);
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
}

/// A put of `value` into these columns.
pub fn put(row: &str, columns: &[(&str, &str)], value: &[u8]) -> Mutation {
    mutation(MutationKind::Put, CellType::Put, row, columns, value)
}

/// A delete of all versions of these columns.
pub fn delete(row: &str, columns: &[(&str, &str)]) -> Mutation {
    mutation(MutationKind::Delete, CellType::DeleteColumn, row, columns, &[])
}

/// An increment of these columns by 1.
pub fn increment(row: &str, columns: &[(&str, &str)]) -> Mutation {
    mutation(MutationKind::Increment, CellType::Put, row, columns, &1i64.to_be_bytes())
}

fn mutation(kind: MutationKind, cell_type: CellType, row: &str, columns: &[(&str, &str)], value: &[u8]) -> Mutation {
    let mut mutation = Mutation::new(kind, row);
    for (family, qualifier) in columns {
        mutation.cells.push(CellParts {
            row: row.as_bytes(),
            family: family.as_bytes(),
            qualifier: qualifier.as_bytes(),
            timestamp: LATEST_TIMESTAMP,
            cell_type,
            value,
            tags: &[],
        });
    }
    mutation
}

/// The values of a row.
pub fn values(table: &dyn TableBackend, row: &str) -> Vec<Vec<u8>> {
    let batch = table.get(&Get::of(row)).unwrap();
    batch.cells.iter().map(|cell| cell.value().to_vec()).collect()
}

/// All rows with their values.
pub fn rows(table: &dyn TableBackend) -> Vec<(Vec<u8>, Vec<Vec<u8>>)> {
    let mut scanner = table.scan(Scan::default()).unwrap();
    let mut rows = Vec::new();
    while let Some(batch) = scanner.next_batch(16, 1 << 20).unwrap() {
        for row in &batch.rows {
            let cells = batch.row_cells(*row);
            let key = batch.row_cells(*row).next().unwrap().row().to_vec();
            rows.push((key, cells.map(|cell| cell.value().to_vec()).collect()));
        }
    }
    rows
}

/// The number in eight bytes.
pub fn number(value: &[u8]) -> i64 {
    i64::from_be_bytes(value.try_into().unwrap())
}
