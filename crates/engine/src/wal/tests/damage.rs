//! Unexpected bytes: torn tails are accepted, damage is reported, and no bytes make the reader panic.

use super::script::*;
use super::*;
use crate::sys::faulty::FaultyFileSystem;
use proptest::prelude::*;
use rowstone_model::ErrorKind;
use std::path::PathBuf;

fn path(number: u64) -> PathBuf {
    directory().join(format!("{number:020}.wal"))
}

/// Six records; with `is_clean` the log was closed, else the process was killed right after the sixth.
fn six(is_clean: bool) -> (FaultyFileSystem, System) {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    let wal = open_wal(&system, directory(), quiet(), &ReplayReport::default()).unwrap();
    let ids = AtomicU64::new(0);
    for durability in [Durability::SyncWal, Durability::FsyncWal].repeat(3) {
        put(&wal, &ids, durability).unwrap();
    }
    if is_clean {
        wal.close().unwrap();
    }
    (files, system)
}

#[test]
fn zeros_and_garbage_after_the_last_record_are_a_torn_tail() {
    for is_clean in [false, true] {
        for tail in [&[0; 5000][..], &[0xab; 777], &[0; 3], &[0, 0, 0, 0, 0x80, 0, 0, 8, 1]] {
            let (files, system) = six(is_clean);
            files.damage(&path(1), |bytes| bytes.extend_from_slice(tail)).unwrap();
            for _ in 0..2 {
                let (found, report) = read(&system).unwrap();
                assert_eq!((found, report.torn_tail_bytes), ((1..=6).collect(), tail.len() as u64));
            }
            let report = read(&system).unwrap().1;
            let wal = open_wal(&system, directory(), quiet(), &report).unwrap();
            put(&wal, &AtomicU64::new(6), Durability::SyncWal).unwrap();
            let (found, report) = read(&system).unwrap();
            assert_eq!(
                (found, report.torn_tail_bytes),
                ((1..=7).collect(), 0),
                "the old tail is out of the way for good"
            );
        }
    }
}

#[test]
fn a_flipped_bit_in_what_was_synced_is_damage_and_never_less_data() {
    let (files, _) = six(true);
    let length = files.read(&path(1)).unwrap().len();
    // Nothing protects the clean exit's mark itself, and damage to it is harmless.
    for at in 0..length - crate::frame::MARK_BYTES {
        let (files, system) = six(true);
        files.damage(&path(1), |bytes| bytes[at] ^= 1 << (at % 8)).unwrap();
        match read(&system) {
            Err(error) => {
                assert!([ErrorKind::Corruption, ErrorKind::Unsupported].contains(&error.kind()), "{at}: {error}");
            }
            Ok((found, _)) => panic!("byte {at}: read {found:?}"),
        }
    }
}

#[test]
fn a_killed_log_cut_anywhere_gives_a_prefix() {
    let (files, _) = six(false);
    let whole = files.read(&path(1)).unwrap();
    for length in 64..whole.len() {
        let (files, system) = six(false);
        files.damage(&path(1), |bytes| bytes.truncate(length)).unwrap();
        let found = read(&system).unwrap().0;
        assert_eq!(found, (1..=6).take(found.len()).collect::<Vec<_>>());
    }
}

#[test]
fn a_shortened_missing_or_exchanged_log_in_the_middle_is_damage() {
    let logs = || {
        let (files, system) = six(true);
        for last in [6, 7] {
            let wal = open_wal(&system, directory(), quiet(), &read(&system).unwrap().1).unwrap();
            put(&wal, &AtomicU64::new(last), Durability::SyncWal).unwrap();
            wal.close().unwrap();
        }
        assert_eq!(read(&system).unwrap().0, (1..=8).collect::<Vec<_>>());
        (files, system)
    };
    let length = logs().0.read(&path(1)).unwrap().len();
    for cut in 0..length - crate::frame::MARK_BYTES {
        let (files, system) = logs();
        files.damage(&path(1), |bytes| bytes.truncate(cut)).unwrap();
        let error = read(&system).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption);
        assert!(error.place().unwrap().file.ends_with("1.wal"));
    }
    let (files, system) = logs();
    files.remove_file(&path(2)).unwrap();
    assert!(read(&system).unwrap_err().message().contains("log 2, which the manifest needs, found no file"));
    let (files, system) = logs();
    let other = on_disk(&FaultyFileSystem::new());
    open_wal(&other, directory(), quiet(), &ReplayReport::default()).unwrap().close().unwrap();
    let foreign = other.files.read(&path(1)).unwrap();
    // The same number, but another log: written by another database.
    let mut foreign_header = foreign[..64].to_vec();
    foreign_header[24] ^= 1;
    let sum = crc32c::crc32c(&foreign_header[..60]);
    foreign_header[60..].copy_from_slice(&sum.to_be_bytes());
    files.damage(&path(1), |bytes| bytes[..64].copy_from_slice(&foreign_header)).unwrap();
    assert!(read(&system).unwrap_err().message().contains("another log of that number"));
}

/// A log to which a writer appends three marks while it is read: in reads 1 and 2 the first is missing, in 3 and 4 the
/// second.
struct Growing {
    bytes: Vec<u8>,
    marks_start: usize,
    reads: std::sync::atomic::AtomicUsize,
}

impl crate::sys::ReadableFile for Growing {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        let missing = self.reads.fetch_add(1, Ordering::SeqCst) / 2;
        let mut bytes = self.bytes.clone();
        if missing < 2 {
            let hole = self.marks_start + missing * crate::frame::MARK_BYTES;
            bytes[hole..hole + crate::frame::MARK_BYTES].fill(0);
        }
        buffer.copy_from_slice(&bytes[offset as usize..][..buffer.len()]);
        Ok(())
    }

    fn len(&self) -> std::io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }
}

#[test]
fn marks_that_a_writer_completes_one_after_the_other_are_no_damage() {
    let (files, system) = six(false);
    let seed = read(&system).unwrap().1.logs[0].end.checksum;
    let mut log = super::super::replay::open_log(&files, 1, path(1)).unwrap();
    let mut bytes = files.read(&path(1)).unwrap();
    let marks_start = bytes.len();
    for _ in 0..3 {
        let offset = bytes.len() as u64;
        bytes.extend_from_slice(&crate::frame::mark(seed, offset, offset, 0));
    }
    log.length = bytes.len() as u64;
    log.file = Arc::new(Growing { bytes, marks_start, reads: Default::default() });
    let summary = super::super::replay::read_log(&log, None, &mut |_| Ok(())).unwrap();
    assert_eq!((summary.records, summary.end.length), (6, log.length));
}

#[test]
fn a_log_that_was_not_replayed_is_not_passed_over() {
    let (_, system) = six(true);
    let error = open_wal(&system, directory(), quiet(), &ReplayReport::default()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Internal);
}

fn read_bytes(header: &[u8], body: &[u8]) -> Result<(Vec<u64>, ReplayReport)> {
    let files = FaultyFileSystem::new();
    let system = on_disk(&files);
    files.create_dir_all(directory()).unwrap();
    files.create(&path(1)).unwrap().append(&[header, body].concat()).unwrap();
    read(&system)
}

proptest! {
    #[test]
    fn random_bytes_are_no_records(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let error = read_bytes(&[], &bytes).unwrap_err();
        prop_assert_eq!(error.kind(), ErrorKind::Corruption);
        let (files, _) = six(true);
        let header = files.read(&path(1)).unwrap()[..64].to_vec();
        prop_assert_eq!(read_bytes(&header, &bytes).unwrap().0, Vec::<u64>::new());
    }

    #[test]
    fn random_payloads_are_decoded_or_refused(payload in proptest::collection::vec(any::<u8>(), 0..200), flags in 0u8..5) {
        let _ = Record::decode(&payload, 1, 64);
        let mut shaped = vec![flags];
        shaped.extend_from_slice(&payload);
        if let Ok(record) = Record::decode(&shaped, 1, 64) {
            prop_assert!(record.parts.iter().map(|part| part.cells.len()).sum::<usize>() <= shaped.len());
        }
    }

    #[test]
    fn records_come_back_as_they_went(
        entries in proptest::collection::vec(
            (proptest::collection::vec((any::<[u8; 16]>(), any::<u64>(), proptest::collection::vec(any::<u8>(), 0..40)), 1..4),
             any::<i64>(), any::<u64>(), any::<u64>(), any::<[u8; 16]>()),
            1..12),
        roll_bytes in 64u64..2000,
    ) {
        let system = memory();
        let wal = open_wal(&system, directory(), WalOptions { roll_bytes, ..quiet() }, &ReplayReport::default()).unwrap();
        for (parts, write_time_ms, nonce_group, nonce, origin) in &entries {
            let cells: Vec<Vec<u8>> = parts.iter().map(|part| cell(&part.2)).collect();
            let written: Vec<Part<'_>> =
                parts.iter().zip(&cells).map(|(part, cells)| Part { region: part.0, cells }).collect();
            let entry = Entry { parts: &written, write_time_ms: *write_time_ms, nonce_group: *nonce_group, nonce: *nonce, origin: *origin };
            wal.append_and_commit(Durability::SyncWal, &entry, &mut |index| parts[index].1).unwrap();
        }
        let mut expected = entries.iter();
        replay_all(&system, directory(), &mut |record| {
            let (parts, write_time_ms, nonce_group, nonce, origin) = expected.next().unwrap();
            let group = if *nonce == 0 { 0 } else { *nonce_group };
            assert_eq!((record.write_time_ms, record.nonce_group, record.nonce, record.origin), (*write_time_ms, group, *nonce, *origin));
            assert_eq!(record.parts.len(), parts.len());
            for (found, part) in record.parts.iter().zip(parts) {
                assert_eq!((found.region, found.sequence_id, found.cells), (part.0, part.1, cell(&part.2).as_slice()));
            }
            Ok(())
        }).unwrap();
        prop_assert!(expected.next().is_none());
    }
}
