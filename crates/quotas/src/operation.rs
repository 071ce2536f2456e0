//! One request: what it is expected to cost, and what it did. Source: `DefaultOperationQuota`.

use super::limiter::{Amount, Limiter};
use rowstone_model::quota::ThrottleKind;

/// What a write is expected to write, in bytes.
const WRITE_BYTES: i64 = 100;
/// Bytes in a capacity unit.
const UNIT_BYTES: i64 = 1024;
/// Milliseconds that a request is expected to take: as many as a server has handlers.
const HANDLER_MS: i64 = 30;
/// The part of a limit that a scan is expected to take at most, in percent: else a long one would never begin.
const MOST_OF_LIMIT_PERCENT: i64 = 90;

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Mutations.
    pub writes: i64,
    /// Gets, and mutations that read first.
    pub reads: i64,
    /// Whether one reads and writes at once.
    pub is_atomic: bool,
}

/// What a request is expected to cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Gets and mutations of a table whose smallest block has so many bytes: at least one block is read.
    Rows(Work, i64),
    /// A part of a scan, with the bytes that it is expected to read.
    Scan(i64),
}

/// The part of a limit that one scan is expected to read at most.
fn most_of(limit: i64) -> i64 {
    let part = (i128::from(limit) * i128::from(MOST_OF_LIMIT_PERCENT) + 50) / 100;
    i64::try_from(part).unwrap_or(i64::MAX)
}

fn units(bytes: i64) -> i64 {
    bytes / UNIT_BYTES + i64::from(bytes % UNIT_BYTES > 0)
}

impl Cost {
    /// The same in what limits count.
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

/// What was used beyond what was expected.
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
