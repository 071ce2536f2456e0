//! Scans of one region, forward and backward, row by row, in pages of a row where asked. Source: HBase's
//! `RegionScannerImpl`.
//!
//! A scanner keeps its read point for life. It does not pin what it reads: when files or memstores of a store changed
//! underneath (a flush, a compaction), it opens its sources anew between two rows; whatever its read point needs was kept.

use super::read::check_options;
use super::Region;
use crate::scan::{Expiry, PageEnd};
use crate::store::{ReadRequest, Reader, Store};
use rowstone_model::operations::{CellBatch, RowRange, Scan};
use rowstone_model::schema::RegionInfo;
use rowstone_model::Result;
use std::cmp::Ordering;
use std::sync::Arc;

/// One family of the scan.
struct FamilyReader {
    store: Arc<Store>,
    qualifiers: Option<Vec<Vec<u8>>>,
    generation: u64,
    reader: Reader,
}

/// An open scan of one region.
pub struct RegionScanner {
    region: Arc<Region>,
    scan: Arc<Scan>,
    read_point: u64,
    now_ms: i64,
    families: Vec<FamilyReader>,
    /// The family to go on with, where only a part of `row` was returned.
    unfinished: Option<usize>,
    row: Vec<u8>,
    bound: Bound,
    /// Whether the current row has given a cell.
    has_cells: bool,
    finished_rows: u64,
    is_done: bool,
}

impl RegionScanner {
    /// Opens a scan at the part of its range that lies in `region`.
    pub fn open(region: Arc<Region>, scan: Arc<Scan>) -> Result<Self> {
        check_options(&scan.options)?;
        region.check_open()?;
        let registered = region.mvcc.register_reader();
        let mut scanner = RegionScanner {
            read_point: registered,
            now_ms: region.services.system().clock.now_ms(),
            region,
            scan,
            families: Vec::new(),
            unfinished: None,
            row: Vec::new(),
            bound: Bound::default(),
            has_cells: false,
            finished_rows: 0,
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
            return stores.iter().try_for_each(|store| self.open_family(store, None));
        }
        for (family, qualifiers) in &Arc::clone(&self.scan).options.columns.families {
            let store = stores.get(family).ok_or_else(|| self.region.no_such_family(family))?;
            self.open_family(store, qualifiers.clone())?;
        }
        Ok(())
    }

    fn open_family(&mut self, store: &Arc<Store>, qualifiers: Option<Vec<Vec<u8>>>) -> Result<()> {
        let (reader, generation) = self.open_reader(store, qualifiers.as_ref())?;
        self.families.push(FamilyReader { store: Arc::clone(store), qualifiers, generation, reader });
        Ok(())
    }

    fn open_reader(&self, store: &Arc<Store>, qualifiers: Option<&Vec<Vec<u8>>>) -> Result<(Reader, u64)> {
        let read_point = if self.scan.options.read_uncommitted { u64::MAX } else { self.read_point };
        store.reader(&ReadRequest {
            options: &self.scan.options,
            qualifiers,
            read_point,
            row: None,
            expiry: Expiry::new(self.now_ms, None),
        })
    }

    fn seek_to_start(&mut self) -> Result<()> {
        let scan = Arc::clone(&self.scan);
        if scan.reversed {
            let end = &self.region.info().end_key;
            let before = if scan.start.is_empty() || (!end.is_empty() && scan.start >= *end) {
                end.clone()
            } else if scan.include_start {
                rowstone_model::cell::row_after(&scan.start)
            } else {
                scan.start.clone()
            };
            return self.families.iter_mut().try_for_each(|family| family.reader.seek_to_previous_row(&before));
        }
        let start = scan.start.as_slice().max(self.region.info().start_key.as_slice()).to_vec();
        self.families.iter_mut().try_for_each(|family| family.reader.seek_to_row(&start))?;
        if !scan.include_start && !scan.start.is_empty() {
            for family in &mut self.families {
                if family.reader.current_row() == Some(scan.start.as_slice()) {
                    family.reader.finish_row(&scan.start)?;
                }
            }
        }
        Ok(())
    }

    /// How many rows were returned to their end.
    pub fn finished_rows(&self) -> u64 {
        self.finished_rows
    }

    /// Appends rows (or pieces of rows) to `out` until it holds `max_results` of them, about `max_bytes`, or `max_rows` rows
    /// were finished since the scan began; `false` at the region's end.
    pub fn fill(&mut self, max_results: usize, max_bytes: usize, max_rows: u64, out: &mut CellBatch) -> Result<bool> {
        self.region.check_open()?;
        if self.unfinished.is_none() {
            self.refresh()?;
        }
        while !self.is_done
            && out.rows.len() < max_results
            && out.cells.byte_len() < max_bytes
            && self.finished_rows < max_rows
        {
            self.next_row(out)?;
        }
        Ok(!self.is_done)
    }

    /// Opens sources anew where they changed.
    fn refresh(&mut self) -> Result<()> {
        for index in 0..self.families.len() {
            let family = &self.families[index];
            if family.store.generation() == family.generation {
                continue;
            }
            let (store, qualifiers) = (Arc::clone(&family.store), family.qualifiers.clone());
            let position = family.reader.current_row().map(<[u8]>::to_vec);
            let (reader, generation) = self.open_reader(&store, qualifiers.as_ref())?;
            let family = &mut self.families[index];
            (family.reader, family.generation) = (reader, generation);
            match position {
                Some(row) if self.scan.reversed => {
                    family.reader.seek_to_previous_row(&rowstone_model::cell::row_after(&row))?;
                }
                Some(row) => family.reader.seek_to_row(&row)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Reads one row, or one piece of it.
    fn next_row(&mut self, out: &mut CellBatch) -> Result<()> {
        let first_family = match self.unfinished.take() {
            Some(family) => family,
            None if self.find_row() => 0,
            None => {
                self.is_done = true;
                return Ok(());
            }
        };
        let start = out.cells.byte_len();
        let page = if self.scan.batch == 0 { usize::MAX } else { self.scan.batch as usize };
        let mut count = 0;
        let is_only_family = self.families.len() == 1;
        for index in first_family..self.families.len() {
            let reader = &mut self.families[index].reader;
            if !is_only_family && !reader.has_row(&self.row) {
                continue;
            }
            let (found, end) = reader.read_page(&self.row, page - count, &mut out.cells)?;
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
        if self.unfinished.is_none() {
            self.leave_row()?;
        }
        Ok(())
    }

    /// Finds the next row of the range; `false` where there is none.
    fn find_row(&mut self) -> bool {
        let rows = self.families.iter().filter_map(|family| family.reader.current_row());
        let found = if self.scan.reversed { rows.max() } else { rows.min() };
        let Some(found) = found.filter(|row| self.bound.allows(row)) else { return false };
        self.row.clear();
        self.row.extend_from_slice(found);
        true
    }

    fn leave_row(&mut self) -> Result<()> {
        self.finished_rows += u64::from(self.has_cells);
        self.has_cells = false;
        for family in &mut self.families {
            if self.scan.reversed {
                family.reader.finish_row_backward(&self.row)?;
            } else {
                family.reader.finish_row(&self.row)?;
            }
        }
        Ok(())
    }
}

/// The end of the rows to read, on the side towards which the scan goes: the scan's own or the region's.
#[derive(Default)]
struct Bound {
    /// `None` where there is no end.
    row: Option<Vec<u8>>,
    is_included: bool,
    is_reversed: bool,
}

impl Bound {
    fn of(scan: &Scan, info: &RegionInfo) -> Self {
        let edge = if scan.reversed { &info.start_key } else { &info.end_key };
        let is_past_edge = if scan.reversed { scan.stop < *edge } else { scan.stop >= *edge };
        if scan.stop.is_empty() || (!edge.is_empty() && is_past_edge) {
            // A region has its start row and does not have its end row.
            let row = Some(edge.clone()).filter(|row| !row.is_empty());
            return Bound { row, is_included: scan.reversed, is_reversed: scan.reversed };
        }
        Bound { row: Some(scan.stop.clone()), is_included: scan.include_stop, is_reversed: scan.reversed }
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

impl Drop for RegionScanner {
    fn drop(&mut self) {
        self.region.mvcc.release_reader(self.read_point);
    }
}
