//! Retries: the steps between two attempts of an operation.

use super::{Cluster, TableCache};
use crate::failure::{Backoff, Deadline, Failure, Remedy};
use crate::region::Location;
use rowstone_model::{Error, ErrorKind, Result};

/// Number of attempts after which an unknown exception of a server counts as permanent.
const UNKNOWN_ATTEMPTS: u32 = 12;
/// Number of failed region lookups after which the table's state is checked.
const LOOKS_BEFORE_STATE: u32 = 2;

/// The retry state of an operation.
pub struct Recovery<'a> {
    cluster: &'a Cluster,
    /// The deadline of the operation.
    pub deadline: Deadline,
    backoff: Backoff,
    lost: u32,
    /// The exception that the last attempt got from a server.
    reported: Option<Error>,
}

impl<'a> Recovery<'a> {
    /// For an operation that starts now, with the default time limit.
    pub fn new(cluster: &'a Cluster) -> Self {
        Recovery::until(cluster, cluster.deadline())
    }

    /// For an operation with the given `deadline`.
    pub fn until(cluster: &'a Cluster, deadline: Deadline) -> Self {
        Recovery { cluster, deadline, backoff: Backoff::default(), lost: 0, reported: None }
    }

    /// The deadline of one call.
    pub fn call_deadline(&self) -> Deadline {
        self.deadline.at_most(self.cluster.options.rpc_timeout)
    }

    /// Reacts to a failed attempt of `doing` and waits until the next one may start.
    ///
    /// # Errors
    /// The failure, if it is permanent or the time is up.
    pub fn after(
        &mut self,
        failure: Failure,
        doing: &str,
        table: Option<&TableCache>,
        location: Option<&Location>,
    ) -> Result<()> {
        self.cluster.check_open()?;
        if failure.remedy == Remedy::Stop {
            return Err(failure.error);
        }
        if let (Some(table), Some(location)) = (table, location) {
            self.cluster.note_failure(table, location, &failure);
        }
        if let Some(table) = table {
            self.check_table(table, &failure)?;
        }
        let is_unknown = failure.error.kind() == ErrorKind::Remote;
        let pause = self.backoff.pause(&failure.remedy);
        if is_unknown && self.backoff.attempts() >= UNKNOWN_ATTEMPTS {
            return Err(self.give_up(failure, doing));
        }
        if pause >= self.deadline.remaining() {
            return Err(self.give_up(failure, doing));
        }
        self.reported = Some(failure.error).filter(|error| error.remote_class().is_some());
        std::thread::sleep(pause);
        self.cluster.check_open()
    }

    /// Checks whether a region that is repeatedly not found belongs to a disabled or dropped table.
    fn check_table(&mut self, table: &TableCache, failure: &Failure) -> Result<()> {
        if failure.error.kind() != ErrorKind::RegionNotFound {
            return Ok(());
        }
        self.lost += 1;
        if !self.lost.is_multiple_of(LOOKS_BEFORE_STATE) {
            return Ok(());
        }
        match self.cluster.check_state(table, self.call_deadline()) {
            Err(state) if state.remedy == Remedy::Stop => Err(state.error),
            _ => Ok(()),
        }
    }

    fn give_up(&self, failure: Failure, doing: &str) -> Error {
        let error = failure.error;
        let kind = match error.kind() {
            kind @ (ErrorKind::ConnectionFailed | ErrorKind::Remote | ErrorKind::RegionTooBusy) => kind,
            _ => ErrorKind::Timeout,
        };
        let (ms, attempts) = (self.deadline.given_ms(), self.backoff.attempts());
        // The last attempt often has little time. The exception before it says more than its timeout.
        let before = self.reported.as_ref().filter(|_| error.remote_class().is_none());
        let before = before.map_or(String::new(), |before| format!(", before it: {}", before.message()));
        let message = format!(
            "{doing} did not succeed within {ms} ms and {attempts} attempts; last: {}{before}",
            error.message()
        );
        match error.remote_class() {
            Some(class) => Error::new(kind, message).from_remote(class),
            None => Error::new(kind, message),
        }
    }
}
