//! Scan of a table: its regions one after the other, in the scan's direction.
//!
//! A region that is split or merged while it is read is read to its end as it was. The scan then continues at the
//! row where that region ended, in the region that holds the row by then.

use crate::db::state::shared::Shared;
use crate::db::state::tables::{while_moving, TableHandle};
use crate::region::{Region, RegionScanner};
use rowstone_model::backend::{FilteredRows, ScannerBackend};
use rowstone_model::operations::{CellBatch, Scan};
use rowstone_model::{Error, Result};
use std::cmp::min;
use std::sync::Arc;
use std::time::Instant;

/// Most bytes that a batch gets in addition to those expected.
const SLACK_BYTES: usize = 16 << 10;

/// An open scan of a table.
pub(in crate::db) struct TableScanner {
    shared: Arc<Shared>,
    handle: Arc<TableHandle>,
    scan: Arc<Scan>,
    /// The region being read.
    current: Option<(Arc<Region>, RegionScanner)>,
    finished_rows: u64,
    /// Counts of the regions that were read to their end.
    filtered_rows: FilteredRows,
    /// Whether the current region has returned any rows.
    region_gave_rows: bool,
    is_filter_done: bool,
    /// Read point of the first region.
    read_point: u64,
    /// Rows and bytes of the last batch: the next one is probably as large.
    last_batch: (usize, usize),
    /// Whether reading a region failed. The scan is not read further: its files are at different rows.
    has_failed: bool,
}

impl TableScanner {
    pub(in crate::db) fn open(shared: Arc<Shared>, handle: Arc<TableHandle>, scan: Scan) -> Result<Self> {
        let mut scanner = TableScanner {
            shared,
            handle,
            // A read point is only valid in one region.
            scan: Arc::new(Scan { read_point: 0, ..scan.clone() }),
            current: None,
            finished_rows: 0,
            filtered_rows: FilteredRows::default(),
            region_gave_rows: false,
            is_filter_done: false,
            read_point: 0,
            last_batch: (0, 0),
            has_failed: false,
        };
        let first = Arc::new(scan);
        let (start, is_reversed) = (scanner.scan.start.clone(), scanner.scan.reversed);
        while_moving(|| {
            let region = if is_reversed && start.is_empty() {
                scanner.handle.regions().last().cloned()
            } else {
                Some(scanner.handle.region_of(&start)?)
            };
            region.map_or(Ok(()), |region| scanner.open_region(region, Arc::clone(&first)))
        })?;
        scanner.read_point = scanner.current.as_ref().map_or(0, |(_, scanner)| scanner.read_point());
        Ok(scanner)
    }

    fn open_region(&mut self, region: Arc<Region>, scan: Arc<Scan>) -> Result<()> {
        let scanner = RegionScanner::open(Arc::clone(&region), scan)?;
        self.current = Some((region, scanner));
        self.region_gave_rows = false;
        Ok(())
    }

    /// Ends the scan: no further region is read.
    fn end(&mut self) {
        self.filtered_rows = self.filtered_rows();
        self.current = None;
    }

    /// Moves to the next region of the range, if there is one.
    fn next_region(&mut self) -> Result<()> {
        let Some((finished, scanner)) = self.current.take() else { return Ok(()) };
        self.finished_rows += scanner.finished_rows();
        self.filtered_rows += scanner.filtered_rows();
        drop(scanner);
        let info = finished.info();
        let (edge, stop) =
            if self.scan.reversed { (&info.start_key, &self.scan.stop) } else { (&info.end_key, &self.scan.stop) };
        let is_reached = if self.scan.reversed {
            !stop.is_empty() && stop >= edge
        } else {
            !stop.is_empty() && (stop < edge || (stop == edge && !self.scan.include_stop))
        };
        if edge.is_empty() || is_reached {
            return Ok(());
        }
        while_moving(|| {
            let Some(region) = self.region_behind(edge)? else { return Ok(()) };
            let scan = self.rest_of_scan(&region, edge);
            self.open_region(region, scan)
        })
    }

    /// The region that continues at `edge`, in the scan's direction.
    fn region_behind(&self, edge: &[u8]) -> Result<Option<Arc<Region>>> {
        if !self.scan.reversed {
            return self.handle.region_of(edge).map(Some);
        }
        let regions = self.handle.regions();
        let before = regions.partition_point(|region| region.info().start_key.as_slice() < edge);
        Ok(before.checked_sub(1).map(|index| Arc::clone(&regions[index])))
    }

    /// The scan to run in `region`. A region merged meanwhile also holds rows that were already read.
    fn rest_of_scan(&self, region: &Region, edge: &[u8]) -> Arc<Scan> {
        let info = region.info();
        let begins_at_edge = if self.scan.reversed { info.end_key == edge } else { info.start_key == edge };
        if begins_at_edge {
            return Arc::clone(&self.scan);
        }
        let include_start = !self.scan.reversed;
        Arc::new(Scan { start: edge.to_vec(), include_start, ..Scan::clone(&self.scan) })
    }
}

impl ScannerBackend for TableScanner {
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>> {
        self.next(max_rows, max_bytes, None)
    }

    fn next_until(&mut self, max_rows: usize, max_bytes: usize, deadline: Instant) -> Result<Option<CellBatch>> {
        self.next(max_rows, max_bytes, Some(deadline))
    }

    fn is_filter_done(&self) -> bool {
        self.is_filter_done
    }

    fn is_at_end(&self) -> bool {
        self.current.is_none()
    }

    fn read_point(&self) -> u64 {
        self.read_point
    }

    fn filtered_rows(&self) -> FilteredRows {
        let mut all = self.filtered_rows;
        all += self.current.as_ref().map_or_else(FilteredRows::default, |(_, scanner)| scanner.filtered_rows());
        all
    }
}

impl TableScanner {
    /// Expects batches of this size, before one was read.
    pub(super) fn expect(&mut self, rows: usize, bytes: usize) {
        self.last_batch = (rows, bytes);
    }

    /// A batch with room for as much as the last one had, and a little more: a batch passes its limit of bytes by a part
    /// of its last row, and memory that grows by then is copied and twice as large.
    fn empty_batch(&self, max_rows: usize, max_bytes: usize) -> CellBatch {
        let (rows, bytes) = self.last_batch;
        let mut batch = CellBatch::default();
        batch.rows.reserve_exact(min(rows + rows / 8, max_rows));
        let bytes = min(bytes, max_bytes);
        batch.cells.reserve(bytes + min(bytes / 8, SLACK_BYTES));
        batch
    }

    pub(super) fn next(
        &mut self,
        max_rows: usize,
        max_bytes: usize,
        deadline: Option<Instant>,
    ) -> Result<Option<CellBatch>> {
        self.shared.check_open()?;
        self.handle.check_enabled()?;
        if self.has_failed {
            return Err(Error::internal("the scan has failed before; open another one"));
        }
        let mut batch = self.empty_batch(max_rows, max_bytes);
        let limit = if self.scan.limit == 0 { u64::MAX } else { self.scan.limit };
        while let Some((_, scanner)) = &mut self.current {
            let left = limit.saturating_sub(self.finished_rows);
            let rows = batch.rows.len();
            let filled = scanner.fill(max_rows.max(1), max_bytes.max(1), left, deadline, &mut batch);
            self.has_failed = filled.is_err();
            let has_more = filled?;
            scanner.count_rows(batch.rows.len() - rows);
            let row = |index: usize| batch.row_cells(batch.rows[rows + index]).next().map(|cell| cell.row());
            let now_ms = || self.shared.system.clock.now_ms();
            self.handle.heat().read_many(batch.rows.len() - rows, row, now_ms);
            self.region_gave_rows |= batch.rows.len() > rows;
            self.is_filter_done = scanner.is_filter_done();
            // As in HBase, if a filter is done and its region returned nothing, the scan ends. Otherwise the next
            // region gets a new filter without this one's state.
            if scanner.finished_rows() >= left || (scanner.is_filter_done() && !self.region_gave_rows) {
                self.end();
            } else if has_more {
                break;
            } else {
                self.next_region()?;
            }
        }
        self.last_batch = (batch.rows.len(), batch.cells.byte_len());
        // The deadline has passed, or the scan is at its end: without a current region, no rows are left.
        Ok((!batch.rows.is_empty() || self.current.is_some()).then_some(batch))
    }
}
