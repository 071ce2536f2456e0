//! Reading one store row by row: applies the matcher to the merged sources. Source: HBase's `StoreScanner`.

use super::matcher::{MatchCode, Matcher};
use crate::mob::MobReading;
use rowstone_model::cell::{compare_keys, Cell, CellBuffer, CellSource};
use rowstone_model::Result;

/// Number of cells to step over before trying a seek.
const STEPS_BEFORE_SEEK: usize = 8;

/// Limits on the cells of one row and family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowLimits {
    /// Number of cells to skip first.
    pub offset: u32,
    /// Number of cells to return after that; `None` for no limit. 0 counts as 1, as in HBase.
    pub count: Option<u32>,
}

/// Counts the included cells of one row and family against its limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowCount {
    limits: RowLimits,
    included: u32,
    /// No further cell is needed.
    pub(super) is_done: bool,
}

impl RowCount {
    pub(super) fn new(limits: RowLimits) -> Self {
        RowCount { limits, included: 0, is_done: false }
    }

    /// Counts a cell and returns whether to include it. Past the limit the row is done.
    #[inline]
    pub(super) fn takes(&mut self) -> bool {
        self.included = self.included.saturating_add(1);
        let end = self.limits.count.map(|limit| self.limits.offset.saturating_add(limit.max(1)));
        self.is_done = end.is_some_and(|end| self.included > end);
        self.included > self.limits.offset && !self.is_done
    }

    /// Ends the row once it has enough cells.
    pub(super) fn close_when_full(&mut self) {
        let end = self.limits.count.map(|limit| self.limits.offset.saturating_add(limit.max(1)));
        self.is_done |= end.is_some_and(|end| self.included >= end);
    }
}

/// Distance of the next column, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Distance {
    /// A few steps may lead there.
    Near,
    /// More cells than that were skipped already: one more step, then a seek.
    Far,
}

/// Reason why a page ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageEnd {
    /// The row has no more cells in this store.
    Row,
    /// The page is full; the row may have more.
    Full,
    /// A filter needs no further cell of this store.
    Scan,
}

/// The rules and the state of reading one row of one store, from any source.
pub struct RowReader {
    pub(super) matcher: Matcher<'static>,
    pub(super) count: RowCount,
    in_row: bool,
    /// Whether the source has left the row that was read last. Remembered, so that it is not checked again.
    pub(super) has_left_row: bool,
    /// Whether more than [`STEPS_BEFORE_SEEK`] cells of the row follow the last requested one: the next row is worth a
    /// seek.
    is_far: bool,
    seek_key: Vec<u8>,
    /// For reversed scans: rows from this one on are not needed.
    pub(super) previous_row: Option<Vec<u8>>,
}

impl RowReader {
    /// Creates a reader with these rules.
    pub fn new(matcher: Matcher<'static>, limits: RowLimits) -> Self {
        let (in_row, has_left_row, is_far) = (false, false, false);
        let (seek_key, previous_row) = (Vec::new(), None);
        RowReader { matcher, count: RowCount::new(limits), in_row, has_left_row, is_far, seek_key, previous_row }
    }

    /// Moves `source` to the first row at or after `row`.
    pub fn seek_to_row(&mut self, source: &mut impl CellSource, row: &[u8]) -> Result<()> {
        source.seek(self.begin_at(row))
    }

    /// Forgets the row that was read last, and returns the smallest key of `row`.
    fn begin_at(&mut self, row: &[u8]) -> &[u8] {
        self.in_row = false;
        self.seek_key.clear();
        write_row_key(&mut self.seek_key, row, &FIRST_ON_ROW);
        &self.seek_key
    }

    /// Appends up to `max_cells` cells of `row` to `out`: the row at the position of `source`, or one begun before. With
    /// `goes_on`, the source also steps over a few cells after the last requested one.
    #[inline]
    pub fn read_page(
        &mut self,
        source: &mut impl CellSource,
        row: &[u8],
        max_cells: usize,
        goes_on: bool,
        out: &mut CellBuffer,
    ) -> Result<(usize, PageEnd)> {
        // The first cell of a row is known to belong to it.
        let mut is_known = !self.in_row;
        self.enter_row();
        let (mut found, mut skipped, mut passed) = (0, 0, 0);
        while !self.count.is_done {
            if !is_known && source.peek().is_none_or(|cell| cell.row() != row) {
                self.has_left_row = true;
                break;
            }
            is_known = false;
            if found == max_cells {
                return Ok((found, PageEnd::Full));
            }
            let (matcher, count, is_far, mut seek) = (&mut self.matcher, &mut self.count, &mut self.is_far, None);
            let has_left_row = source.visit_run(|cell| {
                if count.is_done {
                    passed += 1;
                    *is_far = passed > STEPS_BEFORE_SEEK;
                    return !*is_far;
                }
                if found == max_cells {
                    return false;
                }
                let code = matcher.check(cell);
                if code.is_included() && count.takes() {
                    out.push_cell(cell);
                    (found, skipped) = (found + 1, 0);
                } else {
                    skipped += 1;
                }
                count.is_done |= code.ends_row();
                if count.is_done {
                    return goes_on;
                }
                match code {
                    // The page is full. Whether it is the end of the row depends on the next requested column.
                    MatchCode::IncludeAndSeekNextColumn if found == max_cells => seek = Some(Distance::Near),
                    MatchCode::SeekNextColumn if skipped > STEPS_BEFORE_SEEK => seek = Some(Distance::Far),
                    _ => {}
                }
                seek.is_none()
            })?;
            if has_left_row {
                self.has_left_row = true;
                break;
            }
            if let Some(distance) = seek {
                self.seek_next_column(source, row, distance)?;
            }
        }
        Ok((found, PageEnd::Row))
    }

    /// Begins a row, unless it continues one.
    #[inline]
    pub(super) fn enter_row(&mut self) {
        if !self.in_row {
            self.matcher.reset();
            (self.in_row, self.has_left_row, self.is_far) = (true, false, false);
            self.count = RowCount::new(self.count.limits);
        }
    }

    /// Continues from the current cell of `row` according to `code`.
    #[inline]
    pub(super) fn go_on(&mut self, source: &mut impl CellSource, row: &[u8], code: MatchCode) -> Result<()> {
        match code {
            _ if self.count.is_done => {}
            MatchCode::Include | MatchCode::Skip => source.advance()?,
            MatchCode::IncludeAndSeekNextColumn | MatchCode::SeekNextColumn => {
                self.seek_next_column(source, row, Distance::Near)?
            }
            MatchCode::IncludeAndSeekNextRow | MatchCode::SeekNextRow => self.count.is_done = true,
        }
        Ok(())
    }

    /// Moves `source` from `row`, which was read or skipped, to the next.
    fn finish_row(&mut self, source: &mut impl CellSource, row: &[u8]) -> Result<()> {
        let was_read = std::mem::take(&mut self.in_row);
        if was_read && self.has_left_row {
            return Ok(());
        }
        let steps = if was_read && self.is_far { 0 } else { STEPS_BEFORE_SEEK };
        for _ in 0..steps {
            match source.peek() {
                Some(cell) if cell.row() == row => source.advance()?,
                _ => return Ok(()),
            }
        }
        self.seek_key.clear();
        write_row_key(&mut self.seek_key, row, &LAST_ON_ROW);
        source.reseek(&self.seek_key)
    }

    /// Moves to the next column of `row`, or to the next requested one.
    fn seek_next_column(&mut self, source: &mut impl CellSource, row: &[u8], distance: Distance) -> Result<()> {
        let Some(cell) = source.peek() else { return Ok(()) };
        // Family delete markers share the empty qualifier with real columns: none of them may be jumped over.
        if cell.qualifier().is_empty() {
            return source.advance();
        }
        self.seek_key.clear();
        match self.matcher.column_hint() {
            Some(qualifier) if qualifier > cell.qualifier() && distance == Distance::Far => {
                write_column_key(&mut self.seek_key, &cell, qualifier, &FIRST_VERSION);
            }
            Some(qualifier) if qualifier > cell.qualifier() => {
                // Usually the next cell is already the target, and no seek key is needed.
                source.advance()?;
                let Some(next) = source.peek() else { return Ok(()) };
                if next.row() != row || next.qualifier() >= qualifier {
                    return Ok(());
                }
                write_column_key(&mut self.seek_key, &next, qualifier, &FIRST_VERSION);
            }
            _ => write_column_key(&mut self.seek_key, &cell, cell.qualifier(), &LAST_VERSION),
        }
        // A key can be as large as the one to seek, so at least one step is needed.
        let steps = if distance == Distance::Far { 1 } else { STEPS_BEFORE_SEEK };
        for _ in 0..steps {
            source.advance()?;
            if source.peek().is_none_or(|next| compare_keys(next.key(), &self.seek_key).is_ge()) {
                return Ok(());
            }
        }
        source.reseek(&self.seek_key)
    }
}

/// Reads a store forward or in reverse, a row at a time, a page at a time.
pub struct StoreReader<S> {
    pub(super) source: S,
    pub(super) rows: RowReader,
    /// Treatment of cells whose values are in MOB files.
    pub(super) mob: Option<MobReading>,
}

impl<S: CellSource> StoreReader<S> {
    /// A reader over `source`; seek before reading.
    pub fn new(source: S, rows: RowReader) -> Self {
        StoreReader { source, rows, mob: None }
    }

    /// The same with values of MOB files.
    pub fn with_mob(self, mob: Option<MobReading>) -> Self {
        StoreReader { mob, ..self }
    }

    /// The row at the position, which is the first that [`StoreReader::read_page`] can read.
    #[inline]
    pub fn current_row(&self) -> Option<&[u8]> {
        self.source.peek().map(|cell| cell.row())
    }

    /// Moves to the first row at or after `row`.
    pub fn seek_to_row(&mut self, row: &[u8]) -> Result<()> {
        self.rows.seek_to_row(&mut self.source, row)
    }

    /// Moves to the largest row before `row`; with an empty `row` to the last.
    pub fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        self.rows.in_row = false;
        self.source.seek_to_previous_row(row)
    }

    /// After [`StoreReader::seek_to_previous_row`]: see [`CellSource::row_back`]. `None` with MOB files, whose values may be too
    /// large to read many of them at once.
    pub fn row_back(&self, rows: usize) -> Option<&[u8]> {
        if self.mob.is_some() {
            return None;
        }
        self.source.row_back(rows)
    }

    /// After [`StoreReader::row_back`]: moves to `row`, to read forward. [`StoreReader::seek_to_previous_row`] is next called
    /// with it.
    pub fn seek_back(&mut self, row: &[u8]) -> Result<()> {
        self.source.seek_back(self.rows.begin_at(row))
    }

    /// Appends up to `max_cells` cells of `row`, the current row or one begun before, to `out`. With `goes_on`,
    /// [`StoreReader::finish_row`] comes next.
    pub fn read_page(
        &mut self,
        row: &[u8],
        max_cells: usize,
        goes_on: bool,
        out: &mut CellBuffer,
    ) -> Result<(usize, PageEnd)> {
        let start = out.byte_len();
        let page = self.rows.read_page(&mut self.source, row, max_cells, goes_on, out)?;
        if let Some(mob) = &self.mob {
            mob.load_all(out, start)?;
        }
        Ok(page)
    }

    /// Moves from `row`, which was read or skipped, to the next.
    pub fn finish_row(&mut self, row: &[u8]) -> Result<()> {
        self.rows.finish_row(&mut self.source, row)
    }

    /// Like [`StoreReader::finish_row`], for reversed scans: a reader that has not read `row` does not move.
    pub fn finish_row_backward(&mut self, row: &[u8]) -> Result<()> {
        if !self.rows.in_row {
            return Ok(());
        }
        self.seek_to_previous_row(row)
    }

    /// Whether [`StoreReader::read_page`] would return cells of `row`, or continue it.
    #[inline]
    pub fn has_row(&self, row: &[u8]) -> bool {
        self.rows.in_row || self.current_row() == Some(row)
    }
}

/// Timestamp and type that sort before all others, and after all others.
const FIRST_VERSION: [u8; 9] = [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const LAST_VERSION: [u8; 9] = [0x80, 0, 0, 0, 0, 0, 0, 0, 0];
/// The same after an empty family.
const FIRST_ON_ROW: [u8; 10] = [0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const LAST_ON_ROW: [u8; 10] = [0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0];

fn write_row_key(key: &mut Vec<u8>, row: &[u8], rest: &[u8; 10]) {
    key.reserve(row.len() + 12);
    key.extend_from_slice(&(row.len() as u16).to_be_bytes());
    key.extend_from_slice(row);
    key.extend_from_slice(rest);
}

fn write_column_key(key: &mut Vec<u8>, cell: &Cell<'_>, qualifier: &[u8], version: &[u8; 9]) {
    let (row, family) = (cell.row(), cell.family());
    key.extend_from_slice(&(row.len() as u16).to_be_bytes());
    key.extend_from_slice(row);
    key.push(family.len() as u8);
    key.extend_from_slice(family);
    key.extend_from_slice(qualifier);
    key.extend_from_slice(version);
}
