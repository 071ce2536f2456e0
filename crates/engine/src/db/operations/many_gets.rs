//! Multi-gets, in groups of 64 rows. The first attempt to read a row announces the block that it lacks to the file system
//! ([`Patience::Announces`](crate::hfile::Patience)), which loads all announced blocks of the group at the same time. A
//! second attempt then waits for the rows that the first one did not find in memory.
//!
//! Rows are therefore not read in the order of the gets: one of them may show a later moment than the next.

use super::table::Table;
use crate::db::state::tables::TableHandle;
use crate::region::ManyGets;
use rowstone_model::backend::TableBackend as _;
use rowstone_model::observe::Hooks;
use rowstone_model::operations::{ActionResult, CellBatch, Get, RowRange};
use rowstone_model::Result;

/// Number of rows whose blocks are announced together.
const ROWS_AT_ONCE: usize = 64;

/// Most memory that is reserved before it is needed.
const MOST_RESERVED_BYTES: usize = 1 << 20;

impl Table {
    /// Reads the rows in the order of `gets`; a missing row has an empty range.
    pub(super) fn do_get_many(&self, gets: &[Get]) -> Result<CellBatch> {
        let (handle, count) = (self.handle()?, gets.len());
        let mut batch = CellBatch::default();
        let mut late = Vec::new();
        for gets in gets.chunks(ROWS_AT_ONCE) {
            let start = batch.rows.len();
            let now_ms = || self.shared.system.clock.now_ms();
            handle.heat().read_many(gets.len(), |place| gets.get(place).map(|get| &get.row[..]), now_ms);
            read_by_region(&handle, gets, |region, place, get| {
                if !region.get_or_announce(get, &mut batch)? {
                    late.push(place);
                }
                Ok(())
            })?;
            for get in late.iter().filter_map(|&place| gets.get(place)) {
                handle.in_region(&get.row, |region| region.get(get, &mut batch))?;
            }
            put_in_order(&mut batch.rows[start..], &late);
            late.clear();
            if start == 0 {
                reserve_for_rest(&mut batch, count);
            }
        }
        Ok(batch)
    }

    /// Reads each row independently. Each result is that of a single get.
    pub(super) fn get_each(&self, gets: &[Get]) -> Vec<Result<ActionResult>> {
        let mut results = Vec::with_capacity(gets.len());
        for gets in gets.chunks(ROWS_AT_ONCE) {
            let is_plain = gets.len() > 1 && matches!(self.observed(Hooks::GET), Ok(None));
            let mut tried = if is_plain { self.try_each(gets) } else { Vec::new() };
            tried.resize(gets.len(), Ok(None));
            results.extend(gets.iter().zip(tried).map(|(get, tried)| {
                let found = tried.and_then(|found| found.map_or_else(|| self.get(get), Ok));
                found.map(ActionResult::Row)
            }));
        }
        results
    }

    /// Reads the rows that are in memory, and announces the blocks of the others. Ends early without a region.
    fn try_each(&self, gets: &[Get]) -> Vec<Result<Option<CellBatch>>> {
        let mut tried = Vec::with_capacity(gets.len());
        let Ok(handle) = self.handle() else { return tried };
        // The gets after an error are tried again, one by one.
        let _ = read_by_region(&handle, gets, |region, _, get| {
            let mut batch = CellBatch::default();
            let is_found = region.get_or_announce(get, &mut batch);
            tried.push(is_found.map(|is_found| is_found.then_some(batch)));
            Ok(())
        });
        for (get, found) in gets.iter().zip(&tried) {
            if matches!(found, Ok(Some(_))) {
                self.note_read(&handle, &get.row);
            }
        }
        tried
    }
}

/// Calls `read` with each get, its place, and its region, which neighboring gets share.
fn read_by_region(
    handle: &TableHandle,
    gets: &[Get],
    mut read: impl FnMut(&mut ManyGets<'_>, usize, &Get) -> Result<()>,
) -> Result<()> {
    let mut place = 0;
    while let Some(first) = gets.get(place) {
        handle.in_region(&first.row, |region| {
            region.with_many_gets(|reads| {
                while let Some(get) = gets.get(place).filter(|get| region.info().contains(&get.row)) {
                    place += 1;
                    read(reads, place - 1, get)?;
                }
                Ok(())
            })?
        })?;
    }
    Ok(())
}

/// Reserves memory for `count` rows in all, if the others are as large as those in `batch`.
fn reserve_for_rest(batch: &mut CellBatch, count: usize) {
    let (rows, bytes) = (batch.rows.len(), batch.cells.byte_len());
    batch.rows.reserve(count.saturating_sub(rows));
    batch.cells.reserve((bytes / rows.max(1)).saturating_mul(count.saturating_sub(rows)).min(MOST_RESERVED_BYTES));
}

/// Puts rows in the order of their places. `rows` has all others first, and those of the places `late` at its end.
fn put_in_order(rows: &mut [RowRange], late: &[usize]) {
    if late.is_empty() {
        return;
    }
    let read = rows.to_vec();
    let (mut early, mut last) = read.split_at(read.len().saturating_sub(late.len()));
    for (place, row) in rows.iter_mut().enumerate() {
        let source = if late.binary_search(&place).is_ok() { &mut last } else { &mut early };
        if let Some((first, rest)) = source.split_first() {
            *row = *first;
            *source = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_rows_come_to_their_places() {
        let row = |start| RowRange { start, end: start, cell_count: 0, is_partial: false };
        let order = |late: &[usize], read: [usize; 5]| {
            let mut rows = read.map(row);
            put_in_order(&mut rows, late);
            rows.map(|row| row.start)
        };
        assert_eq!(order(&[], [0, 1, 2, 3, 4]), [0, 1, 2, 3, 4]);
        assert_eq!(order(&[0, 3], [1, 2, 4, 0, 3]), [0, 1, 2, 3, 4]);
        assert_eq!(order(&[0, 1, 2, 3, 4], [0, 1, 2, 3, 4]), [0, 1, 2, 3, 4]);
    }
}
