//! Merging several sorted sources into one. Source of the idea: HBase's `KeyValueHeap`.
//!
//! `order` contains the indices of the sources that have cells, the one with the smallest cell last. Usually a source
//! still has the smallest cell after it advances: that takes one comparison and moves nothing. Equal cells of two
//! sources are returned in the order of the sources: callers list the newest source first.

use rowstone_model::cell::{compare_cells, compare_keys, is_same, row_of, Cell, CellSource};
use rowstone_model::Result;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Rows of each source from which on a seek in all of them costs less than steps back.
const LEAST_ROWS_BACK: usize = 4;

/// A merge of sources that skips cells newer than its read point.
pub struct MergedSource<S> {
    sources: Vec<S>,
    order: SmallVec<[usize; 6]>,
    /// Sources of a reversed scan, whose rows only get smaller; `None` until its first step, and after a seek.
    backward: Option<Backward>,
    read_point: u64,
}

/// Sources of a reversed scan.
#[derive(Default)]
struct Backward {
    /// Those that are read: at the current row, or after `seek_back` from its row on.
    at_row: Vec<usize>,
    /// Those that are at smaller rows, in the order of these rows.
    waiting: Vec<usize>,
}

impl<S: CellSource> MergedSource<S> {
    /// Merges `sources`, newest first; cells with sequence ids above `read_point` are skipped.
    pub fn new(sources: Vec<S>, read_point: u64) -> Self {
        MergedSource { sources, order: SmallVec::new(), backward: None, read_point }
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

    /// Whether another source has cells of the current row.
    #[inline]
    fn shares_row(&self) -> bool {
        let [.., next, current] = self.order.as_slice() else { return false };
        match (self.sources[*next].peek(), self.sources[*current].peek()) {
            (Some(next), Some(current)) => is_same(next.row(), current.row()),
            _ => false,
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
        // Sorted descending: find the first position whose source is smaller than this one. The source at
        // `last - 1` is known to be smaller.
        let place = self.order[..last - 1].partition_point(|&other| self.compare(other, index) == Ordering::Greater);
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

    #[inline]
    fn visit_run(&mut self, mut visit: impl FnMut(&Cell<'_>) -> bool) -> Result<bool> {
        let Some(&index) = self.order.last() else { return Ok(false) };
        if self.shares_row() {
            if self.peek().is_some_and(|cell| visit(&cell)) {
                self.advance()?;
            }
            return Ok(false);
        }
        let read_point = self.read_point;
        let has_left = self.sources[index].visit_run(|cell| cell.sequence_id() > read_point || visit(cell))?;
        self.moved(index)?;
        Ok(has_left)
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
        // After an error, the next step seeks all sources again.
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
        // Past the end, the next step seeks all sources again.
        self.backward = (!at_row.is_empty()).then_some(Backward { at_row, waiting });
        Ok(())
    }

    fn row_back(&self, rows: usize) -> Option<&[u8]> {
        let Backward { at_row, waiting } = self.backward.as_ref()?;
        // Each source may add as many rows.
        let of_each = (rows / (at_row.len() + waiting.len()).max(1)).saturating_sub(1);
        if of_each < LEAST_ROWS_BACK {
            return None;
        }
        let mut nearest = None;
        for &index in at_row.iter().chain(waiting) {
            nearest = nearest.max(Some(self.sources[index].row_back(of_each)?));
        }
        nearest
    }

    fn seek_back(&mut self, key: &[u8]) -> Result<()> {
        let Some(Backward { mut at_row, mut waiting }) = self.backward.take() else { return self.seek(key) };
        while waiting.last().is_some_and(|&index| self.row_of(index) >= Some(row_of(key))) {
            at_row.extend(waiting.pop());
        }
        self.order.clear();
        for &index in &at_row {
            self.sources[index].seek(key)?;
            if self.skip_hidden(index)? {
                self.enter(index);
            }
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rowstone_model::cell::{flat_key, CellType};

    /// Row, timestamp and sequence id of a cell.
    type Parts = (u8, i64, u64);

    struct ListSource {
        cells: Vec<(Vec<u8>, u64)>,
        at: usize,
    }

    impl ListSource {
        fn new(mut parts: Vec<Parts>) -> Self {
            parts.sort_by_key(|&(row, timestamp, id)| (row, std::cmp::Reverse(timestamp), std::cmp::Reverse(id)));
            let key = |(row, timestamp, id)| (flat_key(&[row], b"f", b"q", timestamp, CellType::Put), id);
            let cells: Vec<_> = parts.into_iter().map(key).collect();
            ListSource { at: cells.len(), cells }
        }

        fn go_to_key(&mut self, key: &[u8]) {
            self.at = self.cells.partition_point(|cell| compare_keys(&cell.0, key).is_lt());
        }
    }

    impl CellSource for ListSource {
        fn peek(&self) -> Option<Cell<'_>> {
            let (key, id) = self.cells.get(self.at)?;
            Cell::new(key, &[], &[], *id).ok()
        }

        fn advance(&mut self) -> Result<()> {
            self.at = (self.at + 1).min(self.cells.len());
            Ok(())
        }

        fn seek(&mut self, key: &[u8]) -> Result<()> {
            self.go_to_key(key);
            Ok(())
        }

        fn reseek(&mut self, key: &[u8]) -> Result<()> {
            self.go_to_key(key);
            Ok(())
        }

        fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
            let row_at = |at: usize| &self.cells[at].0[2..3];
            let found = (0..self.cells.len()).rfind(|&at| row.is_empty() || row_at(at) < row).map(row_at);
            self.at = (0..self.cells.len()).find(|&at| Some(row_at(at)) == found).unwrap_or(self.cells.len());
            Ok(())
        }
    }

    fn visible(sources: &[Vec<Parts>], read_point: u64) -> Vec<Parts> {
        let mut cells: Vec<Parts> = sources.iter().flatten().copied().filter(|cell| cell.2 <= read_point).collect();
        cells.sort_by_key(|&(row, timestamp, id)| (row, std::cmp::Reverse(timestamp), std::cmp::Reverse(id)));
        cells
    }

    fn parts(cell: &Cell<'_>) -> Parts {
        (cell.row()[0], cell.timestamp(), cell.sequence_id())
    }

    proptest! {
        #[test]
        fn runs_visit_the_cells_of_a_list(
            sources in prop::collection::vec(prop::collection::vec((0..12u8, 0..4i64, 0..20u64), 0..12), 1..5),
            read_point in 0..20u64,
            lengths in prop::collection::vec(1..4usize, 1..4),
        ) {
            let expected = visible(&sources, read_point);
            let mut merged = MergedSource::new(sources.into_iter().map(ListSource::new).collect(), read_point);
            merged.seek(&flat_key(&[0], b"", b"", i64::MAX, CellType::Maximum)).unwrap();
            let mut found = Vec::new();
            for length in lengths.into_iter().cycle() {
                let Some(row) = merged.peek().map(|cell| cell.row()[0]) else { break };
                let end = found.len() + length;
                let mut rows_are_right = true;
                let has_left = merged.visit_run(|cell| {
                    rows_are_right &= cell.row()[0] == row;
                    let takes = found.len() < end;
                    found.extend(takes.then(|| parts(cell)));
                    takes
                }).unwrap();
                prop_assert!(rows_are_right);
                prop_assert!(!has_left || merged.peek().is_none_or(|cell| cell.row()[0] != row));
            }
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn a_reversed_merge_finds_the_rows_of_a_list(
            sources in prop::collection::vec(prop::collection::vec((0..12u8, 0..4i64, 0..20u64), 0..12), 1..5),
            read_point in 0..20u64,
            steps in prop::collection::vec((any::<bool>(), 0..4u8, 0..13u8), 1..30),
        ) {
            let visible = visible(&sources, read_point);
            let mut merged = MergedSource::new(sources.into_iter().map(ListSource::new).collect(), read_point);
            let mut row: Vec<u8> = Vec::new();
            for (jumps, cells_to_read, jump) in steps {
                if jumps {
                    // Further back, as a filter's hint goes.
                    row = vec![row.first().map_or(jump, |&row| row.min(jump))];
                }
                merged.seek_to_previous_row(&row).unwrap();
                let previous = visible.iter().map(|cell| cell.0).filter(|&at| row.is_empty() || at < row[0]).max();
                let mut expected = visible.iter().filter(|cell| Some(cell.0) == previous);
                for _ in 0..=cells_to_read {
                    let Some(wanted) = expected.next() else { break };
                    let found = merged.peek().map(|cell| parts(&cell));
                    prop_assert_eq!(found, Some(*wanted));
                    merged.advance().unwrap();
                }
                match previous {
                    Some(previous) => row = vec![previous],
                    None => {
                        prop_assert!(merged.peek().is_none());
                        row = Vec::new();
                    }
                }
            }
        }
    }
}
