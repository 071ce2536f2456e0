//! All cells of a snapshot in one order, for the flush that writes them.

use super::source::MemstoreSource;
use rowstone_model::cell::{compare_cells, Cell, CellSource};
use rowstone_model::Result;
use std::cmp::Ordering;

/// The cells of several segments in one order. Of two with the same key and sequence id only the newer is there.
pub struct SnapshotSource {
    /// Newest first. There are few, so the smallest is found by looking at each.
    sources: Vec<MemstoreSource>,
    smallest: Option<usize>,
}

impl SnapshotSource {
    pub(super) fn new(sources: Vec<MemstoreSource>) -> Self {
        SnapshotSource { sources, smallest: None }
    }

    fn compare(&self, left: usize, right: usize) -> Ordering {
        match (self.sources[left].peek(), self.sources[right].peek()) {
            (Some(left), Some(right)) => compare_cells(&left, &right),
            (left, right) => right.is_some().cmp(&left.is_some()),
        }
    }

    /// Finds the smallest cell; steps over older twins of it.
    fn choose(&mut self) -> Result<()> {
        let mut best = 0;
        for index in 1..self.sources.len() {
            match self.compare(index, best) {
                Ordering::Less => best = index,
                Ordering::Equal if self.sources[index].peek().is_some() => self.sources[index].advance()?,
                _ => {}
            }
        }
        self.smallest = self.sources.get(best).and_then(CellSource::peek).map(|_| best);
        Ok(())
    }
}

impl CellSource for SnapshotSource {
    fn peek(&self) -> Option<Cell<'_>> {
        self.sources[self.smallest?].peek()
    }

    fn advance(&mut self) -> Result<()> {
        let Some(smallest) = self.smallest else { return Ok(()) };
        self.sources[smallest].advance()?;
        self.choose()
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        for source in &mut self.sources {
            source.seek(key)?;
        }
        self.choose()
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        for source in &mut self.sources {
            source.reseek(key)?;
        }
        self.choose()
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        let mut target: Option<Vec<u8>> = None;
        for source in &mut self.sources {
            source.seek_to_previous_row(row)?;
            if let Some(cell) = source.peek() {
                if target.as_deref().is_none_or(|best| cell.row() > best) {
                    target = Some(cell.row().to_vec());
                }
            }
        }
        match target {
            Some(row) => self.seek(&rowstone_model::cell::first_on_row(&row)),
            None => {
                self.smallest = None;
                Ok(())
            }
        }
    }
}
