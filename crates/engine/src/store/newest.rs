//! Gets of one version of named columns, where the newest place has it: what older files hold cannot matter, and they are not read.
//!
//! Source of the idea: HBase's lazy seeks (`StoreFileScanner.requestSeek`), which put off reading a file until a cell within its time
//! range is wanted. Here the whole file is left out, and its Bloom filter is not asked either.

use super::direct::{Files, RowWanted};
use super::{Store, StoreFile};
use crate::hfile::RowVisit;
use crate::memstore::{Found, View};
use rowstone_model::cell::CellBuffer;
use rowstone_model::Result;
use std::cmp::Reverse;
use std::sync::Arc;

impl Store {
    /// Appends the cells, where one place has all that are wanted and every other holds only older ones; how many there are. `None`, and
    /// nothing appended, where that is not so.
    pub(super) fn read_newest(
        &self,
        wanted: &RowWanted<'_>,
        view: &View,
        found: &Found<'_>,
        candidates: &Files<'_>,
        out: &mut CellBuffer,
    ) -> Result<Option<usize>> {
        let Some(columns) = columns(wanted) else { return Ok(None) };
        let start = out.byte_len();
        let mut files = candidates.clone();
        files.sort_by_key(|file| Reverse(newest_timestamp(file)));
        let (taken, older) = match found {
            Found::In(spot) => (wanted.take_recent(spot, out), files.as_slice()),
            Found::InSeveral => (Some(self.read_merged(wanted, view, &[], out)?), files.as_slice()),
            Found::Nowhere => {
                let mut first = None;
                for (index, file) in files.iter().enumerate() {
                    if file.might_contain(wanted.row, wanted.request.qualifiers)? {
                        first = Some((index, file));
                        break;
                    }
                }
                let Some((index, file)) = first else { return Ok(Some(0)) };
                if !wanted.sees_all_of(file) {
                    return Ok(None);
                }
                let (taken, visit) = wanted.take_from(file, || Ok(true), out)?;
                (taken.filter(|_| visit == RowVisit::Whole), &files[index + 1..])
            }
        };
        let oldest = out.range(start, out.byte_len()).map(|cell| cell.timestamp()).min();
        let is_newer = |oldest: i64| older.iter().all(|file| newest_timestamp(file) < oldest);
        if taken == Some(columns) && oldest.is_some_and(is_newer) {
            return Ok(taken);
        }
        out.truncate(start);
        Ok(None)
    }
}

/// How many cells are all there can be; `None` where nobody knows before all places were seen.
fn columns(wanted: &RowWanted<'_>) -> Option<usize> {
    let columns = wanted.request.qualifiers.map_or(0, Vec::len);
    let is_one_version = wanted.request.options.versions == 1 || wanted.config.family.max_versions == 1;
    (is_one_version && columns > 0 && columns <= wanted.max_cells).then_some(columns)
}

/// No cell of it, markers included, is later; a file that does not say may have any.
fn newest_timestamp(file: &Arc<StoreFile>) -> i64 {
    file.reader.info().time_range.map_or(i64::MAX, |range| range.1)
}
