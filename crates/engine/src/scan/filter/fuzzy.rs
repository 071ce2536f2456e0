//! `FuzzyRowFilter`: rows that match one of several keys with wildcards.

use super::{Evaluate, ReturnCode};
use rowstone_model::cell::{first_on_row, Cell};
use rowstone_model::filter::FuzzyKey;
use rowstone_model::Result;
use std::cmp::Ordering;

pub(super) struct FuzzyRow {
    keys: Vec<FuzzyKey>,
    reversed: bool,
    drops_row: bool,
    is_done: bool,
}

impl FuzzyRow {
    pub(super) fn new(keys: Vec<FuzzyKey>, reversed: bool) -> Self {
        FuzzyRow { keys, reversed, drops_row: false, is_done: false }
    }
}

impl Evaluate for FuzzyRow {
    fn reset(&mut self) {
        self.drops_row = false;
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn check(&mut self, cell: &Cell<'_>) -> Result<ReturnCode> {
        if self.keys.iter().any(|key| key.fits(cell.row())) {
            return Ok(ReturnCode::Include);
        }
        self.drops_row = true;
        Ok(ReturnCode::SeekNextUsingHint)
    }

    fn drops_row(&mut self) -> bool {
        self.drops_row
    }

    /// A backward scan checks every row.
    fn hint(&mut self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        if self.reversed {
            return None;
        }
        let next = self.keys.iter().filter_map(|key| next_row(key, cell.row())).min();
        self.is_done = next.is_none();
        next.map(|row| first_on_row(&row))
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

/// The smallest row after `row` that can match the key; `None` if there is none.
fn next_row(key: &FuzzyKey, row: &[u8]) -> Option<Vec<u8>> {
    let mut may_grow = None;
    for (index, (&byte, &found)) in key.key().iter().zip(row).enumerate() {
        if key.mask()[index] == 1 {
            if found < u8::MAX {
                may_grow = Some(index);
            }
            continue;
        }
        match found.cmp(&byte) {
            Ordering::Equal => {}
            Ordering::Less => return Some([&row[..index], &[byte]].concat()),
            Ordering::Greater => {
                let index = may_grow?;
                return Some([&row[..index], &[row[index] + 1]].concat());
            }
        }
    }
    // `row` matches: the next matching row may directly follow it.
    Some([row, &[0]].concat())
}
