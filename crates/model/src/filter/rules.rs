//! Checks of HBase's constructors, and the normal form of arguments that they sort.

use super::comparators::Comparator;
use super::filters::Filter;
use super::operators::CompareOperator;
use super::pattern::Charset;
use super::ranges::merge_ranges;
use super::values::ColumnOffset;
use crate::codec::printable;
use crate::error::{Error, Result};

/// Maximum nesting depth of filters: deeper ones could overflow the evaluator's stack.
pub const MAX_DEPTH: usize = 200;

impl Filter {
    /// Checks the filter and brings it to its normal form: ranges merged, prefixes and timestamps sorted.
    ///
    /// # Errors
    /// `InvalidArgument` for arguments that HBase's constructor rejects, and for nesting beyond [`MAX_DEPTH`].
    pub fn check(mut self) -> Result<Self> {
        let name = self.name();
        match &mut self {
            Self::ColumnCountGetFilter { limit } => check_not_negative(name, "limit", i64::from(*limit))?,
            Self::PageFilter { page_size } => check_not_negative(name, "page_size", *page_size)?,
            Self::ColumnPaginationFilter { limit, offset } => {
                check_not_negative(name, "limit", i64::from(*limit))?;
                if let ColumnOffset::Count(offset) = offset {
                    check_not_negative(name, "offset", i64::from(*offset))?;
                }
            }
            Self::TimestampsFilter { timestamps, .. } => {
                timestamps.sort_unstable();
                timestamps.dedup();
                check_not_negative(name, "a timestamp", timestamps.first().copied().unwrap_or(0))?;
            }
            Self::MultipleColumnPrefixFilter { prefixes } => {
                prefixes.sort_unstable();
                if let Some(pair) = prefixes.windows(2).find(|pair| pair[0] == pair[1]) {
                    let prefix = printable(&pair[0]);
                    return Err(Error::invalid(format!("{name}: prefix '{prefix}' is there twice")));
                }
            }
            Self::FirstKeyValueMatchingQualifiersFilter { qualifiers } => {
                qualifiers.sort_unstable();
                qualifiers.dedup();
            }
            Self::MultiRowRangeFilter { ranges } => *ranges = merge_ranges(std::mem::take(ranges))?,
            Self::FuzzyRowFilter { fuzzy_keys } if fuzzy_keys.is_empty() => {
                return Err(Error::invalid("FuzzyRowFilter needs at least one key"));
            }
            Self::SingleColumnValueFilter { operator, .. } | Self::SingleColumnValueExcludeFilter { operator, .. }
                if *operator == CompareOperator::NoOp =>
            {
                return Err(Error::invalid(format!("{name}: operator NO_OP compares nothing")));
            }
            Self::FilterList { .. } | Self::SkipFilter { .. } | Self::WhileMatchFilter { .. } => self.check_depth()?,
            _ => {}
        }
        Ok(self)
    }

    /// The filters directly inside this one.
    pub fn children(&self) -> &[Filter] {
        match self {
            Self::FilterList { filters, .. } => filters,
            Self::SkipFilter { filter } | Self::WhileMatchFilter { filter } => std::slice::from_ref(&**filter),
            _ => &[],
        }
    }

    fn check_depth(&self) -> Result<()> {
        let mut level: Vec<&Filter> = vec![self];
        for _ in 0..MAX_DEPTH {
            level = level.into_iter().flat_map(Filter::children).collect();
            if level.is_empty() {
                return Ok(());
            }
        }
        Err(Error::invalid(format!("filters are nested more than {MAX_DEPTH} deep")))
    }

    /// Whether it decides on whole rows, so that rows must not be split into partial results. Source:
    /// `Filter.hasFilterRow`.
    pub fn needs_whole_rows(&self) -> bool {
        match self {
            Self::DependentColumnFilter { .. }
            | Self::PageFilter { .. }
            | Self::RandomRowFilter { .. }
            | Self::SingleColumnValueFilter { .. }
            | Self::SingleColumnValueExcludeFilter { .. }
            | Self::SkipFilter { .. }
            | Self::WhileMatchFilter { .. } => true,
            Self::FilterList { filters, .. } => filters.iter().any(Filter::needs_whole_rows),
            _ => false,
        }
    }

    /// Whether it needs the cells of `family` to decide on a row. Source: `Filter.isFamilyEssential`.
    pub fn is_family_essential(&self, family: &[u8]) -> bool {
        match self {
            // A row without the column passes, so the other families are needed to know that the row exists.
            Self::SingleColumnValueFilter { filter_if_missing, family: tested, .. }
            | Self::SingleColumnValueExcludeFilter { filter_if_missing, family: tested, .. } => {
                !filter_if_missing || tested == family
            }
            Self::ColumnValueFilter { family: tested, .. } => tested == family,
            Self::SkipFilter { filter } | Self::WhileMatchFilter { filter } => filter.is_family_essential(family),
            Self::FilterList { filters, .. } => {
                filters.is_empty() || filters.iter().any(|filter| filter.is_family_essential(family))
            }
            _ => true,
        }
    }

    /// Whether it reads values or their lengths.
    pub fn looks_at_values(&self) -> bool {
        match self {
            Self::ColumnValueFilter { .. }
            | Self::DependentColumnFilter { comparator: Some(_), .. }
            | Self::SingleColumnValueFilter { .. }
            | Self::SingleColumnValueExcludeFilter { .. }
            | Self::ValueFilter { .. } => true,
            Self::KeyOnlyFilter { length_as_value } => *length_as_value,
            Self::FilterList { filters, .. } => filters.iter().any(Filter::looks_at_values),
            Self::SkipFilter { filter } | Self::WhileMatchFilter { filter } => filter.looks_at_values(),
            _ => false,
        }
    }

    /// The comparator of the filter, if it has one.
    pub fn comparator(&self) -> Option<&Comparator> {
        match self {
            Self::ColumnValueFilter { comparator, .. }
            | Self::FamilyFilter { comparator, .. }
            | Self::QualifierFilter { comparator, .. }
            | Self::RowFilter { comparator, .. }
            | Self::ValueFilter { comparator, .. }
            | Self::SingleColumnValueFilter { comparator, .. }
            | Self::SingleColumnValueExcludeFilter { comparator, .. } => Some(comparator),
            Self::DependentColumnFilter { comparator, .. } => comparator.as_ref(),
            _ => None,
        }
    }
}

impl Comparator {
    /// Checks the comparator and brings it to its normal form: substrings in lower case.
    ///
    /// # Errors
    /// `InvalidArgument` for a negative offset and for an unknown charset.
    pub fn check(mut self) -> Result<Self> {
        match &mut self {
            Self::BinaryComponentComparator { offset, .. } => {
                check_not_negative("BinaryComponentComparator", "offset", i64::from(*offset))?;
            }
            Self::SubstringComparator { substring } => *substring = substring.to_lowercase(),
            Self::RegexStringComparator { charset, .. } => *charset = Charset::from_name(charset)?.name().to_string(),
            _ => {}
        }
        Ok(self)
    }
}

fn check_not_negative(name: &str, what: &str, value: i64) -> Result<()> {
    if value < 0 {
        return Err(Error::invalid(format!("{name}: {what} is {value}; it must be 0 or more")));
    }
    Ok(())
}
