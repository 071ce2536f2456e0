//! A list all of whose filters must pass. Source: HBase's `FilterListWithAND`.

use super::{Evaluate, Evaluator, ReturnCode, RowCells, Shown};
use rowstone_model::cell::{compare_keys, Cell};
use rowstone_model::Result;

pub(super) struct AllOf {
    filters: Vec<Evaluator>,
    reversed: bool,
    /// The filters that requested a seek at the last cell.
    seekers: Vec<usize>,
}

impl AllOf {
    pub(super) fn new(filters: Vec<Evaluator>, reversed: bool) -> Self {
        AllOf { filters, reversed, seekers: Vec::new() }
    }
}

impl Evaluate for AllOf {
    fn reset(&mut self) {
        self.filters.iter_mut().for_each(|filter| filter.reset());
        self.seekers.clear();
    }

    fn is_done(&self) -> bool {
        self.filters.iter().any(|filter| filter.is_done())
    }

    /// Every filter sees the row key. A hinting filter keeps the row, because its hints would otherwise never be
    /// used.
    fn skips_row(&mut self, row: &[u8]) -> Result<bool> {
        let (mut is_skipped, mut may_hint) = (false, false);
        for filter in &mut self.filters {
            if filter.is_done() {
                return Ok(true);
            }
            if filter.skips_row(row)? {
                is_skipped = true;
            } else if filter.is_hinting() {
                may_hint = true;
            }
        }
        Ok(is_skipped && !may_hint)
    }

    /// Filters after the first that does not include the cell do not see it (they might count it), except for their
    /// hints.
    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        self.seekers.clear();
        let mut code = ReturnCode::Include;
        let mut filters = self.filters.iter_mut().enumerate();
        for (index, filter) in filters.by_ref() {
            if filter.is_done() {
                code = ReturnCode::NextRow;
                break;
            }
            let own = filter.check(cell)?;
            if own == ReturnCode::SeekNextUsingHint {
                self.seekers.push(index);
            }
            code = code.and(own);
            if !code.is_included() {
                break;
            }
        }
        for (index, filter) in filters {
            if filter.is_hinting() && filter.check(cell)? == ReturnCode::SeekNextUsingHint {
                self.seekers.push(index);
            }
        }
        Ok(if self.seekers.is_empty() { code } else { ReturnCode::SeekNextUsingHint })
    }

    fn transform<'c>(&self, shown: Shown<'c>) -> Shown<'c> {
        self.filters.iter().fold(shown, |shown, filter| filter.transform(shown))
    }

    fn retain_cells(&mut self, cells: &mut RowCells<'_>) {
        self.filters.iter_mut().for_each(|filter| filter.retain_cells(cells));
    }

    /// Filters after the first that drops the row are not called.
    fn drops_row(&mut self) -> bool {
        self.filters.iter_mut().any(|filter| filter.drops_row())
    }

    /// The farthest hint.
    fn hint(&mut self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        let mut farthest: Option<Vec<u8>> = None;
        for &index in &self.seekers {
            let filter = &mut self.filters[index];
            let Some(hint) = (!filter.is_done()).then(|| filter.hint(cell)).flatten() else { continue };
            let is_farther = farthest.as_ref().is_none_or(|known| {
                let order = compare_keys(&hint, known);
                if self.reversed {
                    order.is_lt()
                } else {
                    order.is_gt()
                }
            });
            if is_farther {
                farthest = Some(hint);
            }
        }
        farthest
    }
}
