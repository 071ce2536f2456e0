//! The null server's responses: the same cells for every client, built while parsing requests only as far as the
//! protocol requires.

use prost::Message;
use rowstone_rpc::proto;
use std::collections::HashMap;

/// Length of PerformanceEvaluation's row keys, which are numbers.
const NUMBER_DIGITS: usize = 26;
/// Rows per response for a scan without a limit.
const MOST_ROWS: u64 = 1 << 20;
const DEFAULT_BYTES: u64 = 2 << 20;
const LEASE_MS: u32 = 60_000;

/// The shape of the rows.
#[derive(Clone)]
pub struct Shape {
    pub family: String,
    pub qualifiers: Vec<String>,
    pub value_bytes: usize,
}

/// A response: its message and its cells.
pub type Answer = (Vec<u8>, Vec<u8>);

/// An open scan: its position and its end.
struct Scanner {
    at: Key,
    stop: Vec<u8>,
    left: u64,
    most_bytes: u64,
}

/// The keys of a scan: numbers if it began at one, otherwise the start key followed by a number.
struct Key {
    prefix: Vec<u8>,
    number: u64,
    digits: usize,
}

impl Key {
    fn of(start: &[u8]) -> Self {
        let number = std::str::from_utf8(start).ok().and_then(|text| text.parse().ok());
        match number {
            Some(number) => Key { prefix: Vec::new(), number, digits: start.len() },
            None if start.is_empty() => Key { prefix: Vec::new(), number: 0, digits: NUMBER_DIGITS },
            None => Key { prefix: start.to_vec(), number: 0, digits: 8 },
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut key = self.prefix.clone();
        key.extend_from_slice(format!("{:0digits$}", self.number, digits = self.digits).as_bytes());
        key
    }
}

/// The responses on one connection.
pub struct Canned {
    shape: Shape,
    value: Vec<u8>,
    scanners: HashMap<u64, Scanner>,
    next_scanner: u64,
}

impl Canned {
    pub fn new(shape: Shape) -> Self {
        let value = vec![b'v'; shape.value_bytes];
        Canned { shape, value, scanners: HashMap::new(), next_scanner: 1 << 40 }
    }

    /// The response to a call; `None` if the call is not about rows of a user table.
    pub fn answer(&mut self, method: &str, parameter: &[u8]) -> Option<Answer> {
        match method {
            "Get" => {
                let request = proto::GetRequest::decode(parameter).ok()?;
                is_of_user(&request.region).then(|| self.get(&request.get.row))
            }
            "Mutate" => {
                let request = proto::MutateRequest::decode(parameter).ok()?;
                is_of_user(&request.region).then(|| self.mutate(&request))
            }
            "Multi" => {
                let request = proto::MultiRequest::decode(parameter).ok()?;
                let first = request.region_action.first()?;
                is_of_user(&first.region).then(|| self.multi(&request))
            }
            "Scan" => self.scan(&proto::ScanRequest::decode(parameter).ok()?),
            _ => None,
        }
    }

    fn row(&self, row: &[u8], cells: &mut Vec<u8>) -> u32 {
        for qualifier in &self.shape.qualifiers {
            append_cell(row, &self.shape.family, qualifier, &self.value, cells);
        }
        self.shape.qualifiers.len() as u32
    }

    fn get(&self, row: &[u8]) -> Answer {
        let mut cells = Vec::new();
        let count = self.row(row, &mut cells);
        (proto::GetResponse { result: Some(result_of(count)) }.encode_to_vec(), cells)
    }

    fn mutate(&self, request: &proto::MutateRequest) -> Answer {
        use proto::mutation_proto::MutationType;
        let mut cells = Vec::new();
        let kind = request.mutation.mutate_type();
        let row = request.mutation.row.as_deref().unwrap_or(b"");
        let gives_cells = matches!(kind, MutationType::Increment | MutationType::Append) && request.condition.is_none();
        let result = gives_cells.then(|| {
            let value: &[u8] = if kind == MutationType::Increment { &[0; 8] } else { &self.value };
            append_cell(row, &self.shape.family, &self.shape.qualifiers[0], value, &mut cells);
            result_of(1)
        });
        (proto::MutateResponse { result, processed: Some(true) }.encode_to_vec(), cells)
    }

    fn multi(&self, request: &proto::MultiRequest) -> Answer {
        let mut cells = Vec::new();
        let mut answers = Vec::with_capacity(request.region_action.len());
        for region in &request.region_action {
            let results = region.action.iter().map(|action| {
                let count = action.get.as_ref().map_or(0, |get| self.row(&get.row, &mut cells));
                proto::ResultOrException { index: action.index, result: Some(result_of(count)), exception: None }
            });
            let result_or_exception = results.collect();
            answers.push(proto::RegionActionResult { result_or_exception, exception: None, processed: Some(true) });
        }
        (proto::MultiResponse { region_action_result: answers, processed: Some(true) }.encode_to_vec(), cells)
    }

    fn scan(&mut self, request: &proto::ScanRequest) -> Option<Answer> {
        let id = match (request.scanner_id, &request.region, &request.scan) {
            (Some(id), _, _) => id,
            (None, Some(region), Some(scan)) if is_of_user(region) => self.open(scan, request.limit_of_rows),
            _ => return None,
        };
        let mut scanner = self.scanners.remove(&id)?;
        let mut response = proto::ScanResponse { scanner_id: Some(id), ttl: Some(LEASE_MS), ..Default::default() };
        let mut cells = Vec::new();
        let wanted = if request.renew() { 0 } else { request.number_of_rows.map_or(MOST_ROWS, u64::from) };
        let mut is_at_end = scanner.left == 0;
        while !is_at_end
            && (response.cells_per_result.len() as u64) < wanted
            && (cells.len() as u64) < scanner.most_bytes
        {
            let key = scanner.at.bytes();
            if !scanner.stop.is_empty() && key >= scanner.stop {
                is_at_end = true;
                break;
            }
            response.cells_per_result.push(self.row(&key, &mut cells));
            scanner.at.number += 1;
            scanner.left -= 1;
            is_at_end = scanner.left == 0;
        }
        response.more_results = Some(!is_at_end);
        response.more_results_in_region = Some(!is_at_end);
        if !is_at_end && !request.close_scanner() {
            self.scanners.insert(id, scanner);
        }
        Some((response.encode_to_vec(), cells))
    }

    fn open(&mut self, scan: &proto::Scan, limit: Option<u32>) -> u64 {
        let mut at = Key::of(scan.start_row());
        if !scan.include_start_row.unwrap_or(true) {
            at.number += 1;
        }
        let scanner = Scanner {
            at,
            stop: scan.stop_row().to_vec(),
            left: limit.filter(|limit| *limit > 0).map_or(u64::MAX, u64::from),
            most_bytes: scan.max_result_size.filter(|bytes| *bytes > 0).unwrap_or(DEFAULT_BYTES).min(DEFAULT_BYTES),
        };
        self.next_scanner += 1;
        self.scanners.insert(self.next_scanner, scanner);
        self.next_scanner
    }
}

/// Whether the region belongs to a user table.
fn is_of_user(region: &proto::RegionSpecifier) -> bool {
    const ENCODED_META: &[u8] = b"1588230740";
    !region.value.starts_with(b"hbase:") && region.value != ENCODED_META
}

fn result_of(cells: u32) -> proto::Result {
    proto::Result { associated_cell_count: Some(cells as i32), ..Default::default() }
}

/// Appends a put as a KeyValue, prefixed with its length.
fn append_cell(row: &[u8], family: &str, qualifier: &str, value: &[u8], block: &mut Vec<u8>) {
    const PUT: u8 = 4;
    let key = 2 + row.len() + 1 + family.len() + qualifier.len() + 8 + 1;
    for length in [8 + key + value.len(), key, value.len()] {
        block.extend_from_slice(&(length as u32).to_be_bytes());
    }
    block.extend_from_slice(&(row.len() as u16).to_be_bytes());
    block.extend_from_slice(row);
    block.push(family.len() as u8);
    block.extend_from_slice(family.as_bytes());
    block.extend_from_slice(qualifier.as_bytes());
    block.extend_from_slice(&1u64.to_be_bytes());
    block.push(PUT);
    block.extend_from_slice(value);
}
