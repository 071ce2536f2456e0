//! The bytes of a connection: preamble and header, frames of calls and responses, cell blocks.

mod call;
mod cell_block;
mod compress;
mod header;
mod request;
mod response;
mod trace;

pub use call::Call;
pub use cell_block::{append_cell, encode_cells, BlockReader};
pub use compress::Compressor;
pub use header::{header, preamble};
pub use request::{encode_answer, encode_exception, RequestHead};
pub use response::{FrameHead, RemoteException, Response};
pub use trace::set_trace_headers;

/// Maximum size of a frame: HBase's responses are much smaller, and greetings of other protocols look like larger
/// ones.
pub const MAX_FRAME_BYTES: usize = 1 << 30;

/// A response that violates the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed(
    /// A description of the problem.
    pub &'static str,
);

impl From<prost::DecodeError> for Malformed {
    fn from(_: prost::DecodeError) -> Self {
        Malformed("a message that cannot be read")
    }
}

impl From<rowstone_model::cell::MalformedCell> for Malformed {
    fn from(malformed: rowstone_model::cell::MalformedCell) -> Self {
        Malformed(malformed.reason)
    }
}
