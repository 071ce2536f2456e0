//! Filters on a single cell: its value, qualifier or family.

use super::comparison::{is_of, Comparison};
use super::{Evaluate, ReturnCode, Shown};
use rowstone_model::cell::Cell;
use rowstone_model::Result;
use std::borrow::Cow;

fn include_or(passes: bool, otherwise: ReturnCode) -> ReturnCode {
    if passes {
        ReturnCode::Include
    } else {
        otherwise
    }
}

/// `ValueFilter`
pub(super) struct Value(pub(super) Comparison);

impl Evaluate for Value {
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(include_or(self.0.passes(cell.value())?, ReturnCode::Skip))
    }
}

/// `QualifierFilter`
pub(super) struct Qualifier(pub(super) Comparison);

impl Evaluate for Qualifier {
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(include_or(self.0.passes(cell.qualifier())?, ReturnCode::Skip))
    }
}

/// `FamilyFilter`
pub(super) struct Family(pub(super) Comparison);

impl Evaluate for Family {
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(include_or(self.0.passes(cell.family())?, ReturnCode::NextRow))
    }
}

/// `ColumnValueFilter`
pub(super) struct ColumnValue {
    column: (Vec<u8>, Vec<u8>),
    comparison: Comparison,
    is_found: bool,
}

impl ColumnValue {
    pub(super) fn new(column: (Vec<u8>, Vec<u8>), comparison: Comparison) -> Self {
        ColumnValue { column, comparison, is_found: false }
    }
}

impl Evaluate for ColumnValue {
    fn reset(&mut self) {
        self.is_found = false;
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        if !is_of(cell, &self.column) {
            return Ok(if self.is_found { ReturnCode::NextRow } else { ReturnCode::NextColumn });
        }
        self.is_found = true;
        Ok(include_or(self.comparison.passes(cell.value())?, ReturnCode::Skip))
    }
}

/// `KeyOnlyFilter`: removes the value and the tags.
pub(super) struct KeyOnly {
    pub(super) length_as_value: bool,
}

impl Evaluate for KeyOnly {
    fn check(&mut self, _cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(ReturnCode::Include)
    }

    fn transform<'c>(&self, shown: Shown<'c>) -> Shown<'c> {
        let length = (shown.value.len() as u32).to_be_bytes();
        let value = if self.length_as_value { Cow::Owned(length.to_vec()) } else { Cow::Borrowed(&[][..]) };
        Shown { value, tags: &[] }
    }
}
