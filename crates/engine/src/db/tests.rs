//! Memstore upkeep by a thread of its own instead of the writer; memory of a scan's batches; closing; errors of the lock.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::open::{lock_error, open_database};
use super::state::queue::{Role, Task};
use super::OpenOptions;
use crate::store::Work;
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::io;
use std::path::Path;
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::time::{Duration, Instant};

fn put(row: &str, value: &[u8]) -> Mutation {
    let mut mutation = Mutation::new(MutationKind::Put, row);
    let (row, cell_type) = (row.as_bytes(), CellType::Put);
    let parts =
        CellParts { row, family: b"f", qualifier: b"q", timestamp: LATEST_TIMESTAMP, cell_type, value, tags: b"" };
    mutation.cells.push(parts);
    mutation
}

#[test]
fn a_full_tree_of_a_memstore_is_reported_to_the_upkeep_thread() {
    let db = open_database(OpenOptions { create: true, is_passive: true, ..OpenOptions::default() }).unwrap();
    let name = TableName::parse("t").unwrap();
    let table = TableDescriptor::new(name.clone()).with_family(FamilyDescriptor::new("f"));
    db.admin().create_table(table, Vec::new()).unwrap();
    let (handle, value) = (db.table(&name).unwrap(), vec![b'v'; 1 << 20]);
    let region = db.shared.tables.all()[0].regions()[0].clone();
    let next = || {
        // Found if nothing else is queued.
        db.shared.queue.push(Work::Upkeep("nothing".into()));
        match db.shared.queue.next(Role::Upkeep, Instant::now()) {
            Task::Upkeep(region) => region,
            _ => "other work".into(),
        }
    };
    handle.mutate(put("a", &value)).unwrap();
    assert_eq!(next(), "nothing");
    for row in ["b", "c", "d", "e"] {
        handle.mutate(put(row, &value)).unwrap();
    }
    assert_eq!(next(), region.info().encoded_name);
}

#[test]
fn a_database_has_a_thread_for_memstore_upkeep() {
    let db = open_database(OpenOptions { create: true, ..OpenOptions::default() }).unwrap();
    let threads = db.threads.lock();
    assert!(threads.iter().any(|thread| thread.thread().name() == Some("rowstone-memstore")));
}

#[test]
fn batches_of_a_long_scan_do_not_grow_to_twice_their_limit() {
    const BATCH_BYTES: usize = 16 << 10;
    let db = open_database(OpenOptions { create: true, is_passive: true, ..OpenOptions::default() }).unwrap();
    let name = TableName::parse("t").unwrap();
    let table = TableDescriptor::new(name.clone()).with_family(FamilyDescriptor::new("f"));
    db.admin().create_table(table, Vec::new()).unwrap();
    let handle = db.table(&name).unwrap();
    for row in 0..2_000 {
        handle.mutate(put(&format!("{row:05}"), &[b'v'; 100])).unwrap();
    }
    let mut scan = handle.scan(Scan::default()).unwrap();
    let mut capacities = Vec::new();
    while let Some(batch) = scan.next_batch(usize::MAX, BATCH_BYTES).unwrap() {
        capacities.push(batch.cells.capacity());
    }
    // The first one does not know how large it will be.
    assert!(
        capacities.len() > 10 && capacities[1..].iter().all(|&bytes| bytes < BATCH_BYTES * 5 / 4),
        "{capacities:?}"
    );
}

#[test]
fn a_second_close_waits_until_the_first_has_finished() {
    let db = open_database(OpenOptions { create: true, is_passive: true, ..OpenOptions::default() }).unwrap();
    std::thread::scope(|scope| {
        // A schema change that runs: the first call waits for it.
        let change = db.shared.ddl.lock();
        let first = scope.spawn(|| db.close());
        while db.shared.check_open().is_ok() {
            std::thread::yield_now();
        }
        let (sender, receiver) = channel();
        scope.spawn({
            let db = &db;
            move || sender.send(db.close()).unwrap()
        });
        assert!(matches!(receiver.recv_timeout(Duration::from_millis(100)), Err(RecvTimeoutError::Timeout)));
        drop(change);
        first.join().unwrap().unwrap();
        receiver.recv().unwrap().unwrap();
    });
    db.close().unwrap();
}

#[test]
fn a_lock_in_a_directory_that_cannot_be_written_suggests_to_read_only() {
    let (root, path) = (Path::new("/db"), Path::new("/db/LOCK"));
    for kind in [io::ErrorKind::ReadOnlyFilesystem, io::ErrorKind::PermissionDenied] {
        let message = lock_error(root, path, &kind.into()).message().to_string();
        assert!(message.starts_with("cannot lock /db/LOCK: ") && message.contains("read_only=True"), "{message}");
    }
}
