//! Proves that the reported sizes are correct, also when a write replaces its own cells.

use super::{buffer, drain, put, reader, small};
use crate::memstore::Memstore;
use crate::sys::ManualClock;
use rowstone_model::cell::{first_on_row, CellSource};
use std::sync::Arc;

#[test]
fn later_of_same_key_and_sequence_id_stays() {
    let memstore = small(3);
    memstore.insert(&buffer([put(b"r", b"q", 1, b"first"), put(b"r", b"q", 1, b"second")]), 5);
    assert_eq!(memstore.size().cells, 1);
    memstore.insert(&buffer([put(b"r", b"q", 1, b"third")]), 5);
    assert_eq!(memstore.size().cells, 1, "in the active tree");
    // Freezes the tree: the equal cell is inserted into another segment.
    memstore.insert(&buffer([put(b"a", b"q", 1, b""), put(b"b", b"q", 1, b""), put(b"c", b"q", 1, b"")]), 4);
    memstore.insert(&buffer([put(b"r", b"q", 1, b"fourth")]), 5);
    memstore.insert(&buffer([put(b"r", b"q", 1, b"other")]), 6);
    for _ in 0..2 {
        let mut source = reader(&memstore, 9, Some(b"r"));
        source.seek(&first_on_row(b"r")).unwrap();
        let values: Vec<Vec<u8>> = drain(&mut source).into_iter().map(|cell| cell.1).collect();
        assert_eq!(values, [b"other".to_vec(), b"fourth".to_vec()]);
        memstore.snapshot();
        memstore.maintain();
    }
}

#[test]
fn sizes_ranges_and_age() {
    let clock = Arc::new(ManualClock::new(100));
    let memstore = Memstore::new(clock.clone());
    assert!(memstore.is_empty() && memstore.summary().is_none() && memstore.snapshot().is_none());
    memstore.insert(&buffer([put(b"r", b"q", 7, b"value")]), 3);
    clock.set(200);
    memstore.insert(&buffer([put(b"s", b"q", -2, b"value"), put(b"t", b"q", 40, b"")]), 9);
    let summary = memstore.summary().unwrap();
    assert_eq!((summary.timestamps, summary.sequence_ids, summary.oldest_write_ms), ((-2, 40), (3, 9), 100));
    // Lengths 8, key 14 + row 1 + ..., value, tags length 2, id 1.
    let cell_bytes = |value: usize| 8 + (2 + 1 + 1 + 1 + 1 + 8 + 1) + value + 2 + 1;
    assert_eq!((summary.size.cells, summary.size.data_bytes), (3, 2 * cell_bytes(5) + cell_bytes(0)));
    assert!(summary.size.heap_bytes >= summary.size.data_bytes);
    assert_eq!(memstore.size(), summary.size);

    let frozen = memstore.snapshot().unwrap();
    assert_eq!((frozen.size.cells, frozen.oldest_write_ms), (3, 100));
    assert_eq!((memstore.size().cells, memstore.snapshot_size().cells), (0, 3));
    clock.set(300);
    memstore.insert(&buffer([put(b"u", b"q", 1, b"value")]), 10);
    assert_eq!(memstore.summary().unwrap().oldest_write_ms, 300);
    assert_eq!(memstore.snapshot().unwrap(), frozen, "a snapshot that was not dropped stays");
    memstore.drop_snapshot(());
    assert_eq!((memstore.snapshot_size(), memstore.size().cells), (Default::default(), 1));
    assert!(!memstore.is_empty());
}

#[test]
fn heap_stays_near_the_data() {
    let memstore = Memstore::new(Arc::new(ManualClock::new(1)));
    let value = [1u8; 100];
    for id in 1..=200_000u64 {
        let row = id.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
        memstore.insert(&buffer([put(&row, b"q", 1, &value)]), id);
    }
    memstore.maintain();
    let size = memstore.size();
    assert_eq!(size.cells, 200_000);
    assert!(size.heap_bytes < size.data_bytes + size.data_bytes / 4 + (10 << 20), "{size:?}");
    memstore.snapshot();
    assert_eq!(memstore.snapshot_size().data_bytes, size.data_bytes);
}
