//! Scans under faults return exactly the stored rows: none twice, none missing, pieces of rows joined.

use crate::support::fault::Fault;
use crate::support::server::FakeServer;
use crate::support::table::{FakeTable, NOT_SERVING};
use crate::support::{open, scan_all, table, Found};
use proptest::prelude::*;
use rowstone_model::operations::Scan;
use rowstone_model::ErrorKind;
use rowstone_rpc::proto;
use std::time::{Duration, Instant};

/// The expected result of a scan: the fake's rows within the range, whole or in pieces.
fn expected(fake: &FakeTable, scan: &Scan) -> Found {
    let (low, high) = if scan.reversed { (&scan.stop, &scan.start) } else { (&scan.start, &scan.stop) };
    let (low_in, high_in) =
        if scan.reversed { (scan.include_stop, scan.include_start) } else { (scan.include_start, scan.include_stop) };
    let mut rows: Vec<_> = fake
        .rows
        .iter()
        .filter(|(row, _)| low.is_empty() || *row > low || (low_in && *row == low))
        .filter(|(row, _)| high.is_empty() || *row < high || (high_in && *row == high))
        .collect();
    if scan.reversed {
        rows.reverse();
    }
    if scan.limit > 0 {
        rows.truncate(scan.limit as usize);
    }
    let mut found = Vec::new();
    for (row, cells) in rows {
        let columns: Vec<_> = cells.keys().cloned().collect();
        let piece = if scan.batch == 0 { columns.len() } else { scan.batch as usize };
        let pieces: Vec<_> = columns.chunks(piece).collect();
        for (index, piece) in pieces.iter().enumerate() {
            found.push((row.clone(), piece.to_vec(), index + 1 < pieces.len()));
        }
    }
    found
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        Just(Fault::CutBefore),
        Just(Fault::CutAfter),
        Just(Fault::CutInside),
        Just(Fault::Exception("org.apache.hadoop.hbase.UnknownScannerException", "gone", true)),
        Just(Fault::Exception("org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException", "order", true)),
        Just(Fault::Exception("org.apache.hadoop.hbase.exceptions.ScannerResetException", "reset", true)),
        Just(Fault::Exception(NOT_SERVING, "moved", false)),
        Just(Fault::Exception("org.apache.hadoop.hbase.CallQueueTooBigException", "busy", false)),
    ]
}

#[derive(Debug, Clone)]
struct Setting {
    rows: Vec<usize>,
    splits: Vec<usize>,
    cells_per_result: usize,
    results_per_answer: usize,
    heartbeat_every: usize,
    faults: Vec<(usize, Fault)>,
    scan: Scan,
    bounds: (usize, usize),
}

fn key(number: usize) -> String {
    format!("r{number:03}")
}

fn scan() -> impl Strategy<Value = Scan> {
    let edge = prop_oneof![2 => Just(Vec::new()), 3 => (0..45usize).prop_map(|number| key(number).into_bytes())];
    (edge.clone(), edge, any::<[bool; 3]>(), prop_oneof![Just(0u64), 1..20u64], prop_oneof![Just(0u32), 1..5u32])
        .prop_map(|(start, stop, [include_start, include_stop, reversed], limit, batch)| Scan {
            start,
            stop,
            include_start,
            include_stop,
            reversed,
            limit,
            batch,
            ..Scan::default()
        })
}

fn setting() -> impl Strategy<Value = Setting> {
    let faults = prop::collection::vec((0..12usize, fault()), 0..5);
    (
        prop::collection::vec(1..9usize, 0..40),
        prop::collection::btree_set(1..40usize, 0..4),
        1..10usize,
        1..20usize,
        0..4usize,
        faults,
        scan(),
        (1..30usize, 1..400usize),
    )
        .prop_map(|(rows, splits, cells_per_result, results_per_answer, heartbeat_every, faults, scan, bounds)| {
            Setting {
                rows,
                splits: splits.into_iter().collect(),
                cells_per_result,
                results_per_answer,
                heartbeat_every: if heartbeat_every == 1 { 0 } else { heartbeat_every },
                faults,
                scan,
                bounds,
            }
        })
}

/// 200 cases, or as many as `make fuzz` sets.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").map_or(200, |number| number.parse().unwrap());
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_scan_finds_exactly_what_is_there(setting in setting()) {
        let splits: Vec<String> = setting.splits.iter().map(|number| key(*number)).collect();
        let splits: Vec<&str> = splits.iter().map(String::as_str).collect();
        let rows = setting.rows.iter().enumerate().map(|(number, columns)| (key(number), *columns));
        let fake = FakeTable {
            cells_per_result: setting.cells_per_result,
            results_per_answer: setting.results_per_answer,
            heartbeat_every: setting.heartbeat_every,
            ..FakeTable::new(&splits).with_rows(rows)
        };
        let wanted = expected(&fake, &setting.scan);
        let server = FakeServer::start(fake);
        let backend = open(&server);
        let table = table(&backend);
        for (after, fault) in &setting.faults {
            server.plan("Scan", *after, fault.clone());
        }
        let found = scan_all(&table, setting.scan.clone(), setting.bounds).unwrap();
        prop_assert_eq!(found, wanted);
    }
}

fn long_table(rows: usize) -> FakeTable {
    FakeTable { results_per_answer: 10, ..FakeTable::new(&[]).with_rows((0..rows).map(|number| (key(number), 1))) }
}

#[test]
fn the_next_answer_is_asked_for_before_the_present_one_is_used_up() {
    let server = FakeServer::start(long_table(100));
    let backend = open(&server);
    let table = table(&backend);
    let mut scanner = table.scan(Scan::default()).unwrap();
    let lookups = server.count("Scan");
    scanner.next_batch(1, 1 << 20).unwrap().unwrap();
    assert_eq!(server.count("Scan"), lookups + 2, "a look for the region, and one answer");
    scanner.next_batch(1, 1 << 20).unwrap().unwrap();
    let asked = || server.count("Scan") - lookups;
    let end = Instant::now() + Duration::from_secs(5);
    while asked() < 3 && Instant::now() < end {
        std::thread::yield_now();
    }
    assert_eq!(asked(), 3, "eight rows are left, and more are on their way");
    let found = scan_all(&table, Scan::default(), (7, 1 << 20)).unwrap();
    assert_eq!(found.len(), 100);
}

#[test]
fn an_idle_scanner_is_renewed() {
    let server = FakeServer::start(FakeTable { lease_ms: 200, ..long_table(100) });
    let backend = open(&server);
    let table = table(&backend);
    let mut scanner = table.scan(Scan::default()).unwrap();
    scanner.next_batch(5, 1 << 20).unwrap().unwrap();
    let end = Instant::now() + Duration::from_secs(10);
    while server.shared.table.lock().unwrap().renewals < 3 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(server.shared.table.lock().unwrap().renewals >= 3);
    let mut rows = 5;
    while let Some(batch) = scanner.next_batch(10, 1 << 20).unwrap() {
        rows += batch.rows.len();
    }
    assert_eq!((rows, server.shared.table.lock().unwrap().next_scanner), (100, 2), "one scanner for all rows");
}

#[test]
fn a_scan_that_is_given_up_closes_its_scanner() {
    let server = FakeServer::start(long_table(100));
    let backend = open(&server);
    let table = table(&backend);
    for batches in 1..5 {
        let mut scanner = table.scan(Scan::default()).unwrap();
        for _ in 0..batches {
            scanner.next_batch(5, 1 << 20).unwrap().unwrap();
        }
    }
    let end = Instant::now() + Duration::from_secs(10);
    let open_scanners = || server.shared.table.lock().unwrap().scanners.len();
    while open_scanners() > 0 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!((open_scanners(), server.shared.table.lock().unwrap().closes), (0, 4));
}

#[test]
fn a_scan_that_is_used_up_leaves_nothing_to_close() {
    let server = FakeServer::start(long_table(30));
    let backend = open(&server);
    let table = table(&backend);
    assert_eq!(scan_all(&table, Scan::default(), (100, 1 << 20)).unwrap().len(), 30);
    assert_eq!(scan_all(&table, Scan { limit: 5, ..Scan::default() }, (100, 1 << 20)).unwrap().len(), 5);
    let fake = server.shared.table.lock().unwrap();
    assert_eq!((fake.scanners.len(), fake.closes), (0, 0));
}

#[test]
fn the_rest_of_a_row_is_read_as_it_was() {
    let fake = FakeTable { results_per_answer: 1, cells_per_result: 2, ..FakeTable::new(&[]) };
    let server = FakeServer::start(fake.with_rows([(key(1), 9)]));
    let backend = open(&server);
    let table = table(&backend);
    let mut scanner = table.scan(Scan { batch: 2, ..Scan::default() }).unwrap();
    scanner.next_batch(1, 1).unwrap().unwrap();
    server.shared.table.lock().unwrap().scanners.clear();
    let mut pieces = 1;
    while let Some(batch) = scanner.next_batch(1, 1).unwrap() {
        pieces += batch.rows.len();
    }
    assert_eq!(pieces, 5);
    let opened: Vec<proto::Scan> =
        server.calls("Scan").iter().filter_map(|call| call.message::<proto::ScanRequest>().scan).collect();
    let last = opened.last().unwrap();
    assert_eq!(last.start_row(), key(1).as_bytes());
    assert_eq!((last.include_start_row, last.mvcc_read_point), (Some(true), Some(7)));
}

#[test]
fn a_scan_of_a_table_that_goes_says_so() {
    let server = FakeServer::start(long_table(100));
    let backend = open(&server);
    let table = table(&backend);
    let mut scanner = table.scan(Scan::default()).unwrap();
    scanner.next_batch(5, 1 << 20).unwrap().unwrap();
    {
        let mut fake = server.shared.table.lock().unwrap();
        fake.is_disabled = true;
        fake.scanners.clear();
    }
    let mut last = Ok(None);
    for _ in 0..100 {
        last = scanner.next_batch(5, 1 << 20);
        if last.is_err() {
            break;
        }
    }
    assert_eq!(last.unwrap_err().kind(), ErrorKind::TableNotEnabled);
}
