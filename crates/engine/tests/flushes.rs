//! Flushes that panic, and flushes that an observer refuses.

use crate::observer_support::Interruption;
use crate::regions_support::{create_named, mutation};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::FaultyFileSystem;
use rowstone_engine::sys::{Clock, FileSystem, ManualClock, SeededEntropy, System};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{Durability, Get, Mutation};
use rowstone_model::schema::TableName;
use rowstone_model::Error;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A clock that panics once: the first thing to read it is then a flush that has set its cells aside.
#[derive(Default)]
struct Trap(AtomicBool);

impl Clock for Trap {
    fn now_ms(&self) -> i64 {
        assert!(!self.0.swap(false, Ordering::SeqCst), "the clock was to panic");
        1_000
    }
}

fn database(files: &FaultyFileSystem, clock: Arc<dyn Clock>, is_passive: bool) -> Arc<dyn Backend> {
    files.create_dir_all(Path::new("/")).unwrap();
    let settings = [("hbase.regionserver.optionalcacheflushinterval", "1000")];
    open(OpenOptions {
        directory: Some(PathBuf::from("/db")),
        create: true,
        is_passive,
        configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        system: Some(System { files: Arc::new(files.clone()), clock, entropy: Arc::new(SeededEntropy::new(3)) }),
        ..OpenOptions::default()
    })
    .unwrap()
}

fn create(db: &dyn Backend, table: &str) -> TableName {
    create_named(db, table, &[], &[]);
    TableName::parse(table).unwrap()
}

fn put(db: &dyn Backend, table: &TableName, row: &str, durability: Durability) {
    db.table(table).unwrap().mutate(Mutation { durability, ..mutation(row, 1) }).unwrap();
}

fn has(db: &dyn Backend, table: &TableName, row: &str) -> bool {
    db.table(table).unwrap().exists(&Get::of(row)).unwrap()
}

/// Writes `first`, panics while it is flushed, then runs `after`, and opens the database again.
fn after_a_panic(first: Durability, after: impl Fn(&dyn Backend, &TableName)) -> (Arc<dyn Backend>, TableName) {
    let (files, clock) = (FaultyFileSystem::new(), Arc::new(Trap::default()));
    let db = database(&files, Arc::clone(&clock) as Arc<dyn Clock>, true);
    let table = create(&*db, "t");
    put(&*db, &table, "first", first);
    clock.0.store(true, Ordering::SeqCst);
    assert!(catch_unwind(AssertUnwindSafe(|| db.admin().flush(None))).is_err(), "the flush did not panic");
    assert!(has(&*db, &table, "first"));
    after(&*db, &table);
    db.close().unwrap();
    drop(db);
    (database(&files, clock, true), table)
}

#[test]
fn a_flush_after_one_that_panicked_loses_no_write_between_them() {
    let (db, table) = after_a_panic(Durability::SyncWal, |db, table| {
        put(db, table, "second", Durability::SyncWal);
        db.admin().flush(None).unwrap();
    });
    assert!(has(&*db, &table, "first") && has(&*db, &table, "second"));
}

#[test]
fn writes_without_the_log_are_flushed_at_closing_after_a_flush_panicked() {
    let (db, table) = after_a_panic(Durability::SkipWal, |_, _| ());
    assert!(has(&*db, &table, "first"));
}

#[test]
fn a_table_that_refuses_its_flush_does_not_keep_old_memstores_of_others_in_memory() {
    let (files, clock) = (FaultyFileSystem::new(), Arc::new(ManualClock::new(1_000)));
    let db = database(&files, Arc::clone(&clock) as Arc<dyn Clock>, false);
    let tables = ["a", "b"].map(|name| create(&*db, name));
    let refuses = Interruption::before_flush(|_| Err(Error::invalid("not now")));
    db.observe_table(&tables[0], Some(refuses)).unwrap();
    tables.iter().for_each(|table| put(&*db, table, "row", Durability::SyncWal));
    clock.advance(5_000);
    let deadline = Instant::now() + Duration::from_secs(20);
    while db.admin().store_files(&tables[1]).unwrap().is_empty() {
        assert!(Instant::now() < deadline, "table b was never flushed");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(db.admin().store_files(&tables[0]).unwrap().is_empty());
    db.close().unwrap();
}
