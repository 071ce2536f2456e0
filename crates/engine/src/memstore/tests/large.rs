//! Proves that huge cells and very wide rows work like all others.

use super::{buffer, drain, put, reader};
use crate::memstore::Memstore;
use crate::sys::ManualClock;
use rowstone_model::cell::{first_on_column, first_on_row, flat_key, CellSource, CellType};
use std::sync::Arc;

fn memstore() -> Memstore {
    Memstore::new(Arc::new(ManualClock::new(1)))
}

#[test]
fn cells_of_ten_megabytes() {
    let (memstore, value) = (memstore(), vec![7u8; 10 << 20]);
    memstore.insert(&buffer([put(b"b", b"small", 1, b"v")]), 1);
    memstore.insert(&buffer([put(b"a", b"huge", 1, &value)]), 2);
    memstore.insert(&buffer([put(b"c", b"huge", 1, &value), put(b"b", b"huge", 1, &value)]), 3);
    for _ in 0..2 {
        let mut source = reader(&memstore, 3, None);
        source.seek(&first_on_row(&[])).unwrap();
        let cells = drain(&mut source);
        let lengths: Vec<usize> = cells.iter().map(|cell| cell.1.len()).collect();
        assert_eq!(lengths, [value.len(), value.len(), 1, value.len()]);
        memstore.maintain();
    }
    assert!(memstore.size().heap_bytes < 40 << 20, "{memstore:?}");
}

#[test]
fn cells_of_three_megabytes_in_the_active_tree() {
    let (memstore, value) = (memstore(), vec![7u8; 3 << 20]);
    for id in 1..=5u8 {
        memstore.insert(&buffer([put(&[id], b"q", 1, &value)]), u64::from(id));
        let mut source = reader(&memstore, u64::from(id), Some(&[id]));
        source.seek(&first_on_row(&[id])).unwrap();
        assert_eq!(drain(&mut source).len(), 1);
    }
    let mut source = reader(&memstore, 4, None);
    source.seek(&first_on_row(&[])).unwrap();
    assert_eq!(drain(&mut source).len(), 4);
}

#[test]
fn large_cells_stay_where_they_arrived_and_their_memory_comes_back() {
    let (memstore, value) = (memstore(), vec![7u8; 1_000]);
    let row = |id: u64| id.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
    let mut next = 1;
    let mut fill = |trees: usize| {
        let (frozen, mut cells) = (memstore.list().sealed.len() + trees, 0);
        while memstore.list().sealed.len() < frozen {
            memstore.insert(&buffer([put(&row(next), b"q", 1, &value)]), next);
            (next, cells) = (next + 1, cells + 1);
        }
        cells
    };
    let cells = fill(7);
    memstore.maintain();
    assert_eq!(memstore.list().sealed.len(), 7, "seven are not merged");
    let mut source = reader(&memstore, u64::MAX, None);
    source.seek(&first_on_row(&[])).unwrap();
    let rows: Vec<Vec<u8>> = drain(&mut source).into_iter().map(|cell| cell.0).collect();
    assert!(rows.len() == cells && rows.is_sorted());
    let mut of_row = reader(&memstore, u64::MAX, Some(&row(5)));
    of_row.seek(&first_on_row(&row(5))).unwrap();
    assert_eq!(drain(&mut of_row), [(flat_key(&row(5), b"f", b"q", 1, CellType::Put), value.clone(), 5)]);

    assert_eq!(memstore.buffers.count(), 0);
    memstore.snapshot();
    memstore.drop_snapshot(());
    assert_eq!(memstore.buffers.count(), 0, "a reader has them yet");
    drop((source, of_row));
    assert!(memstore.buffers.count() >= 6, "{}", memstore.buffers.count());
    // Buffers returned since the last call may still be needed.
    memstore.maintain();
    fill(2);
    let left = memstore.buffers.count();
    assert!(left > 0);
    memstore.maintain();
    assert_eq!(memstore.buffers.count(), 0, "nobody needed the {left}");
}

#[test]
fn sixteen_segments_of_large_cells_become_one_when_the_thread_comes_and_no_put_waits_for_that() {
    let (memstore, value) = (memstore(), vec![7u8; 1_000]);
    let mut id = 0u64;
    while memstore.list().sealed.len() < 18 {
        assert!(id < 100_000, "{} segments", memstore.list().sealed.len());
        id += 1;
        let row = id.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
        memstore.insert(&buffer([put(&row, b"q", 1, &value)]), id);
    }
    memstore.maintain();
    assert!(memstore.list().sealed.len() <= 3, "{}", memstore.list().sealed.len());
    let mut source = reader(&memstore, id, None);
    source.seek(&first_on_row(&[])).unwrap();
    let cells = drain(&mut source);
    assert!(cells.len() as u64 == id && cells.is_sorted_by(|left, right| left.0 < right.0));
}

/// A million columns, by small writes and by one large write.
#[test]
fn a_row_of_a_million_columns() {
    const COLUMNS: u32 = 1_000_000;
    let number = |index: u32| index.wrapping_mul(2_654_435_761) % COLUMNS;
    let names: Vec<[u8; 4]> = (0..COLUMNS).map(|index| number(index).to_be_bytes()).collect();
    let one_write = memstore();
    one_write.insert(&buffer(names.iter().map(|name| put(b"wide", name, 1, b"v"))), 1);
    let many_writes = memstore();
    for (id, names) in (1..).zip(names.chunks(1000)) {
        many_writes.insert(&buffer(names.iter().map(|name| put(b"wide", name, 1, b"v"))), id);
    }
    let mut distinct: Vec<[u8; 4]> = names;
    distinct.sort_unstable();
    distinct.dedup();
    for (memstore, cells) in [(&one_write, distinct.len()), (&many_writes, COLUMNS as usize)] {
        memstore.insert(&buffer([put(b"narrow", b"q", 1, b"v"), put(b"zebra", b"q", 1, b"v")]), 2000);
        let mut source = reader(memstore, 2000, Some(b"wide"));
        source.seek(&first_on_row(b"wide")).unwrap();
        assert_eq!(drain(&mut source).len(), cells);
        for target in [0, 17, distinct.len() / 2, distinct.len() - 1] {
            source.seek(&first_on_column(b"wide", b"f", &distinct[target])).unwrap();
            assert_eq!(source.peek().unwrap().qualifier(), distinct[target]);
        }
        source.seek_to_previous_row(b"xylophone").unwrap();
        assert_eq!(source.peek().unwrap().qualifier(), distinct[0]);
        source.seek_to_previous_row(b"wide").unwrap();
        assert!(source.peek().is_none(), "a source of one row has no other rows");
    }
}
