//! Compares the memstore with two ordered maps: nanoseconds per cell, best of several rounds.
//!
//! Run `cargo bench -p rowstone-engine --bench memstore`; arguments select measurements by name. Cells have a row
//! of 20 bytes, one column and a value of 100 bytes. The maps contain one boxed cell per entry and compare with
//! `compare_keys`, as a memstore built on them would.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use crossbeam_skiplist::SkipSet;
use rowstone_engine::memstore::{Memstore, MemstoreSource};
use rowstone_engine::sys::SystemClock;
use rowstone_model::cell::{compare_cells, first_on_row, Cell, CellBuffer, CellParts, CellSource, CellType, Layout};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering as Memory};
use std::sync::Arc;
use std::time::Instant;

/// A cell as an entry of a map.
struct Boxed(Box<[u8]>);

impl Boxed {
    fn new(cell: &Cell<'_>, sequence_id: u64) -> Self {
        let mut bytes = Vec::with_capacity(cell.written_len(Layout::STORED) + 8);
        cell.with_sequence_id(sequence_id).write(&mut bytes, Layout::STORED);
        Boxed(bytes.into_boxed_slice())
    }

    fn view(&self) -> Cell<'_> {
        Cell::read(&self.0, Layout::STORED).unwrap().0
    }
}

impl PartialEq for Boxed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Boxed {}

impl PartialOrd for Boxed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Boxed {
    fn cmp(&self, other: &Self) -> Ordering {
        compare_cells(&self.view(), &other.view())
    }
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Random,
    Ascending,
}

/// Cells in their order of arrival.
fn cells(count: usize, order: Order, value_bytes: usize) -> CellBuffer {
    let mut buffer = CellBuffer::with_capacity(count * (value_bytes + 60));
    let (mut state, value) = (0x1234_5678_9abc_def1, vec![7u8; value_bytes]);
    for index in 0..count {
        let number = match order {
            Order::Random => random(&mut state) % 10_000_000_000,
            Order::Ascending => index as u64,
        };
        let row = format!("user{number:016}");
        let (row, cell_type) = (row.as_bytes(), CellType::Put);
        buffer.push(CellParts {
            row,
            family: b"f",
            qualifier: b"q",
            timestamp: 1,
            cell_type,
            value: &value,
            tags: &[],
        });
    }
    buffer
}

/// Whether the command line selects measurements with this name.
fn is_wanted(name: &str) -> bool {
    let mut filters = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    filters.peek().is_none() || filters.any(|filter| name.contains(&filter))
}

fn report(name: &str, count: usize, rounds: u32, mut round: impl FnMut() -> f64) {
    if !is_wanted(name) {
        return;
    }
    let best = (0..rounds).map(|_| round()).fold(f64::MAX, f64::min);
    println!("{name:<44} {count:>9} {best:>9.1} ns");
}

/// Nanoseconds of this thread's CPU time. The kernel counts in ticks.
fn running_ns() -> Option<f64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// Nanoseconds per item of `work`: CPU time if that is long enough to be precise, else wall-clock time.
fn time(count: usize, work: impl FnOnce()) -> f64 {
    let (start, running) = (Instant::now(), running_ns());
    work();
    let elapsed = start.elapsed().as_nanos() as f64;
    let nanos = match (running, running_ns()) {
        (Some(before), Some(after)) if elapsed > 5e7 => after - before,
        _ => elapsed,
    };
    nanos / count as f64
}

fn memstore() -> Memstore {
    Memstore::new(Arc::new(SystemClock))
}

fn filled(buffer: &CellBuffer) -> Memstore {
    let memstore = memstore();
    (1..).zip(buffer).for_each(|(id, cell)| {
        memstore.insert([cell], id);
    });
    memstore
}

fn inserts(count: usize, order: Order, label: &str) {
    let buffer = cells(count, order, 100);
    let all: Vec<Cell<'_>> = buffer.iter().collect();
    report(&format!("insert {label}: memstore, writer alone"), count, 3, || time(count, || drop(filled(&buffer))));
    report(&format!("insert {label}: memstore, maintained"), count, 3, || {
        let (memstore, is_done) = (memstore(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Memory::Acquire) {
                    memstore.maintain();
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
            });
            let time = time(count, || {
                (1..).zip(&all).for_each(|(id, cell)| {
                    memstore.insert([*cell], id);
                })
            });
            is_done.store(true, Memory::Release);
            time
        })
    });
    report(&format!("insert {label}: memstore, batches of 1000"), count, 3, || {
        let memstore = memstore();
        time(count, || {
            (1..).zip(all.chunks(1000)).for_each(|(id, batch)| {
                memstore.insert(batch.iter().copied(), id);
            })
        })
    });
    report(&format!("insert {label}: BTreeSet"), count, 2, || {
        let mut map = BTreeSet::new();
        time(count, || (1..).zip(&all).for_each(|(id, cell)| drop(map.replace(Boxed::new(cell, id)))))
    });
    report(&format!("insert {label}: crossbeam SkipSet"), count, 2, || {
        let map = SkipSet::new();
        time(count, || (1..).zip(&all).for_each(|(id, cell)| drop(map.insert(Boxed::new(cell, id)))))
    });
}

/// The slowest insert of all, in microseconds: one in which the writer helps, or waits.
fn stalls(count: usize) {
    let buffer = cells(count, Order::Random, 100);
    report("slowest insert (microseconds x 1000)", count, 3, || {
        let memstore = memstore();
        let mut slowest = 0;
        for (id, cell) in (1..).zip(&buffer) {
            let start = Instant::now();
            memstore.insert([cell], id);
            slowest = slowest.max(start.elapsed().as_nanos());
        }
        slowest as f64
    });
}

fn get(
    memstore: &Memstore,
    row: &[u8],
    key: &[u8],
    sources: &mut Vec<rowstone_engine::memstore::MemstoreSource>,
) -> bool {
    sources.clear();
    memstore.view().sources(u64::MAX, Some(row), sources);
    let mut has_cell = false;
    for source in sources.iter_mut() {
        source.seek(key).unwrap();
        has_cell |= source.peek().is_some_and(|cell| cell.row() == row);
    }
    has_cell
}

/// Gets of existing rows, while another thread inserts and maintains.
fn gets_beside_a_writer(count: usize) {
    const GETS: usize = 200_000;
    let buffer = cells(count * 2, Order::Random, 100);
    let all: Vec<Cell<'_>> = buffer.iter().collect();
    let (old, new) = all.split_at(count);
    let mut state = 77;
    let rows: Vec<Vec<u8>> = (0..GETS).map(|_| old[random(&mut state) as usize % count].row().to_vec()).collect();
    let keys: Vec<Vec<u8>> = rows.iter().map(|row| first_on_row(row)).collect();
    report("get beside a writer", count, 3, || {
        let (memstore, is_done) = (memstore(), AtomicBool::new(false));
        (1..).zip(old).for_each(|(id, cell)| {
            memstore.insert([*cell], id);
        });
        memstore.maintain();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for (id, cells) in (1..).zip(new.chunks(100)) {
                    cells.iter().for_each(|cell| {
                        memstore.insert([*cell], count as u64 + id);
                    });
                    memstore.maintain();
                    if is_done.load(Memory::Acquire) {
                        break;
                    }
                }
            });
            let mut sources: Vec<MemstoreSource> = Vec::new();
            let time = time(GETS, || {
                rows.iter().zip(&keys).for_each(|(row, key)| assert!(get(&memstore, row, key, &mut sources)));
            });
            is_done.store(true, Memory::Release);
            time
        })
    });
}

fn gets(count: usize) {
    const GETS: usize = 200_000;
    let buffer = cells(count, Order::Random, 100);
    let mut state = 77;
    let all: Vec<Cell<'_>> = buffer.iter().collect();
    let rows: Vec<Vec<u8>> = (0..GETS).map(|_| all[random(&mut state) as usize % count].row().to_vec()).collect();
    let keys: Vec<Vec<u8>> = rows.iter().map(|row| first_on_row(row)).collect();
    let absent: Vec<Vec<u8>> = rows.iter().map(|row| [&row[..19], b"x"].concat()).collect();
    let memstore = filled(&buffer);
    let mut sources: Vec<MemstoreSource> = Vec::new();
    for state in ["as written", "maintained"] {
        report(&format!("get: memstore, {state}"), count, 20, || {
            time(GETS, || rows.iter().zip(&keys).for_each(|(row, key)| assert!(get(&memstore, row, key, &mut sources))))
        });
        report(&format!("get of absent row: memstore, {state}"), count, 3, || {
            time(GETS, || {
                absent.iter().zip(&keys).for_each(|(row, key)| assert!(!get(&memstore, row, key, &mut sources)))
            })
        });
        report(&format!("seek of all sources: memstore, {state}"), count, 3, || {
            sources.clear();
            memstore.view().sources(u64::MAX, None, &mut sources);
            time(GETS, || keys.iter().for_each(|key| sources.iter_mut().for_each(|source| source.seek(key).unwrap())))
        });
        memstore.maintain();
    }
    let targets: Vec<Boxed> = all.iter().take(GETS).map(|cell| Boxed::new(cell, u64::MAX >> 1)).collect();
    report("get: BTreeSet", count, 2, || {
        let map: BTreeSet<Boxed> = (1..).zip(&all).map(|(id, cell)| Boxed::new(cell, id)).collect();
        time(targets.len(), || targets.iter().for_each(|key| assert!(map.range(key..).next().is_some())))
    });
    report("get: crossbeam SkipSet", count, 2, || {
        let map: SkipSet<Boxed> = (1..).zip(&all).map(|(id, cell)| Boxed::new(cell, id)).collect();
        time(targets.len(), || {
            targets.iter().for_each(|key| assert!(map.lower_bound(std::ops::Bound::Included(key)).is_some()))
        })
    });
}

/// Number of cells seen by walking `source` from its first.
fn walk(source: &mut impl CellSource) -> usize {
    let mut seen = 0;
    source.seek(&first_on_row(&[])).unwrap();
    while let Some(cell) = source.peek() {
        black_box(cell.value());
        seen += 1;
        source.advance().unwrap();
    }
    seen
}

fn scans(count: usize) {
    let buffer = cells(count, Order::Random, 100);
    report("scan: memstore, one sealed segment", count, 3, || {
        let memstore = memstore();
        memstore.insert(&buffer, 1);
        let mut sources: Vec<MemstoreSource> = Vec::new();
        memstore.view().sources(1, None, &mut sources);
        time(count, || assert!(sources.iter_mut().map(walk).sum::<usize>() > count / 2))
    });
    report("peek: memstore, one sealed segment", count, 3, || {
        let memstore = memstore();
        memstore.insert(&buffer, 1);
        let mut sources: Vec<MemstoreSource> = Vec::new();
        memstore.view().sources(1, None, &mut sources);
        let source = &mut sources[1];
        source.seek(&first_on_row(&[])).unwrap();
        time(count, || {
            (0..count).for_each(|_| assert!(black_box(&source).peek().is_some_and(|cell| cell.value().len() == 100)))
        })
    });
    report("scan: memstore, active tree", 25_000, 3, || {
        let buffer = cells(25_000, Order::Random, 100);
        let memstore = filled(&buffer);
        let mut sources: Vec<MemstoreSource> = Vec::new();
        memstore.view().sources(u64::MAX, None, &mut sources);
        time(25_000, || assert_eq!(sources.iter_mut().map(walk).sum::<usize>(), 25_000))
    });
    report("flush: memstore, as written", count, 3, || {
        let memstore = filled(&buffer);
        memstore.snapshot();
        let mut source = memstore.snapshot_source().unwrap();
        time(count, || assert_eq!(walk(&mut source), count))
    });
    report("scan: BTreeSet", count, 2, || {
        let map: BTreeSet<Boxed> = (1..).zip(&buffer).map(|(id, cell)| Boxed::new(&cell, id)).collect();
        time(count, || assert_eq!(map.iter().filter(|cell| cell.view().value().len() == 100).count(), count))
    });
    report("scan: crossbeam SkipSet", count, 2, || {
        let map: SkipSet<Boxed> = (1..).zip(&buffer).map(|(id, cell)| Boxed::new(&cell, id)).collect();
        time(count, || assert_eq!(map.iter().filter(|cell| cell.value().view().value().len() == 100).count(), count))
    });
}

fn main() {
    for (count, label) in [(100_000, "100 k"), (1_000_000, "1 M")] {
        inserts(count, Order::Random, &format!("random {label}"));
        inserts(count, Order::Ascending, &format!("ascending {label}"));
        gets(count);
        gets_beside_a_writer(count);
        scans(count);
    }
    stalls(1_000_000);
}
