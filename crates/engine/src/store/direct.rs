//! Gets: one row of one store. Most rows lie in one place, a memstore segment or a file, and are read where they lie; the
//! others go through sources and a merge, as scans do.

use super::reading::{is_new_version, matcher, new_version_source, oldest_that_matters, row_limits, row_reader};
use super::source::Source;
use super::{Config, ReadRequest, State, Store, StoreFile};
use crate::hfile::{BlockUse, RowVisit};
use crate::memstore::{Found, View};
use crate::mob::MobReading;
use crate::scan::{Expiry, MergedSource, RowReader, RowTaker};
use rowstone_model::cell::{CellBuffer, CellSource};
use rowstone_model::Result;
use smallvec::SmallVec;
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// What came of reading a row of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowRead {
    /// So many cells.
    Cells(usize),
    /// Files were written meanwhile that do not hold all that the read point sees: the caller takes a newer one.
    Passed,
    /// It may take a file to wait for, which the caller does not want.
    Waits,
}

/// The files that may have the row, newest first.
type Files<'s> = SmallVec<[&'s Arc<StoreFile>; 4]>;

impl Store {
    /// Appends to `out` up to `max_cells` cells of `row`; how many there were.
    pub fn read_row(
        &self,
        request: &ReadRequest<'_>,
        row: &[u8],
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<RowRead> {
        // In this order, see the module's head; a file that is seen has moved the cut before.
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
            files => {
                let candidates = self.candidates(files, request, row, config, &expiry);
                match request.at_once && candidates.len() > 1 {
                    true => return Ok(RowRead::Waits),
                    false => self.asked(candidates, request, row)?,
                }
            }
        };
        let start = out.byte_len();
        let taker = |out| RowTaker::new(matcher(request, config, expiry), row_limits(request), max_cells, out);
        let taken = match (view.find(row, !candidates.is_empty()), candidates.as_slice()) {
            (Found::Nowhere, []) => Some(0),
            (Found::In(spot), []) => {
                let mut taker = taker(out);
                spot.visit(row, request.read_point, |cell| taker.offer(cell));
                taker.finish()
            }
            (Found::Nowhere, [only]) if only.reader.info().max_cell_sequence_id <= request.read_point => {
                let mut taker = taker(out);
                let keeps_blocks = request.options.cache_blocks && config.family.block_cache;
                let ask = || only.might_contain(row, request.qualifiers);
                let how = BlockUse { keeps_blocks, at_once: request.at_once };
                let visit = only.reader.visit_row(row, how, ask, |cell| taker.offer(cell))?;
                taker.finish().filter(|_| visit == RowVisit::Whole)
            }
            _ => None,
        };
        if taken.is_none() {
            out.truncate(start);
            if request.at_once {
                return Ok(RowRead::Waits);
            }
        }
        let taken = match taken {
            Some(taken) => taken,
            None => self.read_merged(request, row, max_cells, config, expiry, &view, &candidates, out)?,
        };
        match &state.mob {
            None => Ok(RowRead::Cells(taken)),
            Some(mob) => with_values(MobReading::new(Some(mob), request.mob_values), request, taken, out, start),
        }
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
        if request.at_once {
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
        let candidates = self.asked(candidates, request, row)?;
        let start = out.byte_len();
        let taken = self.read_merged(request, row, max_cells, config, expiry, &view, &candidates, out)?;
        with_values(MobReading::new(mob.as_ref(), request.mob_values), request, taken, out, start)
    }

    /// The files that may have cells of `row` for this reader, by what they say of themselves.
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
        files.iter().rev().filter(|file| file.overlaps(range, oldest) && file.covers(row)).collect()
    }

    /// Those of several files that may have the row by their Bloom filters. One file alone is asked later, and only if the
    /// answer can spare reading a block.
    fn asked<'f>(&self, candidates: Files<'f>, request: &ReadRequest<'_>, row: &[u8]) -> Result<Files<'f>> {
        if candidates.len() < 2 {
            return Ok(candidates);
        }
        let mut kept = Files::new();
        for file in candidates {
            if file.might_contain(row, request.qualifiers)? {
                kept.push(file);
            }
        }
        Ok(kept)
    }

    /// Reads the row from all places at once.
    #[expect(clippy::too_many_arguments, reason = "what the caller found out is not found out again")]
    #[cold]
    fn read_merged(
        &self,
        request: &ReadRequest<'_>,
        row: &[u8],
        max_cells: usize,
        config: &Config,
        expiry: Expiry,
        view: &View,
        files: &[&Arc<StoreFile>],
        out: &mut CellBuffer,
    ) -> Result<usize> {
        let keeps_blocks = request.options.cache_blocks && config.family.block_cache;
        let mut sources: Vec<Source> = Vec::new();
        view.sources(row, request.read_point, &mut sources);
        sources.extend(files.iter().map(|file| Source::File(file.reader.source(keeps_blocks))));
        let mut merged = MergedSource::new(sources, request.read_point);
        let rows = row_reader(request, config, expiry);
        if !is_new_version(request, config) {
            return read_from(&mut merged, rows, row, max_cells, out);
        }
        read_from(&mut new_version_source(merged, request, config, expiry), rows, row, max_cells, out)
    }
}

/// Puts values in the places of references among the cells that were read, from byte `start` of `out` on.
#[cold]
fn with_values(
    mob: Option<MobReading>,
    request: &ReadRequest<'_>,
    taken: usize,
    out: &mut CellBuffer,
    start: usize,
) -> Result<RowRead> {
    let Some(mob) = mob.filter(|mob| mob.is_needed(out, start)) else { return Ok(RowRead::Cells(taken)) };
    if request.at_once {
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
    rows.read_page(source, row, max_cells, out).map(|page| page.0)
}
