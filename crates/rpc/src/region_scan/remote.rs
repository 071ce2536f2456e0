//! A scanner of one region on its server: opened, queried, renewed, closed.

use crate::connection::{Connection, Pending, Server, Service};
use crate::failure::{Deadline, Failure, Remedy};
use crate::proto;
use crate::region::Location;
use crate::wire::{Call, Response};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A response with rows.
pub struct Received {
    /// The response message.
    pub message: proto::ScanResponse,
    /// The response frame, for its cells.
    pub response: Response,
}

impl Received {
    fn read(response: Response) -> Result<Self, Failure> {
        Ok(Received { message: response.message()?, response })
    }

    /// Whether the region has no more rows for this scan.
    pub fn ends_region(&self) -> bool {
        self.message.more_results_in_region == Some(false) || self.ends_scan()
    }

    /// Whether the whole scan has ended: by its limit or its filter.
    pub fn ends_scan(&self) -> bool {
        self.message.more_results == Some(false)
    }
}

/// A scanner of one region.
pub struct RegionScan {
    /// The region.
    pub location: Arc<Location>,
    /// The read point in the region.
    pub read_point: Option<u64>,
    connection: Arc<Connection>,
    id: Option<u64>,
    next_call: u64,
    lease: Duration,
    last_contact: Instant,
    pending: Option<Pending>,
    received: Option<Result<Received, Failure>>,
    /// Whether the scanner is open on the server.
    is_held: bool,
    is_meta: bool,
}

impl RegionScan {
    /// Opens a scanner on the server of `location` and requests the first `rows` rows.
    pub fn open(
        location: Arc<Location>,
        scan: proto::Scan,
        (rows, limit): (u32, Option<u32>),
        deadline: Deadline,
    ) -> Result<Self, Failure> {
        let request = proto::ScanRequest {
            region: Some(location.specifier()),
            scan: Some(scan),
            number_of_rows: Some(rows),
            limit_of_rows: limit,
            client_handles_partials: Some(true),
            client_handles_heartbeats: Some(true),
            ..proto::ScanRequest::default()
        };
        let server: &Arc<Server> = location.server.as_ref().ok_or_else(|| Failure {
            remedy: Remedy::Relocate,
            ..Failure::connection("the region is not assigned to a server")
        })?;
        let connection = server.connection(Service::Client, deadline)?;
        let mut scan = RegionScan {
            is_meta: location.info.table.is_system(),
            location,
            read_point: None,
            connection,
            id: None,
            next_call: 0,
            lease: Duration::MAX,
            last_contact: Instant::now(),
            pending: None,
            received: None,
            is_held: true,
        };
        scan.send(&request, deadline)?;
        Ok(scan)
    }

    fn send(&mut self, request: &proto::ScanRequest, deadline: Deadline) -> Result<(), Failure> {
        let call = Call::new("Scan", request);
        let call = if self.is_meta { call.for_meta() } else { call };
        self.pending = Some(self.connection.send(&call, deadline)?);
        self.last_contact = Instant::now();
        Ok(())
    }

    /// Requests at most `rows` more rows, unless a response is under way or the region has no more.
    pub fn request_rows(&mut self, (rows, limit): (u32, Option<u32>), deadline: Deadline) -> Result<(), Failure> {
        if self.pending.is_some() || self.received.is_some() || !self.is_held {
            return Ok(());
        }
        let request = proto::ScanRequest {
            scanner_id: self.id,
            number_of_rows: Some(rows),
            next_call_seq: Some(self.next_call),
            limit_of_rows: limit,
            client_handles_partials: Some(true),
            client_handles_heartbeats: Some(true),
            ..proto::ScanRequest::default()
        };
        self.next_call += 1;
        self.send(&request, deadline)
    }

    /// Waits for the requested response.
    pub fn receive(&mut self, deadline: Deadline) -> Result<Received, Failure> {
        if let Some(pending) = self.pending.take() {
            let answer = pending.wait(deadline);
            self.take_in(answer);
        }
        let nothing = || Err(Failure::connection("no request to the scanner is pending"));
        self.received.take().unwrap_or_else(nothing)
    }

    fn take_in(&mut self, answer: Result<Response, Failure>) {
        let received = answer.and_then(Received::read);
        match &received {
            Ok(received) => {
                self.id = received.message.scanner_id.or(self.id);
                if let Some(ttl_ms) = received.message.ttl {
                    self.lease = Duration::from_millis(u64::from(ttl_ms));
                }
                self.read_point = received.message.mvcc_read_point.or(self.read_point);
                self.is_held = !received.ends_region();
            }
            Err(_) => self.is_held = false,
        }
        self.received = Some(received);
    }

    /// Stores a response that has arrived.
    fn absorb(&mut self) {
        if self.pending.as_ref().is_some_and(Pending::is_ready) {
            if let Some(pending) = self.pending.take() {
                self.take_in(pending.wait(Deadline::after(Duration::ZERO)));
            }
        }
    }

    /// Whether the scanner is still open on the server.
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Renews the lease after half of it has passed without contact; returns the length of the lease.
    pub fn renew_if_idle(&mut self, timeout: Duration) -> Duration {
        self.absorb();
        let is_idle = self.pending.is_none() && self.is_held && self.last_contact.elapsed() >= self.lease / 2;
        let Some(id) = self.id.filter(|_| is_idle) else { return self.lease };
        let request = proto::ScanRequest {
            scanner_id: Some(id),
            next_call_seq: Some(self.next_call),
            renew: Some(true),
            ..proto::ScanRequest::default()
        };
        self.next_call += 1;
        let deadline = Deadline::after(timeout);
        // If that fails the scanner is lost, which the next request detects.
        let _ = self.connection.send(&Call::new("Scan", &request), deadline).and_then(|pending| pending.wait(deadline));
        self.last_contact = Instant::now();
        self.lease
    }

    /// Closes the scanner on the server, unless a response is under way. Returns whether it is closed.
    pub fn close(&mut self) -> bool {
        self.absorb();
        if !self.is_held {
            return true;
        }
        if self.pending.is_some() {
            return false;
        }
        self.is_held = false;
        if let Some(id) = self.id {
            let request = proto::ScanRequest {
                scanner_id: Some(id),
                close_scanner: Some(true),
                number_of_rows: Some(0),
                ..proto::ScanRequest::default()
            };
            // The response is not awaited; a scanner that is not closed expires with its lease.
            let _ = self.connection.send(&Call::new("Scan", &request), Deadline::after(Duration::from_secs(10)));
        }
        true
    }
}
