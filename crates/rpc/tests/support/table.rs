//! The fake server's data: rows in memory, and enough of HBase's rules to expose mistakes of the client.

use super::frames::{Answer, Exception, Request};
use super::scans::Scanner;
use prost::Message;
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_rpc::proto;
use rowstone_rpc::wire::{encode_cells, BlockReader};
use std::collections::{BTreeMap, HashMap};

pub type Row = BTreeMap<Vec<u8>, Vec<u8>>;
pub type Done = Result<Answer, Exception>;

pub const NOT_SERVING: &str = "org.apache.hadoop.hbase.NotServingRegionException";

pub struct FakeTable {
    /// Start keys of the regions; the first one is empty.
    pub starts: Vec<Vec<u8>>,
    /// Changes when the regions are split differently, and their names with it.
    pub generation: u64,
    pub rows: BTreeMap<Vec<u8>, Row>,
    pub is_disabled: bool,
    pub is_missing: bool,
    pub scanners: HashMap<u64, Scanner>,
    pub next_scanner: u64,
    /// Maximum number of cells in a result: more lead to partial results.
    pub cells_per_result: usize,
    /// Maximum number of results in a response.
    pub results_per_answer: usize,
    /// Every so many responses of a scanner are empty heartbeats.
    pub heartbeat_every: usize,
    pub lease_ms: u32,
    /// Nonces of executed increments.
    pub nonces: HashMap<(u64, u64), Vec<u8>>,
    /// Whether a repeated increment is answered without a value.
    pub forgets_values: bool,
    pub renewals: usize,
    pub closes: usize,
}

impl FakeTable {
    pub fn new(splits: &[&str]) -> Self {
        let mut starts = vec![Vec::new()];
        starts.extend(splits.iter().map(|split| split.as_bytes().to_vec()));
        FakeTable {
            starts,
            generation: 1,
            rows: BTreeMap::new(),
            is_disabled: false,
            is_missing: false,
            scanners: HashMap::new(),
            next_scanner: 1,
            cells_per_result: usize::MAX,
            results_per_answer: 1000,
            heartbeat_every: 0,
            lease_ms: 60_000,
            nonces: HashMap::new(),
            forgets_values: false,
            renewals: 0,
            closes: 0,
        }
    }

    pub fn with_rows(mut self, rows: impl IntoIterator<Item = (String, usize)>) -> Self {
        for (row, columns) in rows {
            let cells = (0..columns).map(|number| (format!("q{number:03}").into_bytes(), row.clone().into_bytes()));
            self.rows.insert(row.clone().into_bytes(), cells.collect());
        }
        self
    }

    pub fn end_of(&self, index: usize) -> Vec<u8> {
        self.starts.get(index + 1).cloned().unwrap_or_default()
    }

    fn region_name(&self, index: usize) -> Vec<u8> {
        let mut name = b"t,".to_vec();
        name.extend_from_slice(&self.starts[index]);
        name.extend_from_slice(format!(",{}.{:032x}.", self.generation, index).as_bytes());
        name
    }

    /// The region that a request specifies.
    pub fn region(&self, specifier: &proto::RegionSpecifier) -> Result<usize, Exception> {
        let found = (0..self.starts.len()).find(|index| self.region_name(*index) == specifier.value);
        let is_served = !self.is_disabled && !self.is_missing;
        let name = String::from_utf8_lossy(&specifier.value);
        found.filter(|_| is_served).ok_or_else(|| Exception::new(NOT_SERVING, &format!("{name} is not online"), false))
    }

    fn check_row(&self, region: usize, row: &[u8]) -> Result<(), Exception> {
        let end = self.end_of(region);
        if row >= self.starts[region].as_slice() && (end.is_empty() || row < end.as_slice()) {
            return Ok(());
        }
        let class = "org.apache.hadoop.hbase.regionserver.WrongRegionException";
        Err(Exception::new(class, "Requested row out of range", false))
    }

    pub fn handle(&mut self, request: &Request, port: u16) -> Done {
        let server = proto::ServerName { host_name: "127.0.0.1".into(), port: Some(port.into()), start_code: Some(1) };
        match request.method.as_str() {
            "GetClusterId" => Ok(Answer::of(&proto::GetClusterIdResponse { cluster_id: Some("fake".into()) })),
            "GetActiveMaster" => Ok(Answer::of(&proto::GetActiveMasterResponse { server_name: Some(server) })),
            "GetBootstrapNodes" => Ok(Answer::of(&proto::GetBootstrapNodesResponse { server_name: vec![server] })),
            "GetMetaRegionLocations" => Ok(Answer::of(&proto::GetMetaRegionLocationsResponse {
                meta_locations: vec![proto::RegionLocation {
                    region_info: proto::RegionInfo { region_id: 1, table_name: name("hbase", "meta"), ..info() },
                    server_name: Some(server),
                    seq_num: 0,
                }],
            })),
            "Get" => self.get(request),
            "Mutate" => self.mutate(request),
            "Multi" => self.multi(request),
            "Scan" => {
                let message: proto::ScanRequest = request.message();
                let is_meta = message.region.as_ref().is_some_and(|region| region.value.starts_with(b"hbase:meta"));
                if is_meta {
                    Ok(self.meta_rows(&message, port))
                } else {
                    self.scan(&message)
                }
            }
            other => Err(Exception::new("org.apache.hadoop.hbase.DoNotRetryIOException", other, true)),
        }
    }

    /// Rows of `hbase:meta` in descending order, as lookups of a region request them.
    fn meta_rows(&self, request: &proto::ScanRequest, port: u16) -> Answer {
        let scan = request.scan.as_ref().unwrap();
        let start = scan.start_row.clone().unwrap_or_default();
        let mut cells = CellBuffer::new();
        let mut counts = Vec::new();
        for index in (0..self.starts.len()).rev().filter(|_| !self.is_missing) {
            let name = self.region_name(index);
            let is_after_table = start == b"t\0";
            // Region names of the tests have no commas within keys, so plain order suffices.
            if !is_after_table && name > start {
                continue;
            }
            let region = proto::RegionInfo {
                region_id: self.generation,
                table_name: self::name("default", "t"),
                start_key: Some(self.starts[index].clone()),
                end_key: Some(self.end_of(index)),
                ..info()
            };
            let mut value = b"PBUF".to_vec();
            value.extend(region.encode_to_vec());
            let address = format!("127.0.0.1:{port}").into_bytes();
            for (qualifier, value) in [("regioninfo", value), ("server", address)] {
                push(&mut cells, &name, qualifier.as_bytes(), &value);
            }
            counts.push(2);
            if counts.len() >= request.number_of_rows.unwrap_or(1) as usize {
                break;
            }
        }
        let message = proto::ScanResponse { cells_per_result: counts, ..proto::ScanResponse::default() };
        Answer { message: message.encode_to_vec(), cells: block_of(&cells) }
    }

    fn get(&self, request: &Request) -> Done {
        let message: proto::GetRequest = request.message();
        let mut cells = CellBuffer::new();
        if message.region.value.starts_with(b"hbase:meta") {
            let state =
                if self.is_disabled { proto::table_state::State::Disabled } else { proto::table_state::State::Enabled };
            if !self.is_missing {
                let state = proto::TableState { state: state as i32 };
                push(&mut cells, &message.get.row, b"state", &state.encode_to_vec());
            }
        } else {
            let region = self.region(&message.region)?;
            self.check_row(region, &message.get.row)?;
            self.read(&message.get.row, &mut cells);
        }
        let exists = message.get.existence_only.unwrap_or(false).then_some(!cells.is_empty());
        if exists.is_some() {
            cells.clear();
        }
        let associated_cell_count = Some(cells.iter().count() as i32);
        let result = proto::Result { associated_cell_count, exists, ..proto::Result::default() };
        let message = proto::GetResponse { result: Some(result) };
        Ok(Answer { message: message.encode_to_vec(), cells: block_of(&cells) })
    }

    fn read(&self, row: &[u8], cells: &mut CellBuffer) {
        for (qualifier, value) in self.rows.get(row).into_iter().flatten() {
            push(cells, row, qualifier, value);
        }
    }

    /// Applies a mutation whose cells are next in the block; returns the new cells of an increment.
    fn apply(&mut self, mutation: &proto::MutationProto, group: u64, block: &mut BlockReader<'_>) -> CellBuffer {
        let mut cells = CellBuffer::new();
        block.take(mutation.associated_cell_count.unwrap_or(0) as usize, &mut cells).unwrap();
        let row = mutation.row.clone().unwrap();
        let mut new = CellBuffer::new();
        for cell in &cells {
            let mut value = cell.value().to_vec();
            if mutation.mutate_type() == proto::mutation_proto::MutationType::Increment {
                let key = (group, mutation.nonce.expect("increments have nonces"));
                if let Some(known) = self.nonces.get(&key) {
                    if !self.forgets_values {
                        push(&mut new, &row, cell.qualifier(), known);
                    }
                    continue;
                }
                let number = |bytes: &[u8]| i64::from_be_bytes(bytes.try_into().unwrap());
                let old = self.rows.get(&row).and_then(|row| row.get(cell.qualifier()));
                value = (old.map_or(0, |old| number(old)) + number(cell.value())).to_be_bytes().to_vec();
                self.nonces.insert(key, value.clone());
                push(&mut new, &row, cell.qualifier(), &value);
            }
            self.rows.entry(row.clone()).or_default().insert(cell.qualifier().to_vec(), value);
        }
        if mutation.mutate_type() == proto::mutation_proto::MutationType::Delete {
            self.rows.remove(&row);
        }
        new
    }

    fn mutate(&mut self, request: &Request) -> Done {
        let message: proto::MutateRequest = request.message();
        let region = self.region(&message.region)?;
        self.check_row(region, message.mutation.row())?;
        let group = message.nonce_group.unwrap_or(0);
        let new = self.apply(&message.mutation, group, &mut BlockReader::new(&request.cells));
        let result = result_of(&new);
        let message = proto::MutateResponse { result: Some(result), processed: Some(true) };
        Ok(Answer { message: message.encode_to_vec(), cells: block_of(&new) })
    }

    fn multi(&mut self, request: &Request) -> Done {
        let message: proto::MultiRequest = request.message();
        let mut block = BlockReader::new(&request.cells);
        let mut results = Vec::new();
        let mut cells = CellBuffer::new();
        for part in &message.region_action {
            let region = self.region(&part.region);
            let mut result = proto::RegionActionResult::default();
            for action in &part.action {
                let count = action.mutation.as_ref().map_or(0, |mutation| mutation.associated_cell_count.unwrap_or(0));
                let region = match &region {
                    Ok(region) => *region,
                    Err(_) => {
                        block.skip(count as usize).unwrap();
                        continue;
                    }
                };
                let entry = proto::ResultOrException { index: action.index, ..proto::ResultOrException::default() };
                let row = action.get.as_ref().map_or_else(|| action.mutation.as_ref().unwrap().row(), |get| &get.row);
                if let Err(exception) = self.check_row(region, row) {
                    block.skip(count as usize).unwrap();
                    result
                        .result_or_exception
                        .push(proto::ResultOrException { exception: Some(Box::new(pair(&exception))), ..entry });
                    continue;
                }
                let mut found = CellBuffer::new();
                if let Some(get) = &action.get {
                    self.read(&get.row, &mut found);
                }
                if let Some(mutation) = &action.mutation {
                    found = self.apply(mutation, message.nonce_group.unwrap_or(0), &mut block);
                }
                result.result_or_exception.push(proto::ResultOrException { result: Some(result_of(&found)), ..entry });
                cells.extend_from(&found);
            }
            result.exception = region.err().map(|exception| pair(&exception));
            results.push(result);
        }
        assert_eq!(block.remaining(), 0, "every cell belongs to an action");
        let message = proto::MultiResponse { region_action_result: results, processed: None };
        Ok(Answer { message: message.encode_to_vec(), cells: block_of(&cells) })
    }
}

fn pair(exception: &Exception) -> proto::NameBytesPair {
    proto::NameBytesPair { name: exception.class.clone(), value: Some(exception.text().into_bytes()) }
}

fn result_of(cells: &CellBuffer) -> proto::Result {
    proto::Result { associated_cell_count: Some(cells.iter().count() as i32), ..proto::Result::default() }
}

fn name(namespace: &str, qualifier: &str) -> proto::TableName {
    proto::TableName { namespace: namespace.into(), qualifier: qualifier.into() }
}

fn info() -> proto::RegionInfo {
    proto::RegionInfo { offline: Some(false), split: Some(false), replica_id: Some(0), ..proto::RegionInfo::default() }
}

pub fn push(cells: &mut CellBuffer, row: &[u8], qualifier: &[u8], value: &[u8]) {
    let (timestamp, cell_type) = (1, CellType::Put);
    cells.push(CellParts { row, family: b"f", qualifier, timestamp, cell_type, value, tags: b"" });
}

pub fn block_of(cells: &CellBuffer) -> Vec<u8> {
    let mut block = Vec::new();
    encode_cells(cells, &mut block);
    block
}
