//! NEW_VERSION_BEHAVIOR: deletes and versions follow the order of writes instead of timestamps.
//!
//! The rule, for one column: replay its writes in the order of their sequence ids. A marker first applies the
//! version limit: of each timestamp the newest write, of those the newest VERSIONS; the rest is dropped for good.
//! It then removes the writes so far that it covers, including those of its own sequence id. At the end the version
//! limit is applied once more.
//!
//! HBase's `NewVersionBehaviorTracker` computes the same on the fly, but loops or fails in corner cases (empty
//! qualifiers, ROWCOL Bloom filters, repeated timestamps). Here a column's cells are collected first.

use super::expiry::Expiry;
use rowstone_model::cell::{compare_keys, first_on_row, row_of, Cell, CellSource, CellType, Layout};
use rowstone_model::operations::{Qualifiers, TimeRange};
use rowstone_model::schema::{FamilyOptions, KeepDeletedCells};
use rowstone_model::Result;
use std::cmp::Ordering;

/// Rules of one pass over a family with new version behavior.
#[derive(Debug, Clone)]
pub struct NewVersionRules {
    /// VERSIONS of the family.
    pub max_versions: u32,
    /// MIN_VERSIONS of the family.
    pub min_versions: u32,
    /// Time to live.
    pub expiry: Expiry,
    /// Markers apply from its start on and, with `bounded_markers`, up to its end.
    pub time_range: TimeRange,
    /// KEEP_DELETED_CELLS is not FALSE.
    pub bounded_markers: bool,
    /// Only these columns, if given.
    pub qualifiers: Option<Qualifiers>,
    /// Whether markers are returned too (compactions decide on them).
    pub show_markers: bool,
    /// Cells newer than this are returned, and hide none: an open scanner must not notice them.
    pub cut: u64,
}

impl NewVersionRules {
    /// The rules of a reader.
    pub fn for_read(
        family: &FamilyOptions,
        time_range: TimeRange,
        expiry: Expiry,
        qualifiers: Option<Qualifiers>,
    ) -> Self {
        NewVersionRules {
            max_versions: family.max_versions,
            min_versions: family.min_versions,
            expiry,
            time_range,
            bounded_markers: family.keep_deleted_cells != KeepDeletedCells::False,
            qualifiers,
            show_markers: false,
            cut: u64::MAX,
        }
    }

    /// The rules of a compaction of all files.
    pub fn for_rewrite(family: &FamilyOptions, expiry: Expiry, cut: u64) -> Self {
        NewVersionRules {
            bounded_markers: false,
            show_markers: true,
            cut,
            ..Self::for_read(family, TimeRange::ALL, expiry, None)
        }
    }

    fn is_recent(&self, cell: &Cell<'_>) -> bool {
        cell.sequence_id() > self.cut
    }

    fn counts(&self, cell: &Cell<'_>) -> bool {
        let expired = self.min_versions == 0 && self.expiry.is_past_family_ttl(cell.timestamp());
        if expired || self.expiry.is_past_cell_ttl(cell) {
            return false;
        }
        !cell.is_delete()
            || (cell.timestamp() >= self.time_range.min
                && (!self.bounded_markers || self.time_range.contains(cell.timestamp())))
    }
}

/// Properties of a write that determine its visibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    /// Its position in the order of writes.
    pub sequence_id: u64,
    /// Its timestamp.
    pub timestamp: i64,
    /// Put or marker.
    pub cell_type: CellType,
    /// The caller's index of it.
    pub index: usize,
}

/// The indexes of the puts that are visible at the end. `writes` are all relevant writes of one column, in any
/// order.
pub fn visible_puts(mut writes: Vec<Write>, max_versions: u32) -> Vec<usize> {
    writes.sort_by_key(|write| (write.sequence_id, write.cell_type != CellType::Put));
    let mut alive: Vec<Write> = Vec::new();
    for write in writes {
        match write.cell_type {
            CellType::Put => alive.push(write),
            CellType::DeleteFamily | CellType::DeleteColumn => {
                cut_versions(&mut alive, max_versions);
                alive.retain(|put| put.timestamp > write.timestamp);
            }
            _ => {
                cut_versions(&mut alive, max_versions);
                alive.retain(|put| put.timestamp != write.timestamp);
            }
        }
    }
    cut_versions(&mut alive, max_versions);
    alive.into_iter().map(|put| put.index).collect()
}

fn cut_versions(alive: &mut Vec<Write>, max_versions: u32) {
    alive.sort_by_key(|put| (std::cmp::Reverse(put.timestamp), std::cmp::Reverse(put.sequence_id)));
    alive.dedup_by_key(|put| put.timestamp);
    alive.truncate(max_versions as usize);
}

/// A source that returns only the cells of each column that the rule leaves visible.
pub struct NewVersionSource<S> {
    source: S,
    rules: NewVersionRules,
    row: Vec<u8>,
    family_markers: Vec<Write>,
    /// The visible cells of the current column, in [`Layout::STORED`].
    shown: Vec<u8>,
    offset: usize,
}

impl<S: CellSource> NewVersionSource<S> {
    /// Reads `source` with `rules`.
    pub fn new(source: S, rules: NewVersionRules) -> Self {
        NewVersionSource { source, rules, row: Vec::new(), family_markers: Vec::new(), shown: Vec::new(), offset: 0 }
    }

    fn begin_row(&mut self, row: &[u8]) {
        self.row.clear();
        self.row.extend_from_slice(row);
        self.family_markers.clear();
    }

    /// Collects columns until one has visible cells, or the source ends.
    fn fill(&mut self) -> Result<()> {
        self.shown.clear();
        self.offset = 0;
        while self.shown.is_empty() {
            let Some(first) = self.source.peek() else { return Ok(()) };
            let (row, qualifier) = (first.row().to_vec(), first.qualifier().to_vec());
            if row != self.row {
                self.begin_row(&row);
            }
            self.gather_column(&row, &qualifier)?;
        }
        Ok(())
    }

    fn gather_column(&mut self, row: &[u8], qualifier: &[u8]) -> Result<()> {
        let mut bytes = Vec::new();
        let mut places = Vec::new();
        let mut writes = Vec::new();
        while let Some(cell) = self.source.peek().filter(|cell| cell.row() == row && cell.qualifier() == qualifier) {
            let is_recent = self.rules.is_recent(&cell);
            if !is_recent && self.rules.counts(&cell) {
                let write = Write {
                    sequence_id: cell.sequence_id(),
                    timestamp: cell.timestamp(),
                    cell_type: cell.cell_type(),
                    index: places.len(),
                };
                if cell.cell_type().is_family_delete() {
                    self.family_markers.push(write);
                } else {
                    writes.push(write);
                }
            }
            let start = bytes.len();
            cell.write(&mut bytes, Layout::STORED);
            let stays = is_recent || (cell.is_delete() && self.rules.show_markers);
            places.push((start, bytes.len(), stays));
            self.source.advance()?;
        }
        if self.rules.qualifiers.as_ref().is_some_and(|wanted| !wanted.iter().any(|name| name == qualifier)) {
            return Ok(());
        }
        writes.extend_from_slice(&self.family_markers);
        let visible = visible_puts(writes, self.rules.max_versions);
        for (index, &(start, end, stays)) in places.iter().enumerate() {
            if stays || visible.contains(&index) {
                self.shown.extend_from_slice(&bytes[start..end]);
            }
        }
        Ok(())
    }

    fn skip_to(&mut self, key: &[u8]) -> Result<()> {
        while self.peek().is_some_and(|cell| compare_keys(cell.key(), key) == Ordering::Less) {
            self.advance()?;
        }
        Ok(())
    }
}

impl<S: CellSource> CellSource for NewVersionSource<S> {
    fn peek(&self) -> Option<Cell<'_>> {
        let rest = &self.shown[self.offset..];
        if rest.is_empty() {
            return None;
        }
        Cell::read(rest, Layout::STORED).ok().map(|(cell, _)| cell)
    }

    fn advance(&mut self) -> Result<()> {
        if let Ok((_, length)) = Cell::read(&self.shown[self.offset..], Layout::STORED) {
            self.offset += length;
        }
        if self.offset >= self.shown.len() {
            self.fill()?;
        }
        Ok(())
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        // Family markers come first in a row, so every seek begins there.
        self.source.seek(&first_on_row(row_of(key)))?;
        self.row.clear();
        self.family_markers.clear();
        self.fill()?;
        self.skip_to(key)
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        if self.row == row_of(key) {
            self.skip_to(key)
        } else {
            self.seek(key)
        }
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        let mut before = row.to_vec();
        loop {
            self.source.seek_to_previous_row(&before)?;
            let Some(found) = self.source.peek().map(|cell| cell.row().to_vec()) else {
                self.shown.clear();
                self.offset = 0;
                return Ok(());
            };
            self.begin_row(&found);
            self.fill()?;
            if self.peek().is_some_and(|cell| cell.row() == found) {
                return Ok(());
            }
            before = found;
        }
    }
}
