//! `SkipFilter` and `WhileMatchFilter`. As in HBase, neither passes on hints or calls that concern a whole row.
//! SKIP does not even pass the row key to its filter: a `RowFilter` in it accepts everything, a `PrefixFilter`
//! nothing. Both hide from their filter that a scan is reversed: filters that stop a scan by row order then stop it
//! too early.

use super::{Evaluate, Evaluator, ReturnCode, Shown};
use rowstone_model::cell::Cell;
use rowstone_model::Result;

/// Drops a row if any of its cells is not included.
pub(super) struct Skip {
    filter: Evaluator,
    drops_row: bool,
}

impl Skip {
    pub(super) fn new(filter: Evaluator) -> Self {
        Skip { filter, drops_row: false }
    }
}

impl Evaluate for Skip {
    fn reset(&mut self) {
        self.filter.reset();
        self.drops_row = false;
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        let code = self.filter.check(cell)?;
        self.drops_row |= code != ReturnCode::Include;
        Ok(code)
    }

    fn transform<'c>(&self, shown: Shown<'c>) -> Shown<'c> {
        self.filter.transform(shown)
    }

    fn drops_row(&mut self) -> bool {
        self.drops_row
    }
}

/// Ends the scan when its filter does not pass.
pub(super) struct WhileMatch {
    filter: Evaluator,
    is_done: bool,
}

impl WhileMatch {
    pub(super) fn new(filter: Evaluator) -> Self {
        WhileMatch { filter, is_done: false }
    }
}

impl Evaluate for WhileMatch {
    fn reset(&mut self) {
        self.filter.reset();
    }

    fn is_done(&self) -> bool {
        self.is_done || self.filter.is_done()
    }

    fn skips_row(&mut self, row: &[u8]) -> Result<bool> {
        if self.is_done() {
            return Ok(true);
        }
        let skips = self.filter.skips_row(row)?;
        self.is_done |= skips;
        Ok(skips)
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        let code = self.filter.check(cell)?;
        self.is_done |= code != ReturnCode::Include;
        Ok(code)
    }

    fn transform<'c>(&self, shown: Shown<'c>) -> Shown<'c> {
        self.filter.transform(shown)
    }

    fn drops_row(&mut self) -> bool {
        let drops = self.filter.drops_row();
        self.is_done |= drops;
        drops
    }
}
