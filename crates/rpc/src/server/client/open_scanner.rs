//! A scanner of one region: what was read and not yet sent, what is still allowed, which call comes next.

use crate::proto;
use crate::server::cells::Sink;
use crate::server::exception::Exception;
use rowstone_model::backend::ScannerBackend;
use rowstone_model::operations::{CellBatch, RowRange};
use std::time::Instant;

/// Rows asked of the store at once, at most.
const MOST_ROWS: usize = 1 << 16;

/// Where rows come from.
pub(super) enum Source {
    /// The table; the region's name and row bounds are in the scan.
    Table(Box<dyn ScannerBackend>),
    /// All that there is was read already.
    Nothing,
}

/// A scan as its client left it.
pub(super) struct OpenScanner {
    pub source: Source,
    /// Rows read and not yet sent, from `next_row` on.
    pub pending: CellBatch,
    pub next_row: usize,
    /// Bytes of that row which were sent.
    pub sent_bytes: usize,
    /// Rows that may still be sent; `None` is no limit.
    pub rows_left: Option<u64>,
    /// Number of the next call.
    pub next_call: u64,
    pub max_bytes: usize,
    pub allows_partial: bool,
    pub wants_cursor: bool,
    /// Last row looked at that was sent.
    pub last_row: Vec<u8>,
}

/// What one answer may hold.
pub(super) struct Bounds {
    pub rows: usize,
    pub limit: Option<u64>,
    pub allows_partial: bool,
    /// Until when, for clients that understand an answer with nothing in it.
    pub deadline: Option<Instant>,
}

/// How an answer ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// No row of the range is left in the region.
    pub is_exhausted: bool,
    /// As many rows were sent as the client wants at all.
    pub is_limit_reached: bool,
    /// Time ran out.
    pub is_heartbeat: bool,
}

impl OpenScanner {
    /// Puts the next results into the answer.
    pub fn fill(&mut self, bounds: &Bounds, sink: &mut Sink, out: &mut proto::ScanResponse) -> Result<End, Exception> {
        let limit = [self.rows_left, bounds.limit].into_iter().flatten().min();
        let mut end = End::default();
        let (mut results, mut rows) = (0, 0u64);
        while results < bounds.rows && sink.bytes < self.max_bytes {
            if self.next_row == self.pending.rows.len() {
                let wanted = (bounds.rows - results).min(MOST_ROWS);
                if !self.fetch(wanted, self.max_bytes - sink.bytes, bounds.deadline)? {
                    end.is_exhausted = true;
                    break;
                }
                if self.pending.rows.is_empty() {
                    end.is_heartbeat = true;
                    break;
                }
            }
            let is_whole = self.send_piece(bounds.allows_partial, sink, out);
            results += 1;
            rows += u64::from(is_whole);
            if limit == Some(rows) {
                end.is_limit_reached = true;
                break;
            }
        }
        if let Some(left) = &mut self.rows_left {
            *left = left.saturating_sub(rows);
        }
        Ok(end)
    }

    /// Reads more rows; `false` at the end.
    fn fetch(&mut self, rows: usize, bytes: usize, deadline: Option<Instant>) -> Result<bool, Exception> {
        (self.pending, self.next_row, self.sent_bytes) = (CellBatch::default(), 0, 0);
        let Source::Table(scanner) = &mut self.source else { return Ok(false) };
        let batch = match deadline {
            Some(deadline) => scanner.next_until(rows, bytes, deadline)?,
            None => scanner.next_batch(rows, bytes)?,
        };
        let has_more = batch.is_some();
        self.pending = batch.unwrap_or_default();
        Ok(has_more)
    }

    /// Sends what is left of the present row, or where it is too much and the client can put pieces together, a piece of it;
    /// whether the row is complete with it.
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

    /// The same range with its number of cells, which is known only for whole ranges.
    fn counted(&self, range: RowRange) -> RowRange {
        match self.sent_bytes {
            0 => range,
            _ => RowRange { cell_count: self.pending.row_cells(range).count() as u32, ..range },
        }
    }

    /// The first cells of a range that fill `room`: one at least.
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

    /// Whether the filter wants nothing more.
    pub fn is_filter_done(&self) -> bool {
        match &self.source {
            Source::Table(scanner) => scanner.is_filter_done(),
            Source::Nothing => false,
        }
    }
}
