//! Scan calls: open, next, renew and close. Source: `RSRpcServices.scan`.

use super::get::region_error;
use crate::proto;
use crate::server::ledgers::open_scanner::{Bounds, End, OpenScanner};
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::cells::Sink;
use crate::server::messages::exception::Exception;
use crate::server::messages::reads::{clip, scan_of};
use crate::server::services::meta;
use crate::server::services::regions::{find, Target};
use crate::server::services::throttle;
use crate::server::session::Session;
use crate::sync::lock;
use rowstone_model::backend::FilteredRows;
use rowstone_model::operations::CellBatch;
use rowstone_quotas::Permit;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Minimum time before a call returns the rows found so far.
const LEAST_TIME: Duration = Duration::from_millis(10);

/// Approximate number of rows that can be read in the time that it takes to wake another thread.
const SHORT_ROWS: u32 = 128;

/// Whether a scan call reads few rows. Unknown, and therefore false, for a scan with a filter.
pub(in crate::server) fn is_short_scan(session: &Session, call: &Call) -> bool {
    let Ok(request) = call.message::<proto::ScanRequest>() else { return true };
    let is_filtered = || match (request.scanner_id, &request.scan) {
        (Some(id), _) => session.state.scanners.is_filtered(id),
        (None, scan) => scan.as_ref().is_some_and(|scan| scan.filter.is_some()),
    };
    request.number_of_rows.unwrap_or(0) <= SHORT_ROWS && !is_filtered()
}

pub(super) fn scan(session: &Session, call: &Call) -> Outcome {
    let request: proto::ScanRequest = call.message()?;
    let scanners = &session.state.scanners;
    let closes = request.close_scanner.unwrap_or(false);
    let rows = request.number_of_rows.unwrap_or(if closes { 0 } else { 1 });
    let renews = request.renew.unwrap_or(false);
    if rows > 0 && !renews {
        // Checked before the scanner advances, because the client will repeat the call.
        session.answer_memory.check()?;
    }
    let mut read_point = None;
    let (id, scanner, permit) = match request.scanner_id {
        None => {
            let (opened, permit) = open(session, &request)?;
            read_point = opened.read_point();
            let (id, scanner) = scanners.open(opened, &session.user.name, session.owner.as_deref())?;
            (id, scanner, permit)
        }
        Some(id) if closes && rows == 0 => return close(session, id),
        Some(id) => {
            let scanner = scanners.take(id, session.owner.as_deref())?;
            // A throttled call is repeated later, so the scanner is returned unchanged.
            let permit = reserve_quota(session, &scanner, rows).inspect_err(|_| scanners.give_back(id))?;
            (id, scanner, permit)
        }
    };
    call.note_region(Arc::clone(&lock(&scanner).region));
    let mut lease = Lease { session, id, keeps: false };
    if request.scanner_id.is_some() {
        check_turn(&scanner, &request)?;
    }
    let mut response = proto::ScanResponse {
        scanner_id: Some(id),
        ttl: Some(scanners.lease().as_millis() as u32),
        more_results: Some(true),
        more_results_in_region: Some(true),
        mvcc_read_point: read_point,
        ..proto::ScanResponse::default()
    };
    if renews {
        lease.keeps = true;
        return Ok(Answer::of(&proto::ScanResponse { more_results: None, more_results_in_region: None, ..response }));
    }
    let mut sink = session.large_sink();
    if rows > 0 {
        let bounds = bounds_of(session, call, &request, rows);
        let rows = fill(&scanner, &bounds, &mut sink, &mut response)?;
        let wants_metrics = request.track_scan_metrics.unwrap_or(false);
        response.scan_metrics = wants_metrics.then(|| lock(&scanner).metrics(rows));
    }
    session.state.measures.scanned(sink.bytes);
    if let Some(permit) = &permit {
        permit.read(sink.bytes);
        let mut scanner = lock(&scanner);
        scanner.largest_bytes = scanner.largest_bytes.max(sink.bytes);
    }
    let is_over = closes || response.more_results == Some(false) || response.more_results_in_region == Some(false);
    lease.keeps = !is_over;
    Ok(sink.answer(&response))
}

/// Returns the scanner to the registry when the call is done, or closes it at its end or after an error.
struct Lease<'a> {
    session: &'a Session,
    id: u64,
    keeps: bool,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let scanners = &self.session.state.scanners;
        if self.keeps {
            scanners.give_back(self.id);
        } else {
            scanners.close(self.id);
        }
    }
}

fn close(session: &Session, id: u64) -> Outcome {
    if session.state.scanners.close_for(id, session.owner.as_deref())? {
        return Ok(Answer::of(&proto::ScanResponse { more_results: Some(false), ..proto::ScanResponse::default() }));
    }
    Err(Exception::last("UnknownScannerException", format!("Unknown scanner '{id}'")))
}

/// Rejects a call out of sequence. Clients that send no sequence number are not checked.
fn check_turn(scanner: &Arc<Mutex<OpenScanner>>, request: &proto::ScanRequest) -> Result<(), Exception> {
    let mut scanner = lock(scanner);
    if let Some(given) = request.next_call_seq {
        if given != scanner.next_call {
            let message =
                format!("Expected nextCallSeq: {} But the nextCallSeq got from client: {given}", scanner.next_call);
            return Err(Exception::last("exceptions.OutOfOrderScannerNextException", message));
        }
    }
    scanner.next_call += 1;
    Ok(())
}

/// Reserves quota for the next part of a scan. Closing and renewing a scanner are not throttled.
fn reserve_quota(session: &Session, scanner: &Arc<Mutex<OpenScanner>>, rows: u32) -> Result<Option<Permit>, Exception> {
    if rows == 0 || !throttle::is_active(session) {
        return Ok(None);
    }
    let scanner = lock(scanner);
    match &scanner.table {
        Some(table) => throttle::scan(session, table, Some(scanner.largest_bytes)),
        None => Ok(None),
    }
}

fn open(session: &Session, request: &proto::ScanRequest) -> Result<(OpenScanner, Option<Permit>), Exception> {
    let (Some(specifier), Some(message)) = (&request.region, &request.scan) else {
        let message = "Missing required input: a scanner, or a region and a scan";
        return Err(Exception::last("DoNotRetryIOException", message));
    };
    let mut scan = scan_of(message)?;
    scan.limit = u64::from(request.limit_of_rows.unwrap_or(0));
    let rows_left = (scan.limit > 0).then_some(scan.limit);
    let (mut table, mut permit) = (None, None);
    let needs_whole_rows = scan.options.filter.as_ref().is_some_and(|filter| filter.needs_whole_rows());
    let scanner = match find(session, specifier)? {
        Target::Meta => meta::scan(session, scan)?,
        Target::Region(region) => {
            permit = throttle::scan(session, &region.info.table, None)?;
            table = Some(region.info.table.clone());
            clip(&mut scan, &region.info);
            region.table.scan(scan).map_err(|error| region_error(session, &region, error))?
        }
    };
    let most = session.state.options.max_result_bytes;
    let max_bytes = message.max_result_size.filter(|size| *size > 0).map_or(most, |size| most.min(size as usize));
    let scanner = OpenScanner {
        scanner,
        table,
        largest_bytes: 0,
        pending: CellBatch::default(),
        next_row: 0,
        sent_bytes: 0,
        rows_left,
        next_call: 0,
        region: Arc::from(specifier.value.as_slice()),
        max_bytes,
        allows_partial: message.allow_partial_results.unwrap_or(false),
        wants_cursor: message.need_cursor_result.unwrap_or(false),
        last_row: Vec::new(),
        ends_in_piece: false,
        told: FilteredRows::default(),
        is_filtered: message.filter.is_some(),
        needs_whole_rows,
    };
    Ok((scanner, permit))
}

/// Limits of one answer. After half of its timeout, or half of the lease if that is shorter, a client that supports
/// heartbeats gets the rows found so far, or a heartbeat without rows.
fn bounds_of(session: &Session, call: &Call, request: &proto::ScanRequest, rows: u32) -> Bounds {
    let lease = session.state.scanners.lease();
    let limit = match call.timeout_ms() {
        0 => lease,
        timeout => lease.min(Duration::from_millis(u64::from(timeout))),
    };
    let has_heartbeats = request.client_handles_heartbeats.unwrap_or(false);
    Bounds {
        rows: rows as usize,
        limit: request.limit_of_rows.filter(|limit| *limit > 0).map(u64::from),
        allows_partial: request.client_handles_partials.unwrap_or(false),
        deadline: has_heartbeats.then(|| Instant::now() + (limit / 2).max(LEAST_TIME)),
    }
}

/// Adds rows to the answer; returns how many were sent completely.
fn fill(
    scanner: &Arc<Mutex<OpenScanner>>,
    bounds: &Bounds,
    sink: &mut Sink,
    response: &mut proto::ScanResponse,
) -> Result<u64, Exception> {
    let mut scanner = lock(scanner);
    // As in HBase, a filter that decides on whole rows prevents partial results, whatever the client accepts.
    let allows_partial = (bounds.allows_partial || scanner.allows_partial) && !scanner.needs_whole_rows;
    let bounds = Bounds { allows_partial, ..*bounds };
    let End { is_exhausted, is_limit_reached, is_heartbeat, rows } = scanner.fill(&bounds, sink, response)?;
    let is_empty = response.cells_per_result.is_empty() && response.results.is_empty();
    // As in HBase, a finished filter ends the whole scan only with an empty answer.
    let ends_scan = is_empty && scanner.is_filter_done();
    response.more_results = Some(!is_limit_reached && !ends_scan);
    response.more_results_in_region = Some(!is_exhausted);
    response.heartbeat_message = Some(is_heartbeat);
    if is_heartbeat && scanner.wants_cursor && !scanner.last_row.is_empty() {
        response.cursor = Some(proto::Cursor { row: Some(scanner.last_row.clone()) });
    }
    Ok(rows)
}
