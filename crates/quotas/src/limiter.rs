//! All limits on requests of one owner. Source: `TimeBasedLimiter`.

use super::rate::Rate;
use rowstone_model::quota::{Refill, ThrottleKind, TimedLimit};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use ThrottleKind as Kind;

/// The amount that a request consumes of each kind of limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// Number of writes.
    pub writes: i64,
    /// Number of reads.
    pub reads: i64,
    /// Bytes written.
    pub write_bytes: i64,
    /// Bytes read.
    pub read_bytes: i64,
    /// Capacity units written.
    pub write_units: i64,
    /// Capacity units read.
    pub read_units: i64,
    /// Milliseconds of handler time.
    pub handler_ms: i64,
    /// Whether it reads and writes atomically (an increment, append or condition).
    pub is_atomic: bool,
}

/// A request that was rejected and has to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throttled {
    /// The exhausted limit.
    pub kind: ThrottleKind,
    /// Milliseconds to wait.
    pub wait_ms: i64,
}

impl fmt::Display for Throttled {
    /// The message format from which HBase's clients parse the wait time.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            Kind::RequestNumber => "number of requests",
            Kind::RequestSize => "request size limit",
            Kind::ReadNumber => "number of read requests",
            Kind::WriteNumber => "number of write requests",
            Kind::WriteSize => "write size limit",
            Kind::ReadSize => "read size limit",
            Kind::RequestCapacityUnit => "request capacity unit",
            Kind::ReadCapacityUnit => "read capacity unit",
            Kind::WriteCapacityUnit => "write capacity unit",
            Kind::AtomicRequestNumber => "atomic request number",
            Kind::AtomicReadSize => "atomic read size",
            Kind::AtomicWriteSize => "atomic write size",
            Kind::RequestHandlerUsageMs => "request handler usage time",
        };
        write!(out, "{what} exceeded - wait ")?;
        write_time(out, self.wait_ms)
    }
}

/// Writes a time as HBase does: `1hr, 2mins, 3sec, 4ms`.
fn write_time(out: &mut fmt::Formatter<'_>, ms: i64) -> fmt::Result {
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    let plural = |number: i64| if number > 1 { "s" } else { "" };
    if hours != 0 {
        write!(out, "{hours}hr{}, ", plural(hours))?;
    }
    if minutes != 0 {
        write!(out, "{minutes}min{}, ", plural(minutes))?;
    }
    if seconds != 0 {
        write!(out, "{seconds}sec, ")?;
    }
    write!(out, "{}ms", ms % 1_000)
}

type Rates = BTreeMap<ThrottleKind, Rate>;

/// The limits of an owner, with the remaining amount of each.
#[derive(Debug, Default)]
pub struct Limiter(Mutex<Rates>);

impl Limiter {
    /// Creates a limiter with these limits, all of them full.
    pub fn new(limits: &BTreeMap<ThrottleKind, TimedLimit>, refill: Refill) -> Self {
        Limiter(Mutex::new(limits.iter().map(|(kind, limit)| (*kind, Rate::new(limit, refill))).collect()))
    }

    fn rates(&self) -> MutexGuard<'_, Rates> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adopts the limits of `other`; amounts already used still count.
    pub fn update(&self, other: &Limiter) {
        let new = other.rates().clone();
        let mut rates = self.rates();
        let merged = new.into_iter().map(|(kind, rate)| match rates.get(&kind) {
            None => (kind, rate),
            Some(old) => {
                let mut old = *old;
                old.update(&rate);
                (kind, old)
            }
        });
        *rates = merged.collect();
    }

    /// The maximum number of bytes that a request may ever read or write.
    pub fn most_bytes(&self, own: ThrottleKind) -> i64 {
        let rates = self.rates();
        limit(&rates, own).min(limit(&rates, Kind::RequestSize))
    }

    /// Checks that the remaining amounts suffice; a request larger than a limit needs all of that limit.
    ///
    /// # Errors
    /// The first exhausted limit, and the time to wait.
    pub fn check(&self, amount: &Amount, now_ms: i64) -> Result<(), Throttled> {
        let mut rates = self.rates();
        let fitted = fitted(&rates, amount);
        for (kind, wanted) in checks(&fitted) {
            let wait_ms = rates.get_mut(&kind).map_or(0, |rate| rate.wait_ms(wanted, now_ms));
            if wait_ms > 0 {
                return Err(Throttled { kind, wait_ms });
            }
        }
        Ok(())
    }

    /// Deducts the expected consumption of a request.
    pub fn grab(&self, amount: &Amount) {
        let requests = [(Kind::RequestNumber, amount.writes + amount.reads)];
        let writes = [(Kind::WriteNumber, amount.writes)].into_iter().filter(|_| amount.write_bytes > 0);
        let reads = [(Kind::ReadNumber, amount.reads)].into_iter().filter(|_| amount.read_bytes > 0);
        let atomic = [(Kind::AtomicRequestNumber, amount.writes + amount.reads)];
        let atomic = atomic.into_iter().filter(|_| amount.is_atomic);
        self.consume(requests.into_iter().chain(writes).chain(reads).chain(atomic));
        self.adjust(amount);
    }

    /// Deducts bytes, units and time beyond the expectation. Negative amounts were expected but not needed, and are
    /// returned.
    pub fn adjust(&self, more: &Amount) {
        let all = [
            (Kind::RequestSize, more.write_bytes + more.read_bytes),
            (Kind::WriteSize, more.write_bytes),
            (Kind::ReadSize, more.read_bytes),
            (Kind::RequestCapacityUnit, more.write_units + more.read_units),
            (Kind::WriteCapacityUnit, more.write_units),
            (Kind::ReadCapacityUnit, more.read_units),
            (Kind::RequestHandlerUsageMs, more.handler_ms),
        ];
        let atomic = [(Kind::AtomicReadSize, more.read_bytes), (Kind::AtomicWriteSize, more.write_bytes)];
        self.consume(all.into_iter().chain(atomic.into_iter().filter(|_| more.is_atomic)));
    }

    fn consume(&self, amounts: impl Iterator<Item = (ThrottleKind, i64)>) {
        let mut rates = self.rates();
        for (kind, amount) in amounts {
            if let Some(rate) = rates.get_mut(&kind) {
                rate.consume(amount);
            }
        }
    }

    /// The remaining amount of a limit, for tests; `None` if there is no limit of that kind.
    #[cfg(test)]
    pub fn remaining(&self, kind: ThrottleKind) -> Option<i64> {
        self.rates().get(&kind).map(Rate::available)
    }
}

fn limit(rates: &Rates, kind: ThrottleKind) -> i64 {
    rates.get(&kind).map_or(i64::MAX, Rate::limit)
}

/// Caps each amount at the size of its limit: otherwise a large request would wait forever. Source:
/// `DefaultOperationQuota.checkQuota`.
fn fitted(rates: &Rates, amount: &Amount) -> Amount {
    let most = |kind| limit(rates, kind);
    let requests = most(Kind::RequestNumber).min(most(Kind::ReadNumber).saturating_add(most(Kind::WriteNumber)));
    let bytes = most(Kind::RequestSize);
    Amount {
        writes: amount.writes.min(requests).min(most(Kind::WriteNumber)),
        reads: amount.reads.min(requests).min(most(Kind::ReadNumber)),
        write_bytes: amount.write_bytes.min(most(Kind::WriteSize)).min(bytes),
        read_bytes: amount.read_bytes.min(most(Kind::ReadSize)).min(bytes),
        ..*amount
    }
}

/// The amount required of each limit, in HBase's order. For the sizes of atomic operations, HBase only requires as
/// many bytes as there are requests; the actual bytes are deducted once they are known.
fn checks(amount: &Amount) -> impl Iterator<Item = (ThrottleKind, i64)> {
    let (writes, reads, is_atomic) = (amount.write_bytes > 0, amount.read_bytes > 0, amount.is_atomic);
    let requests = amount.writes + amount.reads;
    [
        (true, Kind::RequestNumber, requests),
        (true, Kind::RequestSize, amount.write_bytes + amount.read_bytes),
        (true, Kind::RequestCapacityUnit, amount.write_units + amount.read_units),
        (is_atomic, Kind::AtomicRequestNumber, requests),
        (writes, Kind::WriteNumber, amount.writes),
        (writes, Kind::WriteSize, amount.write_bytes),
        (writes, Kind::WriteCapacityUnit, amount.write_units),
        (writes && is_atomic, Kind::AtomicWriteSize, amount.writes),
        (reads, Kind::ReadNumber, amount.reads),
        (reads, Kind::ReadSize, amount.read_bytes),
        (reads, Kind::ReadCapacityUnit, amount.read_units),
        (reads && is_atomic, Kind::AtomicReadSize, requests),
        (true, Kind::RequestHandlerUsageMs, amount.handler_ms),
    ]
    .into_iter()
    .filter(|check| check.0)
    .map(|check| (check.1, check.2))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
