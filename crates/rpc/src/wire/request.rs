//! The server's side of frames: incoming calls, outgoing responses and exceptions.

use super::{Malformed, RemoteException};
use crate::proto::{CellBlockMeta, ExceptionResponse, RequestHeader, ResponseHeader, RpctInfo};
use prost::Message;
use rowstone_model::codec::{write_varint, Reader};
use std::ops::Range;

/// Cells up to this size are copied into the frame, so that one write sends everything.
const SMALL_CELLS: usize = 32 << 10;

/// The head of a call: the request, and the positions of its parts in the frame.
#[derive(Debug, Clone)]
pub struct RequestHead {
    /// The call id, repeated in the response.
    pub call_id: u32,
    /// The method's name.
    pub method: String,
    /// Time that the caller waits, in milliseconds; 0 for no limit.
    pub timeout_ms: u32,
    /// The caller's trace context.
    pub trace: Option<RpctInfo>,
    /// Position of the parameter in the frame.
    pub parameter: Range<usize>,
    /// Position of the cell block in the frame.
    pub cells: Range<usize>,
}

impl RequestHead {
    /// Reads the head of `frame`, which is given without its length. An error includes the call id if it could be
    /// read.
    pub fn read(frame: &[u8]) -> Result<Self, (Option<u32>, Malformed)> {
        let mut reader = Reader::new(frame);
        let header = delimited(&mut reader).map_err(|malformed| (None, malformed))?;
        let header = RequestHeader::decode(&frame[header]).map_err(|error| (None, error.into()))?;
        let call_id = header.call_id.unwrap_or(0);
        let wrong = |malformed| (Some(call_id), malformed);
        if !header.request_param.unwrap_or(false) {
            return Err(wrong(Malformed("a call without a parameter")));
        }
        let parameter = delimited(&mut reader).map_err(wrong)?;
        let length = header.cell_block_meta.and_then(|meta| meta.length).unwrap_or(0) as usize;
        let start = reader.offset();
        if length > reader.remaining() {
            return Err(wrong(Malformed("a cell block longer than its frame")));
        }
        let method = header.method_name.unwrap_or_default();
        let timeout_ms = header.timeout.unwrap_or(0);
        let trace = header.trace_info;
        Ok(RequestHead { call_id, method, timeout_ms, trace, parameter, cells: start..start + length })
    }

    /// The call id at the start of a frame that was not read to its end.
    pub fn call_id_of(beginning: &[u8]) -> Option<u32> {
        let header = delimited(&mut Reader::new(beginning)).ok()?;
        RequestHeader::decode(&beginning[header]).ok()?.call_id
    }
}

fn delimited(reader: &mut Reader<'_>) -> Result<Range<usize>, Malformed> {
    let short = |_| Malformed("a frame that ends before its message");
    let length = reader.varint().map_err(short)?;
    let length = usize::try_from(length).map_err(|_| Malformed("a message longer than memory"))?;
    reader.take(length).map_err(short)?;
    Ok(reader.offset() - length..reader.offset())
}

/// Encodes the frame of a response, including small cells. Returns false if the cells must be written after it.
pub fn encode_answer(call_id: u32, message: &[u8], cells: &[u8]) -> (Vec<u8>, bool) {
    let header = ResponseHeader {
        call_id: Some(call_id),
        exception: None,
        cell_block_meta: (!cells.is_empty()).then_some(CellBlockMeta { length: Some(cells.len() as u32) }),
    };
    let copies_cells = cells.len() <= SMALL_CELLS;
    let mut frame = Vec::with_capacity(32 + message.len() + if copies_cells { cells.len() } else { 0 });
    frame.extend_from_slice(&[0; 4]);
    frame.extend_from_slice(&header.encode_length_delimited_to_vec());
    write_varint(&mut frame, message.len() as u64);
    frame.extend_from_slice(message);
    let length = frame.len() - 4 + cells.len();
    frame[..4].copy_from_slice(&(length as u32).to_be_bytes());
    if copies_cells {
        frame.extend_from_slice(cells);
    }
    (frame, copies_cells)
}

/// Encodes the frame of an exception; call id `u32::MAX` stands for the connection itself.
pub fn encode_exception(call_id: u32, exception: &RemoteException) -> Vec<u8> {
    let response = ExceptionResponse {
        exception_class_name: Some(exception.class.clone()),
        stack_trace: Some(exception.text.clone()),
        hostname: None,
        port: None,
        do_not_retry: Some(exception.do_not_retry),
        server_overloaded: Some(exception.is_overloaded),
    };
    let header = ResponseHeader { call_id: Some(call_id), exception: Some(response), cell_block_meta: None };
    let body = header.encode_length_delimited_to_vec();
    let mut frame = (body.len() as u32).to_be_bytes().to_vec();
    frame.extend(body);
    frame
}
