//! Encodes filters as HBase's messages.

use super::{comparator, compare_type, full_name};
use crate::proto;
use prost::Message;
use rowstone_model::filter::{
    ColumnOffset, Comparator, CompareOperator, Filter, FuzzyKey, ListOperator, RowKeyRange, SingleColumn,
};

/// Builds the message for a filter.
pub fn to_wire(filter: &Filter) -> proto::Filter {
    proto::Filter { name: full_name(filter.name()), serialized_filter: Some(serialized(filter)) }
}

fn serialized(filter: &Filter) -> Vec<u8> {
    match filter {
        Filter::FilterList { operator, filters } => {
            use proto::filter_list::Operator;
            let operator = match operator {
                ListOperator::MustPassAll => Operator::MustPassAll,
                ListOperator::MustPassOne => Operator::MustPassOne,
            };
            let filters = filters.iter().map(to_wire).collect();
            proto::FilterList { operator: operator as i32, filters }.encode_to_vec()
        }
        Filter::SkipFilter { filter } => proto::SkipFilter { filter: to_wire(filter) }.encode_to_vec(),
        Filter::WhileMatchFilter { filter } => proto::WhileMatchFilter { filter: to_wire(filter) }.encode_to_vec(),
        Filter::ColumnCountGetFilter { limit } => proto::ColumnCountGetFilter { limit: *limit }.encode_to_vec(),
        Filter::ColumnPaginationFilter { limit, offset } => {
            let (offset, column_offset) = match offset {
                ColumnOffset::Count(count) => (Some(*count), None),
                ColumnOffset::Column(qualifier) => (None, Some(qualifier.clone())),
            };
            proto::ColumnPaginationFilter { limit: *limit, offset, column_offset }.encode_to_vec()
        }
        Filter::ColumnPrefixFilter { prefix } => proto::ColumnPrefixFilter { prefix: prefix.clone() }.encode_to_vec(),
        Filter::ColumnRangeFilter { min_column, min_column_inclusive, max_column, max_column_inclusive } => {
            proto::ColumnRangeFilter {
                min_column: min_column.clone(),
                min_column_inclusive: Some(*min_column_inclusive),
                max_column: max_column.clone(),
                max_column_inclusive: Some(*max_column_inclusive),
            }
            .encode_to_vec()
        }
        Filter::FirstKeyOnlyFilter {} => Vec::new(),
        Filter::FirstKeyValueMatchingQualifiersFilter { qualifiers } => {
            proto::FirstKeyValueMatchingQualifiersFilter { qualifiers: qualifiers.clone() }.encode_to_vec()
        }
        Filter::FuzzyRowFilter { fuzzy_keys } => {
            let fuzzy_keys_data = fuzzy_keys.iter().map(fuzzy_key).collect();
            proto::FuzzyRowFilter { fuzzy_keys_data, is_mask_v2: Some(true) }.encode_to_vec()
        }
        Filter::InclusiveStopFilter { stop_row } => {
            proto::InclusiveStopFilter { stop_row_key: Some(stop_row.clone()) }.encode_to_vec()
        }
        Filter::KeyOnlyFilter { length_as_value } => {
            proto::KeyOnlyFilter { len_as_val: *length_as_value }.encode_to_vec()
        }
        Filter::MultiRowRangeFilter { ranges } => {
            proto::MultiRowRangeFilter { row_range_list: ranges.iter().map(range).collect() }.encode_to_vec()
        }
        Filter::MultipleColumnPrefixFilter { prefixes } => {
            proto::MultipleColumnPrefixFilter { sorted_prefixes: prefixes.clone() }.encode_to_vec()
        }
        Filter::PageFilter { page_size } => proto::PageFilter { page_size: *page_size }.encode_to_vec(),
        Filter::PrefixFilter { prefix } => proto::PrefixFilter { prefix: Some(prefix.clone()) }.encode_to_vec(),
        Filter::RandomRowFilter { chance } => proto::RandomRowFilter { chance: chance.value() }.encode_to_vec(),
        Filter::TimestampsFilter { timestamps, can_hint } => {
            proto::TimestampsFilter { timestamps: timestamps.clone(), can_hint: Some(*can_hint) }.encode_to_vec()
        }
        comparing => compared(comparing),
    }
}

/// Encodes filters with a comparator.
fn compared(filter: &Filter) -> Vec<u8> {
    match filter {
        Filter::FamilyFilter { operator, comparator } => {
            proto::FamilyFilter { compare_filter: compare_filter(*operator, Some(comparator)) }.encode_to_vec()
        }
        Filter::QualifierFilter { operator, comparator } => {
            proto::QualifierFilter { compare_filter: compare_filter(*operator, Some(comparator)) }.encode_to_vec()
        }
        Filter::RowFilter { operator, comparator } => {
            proto::RowFilter { compare_filter: compare_filter(*operator, Some(comparator)) }.encode_to_vec()
        }
        Filter::ValueFilter { operator, comparator } => {
            proto::ValueFilter { compare_filter: compare_filter(*operator, Some(comparator)) }.encode_to_vec()
        }
        Filter::ColumnValueFilter { family, qualifier, operator, comparator } => proto::ColumnValueFilter {
            family: family.clone(),
            qualifier: qualifier.clone(),
            compare_op: compare_type(*operator) as i32,
            comparator: comparator::to_wire(comparator),
        }
        .encode_to_vec(),
        Filter::DependentColumnFilter { family, qualifier, drop_dependent_column, operator, comparator } => {
            proto::DependentColumnFilter {
                compare_filter: compare_filter(*operator, comparator.as_ref()),
                column_family: Some(family.clone()),
                column_qualifier: Some(qualifier.clone()),
                drop_dependent_column: Some(*drop_dependent_column),
            }
            .encode_to_vec()
        }
        other => other.single_column().map_or_else(Vec::new, |test| single_column(&test)),
    }
}

fn single_column(test: &SingleColumn<'_>) -> Vec<u8> {
    let message = proto::SingleColumnValueFilter {
        column_family: Some(test.family.to_vec()),
        column_qualifier: Some(test.qualifier.to_vec()),
        compare_op: compare_type(test.operator) as i32,
        comparator: comparator::to_wire(test.comparator),
        filter_if_missing: Some(test.filter_if_missing),
        latest_version_only: Some(test.latest_version_only),
    };
    if test.excludes_column {
        proto::SingleColumnValueExcludeFilter { single_column_value_filter: message }.encode_to_vec()
    } else {
        message.encode_to_vec()
    }
}

fn compare_filter(operator: CompareOperator, comparator: Option<&Comparator>) -> proto::CompareFilter {
    proto::CompareFilter { compare_op: compare_type(operator) as i32, comparator: comparator.map(comparator::to_wire) }
}

/// Masks are sent in the caller's form, which servers of every version understand. An exception is a key without any
/// wildcard byte, which servers before 2.6 interpret the opposite way.
fn fuzzy_key(key: &FuzzyKey) -> proto::BytesBytesPair {
    proto::BytesBytesPair { first: key.key().to_vec(), second: key.mask().to_vec() }
}

fn range(range: &RowKeyRange) -> proto::RowRange {
    proto::RowRange {
        start_row: Some(range.start.clone()),
        start_row_inclusive: Some(range.include_start),
        stop_row: Some(range.stop.clone()),
        stop_row_inclusive: Some(range.include_stop),
    }
}
