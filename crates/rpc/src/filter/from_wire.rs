//! Decodes filters from HBase's messages, for a server.

use super::{comparator, operator, PACKAGE};
use crate::proto;
use prost::Message;
use rowstone_model::filter::{
    Chance, ColumnOffset, Comparator, CompareOperator, Filter, FuzzyKey, ListOperator, RowKeyRange, SingleColumn,
    MAX_DEPTH,
};
use rowstone_model::{Error, ErrorKind, Result};

/// Decodes the filter in a message.
///
/// # Errors
/// `Unsupported` for a class that HBase does not have, `InvalidArgument` for an unreadable message, for arguments
/// that the class's constructor rejects, and for nesting beyond [`MAX_DEPTH`].
pub fn from_wire(message: &proto::Filter) -> Result<Filter> {
    inner(message, MAX_DEPTH)
}

/// Decodes the filter in an encoded message.
///
/// # Errors
/// As [`from_wire`], and `InvalidArgument` for bytes that are not a message.
pub fn from_bytes(bytes: &[u8]) -> Result<Filter> {
    let message = proto::Filter::decode(bytes)
        .map_err(|error| Error::invalid(format!("{} bytes are not a filter message: {error}", bytes.len())))?;
    from_wire(&message)
}

fn inner(message: &proto::Filter, depth: usize) -> Result<Filter> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Error::invalid(format!("filters are nested more than {MAX_DEPTH} deep")));
    };
    let name = message.name.strip_prefix(PACKAGE).unwrap_or(&message.name);
    if !Filter::NAMES.contains(&name) {
        return Err(Error::new(ErrorKind::Unsupported, format!("there is no filter class '{}'", message.name)));
    }
    let wire = Wire { name, bytes: message.serialized_filter.as_deref().unwrap_or_default() };
    match name {
        "FilterList" => {
            let message: proto::FilterList = wire.read()?;
            let operator = match proto::filter_list::Operator::try_from(message.operator) {
                Ok(proto::filter_list::Operator::MustPassAll) => ListOperator::MustPassAll,
                Ok(proto::filter_list::Operator::MustPassOne) => ListOperator::MustPassOne,
                Err(_) => return Err(wire.damaged()),
            };
            let filters = message.filters.iter().map(|filter| inner(filter, depth)).collect::<Result<_>>()?;
            Filter::FilterList { operator, filters }
        }
        "SkipFilter" => {
            Filter::SkipFilter { filter: Box::new(inner(&wire.read::<proto::SkipFilter>()?.filter, depth)?) }
        }
        "WhileMatchFilter" => Filter::WhileMatchFilter {
            filter: Box::new(inner(&wire.read::<proto::WhileMatchFilter>()?.filter, depth)?),
        },
        _ => match wire.of_rows()? {
            Some(filter) => filter,
            None => wire.of_cells()?,
        },
    }
    .check()
}

/// A class and its message.
struct Wire<'m> {
    name: &'m str,
    bytes: &'m [u8],
}

impl Wire<'_> {
    fn damaged(&self) -> Error {
        Error::invalid(format!("the message of filter {} cannot be read", self.name))
    }

    fn read<M: Message + Default>(&self) -> Result<M> {
        M::decode(self.bytes).map_err(|_| self.damaged())
    }

    fn require<T>(&self, field: Option<T>, name: &str) -> Result<T> {
        field.ok_or_else(|| Error::invalid(format!("{} needs a {name}", self.name)))
    }

    fn operator(&self, number: i32) -> Result<CompareOperator> {
        proto::CompareType::try_from(number).map(operator).map_err(|_| self.damaged())
    }

    fn test(&self, message: proto::CompareFilter) -> Result<(CompareOperator, Comparator)> {
        let comparator = self.require(message.comparator, "comparator")?;
        Ok((self.operator(message.compare_op)?, comparator::from_wire(&comparator)?))
    }

    /// Decodes filters on rows; `None` for others.
    fn of_rows(&self) -> Result<Option<Filter>> {
        Ok(Some(match self.name {
            "PrefixFilter" => {
                Filter::PrefixFilter { prefix: self.require(self.read::<proto::PrefixFilter>()?.prefix, "prefix")? }
            }
            "InclusiveStopFilter" => {
                let stop_row = self.read::<proto::InclusiveStopFilter>()?.stop_row_key;
                Filter::InclusiveStopFilter { stop_row: self.require(stop_row, "stop row")? }
            }
            "PageFilter" => Filter::PageFilter { page_size: self.read::<proto::PageFilter>()?.page_size },
            "RandomRowFilter" => {
                Filter::RandomRowFilter { chance: Chance::new(self.read::<proto::RandomRowFilter>()?.chance)? }
            }
            "RowFilter" => {
                let (operator, comparator) = self.test(self.read::<proto::RowFilter>()?.compare_filter)?;
                Filter::RowFilter { operator, comparator }
            }
            "FuzzyRowFilter" => {
                let message: proto::FuzzyRowFilter = self.read()?;
                let is_v2 = message.is_mask_v2.unwrap_or(false);
                let pairs = message.fuzzy_keys_data.into_iter();
                let fuzzy_keys = pairs.map(|pair| FuzzyKey::new(pair.first, mask(&pair.second, is_v2)));
                Filter::FuzzyRowFilter { fuzzy_keys: fuzzy_keys.collect::<Result<_>>()? }
            }
            "MultiRowRangeFilter" => {
                let message: proto::MultiRowRangeFilter = self.read()?;
                Filter::MultiRowRangeFilter { ranges: message.row_range_list.into_iter().map(range).collect() }
            }
            "SingleColumnValueFilter" => self.single(self.read()?, false)?,
            "SingleColumnValueExcludeFilter" => {
                let message: proto::SingleColumnValueExcludeFilter = self.read()?;
                self.single(message.single_column_value_filter, true)?
            }
            _ => return Ok(None),
        }))
    }

    fn single(&self, message: proto::SingleColumnValueFilter, excludes_column: bool) -> Result<Filter> {
        let test = SingleColumn {
            family: message.column_family(),
            qualifier: message.column_qualifier(),
            operator: self.operator(message.compare_op)?,
            comparator: &comparator::from_wire(&message.comparator)?,
            filter_if_missing: message.filter_if_missing(),
            latest_version_only: message.latest_version_only(),
            excludes_column,
        };
        Ok(test.to_filter())
    }

    /// Decodes filters on cells and columns.
    fn of_cells(&self) -> Result<Filter> {
        Ok(match self.name {
            "ColumnCountGetFilter" => {
                Filter::ColumnCountGetFilter { limit: self.read::<proto::ColumnCountGetFilter>()?.limit }
            }
            "ColumnPaginationFilter" => {
                let message: proto::ColumnPaginationFilter = self.read()?;
                let offset = match message.column_offset {
                    Some(qualifier) => ColumnOffset::Column(qualifier),
                    None => ColumnOffset::Count(message.offset.unwrap_or(0)),
                };
                Filter::ColumnPaginationFilter { limit: message.limit, offset }
            }
            "ColumnPrefixFilter" => {
                Filter::ColumnPrefixFilter { prefix: self.read::<proto::ColumnPrefixFilter>()?.prefix }
            }
            "ColumnRangeFilter" => {
                let message: proto::ColumnRangeFilter = self.read()?;
                Filter::ColumnRangeFilter {
                    min_column: message.min_column,
                    min_column_inclusive: message.min_column_inclusive.unwrap_or(false),
                    max_column: message.max_column,
                    max_column_inclusive: message.max_column_inclusive.unwrap_or(false),
                }
            }
            "FirstKeyOnlyFilter" => Filter::FirstKeyOnlyFilter {},
            "FirstKeyValueMatchingQualifiersFilter" => {
                let qualifiers = self.read::<proto::FirstKeyValueMatchingQualifiersFilter>()?.qualifiers;
                Filter::FirstKeyValueMatchingQualifiersFilter { qualifiers }
            }
            "KeyOnlyFilter" => {
                Filter::KeyOnlyFilter { length_as_value: self.read::<proto::KeyOnlyFilter>()?.len_as_val }
            }
            "MultipleColumnPrefixFilter" => {
                let prefixes = self.read::<proto::MultipleColumnPrefixFilter>()?.sorted_prefixes;
                Filter::MultipleColumnPrefixFilter { prefixes }
            }
            "TimestampsFilter" => {
                let message: proto::TimestampsFilter = self.read()?;
                let (timestamps, can_hint) = (message.timestamps, message.can_hint.unwrap_or(false));
                Filter::TimestampsFilter { timestamps, can_hint }
            }
            _ => return self.comparing(),
        })
    }

    fn comparing(&self) -> Result<Filter> {
        Ok(match self.name {
            "FamilyFilter" => {
                let (operator, comparator) = self.test(self.read::<proto::FamilyFilter>()?.compare_filter)?;
                Filter::FamilyFilter { operator, comparator }
            }
            "QualifierFilter" => {
                let (operator, comparator) = self.test(self.read::<proto::QualifierFilter>()?.compare_filter)?;
                Filter::QualifierFilter { operator, comparator }
            }
            "ValueFilter" => {
                let (operator, comparator) = self.test(self.read::<proto::ValueFilter>()?.compare_filter)?;
                Filter::ValueFilter { operator, comparator }
            }
            "ColumnValueFilter" => {
                let message: proto::ColumnValueFilter = self.read()?;
                Filter::ColumnValueFilter {
                    family: message.family,
                    qualifier: message.qualifier,
                    operator: self.operator(message.compare_op)?,
                    comparator: comparator::from_wire(&message.comparator)?,
                }
            }
            "DependentColumnFilter" => {
                let message: proto::DependentColumnFilter = self.read()?;
                let comparator = message.compare_filter.comparator.as_ref().map(comparator::from_wire).transpose()?;
                Filter::DependentColumnFilter {
                    family: message.column_family.unwrap_or_default(),
                    qualifier: message.column_qualifier.unwrap_or_default(),
                    drop_dependent_column: message.drop_dependent_column.unwrap_or(false),
                    operator: self.operator(message.compare_filter.compare_op)?,
                    comparator,
                }
            }
            _ => return Err(self.damaged()),
        })
    }
}

/// Normalizes a mask to 0 for bytes that must match, and 1 for others. Java clients send -1 for bytes that must
/// match, and 0 (before 2.6) or 2 for others. Java clients on machines without unaligned memory access, and non-Java
/// clients, send the normal form. An old mask with only -1 and 0 counts as a Java client's.
fn mask(sent: &[u8], is_v2: bool) -> Vec<u8> {
    const FIXED: u8 = 0xff;
    if is_v2 {
        return sent
            .iter()
            .map(|&byte| {
                if byte == 2 {
                    1
                } else if byte == FIXED {
                    0
                } else {
                    byte
                }
            })
            .collect();
    }
    if sent.iter().all(|&byte| byte == FIXED || byte == 0) {
        return sent.iter().map(|&byte| u8::from(byte == 0)).collect();
    }
    sent.to_vec()
}

fn range(message: proto::RowRange) -> RowKeyRange {
    RowKeyRange {
        start: message.start_row.unwrap_or_default(),
        include_start: message.start_row_inclusive.unwrap_or(false),
        stop: message.stop_row.unwrap_or_default(),
        include_stop: message.stop_row_inclusive.unwrap_or(false),
    }
}
