//! Logs are rolled, archived when all of their cells are in files, and deleted when they expire.

use super::*;

fn names(system: &System, folder: &str) -> Vec<String> {
    let paths = system.files.list(&Path::new("/db").join(folder)).unwrap();
    paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap().trim_start_matches('0').to_string()).collect()
}

fn append(wal: &Wal, region: RegionKey, id: u64) {
    let cells = cell(&id.to_be_bytes());
    let parts = [Part { region, cells: &cells }];
    wal.append_and_commit(Durability::SyncWal, &Entry::new(&parts, 0), &mut |_| id).unwrap();
}

#[test]
fn a_full_log_is_followed_by_the_next() {
    let system = memory();
    let wal = open_wal(&system, directory(), WalOptions { roll_bytes: 300, ..quiet() }, &Default::default()).unwrap();
    let ids = AtomicU64::new(0);
    for _ in 0..20 {
        put(&wal, &ids, Durability::SyncWal).unwrap();
    }
    assert_eq!(names(&system, "WALs").len(), 5, "four records in each");
    let statistics = wal.statistics();
    assert_eq!(
        (statistics.log_count, statistics.log_number),
        (names(&system, "WALs").len() as u64, statistics.log_count)
    );
    assert_eq!(statistics.appends, 20);
    assert_eq!(read(&system).unwrap().0, (1..=20).collect::<Vec<_>>());
}

#[test]
fn a_log_goes_when_every_region_in_it_was_flushed_and_no_older_log_stays() {
    let clock = Arc::new(ManualClock::new(5_000));
    let system = system_on(MemoryFileSystem::new(), &clock);
    let wal = open_wal(&system, directory(), quiet(), &Default::default()).unwrap();
    append(&wal, REGION, 1);
    append(&wal, OTHER, 1);
    assert_eq!(wal.roll().unwrap(), 2);
    append(&wal, REGION, 2);
    wal.roll().unwrap();
    append(&wal, REGION, 3);
    assert_eq!(wal.regions_in_oldest_log(), [REGION, OTHER]);
    wal.flushed(REGION, 2).unwrap();
    assert_eq!(names(&system, "WALs"), ["1.wal", "2.wal", "3.wal"], "log 1 still has the other region");
    assert_eq!(wal.regions_in_oldest_log(), [OTHER]);
    wal.flushed(OTHER, u64::MAX).unwrap();
    assert_eq!(names(&system, "WALs"), ["3.wal"]);
    assert_eq!(names(&system, "oldWALs"), ["1.5000.wal", "2.5000.wal"]);
    clock.advance(599_999);
    wal.roll().unwrap();
    wal.tidy().unwrap();
    assert_eq!(names(&system, "oldWALs").len(), 2);
    wal.flushed(REGION, 3).unwrap();
    clock.advance(1);
    wal.roll().unwrap();
    wal.tidy().unwrap();
    assert_eq!(names(&system, "oldWALs"), ["3.604999.wal", "4.605000.wal"], "an empty log goes by itself");
    wal.close().unwrap();
    assert_eq!(read(&system).unwrap().0, Vec::<u64>::new());
}

#[test]
fn old_logs_count_after_a_restart_too() {
    let clock = Arc::new(ManualClock::new(5_000));
    let system = system_on(MemoryFileSystem::new(), &clock);
    for session in 0..3 {
        let (found, report) = read(&system).unwrap();
        assert_eq!(found, (1..=session).collect::<Vec<_>>());
        let wal = open_wal(&system, directory(), quiet(), &report).unwrap();
        append(&wal, REGION, session + 1);
        if session == 2 {
            wal.flushed(REGION, 2).unwrap();
            assert_eq!(names(&system, "WALs"), ["3.wal"]);
            assert_eq!(read(&system).unwrap().0, [3]);
        }
        wal.close().unwrap();
    }
    // The clock was set back: logs from the future are not retained forever.
    clock.set(-1_000_000);
    let report = read(&system).unwrap().1;
    let wal = open_wal(&system, directory(), quiet(), &report).unwrap();
    wal.tidy().unwrap();
    wal.close().unwrap();
    assert_eq!(names(&system, "oldWALs"), Vec::<String>::new());
}

#[test]
fn a_reader_beside_a_writer_misses_nothing_that_was_put_away_meanwhile() {
    let system = memory();
    let wal = open_wal(&system, directory(), quiet(), &Default::default()).unwrap();
    for id in 1..=3 {
        append(&wal, REGION, id);
        wal.roll().unwrap();
    }
    let logs = ListFile::beside(&system, directory()).read().unwrap();
    // Here the reader has read the manifest, and the writer flushes.
    wal.flushed(REGION, 2).unwrap();
    append(&wal, REGION, 4);
    let mut found = Vec::new();
    let mut visit = |record: Record<'_>| {
        found.push(record.parts[0].sequence_id);
        Ok(())
    };
    let needed = Needed { logs: &logs, beside_writer: true, ..Needed::default() };
    replay(&*system.files, directory(), &needed, &mut visit).unwrap();
    assert_eq!(found, [1, 2, 3, 4]);
    assert_eq!(read(&system).unwrap().0, [3, 4]);
}
