//! Proves that readers concurrent with a writer see each write as a whole or not at all, in order, and always the
//! same at one read point.

use super::{buffer, drain, put, reader, small};
use crate::memstore::list::Segment;
use rowstone_model::cell::{first_on_row, CellSource};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const WRITES: u64 = 6_000;
const CELLS_PER_WRITE: u64 = 8;

fn row_of(write: u64, part: u64) -> Vec<u8> {
    format!("row-{:05}", (write * CELLS_PER_WRITE + part).wrapping_mul(7919) % 10_007).into_bytes()
}

/// Checks one read of the memstore: order, and that every write up to the read point is complete.
fn check(cells: &[super::OwnedCell], read_point: u64) {
    for pair in cells.windows(2) {
        let order = rowstone_model::cell::compare_keys(&pair[0].0, &pair[1].0).then(pair[1].2.cmp(&pair[0].2));
        assert!(order.is_lt(), "{pair:?} are out of order");
    }
    let mut counts: HashMap<u64, u64> = HashMap::new();
    cells.iter().for_each(|cell| *counts.entry(cell.2).or_default() += 1);
    assert_eq!(counts.len() as u64, read_point, "each write up to {read_point} is there, none after it");
    assert!(counts.values().all(|&count| count == CELLS_PER_WRITE), "each write is there in full");
}

#[test]
fn readers_see_writes_whole_while_one_writes_and_another_merges() {
    let memstore = small(700);
    let (read_point, is_done) = (AtomicU64::new(0), AtomicBool::new(false));
    let writer = || {
        for write in 1..=WRITES {
            let rows: Vec<Vec<u8>> = (0..CELLS_PER_WRITE).map(|part| row_of(write, part)).collect();
            let value = write.to_be_bytes();
            let qualifiers: Vec<[u8; 1]> = (0..CELLS_PER_WRITE).map(|part| [part as u8]).collect();
            let parts = rows.iter().zip(&qualifiers).map(|(row, qualifier)| put(row, qualifier, 1, &value));
            memstore.insert(&buffer(parts), write);
            read_point.store(write, Ordering::Release);
            if write == WRITES / 2 {
                assert!(memstore.snapshot().is_some());
            }
        }
        is_done.store(true, Ordering::Release);
    };
    let maintainer = || {
        while !is_done.load(Ordering::Acquire) {
            memstore.maintain();
            std::thread::yield_now();
        }
    };
    let scanner = || {
        while !is_done.load(Ordering::Acquire) {
            let at = read_point.load(Ordering::Acquire);
            let (mut first, mut second) = (reader(&memstore, at, None), reader(&memstore, at, None));
            first.seek(&first_on_row(&[])).unwrap();
            let cells = drain(&mut first);
            check(&cells, at);
            second.seek(&first_on_row(&[])).unwrap();
            assert_eq!(drain(&mut second), cells, "the same read point shows the same");
        }
    };
    let getter = || {
        let mut turn = 0u64;
        while !is_done.load(Ordering::Acquire) {
            let at = read_point.load(Ordering::Acquire);
            turn += 1;
            let write = 1 + turn.wrapping_mul(31) % at.max(1);
            if at == 0 {
                continue;
            }
            let row = row_of(write, 3);
            let mut source = reader(&memstore, at, Some(&row));
            source.seek(&first_on_row(&row)).unwrap();
            let found = drain(&mut source).iter().any(|cell| cell.2 == write);
            assert!(found, "write {write} at read point {at}");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(writer);
        scope.spawn(maintainer);
        scope.spawn(scanner);
        scope.spawn(getter);
    });
    let mut source = reader(&memstore, WRITES, None);
    source.seek(&first_on_row(&[])).unwrap();
    check(&drain(&mut source), WRITES);
}

#[test]
fn writers_of_several_threads_lose_nothing() {
    let memstore = small(500);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let memstore = &memstore;
            scope.spawn(move || {
                for write in 0..1_500 {
                    let id = 1 + write * 4 + thread;
                    let rows: Vec<Vec<u8>> = (0..CELLS_PER_WRITE).map(|part| row_of(id, part)).collect();
                    let qualifiers: Vec<[u8; 1]> = (0..CELLS_PER_WRITE).map(|part| [part as u8]).collect();
                    memstore.insert(&buffer(rows.iter().zip(&qualifiers).map(|(row, q)| put(row, q, 1, b"v"))), id);
                }
            });
        }
    });
    let mut source = reader(&memstore, 6_000, None);
    source.seek(&first_on_row(&[])).unwrap();
    check(&drain(&mut source), 6_000);
}

#[test]
fn a_writer_leaves_the_first_full_trees_to_another_thread() {
    let memstore = small(100);
    let write = |id: u64| memstore.insert(&buffer([put(&row_of(id, 0), b"q", 1, b"v")]), id);
    let sealed = (1..=350).filter(|id| write(*id)).count();
    let trees = || memstore.list().sealed.iter().filter(|segment| matches!(segment, Segment::Tree(_))).count();
    assert_eq!((sealed, trees()), (3, 3));
    assert!(memstore.merge_segments());
    assert_eq!(trees(), 0);
    // A writer that gets too far ahead merges itself.
    for id in 351..=1_000 {
        write(id);
    }
    assert!(trees() < 6);
}
