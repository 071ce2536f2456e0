//! A call and its answer.

use super::buffers::Buffer;
use super::exception::Exception;
use super::held::Share;
use crate::proto::mutation_proto::MutationType;
use crate::wire::{Malformed, RequestHead};
use prost::Message;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// What a call asks for, noted by those who read it, for those who count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub gets: u32,
    pub puts: u32,
    pub deletes: u32,
    pub increments: u32,
    pub appends: u32,
    pub checks: u32,
}

impl Work {
    /// One mutation more.
    pub fn add(&mut self, kind: MutationType) {
        *match kind {
            MutationType::Put => &mut self.puts,
            MutationType::Delete => &mut self.deletes,
            MutationType::Increment => &mut self.increments,
            MutationType::Append => &mut self.appends,
        } += 1;
    }
}

/// A call as it came, cells decompressed.
pub(super) struct Call {
    head: RequestHead,
    frame: Buffer,
    /// The cells, where they had to be decompressed.
    inflated: Option<Vec<u8>>,
    work: Cell<Work>,
    region: RefCell<Option<Arc<[u8]>>>,
}

impl Call {
    /// The call in `frame`.
    pub fn new(head: RequestHead, frame: Buffer, inflated: Option<Vec<u8>>) -> Self {
        Call { head, frame, inflated, work: Cell::default(), region: RefCell::default() }
    }

    /// The method's name.
    pub fn method(&self) -> &str {
        &self.head.method
    }

    /// How long the whole call is.
    pub fn bytes(&self) -> usize {
        self.frame.len().max(self.cells().len())
    }

    /// How long it is as it came.
    pub fn wire_bytes(&self) -> usize {
        self.frame.len()
    }

    /// Notes what it asks for.
    pub fn note(&self, work: Work) {
        self.work.set(work);
    }

    /// What was noted.
    pub fn work(&self) -> Work {
        self.work.get()
    }

    /// Notes the name of the region that it is about, where the message does not say it.
    pub fn note_region(&self, name: Arc<[u8]>) {
        *self.region.borrow_mut() = Some(name);
    }

    /// The name that was noted; empty where none was.
    pub fn region(&self) -> Arc<[u8]> {
        self.region.borrow().clone().unwrap_or_else(|| Arc::from([]))
    }

    /// What its client says of the span that it is in.
    pub fn trace(&self) -> impl Iterator<Item = (&String, &String)> + '_ {
        self.head.trace.iter().flat_map(|info| &info.headers)
    }

    /// How long the caller waits, in milliseconds; 0 is for ever.
    pub fn timeout_ms(&self) -> u32 {
        self.head.timeout_ms
    }

    /// Its parameter.
    pub fn message<M: Message + Default>(&self) -> Result<M, Exception> {
        let bytes = self.frame.get(self.head.parameter.clone()).unwrap_or(&[]);
        M::decode(bytes).map_err(|error| Malformed::from(error).into())
    }

    /// Its cell block.
    pub fn cells(&self) -> &[u8] {
        match &self.inflated {
            Some(cells) => cells,
            None => self.frame.get(self.head.cells.clone()).unwrap_or(&[]),
        }
    }
}

/// What a call is answered with.
pub(super) struct Answer {
    /// The message.
    pub message: Vec<u8>,
    /// The cell block, not compressed.
    pub cells: Buffer,
    /// What it took of the memory for answers while it was made.
    pub share: Option<Share>,
}

impl Answer {
    /// An answer without cells.
    pub fn of(message: &impl Message) -> Self {
        Answer { message: message.encode_to_vec(), cells: Buffer::default(), share: None }
    }
}

/// An answer or an exception.
pub(super) type Outcome = Result<Answer, Exception>;
