//! Cells of a range of rows: the store's own part of files that a split has cut.

use rowstone_model::cell::{first_on_row, Cell, CellSource};
use rowstone_model::Result;

/// The cells of `source` in rows from `start` up to, but excluding, `end`. An empty `end` means no end.
pub(super) struct RowsBetween<S> {
    source: S,
    start: Vec<u8>,
    end: Vec<u8>,
}

impl<S: CellSource> RowsBetween<S> {
    pub(super) fn new(source: S, rows: &(Vec<u8>, Vec<u8>)) -> Self {
        RowsBetween { source, start: rows.0.clone(), end: rows.1.clone() }
    }

    fn is_before_start(&self, key: &[u8]) -> bool {
        Cell::new(key, &[], &[], 0).is_ok_and(|cell| cell.row() < self.start.as_slice())
    }
}

impl<S: CellSource> CellSource for RowsBetween<S> {
    fn peek(&self) -> Option<Cell<'_>> {
        let is_inside = |cell: &Cell<'_>| {
            cell.row() >= self.start.as_slice() && (self.end.is_empty() || cell.row() < self.end.as_slice())
        };
        self.source.peek().filter(is_inside)
    }

    fn advance(&mut self) -> Result<()> {
        self.source.advance()
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        if self.is_before_start(key) {
            self.source.seek(&first_on_row(&self.start))
        } else {
            self.source.seek(key)
        }
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        if self.is_before_start(key) {
            Ok(())
        } else {
            self.source.reseek(key)
        }
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        let is_past_end = !self.end.is_empty() && (row.is_empty() || row > self.end.as_slice());
        self.source.seek_to_previous_row(if is_past_end { &self.end } else { row })
    }
}
