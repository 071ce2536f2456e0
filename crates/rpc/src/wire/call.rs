//! An outgoing call: `u32 length | header | parameter | cells`, header and parameter each with a varint length.

use super::trace::trace_info;
use crate::proto::{CellBlockMeta, RequestHeader};
use prost::Message;

/// Priority of reads of `hbase:meta`.
const META_PRIORITY: u32 = 200;
/// Cells up to this size are copied into the frame, so that one write sends everything.
const SMALL_CELLS: usize = 32 << 10;

/// A method with its parameter and cells, ready to be sent, possibly more than once.
#[derive(Debug, Clone)]
pub struct Call {
    method: &'static str,
    parameter: Vec<u8>,
    cells: Vec<u8>,
    priority: Option<u32>,
}

impl Call {
    /// A call of `method`.
    pub fn new(method: &'static str, parameter: &impl Message) -> Self {
        Call { method, parameter: parameter.encode_length_delimited_to_vec(), cells: Vec::new(), priority: None }
    }

    /// The same call with `cells`, a cell block.
    pub fn with_cells(mut self, cells: Vec<u8>) -> Self {
        self.cells = cells;
        self
    }

    /// The same call, to be served by the handlers for `hbase:meta`.
    pub fn for_meta(mut self) -> Self {
        self.priority = Some(META_PRIORITY);
        self
    }

    /// The method's name.
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// Number of bytes of its cells.
    pub fn cell_bytes(&self) -> usize {
        self.cells.len()
    }

    /// Writes the frame's head to `out`, including small cells. Returns how many bytes of cells it includes; the others
    /// must be written after it.
    pub fn encode(&self, call_id: u32, timeout_ms: u32, cells: &[u8], out: &mut Vec<u8>) -> usize {
        let header = RequestHeader {
            call_id: Some(call_id),
            trace_info: trace_info(),
            method_name: Some(self.method.to_string()),
            request_param: Some(true),
            cell_block_meta: (!cells.is_empty()).then_some(CellBlockMeta { length: Some(cells.len() as u32) }),
            priority: self.priority,
            timeout: Some(timeout_ms),
        };
        let start = out.len();
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&header.encode_length_delimited_to_vec());
        out.extend_from_slice(&self.parameter);
        let length = out.len() - start - 4 + cells.len();
        out[start..start + 4].copy_from_slice(&(length as u32).to_be_bytes());
        if cells.len() <= SMALL_CELLS {
            out.extend_from_slice(cells);
            return cells.len();
        }
        0
    }

    /// The uncompressed cells.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }
}
