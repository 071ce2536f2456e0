//! The log without failures: every record is read back.

use super::*;

#[test]
fn committed_records_are_read_back_in_order() {
    let system = memory();
    let ids = AtomicU64::new(0);
    for _ in 0..3 {
        let (_, report) = read(&system).unwrap();
        let wal = open_wal(&system, directory(), WalOptions::default(), &report).unwrap();
        for durability in [Durability::SyncWal, Durability::AsyncWal, Durability::FsyncWal, Durability::UseDefault] {
            put(&wal, &ids, durability).unwrap();
        }
        wal.close().unwrap();
        wal.close().unwrap();
    }
    let (found, report) = read(&system).unwrap();
    assert_eq!(found, (1..=12).collect::<Vec<_>>());
    assert_eq!((report.records, report.logs.len(), report.last_log_number(), report.torn_tail_bytes), (12, 3, 3, 0));
}

#[test]
fn a_record_keeps_all_its_parts() {
    let system = memory();
    let wal = open_wal(&system, directory(), quiet(), &ReplayReport::default()).unwrap();
    let (one, two) = (cell(b"one"), [cell(b"two"), cell(b"three")].concat());
    let parts = [Part { region: REGION, cells: &one }, Part { region: OTHER, cells: &two }];
    let entry = Entry { nonce_group: 3, nonce: 4, origin: [9; 16], ..Entry::new(&parts, -5) };
    wal.append_and_commit(Durability::FsyncWal, &entry, &mut |index| 10 + index as u64).unwrap();
    let mut count = 0;
    replay_all(&system, directory(), &mut |record| {
        count += 1;
        assert_eq!((record.write_time_ms, record.nonce_group, record.nonce, record.origin), (-5, 3, 4, [9; 16]));
        assert_eq!((record.log_number, record.offset), (1, 64));
        let parts: Vec<_> = record.parts.iter().map(|part| (part.region, part.sequence_id, part.cells)).collect();
        assert_eq!(parts, [(REGION, 10, one.as_slice()), (OTHER, 11, two.as_slice())]);
        assert_eq!(record.parts[1].iter().map(|cell| cell.value()).collect::<Vec<_>>(), [&b"two"[..], b"three"]);
        Ok(())
    })
    .unwrap();
    assert_eq!(count, 1);
}

#[test]
fn on_a_real_disk_reserved_space_is_given_back() {
    use crate::sys::RealFileSystem;
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let system = system_on(RealFileSystem, &Arc::new(ManualClock::new(1_000)));
    let wals = folder.path().join("WALs");
    let wal = open_wal(&system, &wals, WalOptions::default(), &ReplayReport::default()).unwrap();
    let ids = AtomicU64::new(0);
    for durability in [Durability::SyncWal, Durability::AsyncWal, Durability::FsyncWal].repeat(50) {
        put(&wal, &ids, durability).unwrap();
    }
    wal.roll().unwrap();
    put(&wal, &ids, Durability::AsyncWal).unwrap();
    wal.close().unwrap();
    let mut count = 0;
    let report = replay_all(&system, &wals, &mut |_| {
        count += 1;
        Ok(())
    });
    assert_eq!((count, report.unwrap().logs.len()), (151, 2));
    for entry in std::fs::read_dir(&wals).unwrap() {
        let metadata = entry.unwrap().metadata().unwrap();
        assert!(metadata.blocks() * 512 <= 1 << 20, "{} blocks for {} bytes", metadata.blocks(), metadata.len());
    }
}
