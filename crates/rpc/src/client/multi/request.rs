//! Distribution of actions over requests.

use super::item::Item;
use crate::connection::Server;
use crate::region::Location;
use std::sync::Arc;

/// Minimum number of actions that justifies another concurrent request to the same server.
const LANE_ACTIONS: usize = 512;
/// Maximum number of concurrent requests to one server.
const MOST_LANES: usize = 4;

/// Spreads actions over several requests to the same server, which processes them concurrently. The actions of one
/// row stay together, in their order.
pub(super) struct Lanes {
    count: usize,
    /// Whether rows strictly ascend, so that no row occurs twice: consecutive actions then stay together.
    is_ascending: bool,
    length: usize,
}

impl Lanes {
    pub(super) fn of(items: &[Item<'_>], left: &[usize]) -> Self {
        let count = left.len().div_ceil(LANE_ACTIONS).clamp(1, MOST_LANES);
        let is_ascending = count == 1 || left.windows(2).all(|pair| items[pair[0]].row() < items[pair[1]].row());
        Lanes { count, is_ascending, length: left.len().div_ceil(count).max(1) }
    }

    /// The lane of the action on `row` at `position`.
    pub(super) fn lane(&self, position: usize, row: &[u8]) -> usize {
        if self.count == 1 || self.is_ascending {
            return position / self.length;
        }
        let hash = row.iter().fold(0u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        // Short rows leave the upper bits unchanged: mix them.
        ((hash ^ (hash >> 29)).wrapping_mul(0xff51_afd7_ed55_8ccd) >> 33) as usize % self.count
    }
}

/// A request to one server, with the actions that its results belong to.
pub(super) struct Request {
    pub(super) server: Arc<Server>,
    pub(super) lane: usize,
    /// Regions in request order, each with the indexes of its actions. An atomic group is a part of its own.
    pub(super) parts: Vec<Part>,
}

/// Actions of one region.
pub(super) struct Part {
    pub(super) location: Arc<Location>,
    pub(super) is_atomic: bool,
    pub(super) indexes: Vec<usize>,
}

impl Request {
    /// Adds an action; returns the part that it was added to.
    pub(super) fn add(&mut self, location: Arc<Location>, is_atomic: bool, index: usize) -> usize {
        if !is_atomic {
            let same = |part: &Part| !part.is_atomic && part.location.name == location.name;
            let last = self.parts.len().checked_sub(1).filter(|last| same(&self.parts[*last]));
            if let Some(at) = last.or_else(|| self.parts.iter().position(same)) {
                self.parts[at].indexes.push(index);
                return at;
            }
        }
        self.parts.push(Part { location, is_atomic, indexes: vec![index] });
        self.parts.len() - 1
    }
}
