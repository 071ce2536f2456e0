//! Scanners of the fake server, with HBase's rules for calls, partial results, heartbeats and ends.

use super::frames::{Answer, Exception};
use super::table::{block_of, push, Done, FakeTable};
use prost::Message;
use rowstone_model::cell::CellBuffer;
use rowstone_rpc::proto;
use std::collections::VecDeque;

pub struct Scanner {
    /// Cells not sent yet, row by row.
    rows: VecDeque<(Vec<u8>, VecDeque<Vec<u8>>)>,
    pub next_call: u64,
    answers: usize,
    batch: usize,
}

impl FakeTable {
    pub fn scan(&mut self, request: &proto::ScanRequest) -> Done {
        let id = match request.scanner_id {
            Some(id) => id,
            None => self.open(request)?,
        };
        let Some(scanner) = self.scanners.get_mut(&id) else {
            let class = "org.apache.hadoop.hbase.UnknownScannerException";
            return Err(Exception::new(class, &format!("Unknown scanner '{id}'"), true));
        };
        if request.scanner_id.is_some() {
            if let Some(call) = request.next_call_seq {
                assert_eq!(call, scanner.next_call, "calls of a scanner come in order");
                scanner.next_call += 1;
            }
        }
        let lease =
            proto::ScanResponse { scanner_id: Some(id), ttl: Some(self.lease_ms), ..proto::ScanResponse::default() };
        if request.renew == Some(true) {
            self.renewals += 1;
            return Ok(Answer::of(&lease));
        }
        if request.close_scanner == Some(true) {
            self.closes += 1;
            self.scanners.remove(&id);
            return Ok(Answer::of(&proto::ScanResponse::default()));
        }
        Ok(self.answer(id, request, lease))
    }

    /// Opens a scan in a region; returns the scanner's id.
    fn open(&mut self, request: &proto::ScanRequest) -> Result<u64, Exception> {
        let index = self.region(request.region.as_ref().unwrap())?;
        let scan = request.scan.as_ref().unwrap();
        let (start, stop) = (scan.start_row(), scan.stop_row());
        let is_reversed = scan.reversed == Some(true);
        let (include_start, include_stop) =
            (scan.include_start_row.unwrap_or(true), scan.include_stop_row == Some(true));
        let (low, high) = if is_reversed { (stop, start) } else { (start, stop) };
        let (low_in, high_in) = if is_reversed { (include_stop, include_start) } else { (include_start, include_stop) };
        let (first, end) = (self.starts[index].clone(), self.end_of(index));
        let mut rows: VecDeque<_> = self
            .rows
            .iter()
            .filter(|(row, _)| **row >= first && (end.is_empty() || **row < end))
            .filter(|(row, _)| low.is_empty() || row.as_slice() > low || (low_in && row.as_slice() == low))
            .filter(|(row, _)| high.is_empty() || row.as_slice() < high || (high_in && row.as_slice() == high))
            .map(|(row, cells)| (row.clone(), cells.keys().cloned().collect::<VecDeque<_>>()))
            .collect();
        if is_reversed {
            rows = rows.into_iter().rev().collect();
        }
        let id = self.next_scanner;
        self.next_scanner += 1;
        let batch = scan.batch_size.unwrap_or(0) as usize;
        self.scanners.insert(id, Scanner { rows, next_call: 0, answers: 0, batch });
        Ok(id)
    }

    fn answer(&mut self, id: u64, request: &proto::ScanRequest, mut message: proto::ScanResponse) -> Answer {
        let scanner = self.scanners.get_mut(&id).unwrap();
        scanner.answers += 1;
        let is_heartbeat = self.heartbeat_every > 0 && scanner.answers.is_multiple_of(self.heartbeat_every);
        let most = self.results_per_answer.min(request.number_of_rows.unwrap_or(1) as usize);
        let piece = if scanner.batch > 0 { scanner.batch.min(self.cells_per_result) } else { self.cells_per_result };
        let mut cells = CellBuffer::new();
        let mut finished = 0;
        let mut limit_reached = false;
        while !is_heartbeat && message.cells_per_result.len() < most && !limit_reached {
            let Some((row, columns)) = scanner.rows.front_mut() else { break };
            let count = columns.len().min(piece);
            for qualifier in columns.drain(..count) {
                push(&mut cells, row, &qualifier, row);
            }
            let is_partial = !columns.is_empty();
            message.cells_per_result.push(count as u32);
            message.partial_flag_per_result.push(is_partial);
            if !is_partial {
                scanner.rows.pop_front();
                finished += 1;
                limit_reached = request.limit_of_rows.is_some_and(|limit| finished >= limit);
            }
        }
        message.heartbeat_message = Some(is_heartbeat);
        message.more_results = Some(!limit_reached);
        message.more_results_in_region = Some(!scanner.rows.is_empty());
        message.mvcc_read_point = Some(7);
        if limit_reached || scanner.rows.is_empty() {
            self.scanners.remove(&id);
        }
        Answer { message: message.encode_to_vec(), cells: block_of(&cells) }
    }
}
