//! Guarantees for concurrent threads during permanent flushes and compactions.
//!
//! Source of the first: HBase's `AcidGuaranteesTestTool`. `ROWSTONE_CONCURRENCY_SECONDS` sets the duration of each
//! test.

use crate::concurrency_support;
use concurrency_support::{contend, database, delete, increment, number, put, rows, values};
use rowstone_model::filter::CompareOperator;
use rowstone_model::operations::{CheckAndMutate, Condition, RowMutations, TimeRange, ValueCondition};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::Mutex;

const COLUMNS: usize = 10;

/// 50 writers put one value into 30 columns of three families; no reader ever sees a row with two values, or part
/// of one.
#[test]
fn a_row_is_never_a_mixture_of_writes() {
    let (db, table) = database(&["a", "b", "c"], &[]);
    let names: Vec<String> = (0..COLUMNS).map(|column| format!("q{column}")).collect();
    let columns: Vec<(&str, &str)> =
        ["a", "b", "c"].iter().flat_map(|family| names.iter().map(|name| (*family, name.as_str()))).collect();
    let keys = ["row0", "row1", "row2"];
    keys.iter().for_each(|key| drop(table.mutate(put(key, &columns, &[0; 10])).unwrap()));
    let is_whole = |values: &[Vec<u8>]| values.len() == 3 * COLUMNS && values.iter().all(|value| *value == values[0]);
    contend(&*db, 54, |thread, round| match thread {
        0 | 1 => {
            let found = values(&*table, keys[round as usize % 3]);
            assert!(is_whole(&found), "a get found {found:?}");
        }
        2 | 3 => {
            let found = rows(&*table);
            assert_eq!(found.len(), keys.len(), "a scan found {found:?}");
            found.iter().for_each(|(row, values)| assert!(is_whole(values), "a scan found {row:?}: {values:?}"));
        }
        _ => {
            let value = [&[thread as u8, 0][..], &round.to_be_bytes()].concat();
            table.mutate(put(keys[(thread + round as usize) % 3], &columns, &value)).unwrap();
        }
    });
    db.close().unwrap();
}

#[test]
fn read_your_writes_and_deletes() {
    let (db, table) = database(&["a", "b"], &["row4"]);
    let columns = [("a", "q"), ("b", "q")];
    contend(&*db, 8, |thread, round| {
        let row = format!("row{thread}");
        let value = round.to_be_bytes().to_vec();
        table.mutate(put(&row, &columns, &value)).unwrap();
        assert_eq!(values(&*table, &row), [value.clone(), value.clone()], "a get after round {round}");
        if round % 7 == 0 {
            let found = rows(&*table);
            assert!(found.contains(&(row.clone().into_bytes(), vec![value.clone(), value])), "a scan after {round}");
        }
        if round % 3 == 0 {
            table.mutate(delete(&row, &columns)).unwrap();
            assert_eq!(values(&*table, &row), Vec::<Vec<u8>>::new(), "a get after deleting {round}");
        }
    });
    db.close().unwrap();
}

/// Every result of an increment is unique. Readers only see counters grow, equally in both families.
#[test]
fn counters_never_lose_or_repeat_a_step() {
    let (db, table) = database(&["a", "b"], &[]);
    let columns = [("a", "n"), ("b", "n")];
    let (given, total) = (Mutex::new(BTreeSet::new()), AtomicI64::new(0));
    let seen: Vec<AtomicI64> = (0..10).map(|_| AtomicI64::new(0)).collect();
    contend(&*db, 10, |thread, _| {
        let last = seen[thread].load(Ordering::Relaxed);
        let found: Vec<i64> = if thread < 8 {
            total.fetch_add(1, Ordering::Relaxed);
            let batch = table.mutate(increment("counter", &columns)).unwrap();
            let found: Vec<i64> = batch.cells.iter().map(|cell| number(cell.value())).collect();
            assert!(given.lock().unwrap().insert(found[0]), "{} was given out twice", found[0]);
            assert!(found[0] > last, "{found:?} after {last}");
            found
        } else {
            values(&*table, "counter").iter().map(|value| number(value)).collect()
        };
        if let [a, b] = found[..] {
            assert!(a == b && a >= last, "{found:?} after {last}");
            seen[thread].store(a, Ordering::Relaxed);
        } else {
            assert!(found.is_empty() && last == 0, "{found:?} after {last}");
        }
    });
    let last: Vec<i64> = values(&*table, "counter").iter().map(|value| number(value)).collect();
    assert_eq!(last, [total.load(Ordering::Relaxed); 2]);
    db.close().unwrap();
}

/// Writers publish their progress once a put has returned. A scan that begins later finds at least that, in every
/// region.
#[test]
fn a_scan_sees_all_that_was_committed_before_it_began() {
    let (db, table) = database(&["a", "b"], &["row1", "row2", "row3"]);
    let columns = [("a", "q"), ("b", "q")];
    let committed: Vec<AtomicU64> = (0..6).map(|_| AtomicU64::new(0)).collect();
    contend(&*db, 8, |thread, round| match committed.get(thread) {
        Some(committed) => {
            table.mutate(put(&format!("row{thread}"), &columns, &(round + 1).to_be_bytes())).unwrap();
            committed.store(round + 1, Ordering::SeqCst);
        }
        None => {
            let before: Vec<u64> = committed.iter().map(|committed| committed.load(Ordering::SeqCst)).collect();
            let found = rows(&*table);
            for (thread, least) in before.iter().enumerate().filter(|(_, least)| **least > 0) {
                let row = found.iter().find(|(row, _)| *row == format!("row{thread}").into_bytes());
                let values: Vec<i64> = row.map_or(Vec::new(), |(_, values)| values.iter().map(|v| number(v)).collect());
                assert!(matches!(values[..], [a, b] if a == b && a as u64 >= *least), "{values:?}, committed {least}");
            }
        }
    });
    db.close().unwrap();
}

/// A value that is only replaced if it is unchanged since it was read counts exactly the successful replacements.
#[test]
fn a_condition_and_its_change_are_one_step() {
    let (db, table) = database(&["a"], &[]);
    table.mutate(put("row", &[("a", "q")], &0i64.to_be_bytes())).unwrap();
    let successes = AtomicI64::new(0);
    contend(&*db, 6, |_, _| {
        let old = values(&*table, "row").remove(0);
        let next = put("row", &[("a", "q")], &(number(&old) + 1).to_be_bytes());
        let condition = Condition::Value(ValueCondition {
            family: b"a".to_vec(),
            qualifier: b"q".to_vec(),
            operator: CompareOperator::Equal,
            value: Some(old),
            time_range: TimeRange::ALL,
        });
        let mutations = RowMutations { row: b"row".to_vec(), mutations: vec![next] };
        let outcome = table.check_and_mutate(CheckAndMutate { condition, mutations, guard: None }).unwrap();
        successes.fetch_add(i64::from(outcome.success), Ordering::Relaxed);
    });
    assert_eq!(number(&values(&*table, "row")[0]), successes.load(Ordering::Relaxed));
    db.close().unwrap();
}
