//! Failing calls: nothing is acknowledged that is not in the log, and the log refuses to continue.

use super::script::*;
use super::*;
use crate::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use rowstone_model::ErrorKind;

const FAULTS: [Fault; 4] = [Fault::Io, Fault::DiskFull, Fault::Interrupted, Fault::ShortWrite];

#[test]
fn a_failure_at_every_call_leaves_a_database_that_opens_again() {
    for fault in FAULTS {
        let mut failures = 0;
        for number in 1.. {
            let files = FaultyFileSystem::new();
            let system = on_disk(&files);
            let due = files.calls(CallKind::Change) + number;
            files.fail(CallKind::Change, due, fault);
            let mut known = Knowledge::default();
            let result = life(&system, &mut known);
            if files.calls(CallKind::Change) < due {
                break;
            }
            if let Err(error) = result {
                failures += 1;
                let kind =
                    if matches!(fault, Fault::Io | Fault::Interrupted) { ErrorKind::Io } else { ErrorKind::DiskFull };
                assert_eq!(error.kind(), kind, "{error}");
            }
            // Data that the disk had before the failure is durable. After reopening, all data in the kernel is
            // durable too, although a failed sync has dropped it from the cache.
            for crash in [Crash::Synced, Crash::Subset(number)] {
                check(&read(&on_disk(&files.crash(crash))).unwrap().0, &known, known.disk);
            }
            session(&system, &mut known, 4, true).unwrap();
            check(&read(&on_disk(&files.crash(Crash::Synced))).unwrap().0, &known, known.issued);
        }
        assert!(failures > 30, "{failures} failures");
    }
}

#[test]
fn a_failure_while_reading_is_told_and_changes_nothing() {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    let mut known = Knowledge::default();
    life(&system, &mut known).unwrap();
    let expected = read(&system).unwrap().0;
    for number in 1.. {
        let reads = files.calls(CallKind::Read);
        files.fail(CallKind::Read, reads + number, Fault::Io);
        match read(&system) {
            Err(error) => assert_eq!(error.kind(), ErrorKind::Io),
            Ok((found, _)) => {
                assert_eq!(found, expected);
                assert!(number > 5);
                break;
            }
        }
        files.heal();
    }
}

#[test]
fn the_first_failure_has_its_own_kind_and_all_later_ones_are_poison() {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    let wal = open_wal(&system, directory(), quiet(), &ReplayReport::default()).unwrap();
    let ids = AtomicU64::new(0);
    let early = put(&wal, &ids, Durability::FsyncWal).unwrap();
    put(&wal, &ids, Durability::AsyncWal).unwrap();
    files.fail(CallKind::Change, files.calls(CallKind::Change) + 1, Fault::ShortWrite);
    assert_eq!(put(&wal, &ids, Durability::SyncWal).unwrap_err().kind(), ErrorKind::DiskFull);
    let given = ids.load(Ordering::SeqCst);
    let calls = files.calls(CallKind::Change);
    for durability in [Durability::AsyncWal, Durability::SyncWal, Durability::FsyncWal] {
        assert_eq!(put(&wal, &ids, durability).unwrap_err().kind(), ErrorKind::LogPoisoned);
    }
    assert_eq!(wal.sync().unwrap_err().kind(), ErrorKind::LogPoisoned);
    assert_eq!(wal.roll().unwrap_err().kind(), ErrorKind::LogPoisoned);
    assert_eq!(wal.close().unwrap_err().kind(), ErrorKind::LogPoisoned);
    assert_eq!(wal.failure().unwrap().kind(), ErrorKind::DiskFull);
    assert!(wal.commit(&early, Durability::FsyncWal).is_ok(), "what was safe before stays safe");
    assert_eq!(ids.load(Ordering::SeqCst), given, "no sequence id was given out in vain");
    assert_eq!(files.calls(CallKind::Change), calls, "the file was left alone");
    let (found, report) = read(&system).unwrap();
    assert_eq!(found, [1, 2][..found.len()], "a prefix");
    assert!(!found.is_empty() && report.torn_tail_bytes > 0);
}

#[test]
fn a_log_that_cannot_be_put_away_does_not_stop_writing_and_goes_later() {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    let wal = open_wal(&system, directory(), quiet(), &ReplayReport::default()).unwrap();
    let ids = AtomicU64::new(0);
    put(&wal, &ids, Durability::SyncWal).unwrap();
    wal.roll().unwrap();
    files.fail(CallKind::Change, files.calls(CallKind::Change) + 2, Fault::Io);
    assert_eq!(wal.flushed(REGION, 1).unwrap_err().kind(), ErrorKind::Io);
    put(&wal, &ids, Durability::FsyncWal).unwrap();
    wal.roll().unwrap();
    wal.flushed(REGION, 2).unwrap();
    assert_eq!(wal.statistics().log_count, 1, "the next flush tries again");
    // A file that could not be moved is moved by the next call.
    put(&wal, &ids, Durability::FsyncWal).unwrap();
    wal.roll().unwrap();
    // The register writes five times: create, append, sync, rename, sync of the folder.
    files.fail(CallKind::Change, files.calls(CallKind::Change) + 6, Fault::Io);
    wal.flushed(REGION, 3).unwrap();
    let names = || files.list(directory()).unwrap().len();
    assert_eq!((wal.statistics().log_count, names()), (1, 2));
    wal.tidy().unwrap();
    assert_eq!(names(), 1);
    assert_eq!(read(&system).unwrap().0, Vec::<u64>::new());
}

#[test]
fn a_disk_without_room_for_another_log_keeps_the_current_one() {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    let options = WalOptions { roll_bytes: 300, reserve_bytes: 4096, ..quiet() };
    let wal = open_wal(&system, directory(), options, &ReplayReport::default()).unwrap();
    let ids = AtomicU64::new(0);
    put(&wal, &ids, Durability::SyncWal).unwrap();
    files.set_capacity(files.occupied());
    assert_eq!(wal.roll().unwrap_err().kind(), ErrorKind::DiskFull);
    let (mut accepted, mut refused) = (0, 0);
    while refused < 3 {
        match put(&wal, &ids, Durability::SyncWal) {
            Ok(_) => accepted += 1,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::DiskFull);
                refused += 1;
            }
        }
    }
    assert!(accepted > 10, "the log grows into the space reserved for it");
    assert_eq!(wal.statistics().log_count, 1);
    assert!(wal.failure().is_none());
    files.set_capacity(1 << 20);
    while wal.statistics().log_number == 1 && accepted < 200 {
        put(&wal, &ids, Durability::SyncWal).unwrap();
        accepted += 1;
    }
    assert_eq!(wal.statistics().log_number, 2);
    wal.close().unwrap();
    assert_eq!(read(&system).unwrap().0, (1..=accepted + 1).collect::<Vec<u64>>());
}

#[test]
fn a_log_that_cannot_roll_on_a_full_disk_does_not_try_at_every_append() {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    let options = WalOptions { roll_bytes: 4000, reserve_bytes: 64 << 10, ..quiet() };
    let wal = open_wal(&system, directory(), options, &ReplayReport::default()).unwrap();
    let ids = AtomicU64::new(0);
    put(&wal, &ids, Durability::SyncWal).unwrap();
    files.set_capacity(files.occupied());
    let before = files.calls(CallKind::Change);
    for _ in 0..200 {
        put(&wal, &ids, Durability::SyncWal).unwrap();
    }
    // A write each, and a few more for each attempt to begin another log.
    let calls = files.calls(CallKind::Change) - before;
    assert!((200..300).contains(&calls), "{calls} calls");
    assert_eq!(wal.statistics().log_count, 1);
}

/// A register on another disk.
struct Elsewhere(AtomicU64);

impl LogRegister for Elsewhere {
    fn add(&self, _log: &LogEnd) -> Result<u64> {
        Ok(self.0.fetch_add(1, Ordering::SeqCst) + 1)
    }

    fn remove_before(&self, _number: u64) -> Result<u64> {
        Ok(self.0.fetch_add(1, Ordering::SeqCst) + 1)
    }
}

#[test]
fn records_appended_while_the_log_rolls_have_room() {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    let options = WalOptions { roll_bytes: 300, reserve_bytes: 256, ..quiet() };
    let register = Arc::new(Elsewhere(AtomicU64::new(0)));
    let wal = Wal::open(&system, directory(), options, &mut ReplayReport::default(), register).unwrap();
    files.set_capacity(files.occupied() + (64 << 10));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let cells = cell(&[7; 8]);
                let parts = [Part { region: REGION, cells: &cells }];
                let mut refused = 0;
                while refused < 50 {
                    match wal.append_and_commit(Durability::SyncWal, &Entry::new(&parts, 99), &mut |_| 1) {
                        Ok(_) => {}
                        Err(error) => {
                            assert_eq!(error.kind(), ErrorKind::DiskFull, "{error}");
                            refused += 1;
                        }
                    }
                }
            });
        }
    });
    assert!(wal.failure().is_none(), "{:?}", wal.failure());
}
