//! Merging several sorted sources into one. Source of the idea: HBase's `KeyValueHeap`.
//!
//! `order` contains the indices of the sources that have cells, the one with the smallest cell last. Usually a source
//! still has the smallest cell after it advances: that takes one comparison and moves nothing. Equal cells of two
//! sources are returned in the order of the sources: callers list the newest source first.

use rowstone_model::cell::{compare_cells, compare_keys, Cell, CellSource};
use rowstone_model::Result;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A merge of sources that skips cells newer than its read point.
pub struct MergedSource<S> {
    sources: Vec<S>,
    order: SmallVec<[usize; 6]>,
    /// Sources of a reversed scan; `None` until its first step, and after a seek.
    backward: Option<Backward>,
    read_point: u64,
}

/// Sources of a reversed scan. Only those at the current row take part in reading it.
#[derive(Default)]
struct Backward {
    at_row: Vec<usize>,
    /// Those that are at smaller rows, in the order of these rows.
    waiting: Vec<usize>,
}

impl<S: CellSource> MergedSource<S> {
    /// Merges `sources`, newest first; cells with sequence ids above `read_point` are skipped.
    pub fn new(sources: Vec<S>, read_point: u64) -> Self {
        MergedSource { sources, order: SmallVec::new(), backward: None, read_point }
    }

    /// The sources, for closing them.
    pub fn into_sources(self) -> Vec<S> {
        self.sources
    }

    fn compare(&self, left: usize, right: usize) -> Ordering {
        match (self.sources[left].peek(), self.sources[right].peek()) {
            (Some(left_cell), Some(right_cell)) => {
                compare_cells(&left_cell, &right_cell).then_with(|| left.cmp(&right))
            }
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => left.cmp(&right),
        }
    }

    /// Skips cells that the read point hides.
    #[inline]
    fn skip_hidden(&mut self, index: usize) -> Result<bool> {
        let source = &mut self.sources[index];
        loop {
            match source.sequence_id() {
                None => return Ok(false),
                Some(id) if id <= self.read_point => return Ok(true),
                Some(_) => source.advance()?,
            }
        }
    }

    /// Moves the source whose cell has just changed, last in `order`, to its position.
    fn sink(&mut self) {
        let last = self.order.len() - 1;
        if last == 0 || self.compare(self.order[last], self.order[last - 1]) == Ordering::Less {
            return;
        }
        let index = self.order[last];
        // Sorted descending: find the first position whose source is smaller than this one.
        let place = self.order[..last].partition_point(|&other| self.compare(other, index) == Ordering::Greater);
        self.order[place..].rotate_right(1);
    }

    /// Inserts a source, which has a cell, into the order.
    fn enter(&mut self, index: usize) {
        let place = self.order.partition_point(|&other| self.compare(other, index) == Ordering::Greater);
        self.order.insert(place, index);
    }

    /// Called when the source of the current cell moved: skips hidden cells and restores the order.
    #[inline]
    fn moved(&mut self, index: usize) -> Result<()> {
        if self.skip_hidden(index)? {
            self.sink();
        } else {
            self.order.pop();
        }
        Ok(())
    }
}

impl<S: CellSource> CellSource for MergedSource<S> {
    #[inline]
    fn peek(&self) -> Option<Cell<'_>> {
        self.sources[*self.order.last()?].peek()
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        let Some(&index) = self.order.last() else { return Ok(()) };
        self.sources[index].advance()?;
        self.moved(index)
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        for source in &mut self.sources {
            source.seek(key)?;
        }
        self.backward = None;
        self.order.clear();
        for index in 0..self.sources.len() {
            if self.skip_hidden(index)? {
                self.enter(index);
            }
        }
        Ok(())
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        while let Some(&index) = self.order.last() {
            match self.sources[index].peek() {
                Some(cell) if compare_keys(cell.key(), key) == Ordering::Less => self.sources[index].reseek(key)?,
                _ => break,
            }
            self.moved(index)?;
        }
        Ok(())
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        // After an error, the next step begins anew.
        let Backward { at_row: mut moving, mut waiting } = match self.backward.take() {
            Some(backward) if !row.is_empty() => backward,
            _ => Backward { at_row: (0..self.sources.len()).collect(), waiting: Vec::new() },
        };
        while waiting.last().is_some_and(|&index| self.row_of(index) >= Some(row)) {
            moving.extend(waiting.pop());
        }
        for index in moving.drain(..) {
            self.sources[index].seek_to_previous_row(row)?;
            self.step_back_to_visible(index, row)?;
            if self.row_of(index).is_some() {
                let place = waiting.partition_point(|&other| self.row_of(other) < self.row_of(index));
                waiting.insert(place, index);
            }
        }
        self.order.clear();
        let mut at_row = moving;
        while let Some(&index) = waiting.last() {
            if at_row.first().is_some_and(|&first| self.row_of(first) != self.row_of(index)) {
                break;
            }
            at_row.extend(waiting.pop());
            self.enter(index);
        }
        self.backward = Some(Backward { at_row, waiting });
        Ok(())
    }
}

impl<S: CellSource> MergedSource<S> {
    fn row_of(&self, index: usize) -> Option<&[u8]> {
        self.sources[index].peek().map(|cell| cell.row())
    }

    fn step_back_to_visible(&mut self, index: usize, row: &[u8]) -> Result<()> {
        if self.sources[index].sequence_id().is_none_or(|id| id <= self.read_point) {
            return Ok(());
        }
        loop {
            let Some(start) = self.sources[index].peek().map(|cell| cell.row().to_vec()) else { return Ok(()) };
            if !row.is_empty() && start.as_slice() >= row {
                return Ok(());
            }
            let is_visible = self.skip_hidden(index)?
                && self.sources[index].peek().is_some_and(|cell| row.is_empty() || cell.row() < row);
            if is_visible {
                return Ok(());
            }
            self.sources[index].seek_to_previous_row(&start)?;
        }
    }
}
