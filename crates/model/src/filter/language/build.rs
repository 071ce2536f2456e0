//! Builds filters from names and arguments: the signatures of the language's 19 names.

use super::arguments::{boolean, bytes, comparator, int, long, operator};
use crate::error::{Error, Result};
use crate::filter::{ColumnOffset, Comparator, CompareOperator, Filter, SingleColumn};

/// The filter names of the language.
pub const NAMES: [&str; 19] = [
    "KeyOnlyFilter",
    "FirstKeyOnlyFilter",
    "PrefixFilter",
    "ColumnPrefixFilter",
    "MultipleColumnPrefixFilter",
    "ColumnCountGetFilter",
    "PageFilter",
    "ColumnPaginationFilter",
    "InclusiveStopFilter",
    "TimestampsFilter",
    "RowFilter",
    "FamilyFilter",
    "QualifierFilter",
    "ValueFilter",
    "ColumnRangeFilter",
    "SingleColumnValueFilter",
    "SingleColumnValueExcludeFilter",
    "DependentColumnFilter",
    "ColumnValueFilter",
];

/// Builds the filter `name` from these arguments.
pub(super) fn build(name: &str, arguments: &[Vec<u8>]) -> Result<Filter> {
    if !NAMES.contains(&name) {
        return Err(Error::invalid(format!("the filter language has no filter '{name}'; it has {}", NAMES.join(", "))));
    }
    let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    built(name, &arguments).map_err(|error| error.context(name))?.check()
}

fn built(name: &str, arguments: &[&[u8]]) -> Result<Filter> {
    let wrong_count = || Err(Error::invalid(format!("{} arguments do not fit", arguments.len())));
    Ok(match (name, arguments) {
        ("KeyOnlyFilter", []) => Filter::KeyOnlyFilter { length_as_value: false },
        ("KeyOnlyFilter", [as_value]) => Filter::KeyOnlyFilter { length_as_value: boolean(as_value)? },
        ("FirstKeyOnlyFilter", []) => Filter::FirstKeyOnlyFilter {},
        ("PrefixFilter", [prefix]) => Filter::PrefixFilter { prefix: bytes(prefix)? },
        ("ColumnPrefixFilter", [prefix]) => Filter::ColumnPrefixFilter { prefix: bytes(prefix)? },
        ("MultipleColumnPrefixFilter", prefixes) => Filter::MultipleColumnPrefixFilter {
            prefixes: prefixes.iter().map(|prefix| bytes(prefix)).collect::<Result<_>>()?,
        },
        ("ColumnCountGetFilter", [limit]) => Filter::ColumnCountGetFilter { limit: int(limit)? },
        ("PageFilter", [page_size]) => Filter::PageFilter { page_size: long(page_size)? },
        ("ColumnPaginationFilter", [limit, offset]) => {
            Filter::ColumnPaginationFilter { limit: int(limit)?, offset: ColumnOffset::Count(int(offset)?) }
        }
        ("InclusiveStopFilter", [stop_row]) => Filter::InclusiveStopFilter { stop_row: bytes(stop_row)? },
        ("TimestampsFilter", timestamps) => {
            let timestamps = timestamps.iter().map(|timestamp| long(timestamp)).collect::<Result<_>>()?;
            Filter::TimestampsFilter { timestamps, can_hint: false }
        }
        ("ColumnRangeFilter", [min, min_inclusive, max, max_inclusive]) => Filter::ColumnRangeFilter {
            min_column: bound(min)?,
            min_column_inclusive: boolean(min_inclusive)?,
            max_column: bound(max)?,
            max_column_inclusive: boolean(max_inclusive)?,
        },
        ("RowFilter" | "FamilyFilter" | "QualifierFilter" | "ValueFilter", [sign, value]) => {
            let (operator, comparator) = test(sign, value)?;
            match name {
                "RowFilter" => Filter::RowFilter { operator, comparator },
                "FamilyFilter" => Filter::FamilyFilter { operator, comparator },
                "QualifierFilter" => Filter::QualifierFilter { operator, comparator },
                _ => Filter::ValueFilter { operator, comparator },
            }
        }
        (
            "SingleColumnValueFilter"
            | "SingleColumnValueExcludeFilter"
            | "DependentColumnFilter"
            | "ColumnValueFilter",
            [family, qualifier, rest @ ..],
        ) => return of_column(name, (bytes(family)?, bytes(qualifier)?), rest).unwrap_or_else(wrong_count),
        _ => return wrong_count(),
    })
}

/// Builds filters whose arguments begin with a column; `None` if the number of arguments after it is wrong.
fn of_column(name: &str, (family, qualifier): (Vec<u8>, Vec<u8>), rest: &[&[u8]]) -> Option<Result<Filter>> {
    match (name, rest) {
        ("ColumnValueFilter", [sign, value]) => {
            Some(test(sign, value).map(|(operator, comparator)| Filter::ColumnValueFilter {
                family,
                qualifier,
                operator,
                comparator,
            }))
        }
        ("DependentColumnFilter", []) => Some(dependent((family, qualifier), None, None)),
        ("DependentColumnFilter", [drop]) => Some(dependent((family, qualifier), Some(drop), None)),
        ("DependentColumnFilter", [drop, sign, value]) => {
            Some(dependent((family, qualifier), Some(drop), Some((sign, value))))
        }
        ("SingleColumnValueFilter" | "SingleColumnValueExcludeFilter", [sign, value]) => {
            Some(single(name, (family, qualifier), (sign, value), None))
        }
        ("SingleColumnValueFilter" | "SingleColumnValueExcludeFilter", [sign, value, if_missing, latest_only]) => {
            Some(single(name, (family, qualifier), (sign, value), Some((if_missing, latest_only))))
        }
        _ => None,
    }
}

fn dependent(
    (family, qualifier): (Vec<u8>, Vec<u8>),
    drop: Option<&[u8]>,
    comparison: Option<(&[u8], &[u8])>,
) -> Result<Filter> {
    let drop_dependent_column = drop.map_or(Ok(false), boolean)?;
    let (operator, comparator) = match comparison {
        Some((sign, value)) => (operator(sign)?, Some(comparator(value)?)),
        None => (CompareOperator::NoOp, None),
    };
    Ok(Filter::DependentColumnFilter { family, qualifier, drop_dependent_column, operator, comparator })
}

fn single(
    name: &str,
    (family, qualifier): (Vec<u8>, Vec<u8>),
    (sign, value): (&[u8], &[u8]),
    flags: Option<(&[u8], &[u8])>,
) -> Result<Filter> {
    let (operator, comparator) = test(sign, value)?;
    let (filter_if_missing, latest_version_only) = match flags {
        Some((if_missing, latest_only)) => (boolean(if_missing)?, boolean(latest_only)?),
        None => (false, true),
    };
    let test = SingleColumn {
        family: &family,
        qualifier: &qualifier,
        operator,
        comparator: &comparator,
        filter_if_missing,
        latest_version_only,
        excludes_column: name == "SingleColumnValueExcludeFilter",
    };
    Ok(test.to_filter())
}

/// Parses an operator and a comparator and checks that they go together.
fn test(sign: &[u8], value: &[u8]) -> Result<(CompareOperator, Comparator)> {
    let (operator, comparator) = (operator(sign)?, comparator(value)?);
    if knows_equality_only(&comparator) && !matches!(operator, CompareOperator::Equal | CompareOperator::NotEqual) {
        return Err(Error::invalid("regular expressions and substrings go with = and != only"));
    }
    Ok((operator, comparator))
}

/// Whether the language accepts the comparator with `=` and `!=` only.
pub(super) fn knows_equality_only(comparator: &Comparator) -> bool {
    matches!(comparator, Comparator::RegexStringComparator { .. } | Comparator::SubstringComparator { .. })
}

/// A bound of a range; an empty string means no bound.
fn bound(argument: &[u8]) -> Result<Option<Vec<u8>>> {
    Ok(Some(bytes(argument)?).filter(|bound| !bound.is_empty()))
}
