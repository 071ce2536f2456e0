//! Many concurrent writers, and the background thread.

use super::script::on_disk;
use super::*;
use crate::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use crate::sys::lock::Mutex;
use rowstone_model::ErrorKind;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const THREADS: u64 = 8;
const EACH: u64 = 200;

/// Waits until `done` is true, with a timeout.
fn await_that(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::yield_now();
    }
}

/// `THREADS` writers to two regions. Returns the acknowledged ids by region.
fn write_concurrently(wal: &Wal, durability: Durability) -> BTreeMap<RegionKey, Vec<u64>> {
    let ids = [AtomicU64::new(0), AtomicU64::new(0)];
    let acknowledged = Mutex::new(BTreeMap::<RegionKey, Vec<u64>>::new());
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (ids, acknowledged) = (&ids, &acknowledged);
            scope.spawn(move || {
                let (region, ids) = if thread % 2 == 0 { (REGION, &ids[0]) } else { (OTHER, &ids[1]) };
                let cells = cell(b"value");
                let parts = [Part { region, cells: &cells }];
                for _ in 0..EACH {
                    let mut id = 0;
                    let mut assign = |_| {
                        id = ids.fetch_add(1, Ordering::SeqCst) + 1;
                        id
                    };
                    let ticket = match wal.append(durability, &Entry::new(&parts, 0), &mut assign) {
                        Ok(ticket) => ticket,
                        Err(_) => return,
                    };
                    if wal.commit(&ticket, durability).is_err() {
                        return;
                    }
                    acknowledged.lock().entry(region).or_default().push(id);
                }
            });
        }
    });
    acknowledged.into_inner()
}

fn read_all(system: &System) -> BTreeMap<RegionKey, Vec<u64>> {
    let mut found = BTreeMap::<RegionKey, Vec<u64>>::new();
    let mut visit = |record: Record<'_>| {
        for part in &record.parts {
            found.entry(part.region).or_default().push(part.sequence_id);
        }
        Ok(())
    };
    replay_all(system, directory(), &mut visit).unwrap();
    found
}

#[test]
fn the_order_of_the_log_is_that_of_the_sequence_ids() {
    for durability in [Durability::SyncWal, Durability::FsyncWal, Durability::AsyncWal] {
        for roll_bytes in [2_000, 128 << 20] {
            let system = memory();
            let options = WalOptions { roll_bytes, ..WalOptions::default() };
            let wal = open_wal(&system, directory(), options, &Default::default()).unwrap();
            write_concurrently(&wal, durability);
            wal.close().unwrap();
            for ids in read_all(&system).values() {
                assert_eq!(*ids, (1..=THREADS / 2 * EACH).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn acknowledged_writes_survive_disk_failures_and_crashes() {
    for (fault, number) in [(Fault::Io, 50), (Fault::Halt, 77), (Fault::ShortWrite, 123), (Fault::Halt, 300)] {
        for durability in [Durability::SyncWal, Durability::FsyncWal] {
            let files = FaultyFileSystem::new();
            let system = on_disk(&files);
            files.fail(CallKind::Change, number, fault);
            let options = WalOptions { roll_bytes: 6_000, reserve_bytes: 0, ..WalOptions::default() };
            let wal = open_wal(&system, directory(), options, &Default::default()).unwrap();
            let acknowledged = write_concurrently(&wal, durability);
            let closed = wal.close().map_err(|error| error.kind());
            // A disk that is full when space is reserved for another log, and later has space again, does not end
            // the log.
            let went_on = fault == Fault::ShortWrite && wal.failure().is_none();
            assert_eq!(closed, if went_on { Ok(()) } else { Err(ErrorKind::LogPoisoned) }, "{fault:?} {durability:?}");
            let crash = if durability == Durability::FsyncWal { Crash::Subset(number) } else { Crash::Everything };
            let found = read_all(&on_disk(&files.crash(crash)));
            for (region, ids) in acknowledged {
                let highest = ids.iter().max().copied().unwrap_or(0);
                let found = found.get(&region).cloned().unwrap_or_default();
                assert!(found.len() as u64 >= highest, "{} of {highest}", found.len());
                assert_eq!(found, (1..=found.len() as u64).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn writers_that_wait_for_the_disk_share_their_syncs() {
    let system = memory();
    let wal = open_wal(&system, directory(), WalOptions::default(), &Default::default()).unwrap();
    // No thread can sync while this test has the syncer, so all eight queue up behind it.
    let syncer = wal.shared.state.lock().syncer.take();
    let ids = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let cells = cell(b"");
                let parts = [Part { region: REGION, cells: &cells }];
                let mut assign = |_| ids.fetch_add(1, Ordering::SeqCst) + 1;
                wal.append_and_commit(Durability::FsyncWal, &Entry::new(&parts, 0), &mut assign).unwrap();
            });
        }
        await_that("all appended", || wal.statistics().appends == THREADS);
        wal.shared.state.lock().syncer = syncer;
        wal.shared.done.notify_all();
    });
    assert_eq!(wal.statistics().syncs, 1);
    wal.close().unwrap();
}

#[test]
fn the_background_thread_syncs_unawaited_writes_and_sleeps() {
    for durability in [Durability::AsyncWal, Durability::SyncWal] {
        let files = FaultyFileSystem::new();
        let system = on_disk(&files);
        let options = WalOptions { sync_interval: Duration::from_millis(10), ..WalOptions::default() };
        let wal = open_wal(&system, directory(), options, &Default::default()).unwrap();
        for round in 1..=3 {
            put(&wal, &AtomicU64::new(round - 1), durability).unwrap();
            await_that("synced", || {
                let state = wal.shared.state.lock();
                state.synced == state.appended
            });
            assert_eq!(read(&on_disk(&files.crash(Crash::Synced))).unwrap().0.len() as u64, round);
            await_that("idle", || wal.shared.state.lock().is_idle);
        }
        let calls = files.calls(CallKind::Change);
        std::thread::yield_now();
        assert_eq!(files.calls(CallKind::Change), calls);
        wal.close().unwrap();
        assert_eq!(put(&wal, &AtomicU64::new(9), durability).unwrap_err().kind(), ErrorKind::DatabaseClosed);
    }
}

#[test]
fn a_failure_in_the_background_poisons_the_log() {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    let options = WalOptions { sync_interval: Duration::from_millis(1), ..WalOptions::default() };
    let wal = open_wal(&system, directory(), options, &Default::default()).unwrap();
    // Space is reserved before the record is accepted; the write itself fails.
    files.fail_from(CallKind::Change, files.calls(CallKind::Change) + 2, Fault::DiskFull);
    put(&wal, &AtomicU64::new(0), Durability::AsyncWal).unwrap();
    await_that("failed", || wal.failure().is_some());
    files.heal();
    let error = put(&wal, &AtomicU64::new(1), Durability::AsyncWal).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LogPoisoned);
    assert!(error.message().contains("No space left"), "{error}");
}

#[test]
fn a_log_that_is_dropped_ends_its_thread() {
    let system = memory();
    let wal = open_wal(&system, directory(), WalOptions::default(), &Default::default()).unwrap();
    put(&wal, &AtomicU64::new(0), Durability::SyncWal).unwrap();
    let shared = Arc::downgrade(&wal.shared);
    drop(wal);
    await_that("the thread ended", || shared.upgrade().is_none());
}
