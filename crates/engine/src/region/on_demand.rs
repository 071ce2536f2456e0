//! Families that a filter does not need, read only for the rows that pass it. Source: the joined heap of HBase's
//! `RegionScannerImpl`.

use crate::scan::{PageEnd, ScanFilter};
use crate::store::Reader;
use rowstone_model::cell::{compare_keys, Cell, CellBuffer};
use rowstone_model::Result;

/// A reader that follows the others. It has no position at first.
struct Follower {
    reader: Reader,
    is_placed: bool,
}

impl Follower {
    /// Catches up with the others. Returns whether it has cells of `row`.
    fn reach(&mut self, row: &[u8]) -> Result<bool> {
        let is_behind = !self.reader.has_row(row) && self.reader.current_row().is_some_and(|current| current < row);
        if is_behind || !self.is_placed {
            self.reader.seek_to_row(row)?;
            self.is_placed = true;
        }
        Ok(self.reader.has_row(row))
    }
}

/// Readers that follow the others to the rows that pass the filter.
#[derive(Default)]
pub(super) struct OnDemand {
    families: Vec<Follower>,
    /// Family at which to continue if only a part of the row was returned.
    unfinished: Option<usize>,
}

impl OnDemand {
    pub fn add(&mut self, family: Reader) {
        self.families.push(Follower { reader: family, is_placed: false });
    }

    /// Whether cells of the current row are left to return.
    pub fn is_unfinished(&self) -> bool {
        self.unfinished.is_some()
    }

    /// Adds cells of `row` to the `count` cells in `out` from byte `start` on, until there are `page`, and sorts
    /// them all. Returns the new count.
    pub fn read(
        &mut self,
        row: &[u8],
        filter: &mut ScanFilter,
        page: usize,
        start: usize,
        count: usize,
        out: &mut CellBuffer,
    ) -> Result<usize> {
        let (mut index, mut total) = (self.unfinished.take().unwrap_or(0), count);
        while index < self.families.len() {
            let follower = &mut self.families[index];
            if !follower.reach(row)? {
                index += 1;
                continue;
            }
            let reader = &mut follower.reader;
            let (found, end) = reader.read_filtered(row, page - total, filter, out)?;
            total += found;
            match end {
                PageEnd::Row => {
                    reader.finish_row(row)?;
                    index += 1;
                }
                PageEnd::Full => {
                    self.unfinished = Some(index);
                    break;
                }
                PageEnd::Scan => drop(self.families.remove(index)),
            }
        }
        if count > 0 && total > count {
            sort(out, start);
        }
        Ok(total)
    }
}

/// Sorts the cells from byte `start` on by family.
fn sort(out: &mut CellBuffer, start: usize) {
    let mut sorted = CellBuffer::with_capacity(out.byte_len() - start);
    let mut cells: Vec<Cell<'_>> = out.range(start, out.byte_len()).collect();
    cells.sort_by(|left, right| compare_keys(left.key(), right.key()));
    cells.iter().for_each(|cell| sorted.push_cell(cell));
    out.truncate(start);
    out.extend_from(&sorted);
}
