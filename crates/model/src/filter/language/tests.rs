//! Results of parsing, and printed text that parses back to the same filter. (`tests/hbase` compares the parser with
//! HBase's.)

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::{parse, print};
use crate::filter::{Comparator, CompareOperator, Filter, ListOperator};
use proptest::prelude::*;

fn text(filter: &str) -> String {
    String::from_utf8(print(&parse(filter.as_bytes()).unwrap()).unwrap()).unwrap()
}

#[test]
fn operators_bind_as_in_hbase() {
    for (given, wanted) in [
        ("PageFilter(1) AND PageFilter(2) AND PageFilter(3)", "PageFilter(1) AND PageFilter(2) AND PageFilter(3)"),
        ("PageFilter(1) OR PageFilter(2) AND PageFilter(3)", "PageFilter(1) OR (PageFilter(2) AND PageFilter(3))"),
        ("SKIP PageFilter(1) AND PageFilter(2)", "(SKIP PageFilter(1)) AND PageFilter(2)"),
        ("SKIP WHILE PageFilter(1)", "SKIP (WHILE PageFilter(1))"),
        ("(PageFilter(1) OR PageFilter(2)) AND PageFilter(3)", "(PageFilter(1) OR PageFilter(2)) AND PageFilter(3)"),
        ("(PageFilter(1)", "PageFilter(1)"),
        ("PageFilter rubbish(1)", "PageFilter(1)"),
        ("PrefixFilter('a''b')", "PrefixFilter('a''b')"),
        ("KeyOnlyFilter ( TRUE )", "KeyOnlyFilter(true)"),
    ] {
        assert_eq!(text(given), wanted, "{given}");
    }
}

#[test]
fn filter_strings_that_hbase_refuses_are_refused() {
    for wrong in [
        "",
        "PageFilter",
        "PageFilter(",
        "PageFilter(a)",
        "PageFilter(-1)",
        "PageFilter(99999999999999999999)",
        "PrefixFilter(a)",
        "NoFilter('a')",
        "PageFilter(1))",
        "PageFilter(1) PageFilter(2)",
        "PageFilter(1) AND",
        "AND PageFilter(1)",
        "SKIP",
        "RowFilter(~,'binary:a')",
        "RowFilter(=,'octal:a')",
        "RowFilter(<,'substring:a')",
        "RowFilter(=,'regexstring:(')",
        "(PageFilter(1) OR PageFilter(2) AND PageFilter(3))",
        "MultipleColumnPrefixFilter('a','a')",
    ] {
        let error = parse(wrong.as_bytes()).unwrap_err();
        assert!(error.message().starts_with("filter string"), "{wrong}: {error}");
    }
}

#[test]
fn nesting_has_a_limit() {
    let deep = |levels| parse(format!("{}PageFilter(1)", "SKIP ".repeat(levels)).as_bytes());
    assert!(deep(100).is_ok());
    assert!(deep(100_000).unwrap_err().message().contains("deep"));
}

fn leaf() -> impl Strategy<Value = Filter> {
    let bytes = || proptest::collection::vec(prop_oneof![Just(b'\''), Just(b')'), Just(0), any::<u8>()], 0..6);
    let operator = prop_oneof![Just(CompareOperator::Less), Just(CompareOperator::NotEqual)];
    prop_oneof![
        bytes().prop_map(|prefix| Filter::PrefixFilter { prefix }),
        (0..i64::MAX).prop_map(|page_size| Filter::PageFilter { page_size }),
        proptest::collection::vec(0..i64::MAX, 0..3)
            .prop_map(|timestamps| Filter::TimestampsFilter { timestamps, can_hint: false }),
        (bytes(), bytes(), operator, bytes(), any::<bool>()).prop_map(|(family, qualifier, operator, value, flag)| {
            let comparator = Comparator::BinaryComparator { value };
            let (filter_if_missing, latest_version_only) = (flag, flag);
            Filter::SingleColumnValueFilter {
                family,
                qualifier,
                operator,
                comparator,
                filter_if_missing,
                latest_version_only,
            }
        }),
    ]
    .prop_filter_map("valid", |filter| filter.check().ok())
}

fn any_filter() -> impl Strategy<Value = Filter> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|filter| Filter::SkipFilter { filter: Box::new(filter) }),
            inner.clone().prop_map(|filter| Filter::WhileMatchFilter { filter: Box::new(filter) }),
            (any::<bool>(), proptest::collection::vec(inner, 2..4)).prop_map(|(all, filters)| {
                let operator = if all { ListOperator::MustPassAll } else { ListOperator::MustPassOne };
                Filter::FilterList { operator, filters }
            }),
        ]
    })
}

proptest! {
    #[test]
    fn printed_filters_are_parsed_back(filter in any_filter()) {
        let text = print(&filter).unwrap();
        prop_assert_eq!(parse(&text).unwrap(), filter);
    }

    #[test]
    fn any_bytes_are_an_answer(text in proptest::collection::vec(
        prop_oneof![Just(b'('), Just(b')'), Just(b'\''), Just(b' '), Just(b','), any::<u8>()], 0..60)) {
        let _ = parse(&text);
    }

    #[test]
    fn any_words_are_an_answer(words in proptest::collection::vec(prop_oneof![
        Just("("), Just(")"), Just(" AND "), Just(" OR "), Just("SKIP "), Just("WHILE "), Just("PageFilter(1)"),
        Just("PrefixFilter('"), Just("'"), Just("''"), Just(",")], 0..20)) {
        if let Ok(filter) = parse(words.concat().as_bytes()) {
            prop_assert_eq!(parse(&print(&filter).unwrap()).unwrap(), filter);
        }
    }
}
