//! Reading a row with a filter: combines the matcher's verdict with the filter's. Source: HBase's
//! `UserScanQueryMatcher.mergeFilterResponse` and `StoreScanner.next`.
//!
//! Versions are counted twice: up to the family's VERSIONS before the filter sees a cell, and up to the reader's
//! limit among the cells that it includes. So a filter that excludes the newest version sees the next.

use super::filter::{evaluator, Evaluator, ReturnCode, RowCells, Shown};
use super::matcher::{MatchCode, Matcher};
use super::reader::{PageEnd, RowReader, StoreReader};
use crate::mob::MobReading;
use crate::sys::Entropy;
use rowstone_model::cell::{compare_columns, compare_keys, row_after, Cell, CellBuffer, CellSource};
use rowstone_model::filter::Filter;
use rowstone_model::operations::{CellGuard, Guard};
use rowstone_model::Result;
use std::borrow::Cow;
use std::cmp::Ordering;

/// The state of a filter in one scan of one region, shared by its families.
pub struct ScanFilter {
    /// If there is only a guard, this accepts everything.
    root: Evaluator,
    /// Decides which cells the filter sees at all.
    guard: Option<Guard<dyn CellGuard>>,
    reversed: bool,
    needs_whole_rows: bool,
    looks_at_values: bool,
    /// The column of the last included cell, and how many of its cells were included.
    column: Vec<u8>,
    included: u32,
}

impl ScanFilter {
    /// Creates the filter for the beginning of a scan.
    ///
    /// # Errors
    /// `InvalidArgument` for an invalid regular expression.
    pub fn new(filter: &Filter, reversed: bool, entropy: &dyn Entropy) -> Result<Self> {
        let root = evaluator(filter, reversed, entropy)?;
        let (needs_whole_rows, looks_at_values) = (filter.needs_whole_rows(), filter.looks_at_values());
        let (guard, column, included) = (None, Vec::new(), 0);
        Ok(ScanFilter { root, guard, reversed, needs_whole_rows, looks_at_values, column, included })
    }

    /// The same with a `guard` that decides which cells the filter sees.
    pub fn behind(self, guard: Option<Guard<dyn CellGuard>>) -> Self {
        ScanFilter { guard, ..self }
    }

    /// Whether no further cell can pass.
    pub fn is_done(&self) -> bool {
        self.root.is_done()
    }

    /// Whether to skip the row.
    pub fn skips_row(&mut self, row: &[u8]) -> Result<bool> {
        Ok(self.root.is_done() || self.root.skips_row(row)?)
    }

    /// Whether to drop the row, whose `count` cells are in `out` from byte `start` on. May drop single cells of it.
    pub fn drops_row(&mut self, out: &mut CellBuffer, start: usize, count: &mut usize) -> bool {
        let was_empty = *count == 0;
        if self.needs_whole_rows {
            let mut cells = RowCells::new(out, start, *count);
            self.root.retain_cells(&mut cells);
            *count = cells.count;
        }
        // Filters that count rows do not count empty ones. A row that becomes empty here is not counted either, and
        // may still get cells of on-demand families.
        was_empty || (*count > 0 && self.root.drops_row())
    }

    /// Ends a row.
    pub fn reset(&mut self) {
        self.root.reset();
    }

    /// Decides how the scan continues after `cell`, which the matcher includes.
    fn check(&mut self, matcher: &mut Matcher<'_>, cell: &Cell<'_>, code: MatchCode) -> Result<Step> {
        if self.guard.as_ref().is_some_and(|guard| !guard.0.shows(cell)) {
            return Ok(Step::Code(code.without_cell()));
        }
        let step = match self.root.check(cell)? {
            ReturnCode::SeekNextUsingHint => return Ok(Step::Hint),
            ReturnCode::NextRow => MatchCode::SeekNextRow,
            ReturnCode::Skip => code.without_cell(),
            ReturnCode::NextColumn if code == MatchCode::IncludeAndSeekNextRow => MatchCode::SeekNextRow,
            ReturnCode::NextColumn => matcher.done_with_column(cell),
            ReturnCode::Include => self.count_version(matcher, cell, code),
            ReturnCode::IncludeAndNextColumn if code == MatchCode::Include => {
                self.count_version(matcher, cell, MatchCode::IncludeAndSeekNextColumn)
            }
            ReturnCode::IncludeAndNextColumn => self.count_version(matcher, cell, code),
            ReturnCode::IncludeAndSeekNextRow => self.count_version(matcher, cell, MatchCode::IncludeAndSeekNextRow),
        };
        Ok(Step::Code(step))
    }

    /// Excludes the cell if its column has enough versions; the filter has still seen it.
    fn count_version(&mut self, matcher: &mut Matcher<'_>, cell: &Cell<'_>, code: MatchCode) -> MatchCode {
        if self.column.is_empty() || compare_columns(&self.column, cell.key()).is_ne() {
            self.column.clear();
            self.column.extend_from_slice(cell.key());
            self.included = 0;
        }
        self.included = self.included.saturating_add(1);
        let code = match code {
            _ if self.included <= matcher.versions_after_filter() => code,
            MatchCode::IncludeAndSeekNextRow => MatchCode::SeekNextRow,
            _ => MatchCode::SeekNextColumn,
        };
        if matches!(code, MatchCode::IncludeAndSeekNextColumn | MatchCode::SeekNextColumn) {
            matcher.done_with_column(cell);
        }
        code
    }

    fn push(&self, cell: &Cell<'_>, out: &mut CellBuffer) {
        let shown = self.root.transform(Shown { value: Cow::Borrowed(cell.value()), tags: cell.tags() });
        if let Ok(cell) = Cell::new(cell.key(), &shown.value, shown.tags, cell.sequence_id()) {
            out.push_cell(&cell);
        }
    }
}

/// Continuation of a scan after a cell.
enum Step {
    /// As without a filter.
    Code(MatchCode),
    /// At the filter's hint.
    Hint,
}

impl RowReader {
    /// Like [`RowReader::read_page`], with a filter.
    fn read_filtered(
        &mut self,
        source: &mut impl CellSource,
        row: &[u8],
        max_cells: usize,
        filter: &mut ScanFilter,
        mob: Option<&MobReading>,
        out: &mut CellBuffer,
    ) -> Result<(usize, PageEnd)> {
        // If the filter does not check values, they are loaded when the cell is included.
        let shown_first = mob.filter(|_| filter.looks_at_values);
        self.enter_row();
        let (mut count, mut is_full) = (0, false);
        while !self.count.is_done {
            let Some(cell) = source.peek().filter(|cell| cell.row() == row) else {
                self.has_left_row = true;
                break;
            };
            if count == max_cells {
                return Ok((count, PageEnd::Full));
            }
            if filter.is_done() {
                break;
            }
            let code = self.matcher.check(&cell);
            let loaded = match shown_first.filter(|_| code.is_included()) {
                Some(mob) => mob.loaded(&cell)?,
                None => None,
            };
            let cell = loaded.as_ref().and_then(|loaded| loaded.iter().next()).unwrap_or(cell);
            let step =
                if code.is_included() { filter.check(&mut self.matcher, &cell, code)? } else { Step::Code(code) };
            let Step::Code(code) = step else {
                self.follow_hint(source, row, filter)?;
                continue;
            };
            if code.is_included() && self.count.takes() {
                filter.push(&cell, out);
                count += 1;
                // The filter sees no cell beyond the limit.
                self.count.close_when_full();
                is_full = self.count.is_done;
            }
            self.go_on(source, row, code)?;
        }
        // As in HBase, a store notices only at the next cell that the filter is done, even if that cell belongs to
        // another row.
        let end = if filter.is_done() && !is_full { PageEnd::Scan } else { PageEnd::Row };
        Ok((count, end))
    }

    /// Seeks to the filter's hint, or steps to the next cell if the hint is not ahead. In a reversed scan no hint
    /// within the current row is ahead: the filter sees all of its cells, and may count them, as in HBase.
    fn follow_hint(&mut self, source: &mut impl CellSource, row: &[u8], filter: &mut ScanFilter) -> Result<()> {
        let Some(cell) = source.peek() else { return Ok(()) };
        let Some(hint) = filter.root.hint(&cell) else { return source.advance() };
        let Ok(goal) = Cell::new(&hint, &[], &[], 0) else { return source.advance() };
        match goal.row().cmp(row) {
            Ordering::Less if filter.reversed => {
                self.previous_row = Some(row_after(goal.row()));
                self.count.is_done = true;
                Ok(())
            }
            Ordering::Greater if !filter.reversed => {
                (self.has_left_row, self.count.is_done) = (true, true);
                source.reseek(&hint)
            }
            Ordering::Equal if !filter.reversed && compare_keys(&hint, cell.key()).is_gt() => {
                self.pass_family_markers(source, row, &hint)?;
                source.reseek(&hint)
            }
            _ => source.advance(),
        }
    }

    /// Family delete markers share the empty qualifier with real columns. Those before `goal` must be seen.
    fn pass_family_markers(&mut self, source: &mut impl CellSource, row: &[u8], goal: &[u8]) -> Result<()> {
        while let Some(cell) = source.peek() {
            let is_before = cell.row() == row && compare_keys(cell.key(), goal).is_lt();
            if !is_before || !cell.qualifier().is_empty() {
                break;
            }
            if cell.is_delete() {
                self.matcher.check(&cell);
            }
            source.advance()?;
        }
        Ok(())
    }
}

impl<S: CellSource> StoreReader<S> {
    /// Like [`StoreReader::read_page`], with a filter.
    pub fn read_filtered(
        &mut self,
        row: &[u8],
        max_cells: usize,
        filter: &mut ScanFilter,
        out: &mut CellBuffer,
    ) -> Result<(usize, PageEnd)> {
        let start = out.byte_len();
        let mob = self.mob.as_ref();
        let page = self.rows.read_filtered(&mut self.source, row, max_cells, filter, mob, out)?;
        if let Some(mob) = mob.filter(|_| !filter.looks_at_values) {
            mob.load_all(out, start)?;
        }
        Ok(page)
    }

    /// Moves from `row` to one before it in a reversed scan, even if it was not read.
    pub fn leave_row_backward(&mut self, row: &[u8]) -> Result<()> {
        if !self.has_row(row) {
            return Ok(());
        }
        let before = self.rows.previous_row.take();
        self.seek_to_previous_row(before.as_deref().unwrap_or(row))
    }
}
