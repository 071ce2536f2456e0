//! The state machines of filters, cell by cell. `tests/cases` compares the results of whole scans with filters with
//! HBase.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::{evaluator, Evaluator, ReturnCode, Shown};
use crate::sys::SeededEntropy;
use rowstone_model::cell::{flat_key, Cell, CellType};
use rowstone_model::filter::language::parse;
use rowstone_model::filter::{Chance, Comparator, CompareOperator, Filter, FuzzyKey, RowKeyRange};
use std::borrow::Cow;
use ReturnCode::{Include, IncludeAndNextColumn, NextColumn, NextRow, SeekNextUsingHint, Skip};

fn of(text: &str) -> Evaluator {
    build(&parse(text.as_bytes()).unwrap())
}

fn build(filter: &Filter) -> Evaluator {
    evaluator(filter, false, &SeededEntropy::new(7)).unwrap()
}

fn key(row: &str, column: &str, timestamp: i64) -> Vec<u8> {
    flat_key(row.as_bytes(), b"f", column.as_bytes(), timestamp, CellType::Put)
}

/// The verdicts on the cells `column=value` of one row, checked one after the other.
fn codes(filter: &mut Evaluator, row: &str, cells: &[&str]) -> Vec<ReturnCode> {
    let mut codes = Vec::new();
    for cell in cells {
        let (column, value) = cell.split_once('=').unwrap();
        let key = key(row, column, 1);
        codes.push(filter.check(&Cell::new(&key, value.as_bytes(), &[], 0).unwrap()).unwrap());
    }
    codes
}

fn row_of_hint(filter: &mut Evaluator, row: &str) -> Option<Vec<u8>> {
    let key = key(row, "a", 1);
    let hint = filter.hint(&Cell::new(&key, &[], &[], 0).unwrap())?;
    Some(Cell::new(&hint, &[], &[], 0).unwrap().row().to_vec())
}

#[test]
fn a_list_of_all_stops_asking_at_the_first_no() {
    let mut list = of("ValueFilter(=,'binary:x') AND ColumnPaginationFilter(1,1)");
    assert_eq!(codes(&mut list, "r", &["a=y", "b=x", "c=x"]), [Skip, NextColumn, IncludeAndNextColumn]);
}

#[test]
fn a_list_of_all_still_asks_for_hints() {
    let mut list = of("ValueFilter(=,'binary:x') AND ColumnPrefixFilter('c')");
    assert_eq!(codes(&mut list, "r", &["a=y", "c=y", "d=x"]), [SeekNextUsingHint, Skip, NextRow]);
    let mut keys = of("RowFilter(=,'binary:z') AND ColumnPrefixFilter('c')");
    assert!(!keys.skips_row(b"a").unwrap(), "the row is kept for the sake of the hint");
}

#[test]
fn a_list_of_one_does_not_ask_again_before_a_jump() {
    let mut list = of("ColumnPaginationFilter(1,0) OR ValueFilter(=,'binary:x')");
    assert_eq!(codes(&mut list, "r", &["a=y", "a=x", "b=y", "c=x"]), [Include, Include, Skip, Include]);
    let mut seekers = of("ColumnPrefixFilter('c') OR ColumnPrefixFilter('e')");
    assert_eq!(codes(&mut seekers, "r", &["a=1", "c=1", "d=1"]), [SeekNextUsingHint, Include, Skip]);
}

#[test]
fn skip_and_while_do_what_hbases_do() {
    let mut skip = of("SKIP RowFilter(=,'binary:z')");
    assert!(!skip.skips_row(b"a").unwrap());
    assert_eq!(codes(&mut skip, "a", &["a=1"]), [Include], "a filter in SKIP never hears of the row");
    let mut prefix = of("SKIP PrefixFilter('a')");
    assert_eq!(codes(&mut prefix, "a", &["a=1"]), [NextRow]);
    assert!(prefix.drops_row());
    let mut until = of("WHILE ValueFilter(!=,'binary:x')");
    assert_eq!(codes(&mut until, "a", &["a=1", "b=x"]), [Include, Skip]);
    until.reset();
    assert!(until.is_done() && until.skips_row(b"b").unwrap());
}

#[test]
fn pages_count_rows_that_were_not_dropped_before() {
    let mut page = of("PageFilter(1)");
    assert!(!page.drops_row());
    assert!(page.is_done() && page.drops_row());
}

#[test]
fn a_prefix_ends_at_a_longer_one_that_it_begins() {
    let mut prefixes = of("MultipleColumnPrefixFilter('a','ab')");
    assert_eq!(codes(&mut prefixes, "r", &["aa=1", "ab=1", "ac=1"]), [Include, Include, NextRow]);
}

#[test]
fn key_only_takes_value_and_tags() {
    let shown = || Shown { value: Cow::Borrowed(b"abc"), tags: b"tag" };
    let keys = of("KeyOnlyFilter()").transform(shown());
    assert!(keys.value.is_empty() && keys.tags.is_empty());
    assert_eq!(of("KeyOnlyFilter(true)").transform(shown()).value.as_ref(), [0, 0, 0, 3]);
    assert_eq!(of("KeyOnlyFilter(true) AND KeyOnlyFilter(true)").transform(shown()).value.as_ref(), [0, 0, 0, 4]);
    // Only the filters that included the cell transform it.
    assert_eq!(of("KeyOnlyFilter() OR PageFilter(1)").transform(shown()).value.as_ref(), b"abc");
}

#[test]
fn ranges_seek_from_one_to_the_next() {
    let range = |start: &str, stop: &str| RowKeyRange {
        start: start.into(),
        include_start: true,
        stop: stop.into(),
        include_stop: false,
    };
    let filter = Filter::MultiRowRangeFilter { ranges: vec![range("m", "p"), range("b", "d"), range("c", "e")] };
    let filter = filter.check().unwrap();
    let mut forward = build(&filter);
    for (row, code, goal) in [("a", SeekNextUsingHint, "b"), ("d", Include, "b"), ("f", SeekNextUsingHint, "m")] {
        assert!(!forward.skips_row(row.as_bytes()).unwrap());
        assert_eq!(codes(&mut forward, row, &["a=1"]), [code]);
        assert_eq!(row_of_hint(&mut forward, row), Some(goal.into()));
    }
    assert!(!forward.skips_row(b"z").unwrap() && forward.is_done());
    let mut backward = evaluator(&filter, true, &SeededEntropy::new(1)).unwrap();
    assert!(!backward.skips_row(b"z").unwrap());
    assert_eq!(row_of_hint(&mut backward, "z"), Some("p".into()));
    assert!(!backward.skips_row(b"a").unwrap() && backward.is_done());
}

#[test]
fn fuzzy_rows_seek_to_the_next_that_may_fit() {
    let key = FuzzyKey::new(b"?b??d".to_vec(), vec![1, 0, 1, 1, 0]).unwrap();
    let mut fuzzy = build(&Filter::FuzzyRowFilter { fuzzy_keys: vec![key] });
    assert_eq!(codes(&mut fuzzy, "abxyd", &["a=1"]), [Include]);
    assert_eq!(codes(&mut fuzzy, "ab", &["a=1"]), [Include], "a short row fits as far as it goes");
    for (row, next) in [("aa", "ab"), ("ac", "b"), ("abzza", "abzzd"), ("abzzz", "abz{")] {
        assert_eq!(codes(&mut fuzzy, row, &["a=1"]), [SeekNextUsingHint], "{row}");
        assert_eq!(row_of_hint(&mut fuzzy, row), Some(next.into()), "{row}");
    }
    let fixed = FuzzyKey::new(b"a".to_vec(), vec![0]).unwrap();
    let mut last = build(&Filter::FuzzyRowFilter { fuzzy_keys: vec![fixed] });
    assert_eq!(row_of_hint(&mut last, "b"), None);
    assert!(last.is_done());
}

#[test]
fn chances_are_kept() {
    let passed = |chance: f32| {
        let mut random = build(&Filter::RandomRowFilter { chance: Chance::new(chance).unwrap() });
        (0..1000).filter(|_| !random.skips_row(b"r").unwrap()).count()
    };
    assert_eq!((passed(-0.1), passed(1.1)), (0, 1000));
    assert!((300..700).contains(&passed(0.5)));
}

#[test]
fn numbers_of_the_wrong_length_are_an_error() {
    let comparator = Comparator::LongComparator { value: 5 };
    let mut filter = build(&Filter::ValueFilter { operator: CompareOperator::Less, comparator });
    let key = key("r", "a", 1);
    let mut check = |value: &[u8]| filter.check(&Cell::new(&key, value, &[], 0).unwrap());
    assert_eq!(check(&(-1i64).to_be_bytes()).unwrap(), Include);
    assert!(check(b"12").unwrap_err().message().contains("8 bytes"));
}
