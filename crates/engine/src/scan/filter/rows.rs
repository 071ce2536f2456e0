//! Filters by row key, and at random.

use super::comparison::Comparison;
use super::{Evaluate, ReturnCode};
use crate::sys::{Entropy, SeededEntropy};
use rowstone_model::cell::{first_on_row, Cell};
use rowstone_model::filter::Chance;
use rowstone_model::Result;
use std::cmp::Ordering;

/// `PrefixFilter`
pub(super) struct Prefix {
    prefix: Vec<u8>,
    reversed: bool,
    is_passed: bool,
    drops_row: bool,
    may_seek: bool,
}

impl Prefix {
    pub(super) fn new(prefix: Vec<u8>, reversed: bool) -> Self {
        Prefix { prefix, reversed, is_passed: false, drops_row: true, may_seek: false }
    }
}

impl Evaluate for Prefix {
    fn reset(&mut self) {
        self.drops_row = true;
    }

    fn is_done(&self) -> bool {
        self.is_passed
    }

    fn skips_row(&mut self, row: &[u8]) -> Result<bool> {
        if self.is_passed {
            return Ok(true);
        }
        let order = row[..row.len().min(self.prefix.len())].cmp(&self.prefix);
        let (before, behind) =
            if self.reversed { (Ordering::Greater, Ordering::Less) } else { (Ordering::Less, Ordering::Greater) };
        self.is_passed = order == behind;
        self.drops_row = order != Ordering::Equal;
        self.may_seek = order == before;
        Ok(self.is_passed)
    }

    fn check(&mut self, _cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(match (self.may_seek, self.drops_row) {
            (true, _) => ReturnCode::SeekNextUsingHint,
            (false, true) => ReturnCode::NextRow,
            (false, false) => ReturnCode::Include,
        })
    }

    fn drops_row(&mut self) -> bool {
        self.drops_row
    }

    fn hint(&mut self, _cell: &Cell<'_>) -> Option<Vec<u8>> {
        if !self.reversed {
            return Some(first_on_row(&self.prefix));
        }
        let last = self.prefix.iter().rposition(|&byte| byte < u8::MAX)?;
        let mut after = self.prefix[..=last].to_vec();
        after[last] += 1;
        Some(first_on_row(&after))
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

/// `RowFilter`
pub(super) struct RowKey {
    comparison: Comparison,
    drops_row: bool,
}

impl RowKey {
    pub(super) fn new(comparison: Comparison) -> Self {
        RowKey { comparison, drops_row: false }
    }
}

impl Evaluate for RowKey {
    fn reset(&mut self) {
        self.drops_row = false;
    }

    fn skips_row(&mut self, row: &[u8]) -> Result<bool> {
        self.drops_row = self.drops_row || !self.comparison.passes(row)?;
        Ok(self.drops_row)
    }

    fn check(&mut self, _cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(if self.drops_row { ReturnCode::NextRow } else { ReturnCode::Include })
    }

    fn drops_row(&mut self) -> bool {
        self.drops_row
    }
}

/// `InclusiveStopFilter`
pub(super) struct InclusiveStop {
    stop_row: Vec<u8>,
    reversed: bool,
    is_done: bool,
}

impl InclusiveStop {
    pub(super) fn new(stop_row: Vec<u8>, reversed: bool) -> Self {
        InclusiveStop { stop_row, reversed, is_done: false }
    }
}

impl Evaluate for InclusiveStop {
    fn is_done(&self) -> bool {
        self.is_done
    }

    fn skips_row(&mut self, row: &[u8]) -> Result<bool> {
        if !self.is_done {
            let order = row.cmp(&self.stop_row);
            self.is_done = if self.reversed { order.is_lt() } else { order.is_gt() };
        }
        Ok(self.is_done)
    }

    fn check(&mut self, _cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(if self.is_done { ReturnCode::NextRow } else { ReturnCode::Include })
    }
}

/// `RandomRowFilter`
pub(super) struct RandomRow {
    chance: f32,
    entropy: SeededEntropy,
    drops_row: bool,
}

impl RandomRow {
    pub(super) fn new(chance: Chance, seed: u64) -> Self {
        RandomRow { chance: chance.value(), entropy: SeededEntropy::new(seed), drops_row: false }
    }
}

impl Evaluate for RandomRow {
    fn reset(&mut self) {
        self.drops_row = false;
    }

    fn skips_row(&mut self, _row: &[u8]) -> Result<bool> {
        // As many bits as a float of Java's Random: from 0, included, to 1, excluded.
        let drawn = (self.entropy.next_u64() >> 40) as f32 / (1u32 << 24) as f32;
        self.drops_row = self.chance < 0.0 || (self.chance <= 1.0 && drawn >= self.chance);
        Ok(self.drops_row)
    }

    fn check(&mut self, _cell: &Cell<'_>) -> Result<ReturnCode> {
        Ok(if self.drops_row { ReturnCode::NextRow } else { ReturnCode::Include })
    }

    fn drops_row(&mut self) -> bool {
        self.drops_row
    }
}
