//! Filters that count: cells and columns of a row, rows of a scan.

use super::{Evaluate, ReturnCode};
use rowstone_model::cell::{first_on_column, Cell};
use rowstone_model::filter::ColumnOffset;
use rowstone_model::Result;

/// `ColumnCountGetFilter`
pub(super) struct ColumnCountGet {
    limit: i32,
    count: i32,
}

impl ColumnCountGet {
    pub(super) fn new(limit: i32) -> Self {
        ColumnCountGet { limit, count: 0 }
    }
}

impl Evaluate for ColumnCountGet {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn is_done(&self) -> bool {
        self.count > self.limit
    }

    fn check(&mut self, _cell: &Cell<'_>) -> Result<ReturnCode> {
        self.count = self.count.saturating_add(1);
        Ok(if self.is_done() { ReturnCode::NextColumn } else { ReturnCode::IncludeAndNextColumn })
    }
}

/// `ColumnPaginationFilter`
pub(super) struct ColumnPagination {
    limit: i32,
    offset: ColumnOffset,
    count: i32,
}

impl ColumnPagination {
    pub(super) fn new(limit: i32, offset: ColumnOffset) -> Self {
        ColumnPagination { limit, offset, count: 0 }
    }
}

impl Evaluate for ColumnPagination {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn skips_row(&mut self, _row: &[u8]) -> Result<bool> {
        Ok(false)
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        let code = match &self.offset {
            ColumnOffset::Column(_) if self.count >= self.limit => return Ok(ReturnCode::NextRow),
            ColumnOffset::Column(first) if self.count == 0 && cell.qualifier() < first.as_slice() => {
                return Ok(ReturnCode::SeekNextUsingHint);
            }
            ColumnOffset::Column(_) => ReturnCode::IncludeAndNextColumn,
            // The sum wraps around, as in HBase.
            ColumnOffset::Count(offset) if self.count >= offset.wrapping_add(self.limit) => {
                return Ok(ReturnCode::NextRow);
            }
            ColumnOffset::Count(offset) if self.count < *offset => ReturnCode::NextColumn,
            ColumnOffset::Count(_) => ReturnCode::IncludeAndNextColumn,
        };
        self.count = self.count.saturating_add(1);
        Ok(code)
    }

    fn hint(&mut self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        match &self.offset {
            ColumnOffset::Column(first) => Some(first_on_column(cell.row(), cell.family(), first)),
            ColumnOffset::Count(_) => None,
        }
    }
}

/// `FirstKeyOnlyFilter`, and with qualifiers `FirstKeyValueMatchingQualifiersFilter`.
pub(super) struct FirstKey {
    qualifiers: Option<Vec<Vec<u8>>>,
    is_found: bool,
}

impl FirstKey {
    /// Includes cells up to the first one.
    pub(super) fn any() -> Self {
        FirstKey { qualifiers: None, is_found: false }
    }

    /// Includes cells up to the first one with one of the qualifiers.
    pub(super) fn of(qualifiers: Vec<Vec<u8>>) -> Self {
        FirstKey { qualifiers: Some(qualifiers), is_found: false }
    }
}

impl Evaluate for FirstKey {
    fn reset(&mut self) {
        self.is_found = false;
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        if self.is_found {
            return Ok(ReturnCode::NextRow);
        }
        let is_wanted = |qualifiers: &Vec<Vec<u8>>| qualifiers.iter().any(|wanted| wanted == cell.qualifier());
        self.is_found = self.qualifiers.as_ref().is_none_or(is_wanted);
        Ok(ReturnCode::Include)
    }
}

/// `PageFilter`
pub(super) struct Page {
    page_size: i64,
    accepted: i64,
}

impl Page {
    pub(super) fn new(page_size: i64) -> Self {
        Page { page_size, accepted: 0 }
    }
}

impl Evaluate for Page {
    fn is_done(&self) -> bool {
        self.accepted >= self.page_size
    }

    fn check(&mut self, _cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(ReturnCode::Include)
    }

    fn drops_row(&mut self) -> bool {
        self.accepted = self.accepted.saturating_add(1);
        self.accepted > self.page_size
    }
}
