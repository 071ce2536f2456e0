//! A scan of a table, region after region. Source: HBase's `ClientScanner`.
//!
//! A lost scanner (`UnknownScannerException`, an expired lease, a moved region) is reopened at its position. No row is
//! returned twice, and none is missing, even if the scanner was lost in the middle of a row.

use super::assemble::{Assembler, Bounds};
use super::results::Results;
use crate::cluster::{now_ms, Cluster, Recovery, TableCache};
use crate::convert::scan_message;
use crate::failure::{Deadline, Failure, Remedy};
use crate::proto;
use crate::region::{Location, Position};
use crate::region_scan::RegionScan;
use crate::sync::lock;
use rowstone_model::backend::ScannerBackend;
use rowstone_model::operations::{CellBatch, Scan};
use rowstone_model::Result;
use std::sync::{Arc, Mutex};

/// Approximate bytes of a response, and the maximum that a read-ahead buffers.
const ANSWER_BYTES: u64 = 2 << 20;
/// Rows in the first response: reading one page of a table should not cost two megabytes.
const FIRST_ROWS: u32 = 128;
/// Rows in later responses if the caller gives no number: in practice their size limits them.
const MOST_ROWS: u32 = i32::MAX as u32;

/// The start of the next scanner.
#[derive(Debug, Clone)]
struct From {
    row: Vec<u8>,
    include: bool,
}

/// An open scan of a table.
pub struct TableScanner {
    cluster: Arc<Cluster>,
    cache: Arc<TableCache>,
    scan: Scan,
    message: proto::Scan,
    from: From,
    /// The scanner of the current region, shared with the thread that renews leases.
    region: Option<Arc<Mutex<RegionScan>>>,
    /// The read point of a partly returned row that has to be continued.
    read_point: Option<u64>,
    results: Option<Results>,
    assembler: Assembler,
    batches: u32,
    is_done: bool,
}

impl TableScanner {
    /// Creates a scan of the table of `cache`; nothing is sent yet.
    pub fn new(cluster: Arc<Cluster>, cache: Arc<TableCache>, scan: Scan) -> Self {
        let message = proto::Scan { max_result_size: Some(ANSWER_BYTES), ..scan_message(&scan) };
        let from = From { row: scan.start.clone(), include: scan.include_start };
        TableScanner {
            assembler: Assembler::new(scan.batch),
            cluster,
            cache,
            message,
            from,
            scan,
            region: None,
            read_point: None,
            results: None,
            batches: 0,
            is_done: false,
        }
    }

    /// Number of rows that may still be finished.
    fn limit(&self) -> u64 {
        match self.scan.limit {
            0 => u64::MAX,
            limit => limit,
        }
    }

    /// Number of rows that a server needs to return at most, if the scan has a limit.
    fn wire_limit(&self) -> Option<u32> {
        let known = self.assembler.finished_rows + self.results.as_ref().map_or(0, Results::rows_left);
        let left = self.scan.limit.checked_sub(known).filter(|_| self.scan.limit > 0)?;
        Some(left.clamp(1, i32::MAX as u64) as u32)
    }

    /// Maximum number of rows per response.
    fn rows_at_once(&self) -> u32 {
        match self.scan.caching {
            0 => MOST_ROWS,
            caching => caching,
        }
    }

    fn position(&self) -> Position<'_> {
        match (self.scan.reversed, self.from.row.as_slice()) {
            (true, []) => Position::Before(&[]),
            (true, row) if !self.from.include => Position::Before(row),
            (_, row) => Position::At(row),
        }
    }

    /// Opens the scanner of the region at the scan's position, unless one is open.
    fn open_region(&mut self, deadline: Deadline) -> std::result::Result<(), (Failure, Option<Arc<Location>>)> {
        if self.region.is_some() {
            return Ok(());
        }
        let location =
            self.cluster.locate(&self.cache, self.position(), deadline).map_err(|failure| (failure, None))?;
        let message = proto::Scan {
            start_row: Some(self.from.row.clone()),
            include_start_row: Some(self.from.include),
            stop_row: Some(self.scan.stop.clone()),
            include_stop_row: Some(self.scan.include_stop),
            mvcc_read_point: self.read_point,
            ..self.message.clone()
        };
        let limit = self.wire_limit();
        let rows = if self.batches <= 1 { self.rows_at_once().min(FIRST_ROWS) } else { self.rows_at_once() };
        let rows = limit.map_or(rows, |limit| rows.min(limit.max(1)));
        let region = RegionScan::open(Arc::clone(&location), message, (rows, limit), deadline)
            .map_err(|failure| (failure, Some(location)))?;
        let region = Arc::new(Mutex::new(region));
        self.cluster.leases.watch(&region, self.cluster.options.rpc_timeout);
        self.region = Some(region);
        Ok(())
    }

    /// Requests more from the current region, without waiting.
    fn request_more(&mut self, deadline: Deadline) -> std::result::Result<(), (Failure, Option<Arc<Location>>)> {
        self.open_region(deadline)?;
        let (rows, limit) = (self.rows_at_once(), self.wire_limit());
        let Some(region) = &self.region else { return Ok(()) };
        let mut region = lock(region);
        region.request_rows((rows, limit), deadline).map_err(|failure| (failure, Some(Arc::clone(&region.location))))
    }

    /// Waits for a response with the next results, recovering from failures.
    fn fetch(&mut self, batch: &mut CellBatch) -> Result<()> {
        let cluster = Arc::clone(&self.cluster);
        let mut recovery = Recovery::new(&cluster);
        loop {
            cluster.check_open()?;
            let deadline = recovery.call_deadline();
            let received = self.request_more(deadline).and_then(|()| self.receive(deadline));
            let (failure, location) = match received {
                Ok(results) => {
                    self.results = Some(results);
                    return Ok(());
                }
                Err(failed) => failed,
            };
            self.reset_position(batch);
            let doing = format!("scan of table '{}'", self.cache.name);
            if let Err(error) = recovery.after(failure, &doing, Some(&self.cache), location.as_deref()) {
                self.is_done = true;
                return Err(error);
            }
        }
    }

    fn receive(&mut self, deadline: Deadline) -> std::result::Result<Results, (Failure, Option<Arc<Location>>)> {
        let Some(region) = &self.region else {
            let failure = Failure { remedy: Remedy::Again, ..Failure::connection("no scanner is open") };
            return Err((failure, None));
        };
        let mut region = lock(region);
        match region.receive(deadline) {
            Ok(received) => Ok(Results::new(received)),
            Err(failure) => Err((failure, Some(Arc::clone(&region.location)))),
        }
    }

    /// Drops a lost scanner, for example after `UnknownScannerException`. The next one starts after the cells already
    /// returned; in a partly returned row, at the row itself with the same read point.
    fn reset_position(&mut self, batch: &mut CellBatch) {
        let Some(region) = self.region.take() else { return };
        self.assembler.restart(batch);
        self.read_point = None;
        match &self.assembler.last_row {
            Some((row, true)) => self.from = From { row: row.clone(), include: false },
            Some((row, false)) => {
                self.from = From { row: row.clone(), include: true };
                // The rest of the row, in the state in which its first part was read.
                self.read_point = lock(&region).read_point;
            }
            None => {}
        }
        self.cluster.leases.close(region);
    }

    /// Moves to the next region, or ends the scan.
    fn leave_region(&mut self) {
        let Some(region) = self.region.take() else { return };
        let info = lock(&region).location.info.clone();
        self.cluster.leases.close(region);
        self.assembler.leave_region();
        self.read_point = None;
        let stop = &self.scan.stop;
        if self.scan.reversed {
            self.is_done = info.start_key.is_empty() || (!stop.is_empty() && *stop >= info.start_key);
            self.from = From { row: info.start_key, include: false };
        } else {
            let is_past = *stop < info.end_key || (*stop == info.end_key && !self.scan.include_stop);
            self.is_done = info.end_key.is_empty() || (!stop.is_empty() && is_past);
            self.from = From { row: info.end_key, include: true };
        }
    }

    /// Ends the scan and releases its resources on servers.
    fn finish(&mut self) {
        self.is_done = true;
        self.results = None;
        if let Some(region) = self.region.take() {
            self.cluster.leases.close(region);
        }
    }

    /// Fills `batch` from the available results.
    fn take(&mut self, bounds: Bounds, batch: &mut CellBatch) -> Result<()> {
        let Some(results) = &mut self.results else { return Ok(()) };
        let taken = self.assembler.take(results, bounds, batch);
        if let Err(malformed) = taken {
            self.finish();
            return Err(Failure::from(malformed).error);
        }
        if self.assembler.finished_rows >= bounds.finished_rows {
            self.finish();
        } else if results.is_used_up() {
            let (ends_scan, ends_region) = (results.ends_scan(), results.ends_region());
            self.results = None;
            if ends_scan {
                self.finish();
            } else if ends_region {
                self.leave_region();
            }
        }
        Ok(())
    }

    /// Requests the results after the current ones, so that they are available in time.
    fn read_ahead(&mut self) {
        if self.is_done || self.batches < 2 {
            return;
        }
        let is_last = self.results.as_ref().is_some_and(Results::ends_region);
        if !is_last {
            let deadline = self.cluster.deadline().at_most(self.cluster.options.rpc_timeout);
            // A failure occurs again, and is handled, when the rows are needed.
            if self.region.is_some() || self.results.is_none() {
                let _ = self.request_more(deadline);
            }
        }
    }
}

impl ScannerBackend for TableScanner {
    fn next_batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<CellBatch>> {
        let mut batch = CellBatch::default();
        self.batches = self.batches.saturating_add(1);
        self.assembler.begin(&mut batch);
        let bounds = Bounds { rows: max_rows.max(1), bytes: max_bytes.max(1), finished_rows: self.limit() };
        while batch.rows.is_empty() {
            self.take(bounds, &mut batch)?;
            if !batch.rows.is_empty() || self.is_done {
                break;
            }
            if self.results.is_none() {
                self.fetch(&mut batch)?;
            }
        }
        self.assembler.end(bounds.rows, &mut batch);
        if batch.rows.is_empty() {
            return Ok(None);
        }
        let row = |index: usize| batch.row_cells(batch.rows[index]).next().map(|cell| cell.row());
        self.cache.heat.read_many(batch.rows.len(), row, now_ms);
        self.read_ahead();
        Ok(Some(batch))
    }
}

impl Drop for TableScanner {
    fn drop(&mut self) {
        self.finish();
    }
}
