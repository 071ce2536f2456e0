//! An incoming response: `header | message | cells` in one frame, header and message each with a varint length.

use super::{BlockReader, Malformed};
use crate::proto::ResponseHeader;
use prost::Message;
use rowstone_model::codec::Reader;
use std::ops::Range;

/// The exception in a server's response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteException {
    /// Full Java class name.
    pub class: String,
    /// The printed exception: class and message first, then the stack trace.
    pub text: String,
    /// Whether the server reports that retrying is useless.
    pub do_not_retry: bool,
    /// Whether the server is overloaded.
    pub is_overloaded: bool,
}

impl RemoteException {
    /// The message: the first line of its text, without its class.
    pub fn message(&self) -> &str {
        let line = self.text.lines().next().unwrap_or("");
        let message = line.strip_prefix(self.class.as_str()).map_or(line, |rest| rest.trim_start_matches(": "));
        if message.is_empty() {
            &self.class
        } else {
            message
        }
    }
}

/// The head of a frame: its call, and the positions of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameHead {
    /// The call that is answered; `u32::MAX` stands for the connection itself.
    pub call_id: u32,
    /// The exception, if any.
    pub exception: Option<RemoteException>,
    /// Position of the message in the frame.
    message: Range<usize>,
    /// Position of the cell block in the frame.
    cells: Range<usize>,
}

impl FrameHead {
    /// Reads the head of `frame`, which is given without its length.
    pub fn read(frame: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(frame);
        let header = ResponseHeader::decode(delimited(&mut reader)?)?;
        let exception = header.exception.map(|exception| RemoteException {
            class: exception.exception_class_name.unwrap_or_default(),
            text: exception.stack_trace.unwrap_or_default(),
            do_not_retry: exception.do_not_retry.unwrap_or(false),
            is_overloaded: exception.server_overloaded.unwrap_or(false),
        });
        let call_id = header.call_id.ok_or(Malformed("an answer without a call id"))?;
        let mut message = 0..0;
        if exception.is_none() && !reader.is_empty() {
            let length = delimited(&mut reader)?.len();
            message = reader.offset() - length..reader.offset();
        }
        let length = header.cell_block_meta.and_then(|meta| meta.length).unwrap_or(0) as usize;
        let start = reader.offset();
        if length > reader.remaining() {
            return Err(Malformed("a cell block longer than its frame"));
        }
        Ok(FrameHead { call_id, exception, message, cells: start..start + length })
    }
}

fn delimited<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    let short = |_| Malformed("a frame that ends before its message");
    let length = reader.varint().map_err(short)?;
    reader.take(usize::try_from(length).map_err(|_| Malformed("a message longer than memory"))?).map_err(short)
}

/// A response: its message and its cells.
#[derive(Debug, Clone)]
pub struct Response {
    frame: Vec<u8>,
    message: Range<usize>,
    cells: Range<usize>,
    /// The cells, if they had to be decompressed.
    inflated: Option<Vec<u8>>,
}

impl Response {
    /// The response in `frame`, whose head was read.
    pub fn new(frame: Vec<u8>, head: FrameHead) -> Self {
        Response { frame, message: head.message, cells: head.cells, inflated: None }
    }

    /// The encoded message.
    pub fn message_bytes(&self) -> &[u8] {
        self.frame.get(self.message.clone()).unwrap_or(&[])
    }

    /// Decodes the message.
    pub fn message<M: Message + Default>(&self) -> Result<M, Malformed> {
        Ok(M::decode(self.message_bytes())?)
    }

    /// The cell block.
    pub fn cell_block(&self) -> &[u8] {
        match &self.inflated {
            Some(cells) => cells,
            None => self.frame.get(self.cells.clone()).unwrap_or(&[]),
        }
    }

    /// The same response with its cells decompressed to `cells`.
    pub fn with_cell_block(mut self, cells: Vec<u8>) -> Self {
        self.inflated = Some(cells);
        self
    }

    /// A reader of the cells.
    pub fn cells(&self) -> BlockReader<'_> {
        BlockReader::new(self.cell_block())
    }
}
