//! Filter evaluation: one stateful evaluator per filter, called in the same order as in HBase.
//!
//! ```text
//! for each row:   is_done? ends the scan     skips_row? on to the next row
//!   each cell that columns, versions and timestamps let through:   check -> ReturnCode      shown (the value may change)
//!   retain_cells (may drop some)     drops_row?     reset
//! ```
//!
//! The codes say how far the reader may jump, within one family, since every family of a row is read on its own. An
//! evaluator that sees a row's cells out of order, or not all of them, returns different results. The order of
//! calls is therefore part of a filter's meaning, and lists follow HBase's `FilterListWithAND` and
//! `FilterListWithOR` exactly. Sources: `org.apache.hadoop.hbase.filter.*`, `RegionScannerImpl`, `FilterWrapper` of
//! HBase 2.6.

mod all_of;
mod code;
mod columns;
mod comparison;
mod counts;
mod dependent;
mod evaluate;
mod fuzzy;
mod one_of;
mod ranges;
mod row_cells;
mod rows;
mod single_column;
mod timestamps;
mod values;
mod wrappers;

pub use code::ReturnCode;
pub use comparison::{holds, is_empty};
pub(crate) use evaluate::{Evaluate, Evaluator};
pub use row_cells::{RowCells, Shown};

use crate::sys::Entropy;
use comparison::Comparison;
use rowstone_model::filter::{Filter, ListOperator};
use rowstone_model::{Error, Result};

/// Creates the evaluator of `filter`, for a scan in one direction.
///
/// # Errors
/// `InvalidArgument` for an invalid regular expression.
pub(crate) fn evaluator(filter: &Filter, reversed: bool, entropy: &dyn Entropy) -> Result<Evaluator> {
    let inner = |filter: &Filter| evaluator(filter, reversed, entropy);
    Ok(match filter {
        Filter::FilterList { operator, filters } => {
            let parts = filters.iter().map(inner).collect::<Result<Vec<_>>>()?;
            match operator {
                ListOperator::MustPassAll => Box::new(all_of::AllOf::new(parts, reversed)),
                ListOperator::MustPassOne => Box::new(one_of::OneOf::new(parts, reversed)),
            }
        }
        // As in HBase, these two do not tell their filter that the scan is reversed.
        Filter::SkipFilter { filter } => Box::new(wrappers::Skip::new(evaluator(filter, false, entropy)?)),
        Filter::WhileMatchFilter { filter } => Box::new(wrappers::WhileMatch::new(evaluator(filter, false, entropy)?)),
        Filter::FuzzyRowFilter { fuzzy_keys } => Box::new(fuzzy::FuzzyRow::new(fuzzy_keys.clone(), reversed)),
        Filter::InclusiveStopFilter { stop_row } => Box::new(rows::InclusiveStop::new(stop_row.clone(), reversed)),
        Filter::MultiRowRangeFilter { ranges } => Box::new(ranges::MultiRowRange::new(ranges.clone(), reversed)),
        Filter::PageFilter { page_size } => Box::new(counts::Page::new(*page_size)),
        Filter::PrefixFilter { prefix } => Box::new(rows::Prefix::new(prefix.clone(), reversed)),
        Filter::RandomRowFilter { chance } => Box::new(rows::RandomRow::new(*chance, entropy.next_u64())),
        Filter::ColumnCountGetFilter { limit } => Box::new(counts::ColumnCountGet::new(*limit)),
        Filter::ColumnPaginationFilter { limit, offset } => {
            Box::new(counts::ColumnPagination::new(*limit, offset.clone()))
        }
        Filter::ColumnPrefixFilter { prefix } => Box::new(columns::ColumnPrefix::new(prefix.clone())),
        Filter::ColumnRangeFilter { min_column, min_column_inclusive, max_column, max_column_inclusive } => {
            Box::new(columns::ColumnRange {
                min: min_column.clone(),
                min_inclusive: *min_column_inclusive,
                max: max_column.clone(),
                max_inclusive: *max_column_inclusive,
            })
        }
        Filter::FirstKeyOnlyFilter {} => Box::new(counts::FirstKey::any()),
        Filter::FirstKeyValueMatchingQualifiersFilter { qualifiers } => {
            Box::new(counts::FirstKey::of(qualifiers.clone()))
        }
        Filter::KeyOnlyFilter { length_as_value } => Box::new(values::KeyOnly { length_as_value: *length_as_value }),
        Filter::MultipleColumnPrefixFilter { prefixes } => {
            Box::new(columns::MultipleColumnPrefix::new(prefixes.clone()))
        }
        Filter::TimestampsFilter { timestamps, can_hint } => {
            Box::new(timestamps::Timestamps { timestamps: timestamps.clone(), can_hint: *can_hint })
        }
        comparing => return comparing_evaluator(comparing),
    })
}

/// Creates the evaluator of a filter that has a comparator.
fn comparing_evaluator(filter: &Filter) -> Result<Evaluator> {
    let compare = |operator: &_, comparator| Comparison::new(*operator, comparator);
    Ok(match filter {
        Filter::ColumnValueFilter { family, qualifier, operator, comparator } => {
            Box::new(values::ColumnValue::new((family.clone(), qualifier.clone()), compare(operator, comparator)?))
        }
        Filter::DependentColumnFilter { family, qualifier, drop_dependent_column, operator, comparator } => {
            let comparison = comparator.as_ref().map(|comparator| compare(operator, comparator)).transpose()?;
            let column = (family.clone(), qualifier.clone());
            Box::new(dependent::DependentColumn::new(column, *drop_dependent_column, comparison))
        }
        Filter::FamilyFilter { operator, comparator } => Box::new(values::Family(compare(operator, comparator)?)),
        Filter::QualifierFilter { operator, comparator } => Box::new(values::Qualifier(compare(operator, comparator)?)),
        Filter::RowFilter { operator, comparator } => Box::new(rows::RowKey::new(compare(operator, comparator)?)),
        Filter::ValueFilter { operator, comparator } => Box::new(values::Value(compare(operator, comparator)?)),
        other => {
            let missing = || Error::internal(format!("{} has no evaluator", other.name()));
            let test = other.single_column().ok_or_else(missing)?;
            Box::new(single_column::SingleColumnValue::new(&test, compare(&test.operator, test.comparator)?))
        }
    })
}

#[cfg(test)]
mod tests;
