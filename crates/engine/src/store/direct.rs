//! Gets: one row of one store. Most rows are in a single memstore segment or file and are read in place. The others
//! are read through sources and a merge, as in scans.

use super::newest::Newest;
use super::reading::{is_new_version, matcher, new_version_source, oldest_that_matters, row_limits, row_reader};
use super::source::Source;
use super::{Config, ReadRequest, State, Store, StoreFile};
use crate::hfile::{BlockUse, Patience, RowVisit};
use crate::memstore::{RowLocation, Spot, View};
use crate::mob::MobReading;
use crate::scan::{Expiry, Matcher, MergedSource, RowReader, RowTaker};
use rowstone_model::cell::{CellBuffer, CellSource};
use rowstone_model::Result;
use smallvec::SmallVec;
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// Result of reading a row of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowRead {
    /// Number of cells read.
    Cells(usize),
    /// Files written meanwhile lack cells that the read point sees: the caller retries with a newer one.
    Passed,
    /// The read may have to wait for a file, which the caller does not want.
    Waits,
}

/// The files that may have the row, newest first.
pub(super) type Files<'s> = SmallVec<[&'s Arc<StoreFile>; 4]>;

/// Most files, and most columns, for which a get that must not wait checks Bloom filters.
const MOST_AT_ONCE: usize = 16;

/// A get's row and options, and the rules to apply.
pub(super) struct RowWanted<'w> {
    pub(super) request: &'w ReadRequest<'w>,
    pub(super) row: &'w [u8],
    pub(super) max_cells: usize,
    pub(super) config: &'w Config,
    expiry: Expiry,
}

impl RowWanted<'_> {
    #[inline]
    fn matcher(&self) -> Matcher {
        matcher(self.request, self.config, self.expiry)
    }

    #[inline]
    fn taker<'o>(&self, matcher: &'o mut Matcher, out: &'o mut CellBuffer) -> RowTaker<'o> {
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
    fn announce(&self, files: &[&Arc<StoreFile>]) -> Result<bool> {
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

    fn keeps_blocks(&self) -> bool {
        self.request.options.cache_blocks && self.config.family.block_cache
    }
}

impl Store {
    /// Appends up to `max_cells` cells of `row` to `out` and returns their number.
    pub fn read_row(
        &self,
        request: &ReadRequest<'_>,
        row: &[u8],
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<RowRead> {
        // Memstore first, then files: see the head of `store`. A file that is visible has moved the cut before.
        let view = self.memstore.view();
        let state = self.state();
        let State { config, files, .. } = &**state;
        let expiry = Expiry::new(request.now_ms, config.family.ttl_ms);
        if request.options.raw || is_new_version(request, config) {
            return self.read_strictly(request, row, max_cells, out);
        }
        if self.cut.load(Ordering::Acquire) > request.read_point {
            return Ok(RowRead::Passed);
        }
        let candidates = match files.as_slice() {
            [] => Files::new(),
            files => self.candidates(files, request, row, config, &expiry),
        };
        if request.patience == Patience::AtOnce && candidates.len() > MOST_AT_ONCE {
            return Ok(RowRead::Waits);
        }
        let start = out.byte_len();
        let wanted = RowWanted { request, row, max_cells, config, expiry };
        let Some(taken) = self.read_sources(&wanted, &view, candidates, out)? else {
            out.truncate(start);
            return Ok(RowRead::Waits);
        };
        match &state.mob {
            None => Ok(RowRead::Cells(taken)),
            Some(mob) => with_values(MobReading::new(Some(mob), request.mob_values), request, taken, out, start),
        }
    }

    /// Reads the row from as few segments and files as possible and returns the number of cells. `None` if it has
    /// to wait for a file, which the caller does not want.
    fn read_sources(
        &self,
        wanted: &RowWanted<'_>,
        view: &View,
        mut candidates: Files<'_>,
        out: &mut CellBuffer,
    ) -> Result<Option<usize>> {
        let start = out.byte_len();
        let found = view.find(wanted.row, !candidates.is_empty());
        // The Bloom filter of a single file is checked later, and only if that can save reading a block.
        let is_spread = candidates.len() + usize::from(!matches!(found, RowLocation::Nowhere)) > 1;
        if is_spread {
            match self.read_newest(wanted, view, &found, candidates, out)? {
                Newest::Taken(taken) => return Ok(Some(taken)),
                Newest::In(files) => candidates = files,
                Newest::Waits => return Ok(None),
            }
        }
        let read = read_directly(wanted, &found, &candidates, out)?;
        if let DirectRead::Taken(taken) = read {
            return Ok(Some(taken));
        }
        out.truncate(start);
        if matches!(read, DirectRead::Waits) {
            return Ok(None);
        }
        match wanted.request.patience {
            Patience::AtOnce => return Ok(None),
            Patience::Announces if !wanted.announce(&candidates)? => return Ok(None),
            Patience::Announces | Patience::Waits => {}
        }
        self.read_merged(wanted, view, &candidates, out).map(Some)
    }

    /// Reads under rules for which a cell must not be seen twice, not even while its snapshot becomes a file.
    #[cold]
    fn read_strictly(
        &self,
        request: &ReadRequest<'_>,
        row: &[u8],
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<RowRead> {
        if request.patience.gives_up() {
            return Ok(RowRead::Waits);
        }
        let (view, state) = {
            let _unchanging = self.changing.read();
            (self.memstore.view(), self.state())
        };
        let State { config, files, mob } = &**state;
        let expiry = Expiry::new(request.now_ms, config.family.ttl_ms);
        if self.cut.load(Ordering::Acquire) > request.read_point {
            return Ok(RowRead::Passed);
        }
        let candidates = self.candidates(files, request, row, config, &expiry);
        let start = out.byte_len();
        let wanted = RowWanted { request, row, max_cells, config, expiry };
        let candidates = filter_by_bloom(candidates, &wanted)?;
        let taken = self.read_merged(&wanted, &view, &candidates, out)?;
        with_values(MobReading::new(mob.as_ref(), request.mob_values), request, taken, out, start)
    }

    /// The files that may have cells of `row` for this reader, according to their metadata.
    fn candidates<'f>(
        &self,
        files: &'f [Arc<StoreFile>],
        request: &ReadRequest<'_>,
        row: &[u8],
        config: &Config,
        expiry: &Expiry,
    ) -> Files<'f> {
        let oldest = oldest_that_matters(request, config, expiry);
        let range = request.options.time_range_of(&self.family);
        let mut kept = Files::new();
        for file in files.iter().rev() {
            if file.overlaps(range, oldest) && file.covers(row) {
                kept.push(file);
            }
        }
        kept
    }

    /// Merges the row from all these segments and files.
    #[cold]
    pub(super) fn read_merged(
        &self,
        wanted: &RowWanted<'_>,
        view: &View,
        files: &[&Arc<StoreFile>],
        out: &mut CellBuffer,
    ) -> Result<usize> {
        let &RowWanted { request, row, max_cells, config, expiry } = wanted;
        let mut sources: Vec<Source> = Vec::new();
        view.sources(row, request.read_point, &mut sources);
        sources.extend(files.iter().map(|file| Source::File(file.reader.source(wanted.keeps_blocks()))));
        let mut merged = MergedSource::new(sources, request.read_point);
        let rows = row_reader(request, config, expiry);
        if !is_new_version(request, config) {
            return read_from(&mut merged, rows, row, max_cells, out);
        }
        read_from(&mut new_version_source(merged, request, config, expiry), rows, row, max_cells, out)
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
enum DirectRead {
    /// Number of cells read.
    Taken(usize),
    /// The row is in several segments or files and needs a merge.
    Merge,
    /// The read would wait for a file, and the caller asked not to.
    Waits,
}

/// Reads the row in place if it is in one segment or file.
fn read_directly(
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

/// Replaces MOB references by their values in the cells of `out` from byte `start` on.
#[cold]
fn with_values(
    mob: Option<MobReading>,
    request: &ReadRequest<'_>,
    taken: usize,
    out: &mut CellBuffer,
    start: usize,
) -> Result<RowRead> {
    let Some(mob) = mob.filter(|mob| mob.is_needed(out, start)) else { return Ok(RowRead::Cells(taken)) };
    if request.patience.gives_up() {
        out.truncate(start);
        return Ok(RowRead::Waits);
    }
    mob.load_all(out, start)?;
    Ok(RowRead::Cells(taken))
}

fn read_from(
    source: &mut impl CellSource,
    mut rows: RowReader,
    row: &[u8],
    max_cells: usize,
    out: &mut CellBuffer,
) -> Result<usize> {
    rows.seek_to_row(source, row)?;
    if source.peek().is_none_or(|cell| cell.row() != row) {
        return Ok(0);
    }
    rows.read_page(source, row, max_cells, false, out).map(|page| page.0)
}
