//! A scan of a table: its regions one after the other, in the scan's direction.

use super::shared::Shared;
use super::tables::TableHandle;
use crate::region::{Region, RegionScanner};
use rowstone_model::backend::ScannerBackend;
use rowstone_model::operations::{CellBatch, Scan};
use rowstone_model::Result;
use std::sync::Arc;
use std::time::Instant;

/// An open scan of a table.
pub(super) struct TableScanner {
    shared: Arc<Shared>,
    handle: Arc<TableHandle>,
    scan: Arc<Scan>,
    /// The region being read.
    current: Option<(Arc<Region>, RegionScanner)>,
    finished_rows: u64,
    /// Whether the present region has given anything.
    region_gave_rows: bool,
    is_filter_done: bool,
}

impl TableScanner {
    pub(super) fn open(shared: Arc<Shared>, handle: Arc<TableHandle>, scan: Scan) -> Result<Self> {
        let mut scanner = TableScanner {
            shared,
            handle,
            scan: Arc::new(scan),
            current: None,
            finished_rows: 0,
            region_gave_rows: false,
            is_filter_done: false,
        };
        let regions = scanner.handle.regions();
        let first = if scanner.scan.reversed && scanner.scan.start.is_empty() {
            regions.last().cloned()
        } else {
            Some(scanner.handle.region_of(&scanner.scan.start)?)
        };
        if let Some(region) = first {
            scanner.open_region(region)?;
        }
        Ok(scanner)
    }

    fn open_region(&mut self, region: Arc<Region>) -> Result<()> {
        let scanner = RegionScanner::open(Arc::clone(&region), Arc::clone(&self.scan))?;
        self.current = Some((region, scanner));
        self.region_gave_rows = false;
        Ok(())
    }

    /// Goes to the next region of the range, if there is one.
    fn next_region(&mut self) -> Result<()> {
        let Some((finished, scanner)) = self.current.take() else { return Ok(()) };
        self.finished_rows += scanner.finished_rows();
        drop(scanner);
        let (info, scan) = (finished.info(), Arc::clone(&self.scan));
        let next = if scan.reversed {
            let stops = info.start_key.is_empty() || (!scan.stop.is_empty() && scan.stop >= info.start_key);
            let regions = self.handle.regions();
            let before = regions.partition_point(|region| region.info().start_key < info.start_key);
            if stops {
                None
            } else {
                before.checked_sub(1).map(|index| Arc::clone(&regions[index]))
            }
        } else {
            let stops = info.end_key.is_empty()
                || (!scan.stop.is_empty() && scan.stop < info.end_key)
                || (scan.stop == info.end_key && !scan.include_stop);
            if stops {
                None
            } else {
                Some(self.handle.region_of(&info.end_key)?)
            }
        };
        next.map_or(Ok(()), |region| self.open_region(region))
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
}

impl TableScanner {
    fn next(&mut self, max_rows: usize, max_bytes: usize, deadline: Option<Instant>) -> Result<Option<CellBatch>> {
        self.shared.check_open()?;
        self.handle.check_enabled()?;
        let mut batch = CellBatch::default();
        let limit = if self.scan.limit == 0 { u64::MAX } else { self.scan.limit };
        while let Some((_, scanner)) = &mut self.current {
            let left = limit.saturating_sub(self.finished_rows);
            let rows = batch.rows.len();
            let has_more = scanner.fill(max_rows.max(1), max_bytes.max(1), left, deadline, &mut batch)?;
            self.region_gave_rows |= batch.rows.len() > rows;
            self.is_filter_done = scanner.is_filter_done();
            // As in HBase a filter that is done with a region which gave nothing is done with the scan; else the next region
            // has a filter of its own, which knows nothing of this one's.
            if scanner.finished_rows() >= left || (scanner.is_filter_done() && !self.region_gave_rows) {
                self.current = None;
            } else if has_more {
                break;
            } else {
                self.next_region()?;
            }
        }
        // Out of time, or at the end: where no region is left there is nothing to come.
        Ok((!batch.rows.is_empty() || self.current.is_some()).then_some(batch))
    }
}
