//! Expected and actual cost of one request. Source: `DefaultOperationQuota`.

use super::limiter::{Amount, Limiter};
use rowstone_model::quota::ThrottleKind;

/// Expected bytes per write.
const WRITE_BYTES: i64 = 100;
/// Bytes in a capacity unit.
const UNIT_BYTES: i64 = 1024;
/// Expected handler time of a request in milliseconds: the number of handlers of a server.
const HANDLER_MS: i64 = 30;
/// The maximum share of a limit that a scan is expected to consume, in percent: otherwise a long scan would never
/// start.
const MOST_OF_LIMIT_PERCENT: i64 = 90;

/// The operations in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Number of mutations.
    pub writes: i64,
    /// Number of gets, and of mutations that read first.
    pub reads: i64,
    /// Whether one of them reads and writes atomically.
    pub is_atomic: bool,
}

/// The expected cost of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Gets and mutations of a table whose smallest block size is this number of bytes: a read reads at least one
    /// block.
    Rows(Work, i64),
    /// One call of a scan, with the bytes that it is expected to read.
    Scan(i64),
}

/// The maximum share of a limit that one scan is expected to read.
fn most_of(limit: i64) -> i64 {
    let part = (i128::from(limit) * i128::from(MOST_OF_LIMIT_PERCENT) + 50) / 100;
    i64::try_from(part).unwrap_or(i64::MAX)
}

fn units(bytes: i64) -> i64 {
    bytes / UNIT_BYTES + i64::from(bytes % UNIT_BYTES > 0)
}

impl Cost {
    /// Converts the cost to the amounts that limits count.
    pub fn amount<'a>(self, limiters: impl Iterator<Item = &'a Limiter>) -> Amount {
        let (work, read_bytes) = match self {
            Cost::Rows(work, block_bytes) => (work, if work.reads > 0 { block_bytes } else { 0 }),
            Cost::Scan(bytes) => {
                let most = limiters.map(|limiter| limiter.most_bytes(ThrottleKind::ReadSize)).min();
                let most = most.filter(|most| *most < i64::MAX).map(most_of);
                (Work { reads: 1, ..Work::default() }, most.map_or(bytes, |most| most.min(bytes)))
            }
        };
        let write_bytes = WRITE_BYTES * work.writes;
        Amount {
            writes: work.writes,
            reads: work.reads,
            write_bytes,
            read_bytes,
            write_units: units(write_bytes),
            read_units: units(read_bytes),
            handler_ms: HANDLER_MS * (work.writes + work.reads),
            is_atomic: work.is_atomic,
        }
    }
}

/// The difference between actual and expected consumption.
pub fn difference(expected: &Amount, read_bytes: i64, write_bytes: i64, handler_ms: i64) -> Amount {
    Amount {
        writes: 0,
        reads: 0,
        write_bytes: write_bytes - expected.write_bytes,
        read_bytes: read_bytes - expected.read_bytes,
        write_units: units(write_bytes) - expected.write_units,
        read_units: units(read_bytes) - expected.read_units,
        handler_ms: handler_ms - expected.handler_ms,
        is_atomic: expected.is_atomic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rowstone_model::quota::{Refill, TimeUnit, TimedLimit};

    #[test]
    fn rows_cost_a_hundred_bytes_a_write_and_a_block_for_all_reads() {
        let work = Work { writes: 12, reads: 3, is_atomic: true };
        let amount = Cost::Rows(work, 65_536).amount(std::iter::empty());
        assert_eq!((amount.write_bytes, amount.read_bytes), (1200, 65_536));
        assert_eq!((amount.write_units, amount.read_units, amount.handler_ms), (2, 64, 450));
        let left = difference(&amount, 10, 1201, 7);
        assert_eq!((left.write_bytes, left.read_bytes, left.handler_ms), (1, 10 - 65_536, -443));
        assert_eq!((left.write_units, left.read_units), (0, -63));
    }

    #[test]
    fn a_scan_is_expected_to_take_nine_tenths_of_a_limit_at_most() {
        let limit = TimedLimit { unit: TimeUnit::Seconds, limit: 1000, scope: None };
        let limiter = Limiter::new(&[(ThrottleKind::RequestSize, limit)].into(), Refill::Average);
        assert_eq!(Cost::Scan(65_536).amount([&limiter].into_iter()).read_bytes, 900);
        assert_eq!(Cost::Scan(500).amount([&limiter].into_iter()).read_bytes, 500);
        assert_eq!(Cost::Scan(65_536).amount(std::iter::empty()).reads, 1);
        assert_eq!((most_of(1 << 62), most_of(5)), (4_150_517_416_584_649_114, 5));
    }
}
