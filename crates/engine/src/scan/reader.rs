//! One store read row by row: the matcher over the merged sources. Source: HBase's `StoreScanner`.

use super::matcher::{MatchCode, Matcher};
use crate::mob::MobReading;
use rowstone_model::cell::{compare_keys, Cell, CellBuffer, CellSource};
use rowstone_model::Result;

/// How many cells to step over before a seek is tried instead.
const STEPS_BEFORE_SEEK: usize = 8;

/// How many cells of one row and family a reader takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowLimits {
    /// Cells to pass over first.
    pub offset: u32,
    /// Cells to take then; `None` is no bound, 0 counts as 1, as in HBase.
    pub count: Option<u32>,
}

/// Counts the included cells of one row and family against its limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowCount {
    limits: RowLimits,
    included: u32,
    /// No further cell is wanted.
    pub(super) is_done: bool,
}

impl RowCount {
    pub(super) fn new(limits: RowLimits) -> Self {
        RowCount { limits, included: 0, is_done: false }
    }

    /// Counts a cell; whether it is taken. Past the limit the row is done.
    #[inline]
    pub(super) fn takes(&mut self) -> bool {
        self.included = self.included.saturating_add(1);
        let end = self.limits.count.map(|limit| self.limits.offset.saturating_add(limit.max(1)));
        self.is_done = end.is_some_and(|end| self.included > end);
        self.included > self.limits.offset && !self.is_done
    }

    /// Ends the row once as many cells are taken as are wanted.
    pub(super) fn close_when_full(&mut self) {
        let end = self.limits.count.map(|limit| self.limits.offset.saturating_add(limit.max(1)));
        self.is_done |= end.is_some_and(|end| self.included >= end);
    }
}

/// Why a page ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageEnd {
    /// The row has no more cells in this store.
    Row,
    /// The page is full; the row may have more.
    Full,
    /// A filter wants nothing more of this store.
    Scan,
}

/// The rules and the state of reading one row of one store, whatever the cells come from.
pub struct RowReader {
    pub(super) matcher: Matcher,
    pub(super) count: RowCount,
    in_row: bool,
    /// The source has left the row that was read last: found out once, not asked again.
    pub(super) has_left_row: bool,
    seek_key: Vec<u8>,
    /// Going backward: no row from this one on is wanted.
    pub(super) previous_row: Option<Vec<u8>>,
}

impl RowReader {
    /// A reader under these rules.
    pub fn new(matcher: Matcher, limits: RowLimits) -> Self {
        let (in_row, has_left_row) = (false, false);
        let (seek_key, previous_row) = (Vec::new(), None);
        RowReader { matcher, count: RowCount::new(limits), in_row, has_left_row, seek_key, previous_row }
    }

    /// Moves `source` to the first row at or after `row`.
    pub fn seek_to_row(&mut self, source: &mut impl CellSource, row: &[u8]) -> Result<()> {
        self.in_row = false;
        self.seek_key.clear();
        write_row_key(&mut self.seek_key, row, &FIRST_ON_ROW);
        source.seek(&self.seek_key)
    }

    /// Appends to `out` up to `max_cells` cells of `row`: the row that `source` stands on, or one begun before.
    #[inline]
    pub fn read_page(
        &mut self,
        source: &mut impl CellSource,
        row: &[u8],
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<(usize, PageEnd)> {
        // The first cell of a row is known to be of that row.
        let mut is_known = !self.in_row;
        self.enter_row();
        let mut count = 0;
        while !self.count.is_done {
            let Some(cell) = source.peek().filter(|cell| is_known || cell.row() == row) else {
                self.has_left_row = true;
                break;
            };
            is_known = false;
            if count == max_cells {
                return Ok((count, PageEnd::Full));
            }
            let code = self.matcher.check(&cell);
            if code.is_included() && self.count.takes() {
                out.push_cell(&cell);
                count += 1;
            }
            self.go_on(source, row, code)?;
        }
        Ok((count, PageEnd::Row))
    }

    /// Begins a row, unless it goes on with one.
    #[inline]
    pub(super) fn enter_row(&mut self) {
        if !self.in_row {
            self.matcher.reset();
            (self.in_row, self.has_left_row, self.count) = (true, false, RowCount::new(self.count.limits));
        }
    }

    /// Goes on from the current cell, which is of `row`, as `code` says.
    #[inline]
    pub(super) fn go_on(&mut self, source: &mut impl CellSource, row: &[u8], code: MatchCode) -> Result<()> {
        match code {
            _ if self.count.is_done => {}
            MatchCode::Include | MatchCode::Skip => source.advance()?,
            MatchCode::IncludeAndSeekNextColumn | MatchCode::SeekNextColumn => self.seek_next_column(source, row)?,
            MatchCode::IncludeAndSeekNextRow | MatchCode::SeekNextRow => self.count.is_done = true,
        }
        Ok(())
    }

    /// Moves `source` from `row`, which was read or is passed over, to the next.
    fn finish_row(&mut self, source: &mut impl CellSource, row: &[u8]) -> Result<()> {
        if std::mem::take(&mut self.in_row) && self.has_left_row {
            return Ok(());
        }
        for _ in 0..STEPS_BEFORE_SEEK {
            match source.peek() {
                Some(cell) if cell.row() == row => source.advance()?,
                _ => return Ok(()),
            }
        }
        self.seek_key.clear();
        write_row_key(&mut self.seek_key, row, &LAST_ON_ROW);
        source.reseek(&self.seek_key)
    }

    /// Goes to the next column of `row`, or to the next one asked for.
    fn seek_next_column(&mut self, source: &mut impl CellSource, row: &[u8]) -> Result<()> {
        let Some(cell) = source.peek() else { return Ok(()) };
        // Markers of the whole family share the empty qualifier's place: none of them may be jumped over.
        if cell.qualifier().is_empty() {
            return source.advance();
        }
        self.seek_key.clear();
        match self.matcher.column_hint() {
            Some(qualifier) if qualifier > cell.qualifier() => {
                // Most often the next cell is the one that is wanted: then no key is needed.
                source.advance()?;
                let Some(next) = source.peek() else { return Ok(()) };
                if next.row() != row || next.qualifier() >= qualifier {
                    return Ok(());
                }
                write_column_key(&mut self.seek_key, &next, qualifier, &FIRST_VERSION);
            }
            _ => write_column_key(&mut self.seek_key, &cell, cell.qualifier(), &LAST_VERSION),
        }
        for _ in 0..STEPS_BEFORE_SEEK {
            source.advance()?;
            if source.peek().is_none_or(|next| compare_keys(next.key(), &self.seek_key).is_ge()) {
                return Ok(());
            }
        }
        source.reseek(&self.seek_key)
    }
}

/// Reads a store forward or backward, a row at a time, a page at a time.
pub struct StoreReader<S> {
    pub(super) source: S,
    pub(super) rows: RowReader,
    /// What becomes of cells whose values are in MOB files.
    pub(super) mob: Option<MobReading>,
}

impl<S: CellSource> StoreReader<S> {
    /// A reader over `source`; seek before reading.
    pub fn new(source: S, rows: RowReader) -> Self {
        StoreReader { source, rows, mob: None }
    }

    /// The same, with values of MOB files.
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

    /// Appends to `out` up to `max_cells` cells of `row`, which is the current row or one begun before.
    pub fn read_page(&mut self, row: &[u8], max_cells: usize, out: &mut CellBuffer) -> Result<(usize, PageEnd)> {
        let start = out.byte_len();
        let page = self.rows.read_page(&mut self.source, row, max_cells, out)?;
        if let Some(mob) = &self.mob {
            mob.load_all(out, start)?;
        }
        Ok(page)
    }

    /// Leaves `row`, which was read or is passed over, for the next.
    pub fn finish_row(&mut self, row: &[u8]) -> Result<()> {
        self.rows.finish_row(&mut self.source, row)
    }

    /// Like [`StoreReader::finish_row`], going backward: a reader that has not read `row` stays where it is.
    pub fn finish_row_backward(&mut self, row: &[u8]) -> Result<()> {
        if !self.rows.in_row {
            return Ok(());
        }
        self.seek_to_previous_row(row)
    }

    /// Whether [`StoreReader::read_page`] would give cells of `row`, or go on with it.
    #[inline]
    pub fn has_row(&self, row: &[u8]) -> bool {
        self.rows.in_row || self.current_row() == Some(row)
    }
}

/// Timestamp and type that sort before all others, and after all others.
const FIRST_VERSION: [u8; 9] = [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const LAST_VERSION: [u8; 9] = [0x80, 0, 0, 0, 0, 0, 0, 0, 0];
/// The same behind an empty family.
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
