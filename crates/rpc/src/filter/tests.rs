//! Every filter and comparator survives a round trip; garbage is an error.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::{from_wire, to_wire};
use crate::proto;
use proptest::prelude::*;
use prost::Message;
use rowstone_model::filter::{
    BitwiseOperator, Chance, ColumnOffset, Comparator, CompareOperator, Decimal, Filter, FuzzyKey, ListOperator,
    RegexEngine, RowKeyRange,
};
use rowstone_model::ErrorKind;

fn comparators() -> Vec<Comparator> {
    let value = b"it's\0".to_vec();
    vec![
        Comparator::BigDecimalComparator { value: Decimal::from_bytes(vec![0, 0, 0, 2, 0, 150]).unwrap() },
        Comparator::BinaryComparator { value: value.clone() },
        Comparator::BinaryComponentComparator { value: value.clone(), offset: 3 },
        Comparator::BinaryPrefixComparator { value: value.clone() },
        Comparator::BitComparator { value, bit_operator: BitwiseOperator::Xor },
        Comparator::LongComparator { value: -5 },
        Comparator::NullComparator {},
        Comparator::RegexStringComparator {
            pattern: "a.b".into(),
            flags: 34,
            charset: "ISO-8859-1".into(),
            engine: RegexEngine::Joni,
        },
        Comparator::SubstringComparator { substring: "abc".into() },
    ]
}

/// The filters with an operator, each with `comparator`.
fn comparing(comparator: Comparator) -> [Filter; 7] {
    let (family, qualifier, operator) = (b"f".to_vec(), b"q".to_vec(), CompareOperator::GreaterOrEqual);
    [
        Filter::FamilyFilter { operator, comparator: comparator.clone() },
        Filter::QualifierFilter { operator, comparator: comparator.clone() },
        Filter::RowFilter { operator, comparator: comparator.clone() },
        Filter::ValueFilter { operator: CompareOperator::NoOp, comparator: comparator.clone() },
        Filter::ColumnValueFilter {
            family: family.clone(),
            qualifier: qualifier.clone(),
            operator,
            comparator: comparator.clone(),
        },
        Filter::SingleColumnValueFilter {
            family: family.clone(),
            qualifier: qualifier.clone(),
            operator,
            comparator: comparator.clone(),
            filter_if_missing: true,
            latest_version_only: false,
        },
        Filter::SingleColumnValueExcludeFilter {
            family: family.clone(),
            qualifier: qualifier.clone(),
            operator,
            comparator,
            filter_if_missing: false,
            latest_version_only: true,
        },
    ]
}

/// One filter of each kind, some in two forms.
fn filters() -> Vec<Filter> {
    let (family, qualifier) = (b"f".to_vec(), b"q".to_vec());
    let range = |start: &str, include_start, stop: &str| RowKeyRange {
        start: start.into(),
        include_start,
        stop: stop.into(),
        include_stop: !include_start,
    };
    let mut filters = vec![
        Filter::ColumnCountGetFilter { limit: 3 },
        Filter::ColumnPaginationFilter { limit: 3, offset: ColumnOffset::Count(2) },
        Filter::ColumnPaginationFilter { limit: 3, offset: ColumnOffset::Column(Vec::new()) },
        Filter::ColumnPrefixFilter { prefix: qualifier.clone() },
        Filter::ColumnRangeFilter {
            min_column: None,
            min_column_inclusive: true,
            max_column: Some(qualifier.clone()),
            max_column_inclusive: false,
        },
        Filter::DependentColumnFilter {
            family: family.clone(),
            qualifier: qualifier.clone(),
            drop_dependent_column: true,
            operator: CompareOperator::NoOp,
            comparator: None,
        },
        Filter::FirstKeyOnlyFilter {},
        Filter::FirstKeyValueMatchingQualifiersFilter { qualifiers: vec![Vec::new(), qualifier.clone()] },
        Filter::FuzzyRowFilter {
            fuzzy_keys: vec![
                FuzzyKey::new(b"a?".to_vec(), vec![0, 1]).unwrap(),
                FuzzyKey::new(b"ab".to_vec(), vec![0, 0]).unwrap(),
            ],
        },
        Filter::InclusiveStopFilter { stop_row: b"r".to_vec() },
        Filter::KeyOnlyFilter { length_as_value: true },
        Filter::MultiRowRangeFilter { ranges: vec![range("a", true, "b"), range("c", false, "")] },
        Filter::MultipleColumnPrefixFilter { prefixes: vec![b"a".to_vec(), b"b".to_vec()] },
        Filter::PageFilter { page_size: i64::MAX },
        Filter::PrefixFilter { prefix: Vec::new() },
        Filter::RandomRowFilter { chance: Chance::new(0.25).unwrap() },
        Filter::TimestampsFilter { timestamps: vec![0, 5, i64::MAX], can_hint: true },
    ];
    filters.extend(comparators().into_iter().flat_map(comparing));
    let list = Filter::FilterList { operator: ListOperator::MustPassOne, filters: filters.clone() };
    filters.push(Filter::SkipFilter { filter: Box::new(list.clone()) });
    filters.push(Filter::WhileMatchFilter { filter: Box::new(list.clone()) });
    filters.push(list);
    filters
}

#[test]
fn every_filter_survives_the_wire() {
    let mut met: Vec<&str> = filters().iter().map(Filter::name).collect();
    met.sort_unstable();
    met.dedup();
    let mut names = Filter::NAMES.to_vec();
    names.sort_unstable();
    assert_eq!(met, names);
    assert_eq!(comparators().len(), Comparator::NAMES.len());
    for filter in filters() {
        let bytes = to_wire(&filter).encode_to_vec();
        assert_eq!(from_wire(&proto::Filter::decode(bytes.as_slice()).unwrap()).unwrap(), filter, "{filter}");
    }
}

#[test]
fn masks_come_in_three_forms() {
    let sent = |second: Vec<u8>, is_mask_v2| {
        let pair = proto::BytesBytesPair { first: b"ab".to_vec(), second };
        let message = proto::FuzzyRowFilter { fuzzy_keys_data: vec![pair], is_mask_v2 };
        let name = "org.apache.hadoop.hbase.filter.FuzzyRowFilter".to_string();
        let filter = proto::Filter { name, serialized_filter: Some(message.encode_to_vec()) };
        match from_wire(&filter).unwrap() {
            Filter::FuzzyRowFilter { fuzzy_keys } => fuzzy_keys[0].mask().to_vec(),
            other => other.name().into(),
        }
    };
    assert_eq!(sent(vec![0xff, 2], Some(true)), [0, 1]);
    assert_eq!(sent(vec![0, 1], Some(true)), [0, 1]);
    assert_eq!(sent(vec![0, 0], Some(true)), [0, 0]);
    assert_eq!(sent(vec![0xff, 0], None), [0, 1]);
    assert_eq!(sent(vec![0, 1], None), [0, 1]);
    assert_eq!(sent(vec![0, 0], None), [1, 1]);
}

#[test]
fn invalid_filters_are_errors() {
    let of = |name: &str, bytes: &[u8]| {
        from_wire(&proto::Filter { name: name.to_string(), serialized_filter: Some(bytes.to_vec()) }).unwrap_err()
    };
    assert_eq!(of("com.example.MyFilter", b"").kind(), ErrorKind::Unsupported);
    assert_eq!(of("org.apache.hadoop.hbase.filter.PageFilter", &[8]).kind(), ErrorKind::InvalidArgument);
    assert_eq!(of("org.apache.hadoop.hbase.filter.PrefixFilter", b"").kind(), ErrorKind::InvalidArgument);
    let mut deep = to_wire(&Filter::PageFilter { page_size: 1 });
    for _ in 0..300 {
        let bytes = proto::SkipFilter { filter: deep }.encode_to_vec();
        let name = "org.apache.hadoop.hbase.filter.SkipFilter".to_string();
        deep = proto::Filter { name, serialized_filter: Some(bytes) };
    }
    assert!(from_wire(&deep).unwrap_err().message().contains("deep"));
}

proptest! {
    #[test]
    fn any_bytes_are_an_answer(index in 0..26usize, bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let name = format!("org.apache.hadoop.hbase.filter.{}", Filter::NAMES[index]);
        let _ = from_wire(&proto::Filter { name, serialized_filter: Some(bytes) });
    }
}
