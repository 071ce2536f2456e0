//! Gets of one version of named columns, if the newest segment or file has them. Cells in older files cannot matter
//! then, and those files are not read.
//!
//! Source of the idea: HBase's lazy seeks (`StoreFileScanner.requestSeek`), which delay reading a file until a cell
//! within its time range is needed. Here the whole file is skipped, and so is its Bloom filter.

use super::direct::{filter_by_bloom, Files, RowWanted};
use super::view::StoreView;
use super::StoreFile;
use crate::hfile::{Patience, RowVisit};
use crate::memstore::RowLocation;
use rowstone_model::cell::CellBuffer;
use rowstone_model::Result;
use std::cmp::Reverse;
use std::sync::Arc;

/// Result of reading the newest segment or file first.
pub(super) enum Newest<'f> {
    /// All cells were found; their number.
    Taken(usize),
    /// Not enough was found; these are the files that may have the row.
    In(Files<'f>),
    /// The read has to wait for a file, which the caller does not want, or is too long for that caller.
    Waits,
}

impl StoreView<'_> {
    /// Appends the cells if the newest segment or file has all of them and every other one has only older cells or
    /// does not have the row.
    pub(super) fn read_newest<'f>(
        &self,
        wanted: &RowWanted<'_>,
        found: &RowLocation<'_>,
        candidates: Files<'f>,
        out: &mut CellBuffer,
    ) -> Result<Newest<'f>> {
        let Some(columns) = columns(wanted) else { return Ok(Newest::In(filter_by_bloom(candidates, wanted)?)) };
        let start = out.byte_len();
        let mut rest = candidates.clone();
        rest.sort_by_key(|file| Reverse(newest_timestamp(file)));
        let mut first = None;
        let taken = match found {
            RowLocation::In(spot) => wanted.take_recent(spot, out),
            RowLocation::InSeveral if wanted.request.patience == Patience::AtOnce => return Ok(Newest::Waits),
            RowLocation::InSeveral => Some(self.read_merged(wanted, &[], out)?),
            RowLocation::Nowhere => {
                while first.is_none() && !rest.is_empty() {
                    let newest = rest.remove(0);
                    first = wanted.may_be_in(newest)?.then_some(newest);
                }
                match first {
                    None => return Ok(Newest::Taken(0)),
                    Some(file) if wanted.sees_all_of(file) => {
                        let (taken, visit) = wanted.take_from(file, || Ok(true), out)?;
                        if visit == RowVisit::Waits {
                            return Ok(Newest::Waits);
                        }
                        taken.filter(|_| visit == RowVisit::Whole)
                    }
                    Some(_) => None,
                }
            }
        };
        let oldest = out.range(start, out.byte_len()).map(|cell| cell.timestamp()).min();
        let is_newer = |oldest: i64| rest.iter().all(|file| newest_timestamp(file) < oldest);
        if taken == Some(columns) && oldest.is_some_and(is_newer) {
            return Ok(Newest::Taken(columns));
        }
        let rest = filter_by_bloom(rest, wanted)?;
        if let Some(taken) = taken.filter(|_| rest.is_empty()) {
            return Ok(Newest::Taken(taken));
        }
        out.truncate(start);
        let may_have = |file: &&Arc<StoreFile>| first.iter().chain(&rest).any(|other| Arc::ptr_eq(file, other));
        Ok(Newest::In(candidates.into_iter().filter(may_have).collect()))
    }
}

/// The maximum number of cells of the result; `None` if it is not known in advance.
fn columns(wanted: &RowWanted<'_>) -> Option<usize> {
    let columns = wanted.request.qualifiers.map_or(0, |qualifiers| qualifiers.len());
    let is_one_version = wanted.request.options.versions == 1 || wanted.config.family.max_versions == 1;
    (is_one_version && columns > 0 && columns <= wanted.max_cells).then_some(columns)
}

/// Upper limit for the timestamps of its cells, including markers. A file that does not record it may have any.
fn newest_timestamp(file: &Arc<StoreFile>) -> i64 {
    file.reader.info().time_range.map_or(i64::MAX, |range| range.1)
}
