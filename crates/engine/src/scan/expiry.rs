//! Time to live, of families and of single cells. Both bounds are strict: a cell exactly as old as its TTL is
//! alive. Applied in `matcher.rs`; MIN_VERSIONS in `columns.rs`.

use rowstone_model::cell::{cell_ttl, Cell};

/// Expiry limits of one pass over a store. The clock is read once, when the pass begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiry {
    /// The time of the pass, in milliseconds.
    pub now_ms: i64,
    /// Cells with smaller timestamps are past the family's time to live; `i64::MIN` if there is none.
    pub oldest_unexpired: i64,
}

impl Expiry {
    /// The expiry of a pass at `now_ms` over a family with that time to live.
    pub fn new(now_ms: i64, ttl_ms: Option<i64>) -> Self {
        Expiry { now_ms, oldest_unexpired: ttl_ms.map_or(i64::MIN, |ttl| now_ms.saturating_sub(ttl)) }
    }

    /// The same pass without a family's time to live (raw scans).
    pub fn without_family_ttl(self) -> Self {
        Expiry { oldest_unexpired: i64::MIN, ..self }
    }

    /// Whether a cell of that timestamp is past the family's time to live.
    #[inline]
    pub fn is_past_family_ttl(&self, timestamp: i64) -> bool {
        timestamp < self.oldest_unexpired
    }

    /// Whether the cell has a time to live of its own and is past it.
    #[inline]
    pub fn is_past_cell_ttl(&self, cell: &Cell<'_>) -> bool {
        !cell.tags().is_empty()
            && cell_ttl(cell.tags()).is_some_and(|ttl| cell.timestamp().saturating_add(ttl) < self.now_ms)
    }
}
