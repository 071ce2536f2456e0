//! All cells of a snapshot in one order, for the flush that writes them.

use super::source::MemstoreSource;
use rowstone_model::cell::{compare_cells, Cell, CellSource};
use rowstone_model::Result;
use std::cmp::Ordering;

/// The cells of several segments in one order. Of two with the same key and sequence id only the newer is returned.
pub struct SnapshotSource {
    /// Newest first.
    sources: Vec<MemstoreSource>,
    /// Indexes of the sources that have a cell, in the order of those cells. They are few, so moving them is cheap.
    order: Vec<usize>,
}

impl SnapshotSource {
    pub(super) fn new(sources: Vec<MemstoreSource>) -> Self {
        SnapshotSource { sources, order: Vec::new() }
    }

    /// Compares the current cells of two sources. An ended source comes last, and of equal cells the newer
    /// segment's comes first.
    fn compare(&self, left: usize, right: usize) -> Ordering {
        match (self.sources[left].peek(), self.sources[right].peek()) {
            (Some(left), Some(right)) => compare_cells(&left, &right),
            (left, right) => right.is_some().cmp(&left.is_some()),
        }
    }

    /// Inserts source number `source` into the order. Of two sources with the same cell, the older one skips it.
    fn enter(&mut self, mut source: usize) -> Result<()> {
        while self.sources[source].peek().is_some() {
            match self.order.binary_search_by(|&other| self.compare(other, source)) {
                Err(at) => {
                    self.order.insert(at, source);
                    return Ok(());
                }
                Ok(at) => {
                    let older = self.order[at].max(source);
                    self.order[at] = self.order[at].min(source);
                    self.sources[older].advance()?;
                    source = older;
                }
            }
        }
        Ok(())
    }

    /// Orders all sources after a seek.
    fn enter_all(&mut self) -> Result<()> {
        self.order.clear();
        (0..self.sources.len()).try_for_each(|source| self.enter(source))
    }
}

impl CellSource for SnapshotSource {
    fn peek(&self) -> Option<Cell<'_>> {
        self.sources[*self.order.first()?].peek()
    }

    fn advance(&mut self) -> Result<()> {
        let Some(&first) = self.order.first() else { return Ok(()) };
        self.sources[first].advance()?;
        // Often the same segment also has the next cell.
        let stays = match self.order.get(1) {
            Some(&second) => self.compare(first, second).is_lt(),
            None => self.sources[first].peek().is_some(),
        };
        if stays {
            return Ok(());
        }
        self.order.remove(0);
        self.enter(first)
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        for source in &mut self.sources {
            source.seek(key)?;
        }
        self.enter_all()
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        for source in &mut self.sources {
            source.reseek(key)?;
        }
        self.enter_all()
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
                self.order.clear();
                Ok(())
            }
        }
    }
}
