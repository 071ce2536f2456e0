//! A list one of whose filters must pass. Source: HBase's `FilterListWithOR`.
//!
//! The list only makes jumps that all its filters propose. A filter may therefore see cells that it wanted to jump
//! over. The list remembers the last verdict of each filter, and does not call it again before the position that
//! the filter wanted to jump to.

use super::{Evaluate, Evaluator, ReturnCode, RowCells, Shown};
use rowstone_model::cell::{compare_keys, Cell};
use rowstone_model::Result;
use std::cmp::Ordering;

pub(super) struct OneOf {
    parts: Vec<Part>,
    reversed: bool,
}

struct Part {
    filter: Evaluator,
    /// Whether it included the last cell.
    includes: bool,
    /// The cell at which it proposed a jump, and the jump.
    jump: Option<(Vec<u8>, ReturnCode)>,
}

impl Part {
    /// Its last verdict, if that also applies to `cell`.
    fn earlier_verdict(&mut self, cell: &Cell<'_>, reversed: bool) -> Option<ReturnCode> {
        let (key, code) = self.jump.as_ref()?;
        let from = Cell::new(key, &[], &[], 0).ok()?;
        match code {
            ReturnCode::Include | ReturnCode::Skip => None,
            ReturnCode::SeekNextUsingHint => {
                let hint = self.filter.hint(&from)?;
                is_before(compare_keys(cell.key(), &hint), reversed).then_some(ReturnCode::SeekNextUsingHint)
            }
            ReturnCode::NextColumn | ReturnCode::IncludeAndNextColumn => {
                let is_same = from.qualifier() == cell.qualifier() && from.family() == cell.family();
                is_same.then_some(ReturnCode::NextColumn)
            }
            ReturnCode::NextRow | ReturnCode::IncludeAndSeekNextRow => {
                (from.family() == cell.family()).then_some(ReturnCode::NextRow)
            }
        }
    }

    fn remember(&mut self, cell: &Cell<'_>, code: ReturnCode) {
        if matches!(code, ReturnCode::Include | ReturnCode::Skip) {
            self.jump = None;
            return;
        }
        let mut key = self.jump.take().map(|(key, _)| key).unwrap_or_default();
        key.clear();
        key.extend_from_slice(cell.key());
        self.jump = Some((key, code));
    }
}

fn is_before(order: Ordering, reversed: bool) -> bool {
    if reversed {
        order.is_gt()
    } else {
        order.is_lt()
    }
}

impl OneOf {
    pub(super) fn new(filters: Vec<Evaluator>, reversed: bool) -> Self {
        let parts = filters.into_iter().map(|filter| Part { filter, includes: false, jump: None }).collect();
        OneOf { parts, reversed }
    }
}

impl Evaluate for OneOf {
    fn reset(&mut self) {
        for part in &mut self.parts {
            part.filter.reset();
            (part.includes, part.jump) = (false, None);
        }
    }

    fn is_done(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| part.filter.is_done())
    }

    fn skips_row(&mut self, row: &[u8]) -> Result<bool> {
        let mut is_skipped = !self.parts.is_empty();
        for Part { filter, .. } in &mut self.parts {
            if !filter.is_done() && !filter.skips_row(row)? {
                is_skipped = false;
            }
        }
        Ok(is_skipped)
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        if self.parts.is_empty() {
            return Ok(ReturnCode::Include);
        }
        let mut merged: Option<ReturnCode> = None;
        for part in &mut self.parts {
            part.includes = false;
            if part.filter.is_done() {
                continue;
            }
            let code = match part.earlier_verdict(cell, self.reversed) {
                Some(code) => code,
                None => part.filter.check(cell)?,
            };
            part.remember(cell, code);
            part.includes = code.is_included();
            merged = Some(merged.map_or(code, |merged| merged.or(code)));
        }
        // All filters are done: nothing passes.
        Ok(merged.unwrap_or(ReturnCode::Skip))
    }

    fn transform<'c>(&self, shown: Shown<'c>) -> Shown<'c> {
        let including = self.parts.iter().filter(|part| part.includes);
        including.fold(shown, |shown, part| part.filter.transform(shown))
    }

    fn retain_cells(&mut self, cells: &mut RowCells<'_>) {
        self.parts.iter_mut().for_each(|part| part.filter.retain_cells(cells));
    }

    /// Filters after the first that keeps the row are not called.
    fn drops_row(&mut self) -> bool {
        !self.parts.is_empty() && self.parts.iter_mut().all(|part| part.filter.drops_row())
    }

    /// The nearest hint, if all filters have one.
    fn hint(&mut self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        let mut nearest: Option<Vec<u8>> = None;
        for Part { filter, .. } in &mut self.parts {
            if filter.is_done() {
                continue;
            }
            let hint = filter.hint(cell)?;
            if nearest.as_ref().is_none_or(|known| is_before(compare_keys(&hint, known), self.reversed)) {
                nearest = Some(hint);
            }
        }
        nearest
    }
}
