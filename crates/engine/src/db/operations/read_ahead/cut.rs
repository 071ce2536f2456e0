//! The ranges of rows into which a scan is cut.

use super::piece::Source;
use rowstone_model::operations::{ReadOptions, Scan};

/// Approximate bytes of a piece in the largest file of a region. A piece costs a search in every file, and its batches
/// are in memory until the caller takes them.
const PIECE_BYTES: usize = 256 << 10;

impl Source {
    /// The first piece of `scan`, and the rest of it. Some scans have no rest: their filter has a state, their limit
    /// counts the rows of all pieces, or all of a region must have one read point.
    pub(super) fn cut_first(&self, scan: Scan) -> (Scan, Option<Scan>) {
        let has_state = scan.limit > 0 || scan.options.is_filtered();
        let has_read_point = scan.read_point > 0 || !self.shared.is_read_only;
        let is_whole = scan.reversed || has_state || has_read_point;
        let cut = if is_whole { None } else { self.end_of_piece(&scan) };
        let Some(row) = cut else { return (scan, None) };
        // Neighbors read the same blocks at their edges, and the second one should find them in the cache.
        let options = ReadOptions { cache_blocks: true, ..scan.options };
        let scan = Scan { options, ..scan };
        let rest = Scan { start: row.clone(), include_start: true, ..scan.clone() };
        (Scan { stop: row, include_stop: false, ..scan }, Some(rest))
    }

    /// The row before which the first piece ends: of a block, or the region's last. `None` if all the rest is one
    /// piece, or if the index cannot be read: the scan will meet the same error.
    fn end_of_piece(&self, scan: &Scan) -> Option<Vec<u8>> {
        let region = self.handle.region_of(&scan.start).ok()?;
        let end = &region.info().end_key;
        let row = region.row_of_later_block(&scan.options.columns, &scan.start, PIECE_BYTES).ok()?;
        let row = row.filter(|row| end.is_empty() || row < end).unwrap_or_else(|| end.clone());
        (!row.is_empty() && (scan.stop.is_empty() || row < scan.stop)).then_some(row)
    }
}
