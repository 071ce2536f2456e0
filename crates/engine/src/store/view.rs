//! A store at one moment, and gets from it: one row from memstore and files. Most rows are in a single memstore segment
//! or file and are read in place ([`super::direct`]). The others are read through sources and a merge, as in scans.

use super::direct::{filter_by_bloom, read_directly, DirectRead, Files, RowWanted, MOST_AT_ONCE};
use super::newest::Newest;
use super::reading::{is_new_version, new_version_source, oldest_that_matters, row_reader};
use super::source::Source;
use super::{ReadRequest, State, Store, StoreFile};
use crate::hfile::Patience;
use crate::memstore::{RowLocation, View};
use crate::mob::MobReading;
use crate::scan::{Expiry, MergedSource, RowReader};
use rowstone_model::cell::{CellBuffer, CellSource};
use rowstone_model::Result;
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

/// The memstore and the files of a store at one moment. Gets that share it see the same cells at the same read point.
pub struct StoreView<'s> {
    store: &'s Store,
    recent: View<Arc<State>>,
    /// Read points before it are too old for these files.
    cut: u64,
}

impl Store {
    /// The store at this moment.
    #[inline]
    pub fn view(&self) -> StoreView<'_> {
        let recent = self.memstore.view();
        // A file that is visible has moved the cut before.
        StoreView { store: self, recent, cut: self.cut.load(Ordering::Acquire) }
    }
}

impl StoreView<'_> {
    /// Whether this is a moment of `store`.
    #[inline]
    pub fn is_of(&self, store: &Store) -> bool {
        std::ptr::eq(self.store, store)
    }

    /// Appends up to `max_cells` cells of `row` to `out` and returns their number.
    pub fn read_row(
        &self,
        request: &ReadRequest<'_>,
        row: &[u8],
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<RowRead> {
        let State { config, files, mob } = &**self.recent.files();
        let expiry = Expiry::new(request.now_ms, config.family.ttl_ms);
        if self.cut > request.read_point {
            return Ok(RowRead::Passed);
        }
        if request.options.raw || is_new_version(request, config) {
            return self.read_by_merging(request, row, max_cells, out);
        }
        let candidates = match files.as_slice() {
            [] => Files::new(),
            _ => self.candidates(request, row, &expiry),
        };
        if request.patience == Patience::AtOnce && candidates.len() > MOST_AT_ONCE {
            return Ok(RowRead::Waits);
        }
        let start = out.byte_len();
        let wanted = RowWanted { request, row, max_cells, config, expiry };
        let Some(taken) = self.read_sources(&wanted, candidates, out)? else {
            out.truncate(start);
            return Ok(RowRead::Waits);
        };
        match mob {
            None => Ok(RowRead::Cells(taken)),
            Some(mob) => with_values(MobReading::new(Some(mob), request.mob_values), request, taken, out, start),
        }
    }

    /// Reads the row from as few segments and files as possible and returns the number of cells. `None` if it has
    /// to wait for a file, which the caller does not want.
    fn read_sources(
        &self,
        wanted: &RowWanted<'_>,
        mut candidates: Files<'_>,
        out: &mut CellBuffer,
    ) -> Result<Option<usize>> {
        let start = out.byte_len();
        let found = self.recent.find(wanted.row, !candidates.is_empty());
        // The Bloom filter of a single file is checked later, and only if that can save reading a block.
        let is_spread = candidates.len() + usize::from(!matches!(found, RowLocation::Nowhere)) > 1;
        if is_spread {
            match self.read_newest(wanted, &found, candidates, out)? {
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
        self.read_merged(wanted, &candidates, out).map(Some)
    }

    /// Reads under rules for which all segments and files must be merged.
    #[cold]
    fn read_by_merging(
        &self,
        request: &ReadRequest<'_>,
        row: &[u8],
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<RowRead> {
        if request.patience.gives_up() {
            return Ok(RowRead::Waits);
        }
        let State { config, mob, .. } = &**self.recent.files();
        let expiry = Expiry::new(request.now_ms, config.family.ttl_ms);
        let candidates = self.candidates(request, row, &expiry);
        let start = out.byte_len();
        let wanted = RowWanted { request, row, max_cells, config, expiry };
        let candidates = filter_by_bloom(candidates, &wanted)?;
        let taken = self.read_merged(&wanted, &candidates, out)?;
        with_values(MobReading::new(mob.as_ref(), request.mob_values), request, taken, out, start)
    }

    /// The files that may have cells of `row` for this reader, according to their metadata.
    fn candidates(&self, request: &ReadRequest<'_>, row: &[u8], expiry: &Expiry) -> Files<'_> {
        let State { config, files, .. } = &**self.recent.files();
        let oldest = oldest_that_matters(request, config, expiry);
        let range = request.options.time_range_of(&self.store.family);
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
        files: &[&Arc<StoreFile>],
        out: &mut CellBuffer,
    ) -> Result<usize> {
        let &RowWanted { request, row, max_cells, config, expiry } = wanted;
        let mut sources: Vec<Source> = Vec::new();
        self.recent.sources(request.read_point, Some(row), &mut sources);
        sources.extend(files.iter().map(|file| Source::File(file.reader.source(wanted.keeps_blocks()))));
        let mut merged = MergedSource::new(sources, request.read_point);
        let rows = row_reader(request, config, expiry);
        if !is_new_version(request, config) {
            return read_from(&mut merged, rows, row, max_cells, out);
        }
        read_from(&mut new_version_source(merged, request, config, expiry), rows, row, max_cells, out)
    }
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
