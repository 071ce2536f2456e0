//! Reading a row in place, in the memstore segment or file that has it.

use super::reading::{matcher, row_limits};
use super::{Config, ReadRequest, StoreFile};
use crate::hfile::{BlockUse, Patience, RowVisit};
use crate::memstore::{RowLocation, Spot};
use crate::scan::{Expiry, Matcher, RowTaker};
use rowstone_model::cell::CellBuffer;
use rowstone_model::Result;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

/// The files that may have the row, newest first.
pub(super) type Files<'s> = SmallVec<[&'s Arc<StoreFile>; 4]>;

/// Most files, and most columns, for which a get that must not wait checks Bloom filters.
pub(super) const MOST_AT_ONCE: usize = 16;

/// A get's row and options, and the rules to apply.
pub(super) struct RowWanted<'w> {
    pub(super) request: &'w ReadRequest<'w>,
    pub(super) row: &'w [u8],
    pub(super) max_cells: usize,
    pub(super) config: &'w Config,
    pub(super) expiry: Expiry,
}

impl RowWanted<'_> {
    #[inline]
    fn matcher(&self) -> Matcher<'_> {
        matcher(self.request, self.config, self.expiry, self.request.qualifiers.map(Cow::Borrowed))
    }

    #[inline]
    fn taker<'o, 'q>(&self, matcher: &'o mut Matcher<'q>, out: &'o mut CellBuffer) -> RowTaker<'o, 'q> {
        RowTaker::new(matcher, row_limits(self.request), self.max_cells, out)
    }

    /// Appends cells of one memstore segment. Returns their number, or `None` if only a merge can decide.
    pub(super) fn take_recent(&self, spot: &Spot<'_>, out: &mut CellBuffer) -> Option<usize> {
        let mut matcher = self.matcher();
        let mut taker = self.taker(&mut matcher, out);
        spot.visit(self.row, self.request.read_point, |cell| taker.offer(cell));
        taker.finish()
    }

    /// Appends cells of one file in the same way, and returns how far it got. `ask` checks its Bloom filter.
    pub(super) fn take_from(
        &self,
        file: &StoreFile,
        ask: impl FnOnce() -> Result<bool>,
        out: &mut CellBuffer,
    ) -> Result<(Option<usize>, RowVisit)> {
        let mut matcher = self.matcher();
        let mut taker = self.taker(&mut matcher, out);
        let how = BlockUse { keeps_blocks: self.keeps_blocks(), patience: self.request.patience };
        let visit = file.reader.visit_row(self.row, how, ask, |cell| taker.offer(cell))?;
        Ok((taker.finish(), visit))
    }

    /// Announces the blocks in which the row begins. Returns whether all of them are in memory.
    pub(super) fn announce(&self, files: &[&Arc<StoreFile>]) -> Result<bool> {
        files.iter().try_fold(true, |is_ready, file| Ok(file.reader.announce_row(self.row)? && is_ready))
    }

    /// Whether the row may be in the file, according to its Bloom filter. A get that must not wait does not check it
    /// for many columns: a ROWCOL filter would be probed for each.
    pub(super) fn may_be_in(&self, file: &StoreFile) -> Result<bool> {
        let qualifiers = self.request.qualifiers;
        let at_once = self.request.patience == Patience::AtOnce;
        if at_once && qualifiers.is_some_and(|qualifiers| qualifiers.len() > MOST_AT_ONCE) {
            return Ok(true);
        }
        file.might_contain(self.row, qualifiers, at_once)
    }

    /// Whether this reader sees every cell of the file.
    pub(super) fn sees_all_of(&self, file: &StoreFile) -> bool {
        file.reader.info().max_cell_sequence_id <= self.request.read_point
    }

    pub(super) fn keeps_blocks(&self) -> bool {
        self.request.options.cache_blocks && self.config.family.block_cache
    }
}

/// Selects the files that may have the row according to their Bloom filters.
pub(super) fn filter_by_bloom<'f>(candidates: Files<'f>, wanted: &RowWanted<'_>) -> Result<Files<'f>> {
    let mut kept = Files::new();
    for file in candidates {
        if wanted.may_be_in(file)? {
            kept.push(file);
        }
    }
    Ok(kept)
}

/// Result of reading a row from the one segment or file that contains it.
pub(super) enum DirectRead {
    /// Number of cells read.
    Taken(usize),
    /// The row is in several segments or files and needs a merge.
    Merge,
    /// The read would wait for a file, and the caller asked not to.
    Waits,
}

/// Reads the row in place if it is in one segment or file.
pub(super) fn read_directly(
    wanted: &RowWanted<'_>,
    found: &RowLocation<'_>,
    files: &Files<'_>,
    out: &mut CellBuffer,
) -> Result<DirectRead> {
    let taken = match (found, files.as_slice()) {
        (RowLocation::Nowhere, []) => Some(0),
        (RowLocation::In(spot), []) => wanted.take_recent(spot, out),
        (RowLocation::Nowhere, [only]) if wanted.sees_all_of(only) => {
            let ask = || wanted.may_be_in(only);
            let (taken, visit) = wanted.take_from(only, ask, out)?;
            if visit == RowVisit::Waits {
                return Ok(DirectRead::Waits);
            }
            taken.filter(|_| visit == RowVisit::Whole)
        }
        _ => None,
    };
    Ok(taken.map_or(DirectRead::Merge, DirectRead::Taken))
}
