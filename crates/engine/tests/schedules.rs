//! The steps of a write from the log to its readers: `shuttle` runs a whole database in which one thread moves at a
//! time. It tries many orders of the steps of locks, waits, read points and cuts. A failure prints the order, which
//! `shuttle::replay` accepts.
//!
//! `ROWSTONE_SCHEDULES` sets the total number of orders; `make schedules` runs the test.

#![allow(clippy::unwrap_used, missing_docs)]

#[expect(dead_code, reason = "this test interrupts writes only")]
mod observer_support;

use observer_support::Interruption;
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::{FileSystem, ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Get, Mutation, MutationKind, ReadOptions, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{thread, Config, Runner};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;

/// Number of priority changes between threads that the PCT scheduler tries, in the second half of the orders.
const PRIORITY_CHANGES: usize = 4;

fn name() -> TableName {
    TableName::parse("t").unwrap()
}

/// A database in memory. Blocks bypass the cache, whose own waits `shuttle` does not see.
fn database(splits: &[&str]) -> (Arc<dyn Backend>, Arc<dyn TableBackend>) {
    let files = MemoryFileSystem::new();
    files.create_dir_all(Path::new("/")).unwrap();
    let clock = Arc::new(ManualClock::new(1000));
    let system = System { files: Arc::new(files), clock, entropy: Arc::new(SeededEntropy::new(1)) };
    let settings = [("rowstone.compaction.background", "false"), ("rowstone.unique.timestamps", "true")];
    let db = open(OpenOptions {
        directory: Some(PathBuf::from("/db")),
        create: true,
        configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        system: Some(system),
        ..OpenOptions::default()
    })
    .unwrap();
    let descriptor = ["a", "b"].iter().fold(TableDescriptor::new(name()), |table, family| {
        let mut family = FamilyDescriptor::new(*family);
        family.attributes.insert("BLOCKCACHE".into(), "false".into());
        family.attributes.insert("BLOOMFILTER".into(), "NONE".into());
        table.with_family(family)
    });
    db.admin().create_table(descriptor, splits.iter().map(|key| key.as_bytes().to_vec()).collect()).unwrap();
    let table = db.table(&name()).unwrap();
    (db, table)
}

fn mutation(kind: MutationKind, row: &str, value: i64) -> Mutation {
    let mut mutation = Mutation::new(kind, row);
    for family in [b"a", b"b"] {
        mutation.cells.push(CellParts {
            row: row.as_bytes(),
            family,
            qualifier: b"q",
            timestamp: LATEST_TIMESTAMP,
            cell_type: CellType::Put,
            value: &value.to_be_bytes(),
            tags: &[],
        });
    }
    mutation
}

/// The row's two values.
fn get(table: &dyn TableBackend, row: &str) -> Vec<i64> {
    let batch = table.get(&Get::of(row)).unwrap();
    batch.cells.iter().map(|cell| i64::from_be_bytes(cell.value().try_into().unwrap())).collect()
}

/// Tries this test's share of the orders of `body`.
fn check(body: impl Fn() + Send + Sync + 'static) {
    let text = std::env::var("ROWSTONE_SCHEDULES").ok();
    let share = text.and_then(|text| text.parse().ok()).unwrap_or(10_000) / 6;
    let body = Arc::new(body);
    let config = || {
        let mut config = Config::new();
        config.stack_size = 1 << 20;
        config
    };
    let again = Arc::clone(&body);
    let random = Runner::new(RandomScheduler::new(share / 2), config()).run(move || again());
    let ranked = Runner::new(PctScheduler::new(PRIORITY_CHANGES, share / 2), config()).run(move || body());
    println!("{} orders", random + ranked);
}

#[test]
fn a_get_beside_writes_and_a_flush_finds_the_row_whole_and_never_an_older_one() {
    check(|| {
        let (db, table) = database(&[]);
        table.mutate(mutation(MutationKind::Put, "row", 0)).unwrap();
        let (writing, flushing) = (Arc::clone(&table), Arc::clone(&db));
        let writer = thread::spawn(move || {
            for value in 1..4 {
                writing.mutate(mutation(MutationKind::Put, "row", value)).unwrap();
                assert_eq!(get(&*writing, "row"), [value, value], "what was just written");
            }
        });
        let flusher = thread::spawn(move || flushing.admin().flush(Some(&name())).unwrap());
        let mut last = 0;
        for _ in 0..3 {
            let found = get(&*table, "row");
            assert!(matches!(found[..], [a, b] if a == b && a >= last), "{found:?} after {last}");
            last = found[0];
        }
        writer.join().unwrap();
        flusher.join().unwrap();
        assert_eq!(get(&*table, "row"), [3, 3]);
        db.close().unwrap();
    });
}

/// Raw reads do not skip a cell that they meet twice.
#[test]
fn raw_reads_beside_a_flush_see_each_cell_once() {
    check(|| {
        let (db, table) = database(&[]);
        for row in ["a", "b"] {
            table.mutate(mutation(MutationKind::Put, row, 1)).unwrap();
        }
        let flushing = Arc::clone(&db);
        let flusher = thread::spawn(move || flushing.admin().flush(Some(&name())).unwrap());
        let raw = ReadOptions { raw: true, ..ReadOptions::default() };
        let get = Get { options: Arc::new(raw.clone()), ..Get::of("a") };
        assert_eq!(table.get(&get).unwrap().cells.iter().count(), 2);
        let mut scanner = table.scan(Scan { options: raw, ..Scan::default() }).unwrap();
        let mut cells = 0;
        while let Some(batch) = scanner.next_batch(8, 1 << 20).unwrap() {
            cells += batch.cells.iter().count();
        }
        assert_eq!(cells, 4);
        flusher.join().unwrap();
        db.close().unwrap();
    });
}

#[test]
fn increments_beside_a_flush_and_a_compaction_lose_no_step() {
    check(|| {
        let (db, table) = database(&[]);
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let table = Arc::clone(&table);
                thread::spawn(move || {
                    for _ in 0..2 {
                        table.mutate(mutation(MutationKind::Increment, "row", 1)).unwrap();
                    }
                })
            })
            .collect();
        db.admin().flush(Some(&name())).unwrap();
        db.admin().compact(&name(), None, true).unwrap();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(get(&*table, "row"), [4, 4]);
        db.close().unwrap();
    });
}

#[test]
fn a_scan_finds_what_was_committed_before_it_in_every_region() {
    check(|| {
        let (db, table) = database(&["m"]);
        let committed = Arc::new(AtomicI64::new(0));
        let (writing, telling, flushing) = (Arc::clone(&table), Arc::clone(&committed), Arc::clone(&db));
        let writer = thread::spawn(move || {
            for value in 1..3 {
                writing.mutate(mutation(MutationKind::Put, "a", value)).unwrap();
                writing.mutate(mutation(MutationKind::Put, "z", value)).unwrap();
                telling.store(value, Ordering::SeqCst);
            }
        });
        let flusher = thread::spawn(move || flushing.admin().flush(Some(&name())).unwrap());
        for _ in 0..2 {
            let least = committed.load(Ordering::SeqCst);
            let mut scanner = table.scan(Scan::default()).unwrap();
            let mut rows = 0;
            while let Some(batch) = scanner.next_batch(1, 1 << 20).unwrap() {
                for row in &batch.rows {
                    let values: Vec<i64> = batch
                        .row_cells(*row)
                        .map(|cell| i64::from_be_bytes(cell.value().try_into().unwrap()))
                        .collect();
                    assert!(matches!(values[..], [a, b] if a == b && a >= least), "{values:?}, committed {least}");
                    rows += 1;
                }
            }
            assert!(rows == 2 || least == 0, "{rows} rows, committed {least}");
        }
        writer.join().unwrap();
        flusher.join().unwrap();
        db.close().unwrap();
    });
}

/// Closing waits for running writers; later ones are refused.
#[test]
fn closing_keeps_acknowledged_writes_and_never_hangs() {
    check(|| {
        let (db, table) = database(&[]);
        let writing = Arc::clone(&table);
        let writer = thread::spawn(move || {
            (1..4).take_while(|value| writing.mutate(mutation(MutationKind::Put, "row", *value)).is_ok()).count()
        });
        let flushing = Arc::clone(&db);
        let flusher = thread::spawn(move || drop(flushing.admin().flush(Some(&name()))));
        db.close().unwrap();
        assert!(writer.join().unwrap() <= 3);
        flusher.join().unwrap();
    });
}

/// A trial attached an observer while a region split: the new regions never called it. Its first correction waited for rows
/// that a writer had locked, while the writer waited for the split, and the split for the observer.
#[test]
fn an_observer_that_is_attached_beside_a_split_and_a_write_sees_all_later_writes() {
    check(|| {
        let (db, table) = database(&[]);
        let (splitting, writing) = (Arc::clone(&db), Arc::clone(&table));
        let splitter = thread::spawn(move || {
            let region = splitting.admin().regions(&name()).unwrap()[0].region_name();
            splitting.admin().split_region(&region, Some(b"m")).unwrap();
        });
        let writer = thread::spawn(move || writing.mutate(mutation(MutationKind::Put, "a", 0)).unwrap());
        let seen = Arc::new(AtomicI64::new(0));
        let count = Arc::clone(&seen);
        let observer = Interruption::before_write(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(())
        });
        db.observe_table(&name(), Some(observer)).unwrap();
        splitter.join().unwrap();
        writer.join().unwrap();
        let before = seen.load(Ordering::SeqCst);
        table.mutate(mutation(MutationKind::Put, "a", 1)).unwrap();
        table.mutate(mutation(MutationKind::Put, "z", 1)).unwrap();
        assert_eq!(seen.load(Ordering::SeqCst), before + 2);
        db.observe_table(&name(), None).unwrap();
        db.close().unwrap();
    });
}
