//! Scans of one region, forward and backward, row by row, in pages of a row if requested. Source: HBase's
//! `RegionScannerImpl`.
//!
//! A scanner retains its read point, its clock, its files and its memory segments for life, as a scanner of HBase
//! retains its files. It still sees cells that a compaction drops meanwhile. So it pins at most the recent cells of
//! the moment it was opened, and the disk space of deleted files. The statistics report the number of open
//! scanners.

use super::backward::Span;
use super::on_demand::OnDemand;
use super::Region;
use crate::hfile::Patience;
use crate::scan::{PageEnd, ScanFilter};
use crate::store::{ReadRequest, Reader, Store};
use rowstone_model::backend::FilteredRows;
use rowstone_model::cell::row_after;
use rowstone_model::filter::{Filter, ListOperator};
use rowstone_model::operations::{CellBatch, Qualifiers, RowRange, Scan};
use rowstone_model::schema::RegionInfo;
use rowstone_model::{Error, Result};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

/// Least number of rows between two checks of the deadline: the clock is not read for every row.
const ROWS_PER_LOOK: usize = 64;

/// An open scan of one region. It refers to the region by an `Arc` or, for the duration of a get, by reference.
pub struct RegionScanner<R: Deref<Target = Region> = Arc<Region>> {
    region: R,
    pub(super) scan: Arc<Scan>,
    /// The scan's filter, if it has one.
    pub(super) filter: Option<ScanFilter>,
    read_point: u64,
    now_ms: i64,
    /// One reader for each family of the scan.
    pub(super) families: Vec<Reader>,
    /// Families that are read only for rows that pass the filter.
    pub(super) on_demand: OnDemand,
    /// Family at which to continue if only a part of `row` was returned.
    pub(super) unfinished: Option<usize>,
    pub(super) row: Vec<u8>,
    pub(super) bound: Bound,
    pub(super) span: Span,
    /// Whether the current row has returned a cell.
    pub(super) has_cells: bool,
    pub(super) finished_rows: u64,
    pub(super) filtered_rows: FilteredRows,
    pub(super) is_done: bool,
}

impl<R: Deref<Target = Region>> RegionScanner<R> {
    /// Opens a scan of the part of its range in `region`.
    pub fn open(region: R, scan: Arc<Scan>) -> Result<Self> {
        scan.check()?;
        let filter = filter_of(&scan, &region)?;
        region.check_open()?;
        let registered = match scan.read_point {
            0 => region.mvcc.register_reader(),
            earlier => region.mvcc.register_reader_at(earlier),
        };
        let mut scanner = RegionScanner {
            read_point: registered,
            now_ms: region.services.system().clock.now_ms(),
            region,
            scan,
            filter,
            families: Vec::new(),
            on_demand: OnDemand::default(),
            unfinished: None,
            row: Vec::new(),
            bound: Bound::default(),
            span: Span::default(),
            has_cells: false,
            finished_rows: 0,
            filtered_rows: FilteredRows::default(),
            is_done: false,
        };
        scanner.bound = Bound::of(&scanner.scan, scanner.region.info());
        scanner.open_families()?;
        scanner.seek_to_start()?;
        Ok(scanner)
    }

    fn open_families(&mut self) -> Result<()> {
        let stores = self.region.stores();
        let columns = &self.scan.options.columns;
        if columns.is_all() {
            for store in stores.iter() {
                self.open_family(store, None)?;
            }
            return Ok(());
        }
        for (family, qualifiers) in &Arc::clone(&self.scan).options.columns.families {
            let store = stores.get(family).ok_or_else(|| self.region.no_such_family(family))?;
            self.open_family(store, qualifiers.as_ref())?;
        }
        Ok(())
    }

    fn open_family(&mut self, store: &Store, qualifiers: Option<&Qualifiers>) -> Result<()> {
        let read_point = if self.scan.options.read_uncommitted { u64::MAX } else { self.read_point };
        let (options, now_ms) = (&self.scan.options, self.now_ms);
        let mob_values = options.mob_values;
        let last = if self.scan.reversed { &self.scan.start } else { &self.scan.stop };
        let last_row = Some(last.as_slice()).filter(|row| !row.is_empty());
        let patience = Patience::Waits;
        let request = ReadRequest { options, qualifiers, read_point, now_ms, patience, mob_values, last_row };
        let reader = store.reader(&request)?;
        let mut filter = options.filter.iter().filter(|_| options.load_families_on_demand);
        if filter.all(|filter| filter.is_family_essential(store.family_name())) {
            self.families.push(reader);
            return Ok(());
        }
        if self.scan.reversed {
            return Err(Error::invalid("Reverse scan with loading CFs on demand is not supported"));
        }
        self.on_demand.add(reader);
        Ok(())
    }

    fn seek_to_start(&mut self) -> Result<()> {
        let scan = Arc::clone(&self.scan);
        if scan.reversed {
            let end = &self.region.info().end_key;
            let before = if scan.start.is_empty() || (!end.is_empty() && scan.start >= *end) {
                end.clone()
            } else if scan.include_start {
                row_after(&scan.start)
            } else {
                scan.start.clone()
            };
            return self.families.iter_mut().try_for_each(|family| family.seek_to_previous_row(&before));
        }
        let start = scan.start.as_slice().max(self.region.info().start_key.as_slice()).to_vec();
        self.families.iter_mut().try_for_each(|family| family.seek_to_row(&start))?;
        if !scan.include_start && !scan.start.is_empty() {
            for family in &mut self.families {
                if family.current_row() == Some(scan.start.as_slice()) {
                    family.finish_row(&scan.start)?;
                }
            }
        }
        Ok(())
    }

    /// Read point of the scan.
    pub fn read_point(&self) -> u64 {
        self.read_point
    }

    /// Number of rows returned to their end.
    pub fn finished_rows(&self) -> u64 {
        self.finished_rows
    }

    /// Counts of rows that the filter dropped.
    pub fn filtered_rows(&self) -> FilteredRows {
        self.filtered_rows
    }

    /// Counts returned rows as reads of the region.
    pub fn count_rows(&self, rows: usize) {
        self.region.count_reads(rows);
    }

    /// Appends rows (or pieces of rows) to `out` until it contains `max_results` of them or about `max_bytes`,
    /// `max_rows` rows were finished since the scan began, or `deadline` has passed. Returns `false` at the
    /// region's end.
    pub fn fill(
        &mut self,
        max_results: usize,
        max_bytes: usize,
        max_rows: u64,
        deadline: Option<Instant>,
        out: &mut CellBatch,
    ) -> Result<bool> {
        self.region.check_readable()?;
        let mut rows_seen = 0;
        while !self.is_done
            && out.rows.len() < max_results
            && out.cells.byte_len() < max_bytes
            && self.finished_rows < max_rows
        {
            if rows_seen >= ROWS_PER_LOOK {
                rows_seen = 0;
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    break;
                }
            }
            rows_seen += match self.filter {
                None if self.reads_spans() => {
                    let rows = (max_results - out.rows.len()).min((max_rows - self.finished_rows) as usize);
                    self.next_span(rows, max_bytes - out.cells.byte_len(), out)?
                }
                None => self.next_row(out)?,
                Some(_) => self.next_filtered_row(out)?,
            };
        }
        Ok(!self.is_done)
    }

    /// Reads one row, or one piece of it. Returns the number of rows.
    fn next_row(&mut self, out: &mut CellBatch) -> Result<usize> {
        let first_family = match self.unfinished.take() {
            Some(family) => family,
            None if self.find_row() => 0,
            None => {
                self.is_done = true;
                return Ok(0);
            }
        };
        self.read_row(first_family, !self.scan.reversed, out)?;
        if self.unfinished.is_none() {
            self.leave_row()?;
        }
        Ok(1)
    }

    /// Reads the current row, or one piece of it, from `first_family` on. `goes_on` as in
    /// [`read_page`](Reader::read_page).
    pub(super) fn read_row(&mut self, first_family: usize, goes_on: bool, out: &mut CellBatch) -> Result<()> {
        let start = out.cells.byte_len();
        let page = if self.scan.batch == 0 { usize::MAX } else { self.scan.batch as usize };
        let mut count = 0;
        let is_only_family = self.families.len() == 1;
        for index in first_family..self.families.len() {
            let reader = &mut self.families[index];
            if !is_only_family && !reader.has_row(&self.row) {
                continue;
            }
            let (found, end) = reader.read_page(&self.row, page - count, goes_on, &mut out.cells)?;
            count += found;
            if end == PageEnd::Full {
                self.unfinished = Some(index);
                break;
            }
        }
        if count > 0 {
            let is_partial = self.unfinished.is_some();
            out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count: count as u32, is_partial });
            self.has_cells = true;
        }
        Ok(())
    }

    /// Finds the next row of the range; `false` if there is none.
    pub(super) fn find_row(&mut self) -> bool {
        let rows = self.families.iter().filter_map(Reader::current_row);
        let found = if self.scan.reversed { rows.max() } else { rows.min() };
        let Some(found) = found.filter(|row| self.bound.allows(row)) else { return false };
        self.row.clear();
        self.row.extend_from_slice(found);
        true
    }

    /// Counts the current row, if it has returned a cell.
    pub(super) fn count_row(&mut self) {
        self.finished_rows += u64::from(std::mem::take(&mut self.has_cells));
    }

    fn leave_row(&mut self) -> Result<()> {
        self.count_row();
        for family in &mut self.families {
            if self.scan.reversed {
                family.finish_row_backward(&self.row)?;
            } else {
                family.finish_row(&self.row)?;
            }
        }
        Ok(())
    }
}

/// The scan's filter in its initial state.
fn filter_of(scan: &Scan, region: &Region) -> Result<Option<ScanFilter>> {
    let guard = scan.options.guard.clone();
    let everything = Filter::FilterList { operator: ListOperator::MustPassAll, filters: Vec::new() };
    let filter = match &scan.options.filter {
        Some(filter) => filter,
        None if guard.is_some() => &everything,
        None => return Ok(None),
    };
    let filter = ScanFilter::new(filter, scan.reversed, &*region.services.system().entropy)?;
    Ok(Some(filter.behind(guard)))
}

/// The end of the rows to read, in the scan's direction: the scan's own or the region's.
#[derive(Default)]
pub(super) struct Bound {
    /// `None` for no end.
    row: Option<Vec<u8>>,
    is_included: bool,
    is_reversed: bool,
}

impl Bound {
    fn of(scan: &Scan, info: &RegionInfo) -> Self {
        let edge = if scan.reversed { &info.start_key } else { &info.end_key };
        let is_past_edge = if scan.reversed { scan.stop < *edge } else { scan.stop >= *edge };
        if scan.stop.is_empty() || (!edge.is_empty() && is_past_edge) {
            // A region includes its start row and excludes its end row.
            let row = Some(edge.clone()).filter(|row| !row.is_empty());
            return Bound { row, is_included: scan.reversed, is_reversed: scan.reversed };
        }
        Bound { row: Some(scan.stop.clone()), is_included: scan.include_stop, is_reversed: scan.reversed }
    }

    /// The smallest row of a reversed scan; empty if it has no end.
    pub(super) fn first_row(&self) -> Cow<'_, [u8]> {
        match &self.row {
            None => Cow::Borrowed(&[]),
            Some(row) if self.is_included => Cow::Borrowed(row),
            Some(row) => Cow::Owned(row_after(row)),
        }
    }

    #[inline]
    fn allows(&self, row: &[u8]) -> bool {
        let Some(bound) = &self.row else { return true };
        match row.cmp(bound.as_slice()) {
            Ordering::Equal => self.is_included,
            Ordering::Less => !self.is_reversed,
            Ordering::Greater => self.is_reversed,
        }
    }
}

impl<R: Deref<Target = Region>> Drop for RegionScanner<R> {
    fn drop(&mut self) {
        self.region.mvcc.release_reader(self.read_point);
    }
}
