//! Filters by qualifier that return seek hints.

use super::{Evaluate, ReturnCode};
use rowstone_model::cell::{first_on_column, Cell};
use rowstone_model::Result;
use std::cmp::Ordering;

fn column_of(cell: &Cell<'_>, qualifier: &[u8]) -> Option<Vec<u8>> {
    Some(first_on_column(cell.row(), cell.family(), qualifier))
}

/// `ColumnPrefixFilter`
pub(super) struct ColumnPrefix {
    prefix: Vec<u8>,
}

impl ColumnPrefix {
    pub(super) fn new(prefix: Vec<u8>) -> Self {
        ColumnPrefix { prefix }
    }
}

impl Evaluate for ColumnPrefix {
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        let qualifier = cell.qualifier();
        let length = qualifier.len().min(self.prefix.len());
        Ok(match qualifier[..length].cmp(&self.prefix[..length]) {
            Ordering::Less => ReturnCode::SeekNextUsingHint,
            Ordering::Equal if length < self.prefix.len() => ReturnCode::SeekNextUsingHint,
            Ordering::Equal => ReturnCode::Include,
            Ordering::Greater => ReturnCode::NextRow,
        })
    }

    fn hint(&mut self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        column_of(cell, &self.prefix)
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

/// `MultipleColumnPrefixFilter`. As in HBase, only the largest prefix that is not larger than the qualifier is
/// tried. If one prefix begins with another, the shorter one therefore matches only qualifiers that sort before the
/// longer one.
pub(super) struct MultipleColumnPrefix {
    /// Sorted.
    prefixes: Vec<Vec<u8>>,
    next: Option<usize>,
}

impl MultipleColumnPrefix {
    pub(super) fn new(prefixes: Vec<Vec<u8>>) -> Self {
        MultipleColumnPrefix { prefixes, next: None }
    }
}

impl Evaluate for MultipleColumnPrefix {
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        if self.prefixes.is_empty() {
            return Ok(ReturnCode::Include);
        }
        let behind = self.prefixes.partition_point(|prefix| prefix.as_slice() <= cell.qualifier());
        if behind.checked_sub(1).is_some_and(|last| cell.qualifier().starts_with(&self.prefixes[last])) {
            return Ok(ReturnCode::Include);
        }
        if behind == self.prefixes.len() {
            return Ok(ReturnCode::NextRow);
        }
        self.next = Some(behind);
        Ok(ReturnCode::SeekNextUsingHint)
    }

    fn hint(&mut self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        column_of(cell, &self.prefixes[self.next?])
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

/// `ColumnRangeFilter`
pub(super) struct ColumnRange {
    pub(super) min: Option<Vec<u8>>,
    pub(super) min_inclusive: bool,
    pub(super) max: Option<Vec<u8>>,
    pub(super) max_inclusive: bool,
}

impl Evaluate for ColumnRange {
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        let qualifier = cell.qualifier();
        match self.min.as_deref().map(|min| qualifier.cmp(min)) {
            Some(Ordering::Less) => return Ok(ReturnCode::SeekNextUsingHint),
            Some(Ordering::Equal) if !self.min_inclusive => return Ok(ReturnCode::NextColumn),
            _ => {}
        }
        Ok(match self.max.as_deref().map(|max| qualifier.cmp(max)) {
            None | Some(Ordering::Less) => ReturnCode::Include,
            Some(Ordering::Equal) if self.max_inclusive => ReturnCode::Include,
            Some(_) => ReturnCode::NextRow,
        })
    }

    fn hint(&mut self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        column_of(cell, self.min.as_deref().unwrap_or_default())
    }

    fn is_hinting(&self) -> bool {
        true
    }
}
