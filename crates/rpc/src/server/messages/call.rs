//! Calls and their answers.

use crate::proto::mutation_proto::MutationType;
use crate::server::messages::answer_memory::Share;
use crate::server::messages::buffers::Buffer;
use crate::server::messages::exception::Exception;
use crate::wire::{Malformed, RequestHead};
use prost::Message;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The work that a call asks for: recorded by the code that reads it, for the code that counts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::server) struct Work {
    pub gets: u32,
    pub puts: u32,
    pub deletes: u32,
    pub increments: u32,
    pub appends: u32,
    pub checks: u32,
}

impl Work {
    /// Adds a mutation.
    pub fn add(&mut self, kind: MutationType) {
        *match kind {
            MutationType::Put => &mut self.puts,
            MutationType::Delete => &mut self.deletes,
            MutationType::Increment => &mut self.increments,
            MutationType::Append => &mut self.appends,
        } += 1;
    }
}

/// A received call, with its cells decompressed.
pub(in crate::server) struct Call {
    head: RequestHead,
    frame: Buffer,
    /// The cells, if they had to be decompressed.
    inflated: Option<Vec<u8>>,
    work: Cell<Work>,
    region: RefCell<Option<Arc<[u8]>>>,
}

impl Call {
    /// Creates a call from `frame`.
    pub fn new(head: RequestHead, frame: Buffer, inflated: Option<Vec<u8>>) -> Self {
        Call { head, frame, inflated, work: Cell::default(), region: RefCell::default() }
    }

    /// The name of the method.
    pub fn method(&self) -> &str {
        &self.head.method
    }

    /// Size of the call after decompression, in bytes.
    pub fn bytes(&self) -> usize {
        self.frame.len().max(self.cells().len())
    }

    /// Size of the call as received, in bytes.
    pub fn wire_bytes(&self) -> usize {
        self.frame.len()
    }

    /// Records the work that the call asks for.
    pub fn note(&self, work: Work) {
        self.work.set(work);
    }

    /// Returns the recorded work.
    pub fn work(&self) -> Work {
        self.work.get()
    }

    /// Records the region's name, for calls whose message does not contain it.
    pub fn note_region(&self, name: Arc<[u8]>) {
        *self.region.borrow_mut() = Some(name);
    }

    /// Returns the recorded name of the region; empty if there is none.
    pub fn region(&self) -> Arc<[u8]> {
        self.region.borrow().clone().unwrap_or_else(|| Arc::from([]))
    }

    /// Trace context that the client sent.
    pub fn trace(&self) -> impl Iterator<Item = (&String, &String)> + '_ {
        self.head.trace.iter().flat_map(|info| &info.headers)
    }

    /// The client's timeout in milliseconds; 0 means none.
    pub fn timeout_ms(&self) -> u32 {
        self.head.timeout_ms
    }

    /// Decodes the parameter.
    pub fn message<M: Message + Default>(&self) -> Result<M, Exception> {
        let bytes = self.frame.get(self.head.parameter.clone()).unwrap_or(&[]);
        M::decode(bytes).map_err(|error| Malformed::from(error).into())
    }

    /// Returns the cell block.
    pub fn cells(&self) -> &[u8] {
        match &self.inflated {
            Some(cells) => cells,
            None => self.frame.get(self.head.cells.clone()).unwrap_or(&[]),
        }
    }
}

/// A successful answer.
pub(in crate::server) struct Answer {
    /// The message.
    pub message: Vec<u8>,
    /// The cell block, not compressed.
    pub cells: Buffer,
    /// Memory for answers that this one has reserved.
    pub share: Option<Share>,
}

impl Answer {
    /// Creates an answer without cells.
    pub fn of(message: &impl Message) -> Self {
        Answer { message: message.encode_to_vec(), cells: Buffer::default(), share: None }
    }
}

/// An answer or an exception.
pub(in crate::server) type Outcome = Result<Answer, Exception>;
