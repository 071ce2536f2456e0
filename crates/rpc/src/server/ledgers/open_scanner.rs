//! An open scanner of one region: buffered rows, remaining limits and the number of the next call.

use crate::proto;
use crate::server::messages::cells::Sink;
use crate::server::messages::exception::{as_region_error, Exception};
use rowstone_model::backend::{FilteredRows, ScannerBackend};
use rowstone_model::operations::{CellBatch, RowRange};
use rowstone_model::schema::TableName;
use std::sync::Arc;
use std::time::Instant;

/// Maximum number of rows per read from the store.
const MOST_ROWS: usize = 1 << 16;

/// Bytes per read from the store: small enough to stay in the CPU cache until the answer is built.
const PIECE_BYTES: usize = 64 << 10;

/// State of a scan between two calls.
pub(in crate::server) struct OpenScanner {
    /// The rows of the region.
    pub scanner: Box<dyn ScannerBackend>,
    /// The table; `None` for `hbase:meta`, whose reads have no quota.
    pub table: Option<TableName>,
    /// Bytes of the largest answer so far, if reads have a quota.
    pub largest_bytes: usize,
    /// Buffered rows, to be sent from `next_row` on.
    pub pending: CellBatch,
    pub next_row: usize,
    /// Bytes of that row that were already sent.
    pub sent_bytes: usize,
    /// Rows that may still be sent; `None` means no limit.
    pub rows_left: Option<u64>,
    /// Expected sequence number of the next call.
    pub next_call: u64,
    /// Name of the region.
    pub region: Arc<[u8]>,
    pub max_bytes: usize,
    pub allows_partial: bool,
    pub wants_cursor: bool,
    /// The last row that was sent in the answer.
    pub last_row: Vec<u8>,
    /// Whether the last result sent may be only a part of its row; the next read tells.
    pub ends_in_piece: bool,
    /// Filtered rows and cells that were already reported to the client.
    pub told: FilteredRows,
    /// Whether the scan has a filter.
    pub is_filtered: bool,
    /// Whether the filter decides on whole rows.
    pub needs_whole_rows: bool,
}

/// Limits on one answer.
pub(in crate::server) struct Bounds {
    pub rows: usize,
    pub limit: Option<u64>,
    pub allows_partial: bool,
    /// Deadline, for clients that understand heartbeat messages.
    pub deadline: Option<Instant>,
}

/// Reason why an answer ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in crate::server) struct End {
    /// The region has no more rows of the range.
    pub is_exhausted: bool,
    /// The scan's row limit is reached.
    pub is_limit_reached: bool,
    /// The time limit is reached: this is a heartbeat.
    pub is_heartbeat: bool,
    /// Rows that were sent completely.
    pub rows: u64,
}

impl OpenScanner {
    /// The MVCC read point, for a client that must reopen the scan in the middle of a row.
    pub fn read_point(&self) -> Option<u64> {
        Some(self.scanner.read_point()).filter(|point| *point > 0)
    }

    /// Adds the next results to the answer.
    pub fn fill(&mut self, bounds: &Bounds, sink: &mut Sink, out: &mut proto::ScanResponse) -> Result<End, Exception> {
        let limit = [self.rows_left, bounds.limit].into_iter().flatten().min();
        let mut end = End::default();
        let (mut results, mut rows) = (0, 0u64);
        while results < bounds.rows && sink.bytes < self.max_bytes && !sink.is_full(self.max_bytes) {
            if self.next_row == self.pending.rows.len() {
                if results > 0 && bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    end.is_heartbeat = true;
                    break;
                }
                let wanted = (bounds.rows - results).min(MOST_ROWS);
                if !self.fetch(wanted, self.max_bytes - sink.bytes, bounds.deadline)? {
                    rows += self.complete(out);
                    end = End { is_exhausted: true, is_limit_reached: limit == Some(rows), ..end };
                    break;
                }
                if self.pending.rows.is_empty() {
                    end.is_heartbeat = true;
                    break;
                }
            }
            rows += u64::from(self.ends_in_piece && !self.goes_on());
            if limit == Some(rows) {
                end.is_limit_reached = true;
                break;
            }
            let is_whole = self.send_piece(bounds.allows_partial, sink, out);
            self.ends_in_piece = !is_whole;
            results += 1;
            rows += u64::from(is_whole);
            if limit == Some(rows) {
                end.is_limit_reached = true;
                break;
            }
        }
        if !end.is_exhausted && self.next_row == self.pending.rows.len() && self.scanner.is_at_end() {
            // As in HBase, the last rows of a region are marked as the last. Otherwise the empty answer after a
            // filter's end would end the whole scan.
            rows += self.complete(out);
            end.is_exhausted = true;
            end.is_limit_reached |= limit == Some(rows);
        }
        if let Some(left) = &mut self.rows_left {
            *left = left.saturating_sub(rows);
        }
        Ok(End { rows, ..end })
    }

    /// Returns the increase of the client's scan metrics for an answer of `rows` rows. Source: HBase's
    /// `ServerSideScanMetrics`.
    pub fn metrics(&mut self, rows: u64) -> proto::ScanMetrics {
        let now = self.scanner.filtered_rows();
        let before = std::mem::replace(&mut self.told, now);
        let (filtered, unread) = (now.count - before.count, now.unread - before.unread);
        let metrics = [("ROWS_SCANNED", rows + filtered - unread), ("ROWS_FILTERED", filtered)];
        let pair = |(name, value): (&str, u64)| proto::NameInt64Pair {
            name: Some(name.to_string()),
            value: Some(i64::try_from(value).unwrap_or(i64::MAX)),
        };
        proto::ScanMetrics { metrics: metrics.map(pair).to_vec() }
    }

    /// Reads more rows; returns `false` at the end.
    fn fetch(&mut self, rows: usize, bytes: usize, deadline: Option<Instant>) -> Result<bool, Exception> {
        (self.pending, self.next_row, self.sent_bytes) = (CellBatch::default(), 0, 0);
        let bytes = bytes.min(PIECE_BYTES);
        let batch = match deadline {
            Some(deadline) => self.scanner.next_until(rows, bytes, deadline),
            None => self.scanner.next_batch(rows, bytes),
        };
        // Dropping a table drops its regions: the error makes the client look up the region again.
        let batch = batch.map_err(|error| as_region_error(error, "the scanner's region", "this server"))?;
        let has_more = batch.is_some();
        self.pending = batch.unwrap_or_default();
        Ok(has_more)
    }

    /// Whether the next piece continues the row that was sent last.
    fn goes_on(&self) -> bool {
        let next = self.pending.row_cells(self.pending.rows[self.next_row]).next();
        next.is_some_and(|cell| cell.row() == self.last_row)
    }

    /// Marks the last row as complete at the end of the region, and returns how many rows that completes (0 or 1). A
    /// client that received the row as partial does not count it, and reads on for the rest in the next region.
    /// Source: HBASE-21206.
    fn complete(&mut self, out: &mut proto::ScanResponse) -> u64 {
        if let Some(is_partial) = out.partial_flag_per_result.last_mut() {
            *is_partial = false;
        }
        if let Some(result) = out.results.last_mut() {
            result.partial = Some(false);
        }
        u64::from(std::mem::take(&mut self.ends_in_piece))
    }

    /// Sends the rest of the current row, or a part of it if it is too large and the client accepts partial results.
    /// Returns whether the row is now complete.
    fn send_piece(&mut self, allows_partial: bool, sink: &mut Sink, out: &mut proto::ScanResponse) -> bool {
        let row = self.pending.rows[self.next_row];
        let left = RowRange { start: row.start + self.sent_bytes, ..row };
        let room = self.max_bytes.saturating_sub(sink.bytes);
        let piece =
            if allows_partial && left.end - left.start > room { self.cut(left, room) } else { self.counted(left) };
        if let Some(cell) = self.pending.row_cells(piece).next() {
            self.last_row.clear();
            self.last_row.extend_from_slice(cell.row());
        }
        let mut result = sink.row(&self.pending, piece);
        if sink.uses_block() {
            out.cells_per_result.push(piece.cell_count);
            out.partial_flag_per_result.push(piece.is_partial);
        } else {
            result.associated_cell_count = None;
            out.results.push(result);
        }
        if piece.end == row.end {
            self.next_row += 1;
            self.sent_bytes = 0;
        } else {
            self.sent_bytes = piece.end - row.start;
        }
        !piece.is_partial
    }

    /// Returns the range with its cell count, which is known only for whole ranges.
    fn counted(&self, range: RowRange) -> RowRange {
        match self.sent_bytes {
            0 => range,
            _ => RowRange { cell_count: self.pending.row_cells(range).count() as u32, ..range },
        }
    }

    /// Returns the leading cells of a range that fit into `room`, at least one.
    fn cut(&self, range: RowRange, room: usize) -> RowRange {
        let (mut end, mut cell_count) = (range.start, 0);
        for cell in self.pending.row_cells(range) {
            end += cell.written_len(rowstone_model::cell::Layout::TAGGED);
            cell_count += 1;
            if end - range.start >= room {
                break;
            }
        }
        RowRange { end, cell_count, is_partial: end < range.end || range.is_partial, ..range }
    }

    /// Whether the filter accepts no more rows.
    pub fn is_filter_done(&self) -> bool {
        self.scanner.is_filter_done()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::server::messages::answer_memory::AnswerMemory;
    use crate::server::messages::cells::Codec;
    use rowstone_model::cell::{CellParts, CellType};
    use rowstone_model::Result;
    use std::collections::VecDeque;
    use std::time::Duration;

    /// Prepared batches: each is a list of rows, given by their cell counts.
    struct Laid(VecDeque<Vec<u32>>);

    impl ScannerBackend for Laid {
        fn next_batch(&mut self, _max_rows: usize, _max_bytes: usize) -> Result<Option<CellBatch>> {
            let Some(rows) = self.0.pop_front() else { return Ok(None) };
            let mut batch = CellBatch::default();
            for (row, count) in (b'a'..).zip(rows) {
                let start = batch.cells.byte_len();
                for column in 0..count {
                    batch.cells.push(CellParts {
                        row: &[row],
                        family: b"f",
                        qualifier: &column.to_be_bytes(),
                        timestamp: 1,
                        cell_type: CellType::Put,
                        value: &[0; 100],
                        tags: &[],
                    });
                }
                let end = batch.cells.byte_len();
                batch.rows.push(RowRange { start, end, cell_count: count, is_partial: false });
            }
            Ok(Some(batch))
        }
    }

    fn scanner(batches: &[&[u32]], max_bytes: usize) -> OpenScanner {
        OpenScanner {
            scanner: Box::new(Laid(batches.iter().map(|rows| rows.to_vec()).collect())),
            table: None,
            largest_bytes: 0,
            pending: CellBatch::default(),
            next_row: 0,
            sent_bytes: 0,
            rows_left: None,
            next_call: 0,
            region: Arc::from([]),
            max_bytes,
            allows_partial: false,
            wants_cursor: false,
            last_row: Vec::new(),
            ends_in_piece: false,
            told: FilteredRows::default(),
            is_filtered: false,
            needs_whole_rows: false,
        }
    }

    fn answer(scanner: &mut OpenScanner, rows: usize, allows_partial: bool) -> (End, Vec<u32>, Vec<bool>) {
        answer_until(scanner, rows, allows_partial, Instant::now() + Duration::from_secs(3_600))
    }

    fn answer_until(
        scanner: &mut OpenScanner,
        rows: usize,
        allows_partial: bool,
        deadline: Instant,
    ) -> (End, Vec<u32>, Vec<bool>) {
        let bounds = Bounds { rows, limit: None, allows_partial, deadline: Some(deadline) };
        let codec = Codec { has_blocks: true, ..Codec::default() };
        let (mut sink, mut out) = (Sink::new(codec), proto::ScanResponse::default());
        let end = scanner.fill(&bounds, &mut sink, &mut out).unwrap();
        (end, out.cells_per_result, out.partial_flag_per_result)
    }

    #[test]
    fn rows_are_cut_only_for_clients_that_accept_partial_results() {
        let mut whole = scanner(&[&[10, 1]], 300);
        assert_eq!(answer(&mut whole, 9, false).1, [10]);
        assert_eq!(
            answer(&mut whole, 9, false),
            (End { is_exhausted: true, rows: 1, ..End::default() }, vec![1], vec![false])
        );
        let mut cut = scanner(&[&[5]], 300);
        assert_eq!(answer(&mut cut, 9, true), (End::default(), vec![3], vec![true]));
        assert_eq!(answer(&mut cut, 9, true).1, [2]);
    }

    #[test]
    fn a_limit_ends_the_scan_over_several_answers() {
        let mut limited = scanner(&[&[1, 1, 1], &[1]], 1 << 20);
        limited.rows_left = Some(2);
        assert!(!answer(&mut limited, 1, true).0.is_limit_reached);
        let (end, counts, _) = answer(&mut limited, 5, true);
        assert_eq!((end.is_limit_reached, counts), (true, vec![1]));
    }

    #[test]
    fn pieces_that_end_their_rows_unnoticed_count_for_the_limit() {
        // For each row, a part that was marked as partial and turns out to be the last.
        let pieces = |limit| {
            let mut batch = Laid(VecDeque::from([vec![2, 2]])).next_batch(9, 9).unwrap().unwrap();
            batch.rows.iter_mut().for_each(|row| row.is_partial = true);
            OpenScanner { pending: batch, rows_left: Some(limit), ..scanner(&[], 1 << 20) }
        };
        let (end, counts, partial) = answer(&mut pieces(1), 9, true);
        assert_eq!((end.is_limit_reached, counts, partial), (true, vec![2], vec![true]));
        let (end, counts, partial) = answer(&mut pieces(2), 9, true);
        assert_eq!((end.is_limit_reached, end.is_exhausted), (true, true));
        assert_eq!((counts, partial), (vec![2, 2], vec![true, false]));
    }

    #[test]
    fn an_answer_that_took_too_long_goes_out_with_what_it_has() {
        let mut slow = scanner(&[&[1, 2], &[3]], 1 << 20);
        let (end, counts, _) = answer_until(&mut slow, 5, true, Instant::now());
        assert_eq!((end, counts), (End { is_heartbeat: true, rows: 2, ..End::default() }, vec![1, 2]));
        let (end, counts, _) = answer(&mut slow, 5, true);
        assert_eq!((end.is_exhausted, counts), (true, vec![3]));
    }

    #[test]
    fn scarce_memory_allows_one_row_an_answer_and_scans_still_end() {
        let all = AnswerMemory::new(1);
        let mut others = all.share();
        others.note(1 << 20);
        let mut slow = scanner(&[&[1, 2], &[3]], 1 << 20);
        let mut found = Vec::new();
        loop {
            let bounds = Bounds { rows: 9, limit: None, allows_partial: true, deadline: None };
            let codec = Codec { has_blocks: true, ..Codec::default() };
            let (mut sink, mut out) = (Sink::sharing(codec, all.share()), proto::ScanResponse::default());
            let end = slow.fill(&bounds, &mut sink, &mut out).unwrap();
            found.extend(out.cells_per_result);
            assert!(!end.is_heartbeat && !end.is_limit_reached);
            if end.is_exhausted {
                break;
            }
            assert_eq!(end.rows, 1);
        }
        assert_eq!(found, [1, 2, 3]);
    }

    #[test]
    fn an_answer_with_nothing_in_it_is_a_heartbeat_and_no_end() {
        let mut slow = scanner(&[&[], &[1]], 1 << 20);
        let (end, counts, _) = answer(&mut slow, 5, true);
        assert_eq!((end, counts), (End { is_heartbeat: true, ..End::default() }, vec![]));
        let (end, counts, _) = answer(&mut slow, 5, true);
        assert_eq!((end.is_exhausted, counts), (true, vec![1]));
    }
}
